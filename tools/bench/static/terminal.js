// The dealer's terminal exactly as the firmware paints it, a command line, and what it said once.
import { act, element, state, watch } from './net.js';

const history = [];
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
  const live = terminal.up && terminal.plugged && state.power?.on;
  screen.parentElement.classList.toggle('dark', !live);
  const rows = live ? terminal.rows : ['', 'NO CONNECTION'];
  screen.replaceChildren(...rows.map((row, index) =>
    element('span', { class: dress(row, index) }, row.padEnd(40) + '\n')));
}

function notices() {
  const list = document.getElementById('notices');
  const told = [...(state.notices || [])].reverse();
  list.replaceChildren(...told.map((note) =>
    element('li', { class: note.alarm ? 'alarm' : '' }, note.text)));
}

export function startTerminal() {
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
  watch(['terminal', 'power'], paint);
  watch(['notices'], notices);
}
