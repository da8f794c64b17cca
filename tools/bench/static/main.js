// The page: wires the parts together and handles the header and the keyboard.
import { act, connect, element, hello, onProblem, state, watch } from './net.js';
import { startFelt } from './felt.js';
import { startTray } from './tray.js';
import { dealWord, mainButton, perform, startStrip } from './strip.js';
import { startTerminal } from './terminal.js';
import { startWheel } from './wheel.js';
import { startPanels } from './panels.js';

const KEYS = {
  ' ': ['the golden button', () => mainButton()?.click()],
  d: ['deal a card', () => act(dealWord())],
  D: ['deal all that is due', () => act(`${dealWord()} due`)],
  o: ['ok', () => act('say ok')],
  n: ['no more bets', () => act('say nmb')],
  u: ['undo', () => act('say undo')],
  s: ['spin', () => act('say spin')],
  '/': ['type a command', () => document.getElementById('line').focus()],
  p: ['power on or off', () => act(state.power?.on ? 'power off' : 'power on')],
  '?': ['this list', () => help()],
};
const QUICK = [['ok', 'say ok'], ['nmb', 'say nmb'], ['undo', 'say undo'], ['recall', 'say recall'], ['meters', 'say meters'], ['log', 'say log'], ['exposed dealer', 'say exposed dealer'], ['void (key)', 'key attendant on;seen;say void supervisor;seen;key attendant off']];

function help() {
  const dialog = document.getElementById('help');
  const rows = Object.entries(KEYS).map(([key, [text]]) =>
    element('li', {}, element('kbd', {}, key === ' ' ? 'Space' : key), ' ', text));
  dialog.replaceChildren(
    element('h2', {}, 'Keyboard'), element('ul', {}, ...rows),
    element('p', {}, 'Tab walks through spots and buttons; Enter places a chip, Del takes it off.'),
    element('button', { class: 'main', onclick: () => dialog.close() }, 'Close'));
  dialog.showModal();
}

function typing(target) {
  return ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

function header() {
  const game = document.getElementById('game');
  const start = document.getElementById('start');
  game.replaceChildren(...hello.games.map((each) => element('option', { value: each.game }, each.title)));
  start.replaceChildren(...hello.starts.map((name) => element('option', { value: name }, name)));
  game.value = hello.game;
  start.value = hello.start;
  document.getElementById('dealing').value = hello.dealing;
  document.title = `Virtual table · ${hello.title}`;
  document.querySelector('.wheel').classList.toggle('none', !hello.settings[hello.latch]);
}

function start() {
  let timer = 0;
  const toast = document.getElementById('toast');
  onProblem((text) => {
    toast.textContent = text;
    toast.classList.add('show');
    clearTimeout(timer);
    timer = setTimeout(() => toast.classList.remove('show'), 4000);
  });
  watch(['hello'], header);
  const restart = () => act(`game ${['game', 'dealing', 'start'].map((id) => document.getElementById(id).value).join(' ')}`);
  document.getElementById('restart').onclick = restart;
  document.getElementById('game').onchange = restart;
  const power = document.getElementById('power');
  power.onclick = () => act(state.power?.on ? 'power off' : 'power on');
  watch(['power'], () => power.setAttribute('aria-pressed', String(Boolean(state.power?.on))));
  document.getElementById('keys-row').append(...QUICK.map(([label, lines]) =>
    element('button', { onclick: () => perform(lines.split(';')) }, label)));
  // Space belongs to what was reached with Tab; what a mouse has pressed gives it back to the golden button.
  let walked = true;
  document.addEventListener('pointerdown', () => { walked = false; });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') walked = true;
    if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ' && event.target.closest('button, .spot')) {
      if (walked || event.target.closest('dialog')) return;
      event.stopPropagation();
      event.target.blur();
    }
    const found = KEYS[event.key];
    if (found) { event.preventDefault(); found[1](); }
  }, true);
  startFelt(); startTray(); startStrip(); startTerminal(); startWheel(); startPanels();
  connect();
}

start();
