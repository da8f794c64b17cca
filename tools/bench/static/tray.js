// The chip tray: which chip a click on a spot places, and moving chips off the felt.
import { act, element, state, watch } from './net.js';
import { COINS } from './cards.js';

let chosen = 500;
let taking = false;

export const coin = () => chosen;
export const removing = () => taking;

function press(bar) {
  bar.querySelectorAll('.coin').forEach((node) =>
    node.setAttribute('aria-pressed', String(Number(node.dataset.cents) === chosen && !taking)));
  bar.querySelector('#taking').classList.toggle('on', taking);
}

export function startTray() {
  const bar = document.getElementById('tray');
  bar.append(element('span', { class: 'label' }, 'Chip'));
  for (const [cents, colour, label] of COINS) {
    bar.append(element('button', {
      class: 'coin', style: `--c:${colour}`, 'data-cents': cents, 'aria-label': `$${label} chip`,
      onclick: () => { chosen = cents; taking = false; press(bar); },
    }, label));
  }
  bar.append(
    element('button', { id: 'taking', onclick: () => { taking = !taking; press(bar); } }, 'Take off'),
    element('button', { onclick: () => act('sweep') }, 'Sweep the felt'),
    element('button', { id: 'amounts', title: 'What the table sees of the chips: that some lie there, or how much', onclick: () => act(`sensors ${state.sensors === 'amounts' ? 'presence' : 'amounts'}`) }, 'Sensors: presence'),
    element('span', { class: 'label' }, 'click: place, right-click or Del: take off'),
  );
  press(bar);
  watch(['sensors'], () => { bar.querySelector('#amounts').textContent = `Sensors: ${state.sensors}`; });
}
