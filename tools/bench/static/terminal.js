// The dealer's touch terminal, the very one of `make terminal`; its text screen, a command line, notices.
import { act, element, state, watch } from './net.js';
import { TouchTerminal } from './terminal/touch.js';

const history = [];
let glass = null;
let told; // when the newest notice was told; what was said before the page came is no news to it
let place = 0;

function dress(row, index) {
  if (index === 0) return 'title';
  if (index === 1) return 'prompt';
  if (row.startsWith('PAY')) return 'pay';
  if (row.startsWith('TAKE')) return 'takes';
  return '';
}

function paint() {
  const screen = document.getElementById('screen');
  const terminal = state.terminal || { rows: [] };
  const live = !state.lost && terminal.up && terminal.plugged && state.power?.on;
  screen.parentElement.classList.toggle('dark', !live);
  glass.show({ ...terminal, up: Boolean(live) });
  const rows = live ? terminal.rows : ['', 'NO CONNECTION'];
  screen.replaceChildren(...rows.map((row, index) =>
    element('span', { class: dress(row, index) }, row.padEnd(40) + '\n')));
}

function notices() {
  const list = document.getElementById('notices');
  const newest = (state.notices || []).at(-1);
  if (newest && told !== undefined && newest.at !== told) glass.say(newest.text, newest.alarm);
  told = newest ? newest.at : 0;
  const all = [...(state.notices || [])].reverse();
  list.replaceChildren(...all.map((note) =>
    element('li', { class: note.alarm ? 'alarm' : '' }, note.text)));
}

export function startTerminal() {
  glass = new TouchTerminal(document.getElementById('touch'), (key, value) => act(`touch ${key} ${value}`));
  const input = document.getElementById('line');
  document.getElementById('command').onsubmit = (event) => {
    event.preventDefault();
    const line = input.value.trim();
    if (!line) return;
    act(`say ${line}`);
    history.push(line);
    place = history.length;
    input.value = '';
  };
  input.onkeydown = (event) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    place = Math.max(0, Math.min(history.length, place + (event.key === 'ArrowUp' ? -1 : 1)));
    input.value = history[place] || '';
    event.preventDefault();
  };
  watch(['terminal', 'power', 'lost'], paint);
  watch(['notices'], notices);
}
