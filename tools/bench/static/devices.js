// The shoe's and the board's switches: everything a person can do to the hardware.
import { act, element, state, watch } from './net.js';
import { dealWord } from './strip.js';

const RANKS = 'AKQJT98765432';
const SUITS = [['s', '♠'], ['h', '♥'], ['d', '♦'], ['c', '♣']];
let picked = [];

const button = (label, line, kind = '') => element('button', { class: kind, onclick: () => [].concat(line).forEach((each) => act(each)) }, label);
const group = (title, ...nodes) => element('fieldset', {}, element('legend', {}, title), ...nodes);

function watching(keys, paint) {
  let alive = true;
  watch(keys, () => alive && paint());
  paint();
  return () => { alive = false; };
}

function deckPicker(paintPicked) {
  const grid = element('div', { class: 'deck', role: 'grid', 'aria-label': 'Stack a deck card by card' });
  for (const [suit, sign] of SUITS) {
    for (const rank of RANKS) {
      const name = rank + suit;
      grid.append(element('button', {
        class: suit === 'h' || suit === 'd' ? 'red' : '', 'data-card': name, 'aria-label': name,
        onclick: () => { if (!picked.includes(name)) picked.push(name); paintPicked(); },
      }, (rank === 'T' ? '10' : rank) + sign));
    }
  }
  return grid;
}

export function shoePanel(panel) {
  const status = element('div', { class: 'status' });
  const chosen = element('output', { class: 'picked' });
  const paintPicked = () => {
    chosen.textContent = picked.length ? picked.join(' ') : 'click cards in the order they shall leave the shoe';
    grid.querySelectorAll('button').forEach((node) => node.classList.toggle('used', picked.includes(node.dataset.card)));
  };
  const grid = deckPicker(paintPicked);
  panel.append(
    status,
    element('div', { class: 'columns' },
      group('Cards', button('Deal a card', dealWord(), 'main'), button('Deal all due', `${dealWord()} due`),
        button('Shuffle', 'shuffle-deck'), button('Face-up card', 'faceup')),
      group('Faults', button('Jam', 'jam', 'alert'), button('Clear jam', 'unjam'), button('Miscount 51', 'shuffle 51', 'alert'),
        button('Garbage on the line', 'garbage shoe 80', 'alert'), button('Unplug cable', 'unplug shoe', 'alert'), button('Plug in', 'plug shoe'),
        button('Take shoe off', 'lift', 'alert'), button('Put shoe on', 'fit'))),
    group('Stack the deck', grid, chosen,
      button('Stack', [], 'main'), element('button', { onclick: () => { picked = []; paintPicked(); } }, 'Start over')),
  );
  panel.querySelector('fieldset:last-of-type .main').onclick = () => { if (picked.length) act(`stack ${picked.join(' ')}`); picked = []; paintPicked(); };
  paintPicked();
  return watching(['shoe'], () => {
    const shoe = state.shoe || {};
    const flags = [shoe.up ? 'link up' : 'link down', shoe.plugged ? 'plugged in' : 'UNPLUGGED', shoe.jammed ? 'JAMMED' : '', shoe.attached ? '' : 'TAKEN OFF', shoe.stacked ? 'next shuffle is stacked' : ''];
    status.textContent = `${shoe.inside} cards inside, ${shoe.out} out · ${flags.filter(Boolean).join(' · ')}`;
  });
}

function keySwitch(name, label) {
  const node = element('button', { class: 'keyswitch', 'aria-pressed': 'false', onclick: () => act(`key ${name}`) },
    element('i', {}), element('span', {}, label));
  return node;
}

export function boardPanel(panel) {
  const attendant = keySwitch('attendant', 'Attendant');
  const service = keySwitch('service', 'Service');
  const after = element('input', { type: 'number', min: 0, max: 5000, value: 20, 'aria-label': 'bytes', style: 'width:5.5em' });
  const status = element('div', { class: 'status' });
  const speeds = [[0, 'stop'], [25, '¼×'], [100, '1×'], [400, '4×'], [1600, '16×']].map(([percent, label]) =>
    element('button', { 'data-speed': percent, onclick: () => act(`speed ${percent}`) }, label));
  panel.append(
    status,
    element('div', { class: 'columns' },
      group('Key switches', attendant, service),
      group('Power', button('On', 'power on', 'main'), button('Cut now', 'cut-power now', 'alert'), button('Cut at the next write', 'cut-power write', 'alert'),
        element('span', { class: 'inline' }, element('button', { class: 'alert', onclick: () => act(`cut-power ${after.value}`) }, 'Cut after'), after, 'FRAM bytes')),
      group('Watchdog', button('Hang the firmware: it bites after 8 s', 'watchdog', 'alert')),
      group('Clock', ...speeds),
      group('Random source', button('Stuck', 'random stuck', 'alert'), button('Normal', 'random normal')),
      group('Terminal cable', button('Unplug', 'unplug terminal', 'alert'), button('Plug in', 'plug terminal'), button('Garbage', 'garbage terminal 80', 'alert'))));
  return watching(['keys', 'power', 'fram', 'links'], () => {
    const power = state.power || {};
    attendant.setAttribute('aria-pressed', String(Boolean(state.keys?.attendant)));
    service.setAttribute('aria-pressed', String(Boolean(state.keys?.service)));
    speeds.forEach((node) => node.classList.toggle('on', Number(node.dataset.speed) === power.speed));
    status.textContent = `${power.on ? 'powered' : 'NO POWER'} · start ${power.starts} (${power.cause}) · watchdog bit ${power.bites}× · FRAM ${state.fram?.writes} writes, ${state.fram?.bytes} bytes · UART overruns ${state.links?.overruns.join(' / ')}${power.failed ? ' · ' + power.failed : ''}`;
  });
}
