// Views into critical memory and the running loop; refreshed every second while open.
import { element, fetchView, hello, money, state, watch } from './net.js';

function polled(name, paint) {
  let alive = true;
  const turn = async () => {
    if (!alive) return;
    try { paint(await fetchView(name)); } catch (error) { /* the next turn tries again */ }
    setTimeout(turn, 1000);
  };
  turn();
  return () => { alive = false; };
}

const fault = (found) => (found.fault ? [element('p', { class: 'warn' }, `Memory: ${found.fault}`)] : []);

export function journalPanel(panel) {
  const box = element('div', { class: 'columns wide' });
  panel.append(box);
  return polled('journal', (found) => {
    box.replaceChildren(
      element('div', {}, element('h3', {}, 'Events, newest first'), ...fault(found),
        element('ol', { class: 'mono list' }, ...found.events.map((event) => element('li', { class: event.open ? 'open' : '' }, event.text)))),
      element('div', {}, element('h3', {}, 'Log'), element('ol', { class: 'mono list' }, ...found.log.map((line) => element('li', {}, line)))));
  });
}

export function metersPanel(panel) {
  const box = element('div', { class: 'columns wide' });
  panel.append(box);
  const cell = (cents) => element('td', {}, money(cents));
  return polled('meters', (found) => {
    if (found.fault) { box.replaceChildren(...fault(found)); return; }
    const rows = found.rows.map((row) => element('tr', {}, element('th', {}, hello.labels[row.wager] || row.wager), cell(row.handle), cell(row.win), cell(row.period_handle), cell(row.period_win)));
    const t = found.totals;
    const money_ = new Set(['commission', 'jackpot', 'seed', 'contributions', 'hit_total', 'carried']);
    box.replaceChildren(
      element('table', {}, element('thead', {}, element('tr', {}, ...['Wager', 'Handle', 'House win', 'Period handle', 'Period win'].map((h) => element('th', {}, h)))), element('tbody', {}, ...rows)),
      element('div', {}, element('dl', {}, ...Object.entries(t).flatMap(([key, value]) => [element('dt', {}, key.replace('_', ' ')), element('dd', {}, money_.has(key) ? money(value) : String(value))])),
        element('p', { class: found.conserved ? 'good' : 'warn' }, found.conserved ? 'seed + contributions − wins = meter: to the cent' : 'METERS DO NOT ADD UP'),
        element('p', {}, 'Voids: ' + (Object.entries(found.voids).filter(([, n]) => n).map(([cause, n]) => `${cause} ${n}`).join(', ') || 'none'))));
  });
}

export function recallPanel(panel) {
  const box = element('div', { class: 'recall' });
  panel.append(box);
  let last = '';
  return polled('rounds', (found) => {
    const text = JSON.stringify(found);
    if (text === last) return;
    last = text;
    box.replaceChildren(...fault(found), ...found.rounds.map((round, i) => element('details', { open: i === 0 },
      element('summary', {}, `Round ${round.number + 1}`), element('ol', { class: 'mono list' }, ...round.lines.map((line) => element('li', {}, line))))));
    if (!found.rounds.length) box.append(element('p', { class: 'soft' }, 'No finished round is kept yet.'));
  });
}

function bytesOf(hex) {
  const out = new Uint8Array(hex.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = parseInt(hex.substr(2 * i, 2), 16);
  return out;
}

function dump(bytes, start) {
  const rows = [];
  for (let at = start; at < Math.min(start + 256, bytes.length); at += 16) {
    const part = [...bytes.slice(at, at + 16)];
    rows.push(`${at.toString(16).padStart(4, '0')}  ${part.map((b) => b.toString(16).padStart(2, '0')).join(' ')}  ${part.map((b) => (b > 31 && b < 127 ? String.fromCharCode(b) : '·')).join('')}`);
  }
  return rows.join('\n');
}

export function nvramPanel(panel) {
  const canvas = element('canvas', { width: 256, height: 128, class: 'nvram', 'aria-label': 'map of the memory, one pixel a byte' });
  const status = element('div', { class: 'status' });
  const text = element('pre', { class: 'mono' });
  const context = canvas.getContext('2d');
  const image = context.createImageData(256, 128);
  let bytes = new Uint8Array(32768);
  let heat = new Float32Array(32768);
  let start = 0;
  canvas.onclick = (event) => {
    const box = canvas.getBoundingClientRect();
    start = Math.floor(((event.clientY - box.top) / box.height) * 128) * 256;
    text.textContent = dump(bytes, start);
  };
  panel.append(status, element('div', { class: 'columns' }, canvas, text));
  return polled('nvram', (found) => {
    const fresh = bytesOf(found.hex);
    for (let i = 0; i < fresh.length; i++) {
      heat[i] = fresh[i] !== bytes[i] ? 1 : heat[i] * 0.75;
      const v = fresh[i];
      image.data.set([Math.max(v ? 40 + v / 3 : 14, heat[i] * 255), v ? 60 + v / 2 : 18, v ? 40 + v / 4 : 16, 255], 4 * i);
    }
    bytes = fresh;
    context.putImageData(image, 0, 0);
    text.textContent = dump(bytes, start);
    status.textContent = `${found.fault ? 'FAULT ' + found.fault : 'sound'} · next event ${found.seq} · journal room ${found.room} bytes · click the map for bytes`;
  });
}

const BOUNDS = ['≤1', '≤2', '≤5', '≤10', '≤20', '≤50', '≤100', '≤200', '≤500', '≤1000', '>1000'];

export function healthPanel(panel) {
  const status = element('div', { class: 'status' });
  const bars = element('div', { class: 'bars' });
  panel.append(status, bars, element('p', { class: 'soft' }, 'How late the main loop came round, in milliseconds. A PC is not a board: the board\'s own figures come from make bench-test.'));
  let alive = true;
  const paint = () => {
    if (!alive || !state.health) return;
    const { counts, worst, p999, free, queue } = state.health;
    const total = counts.reduce((a, b) => a + b, 0) || 1;
    status.textContent = `worst ${worst} ms · p99.9 ≤ ${p999} ms · ${total.toLocaleString()} loops · queue at most ${queue} · heap free before the next collection ${free.toLocaleString()} bytes`;
    bars.replaceChildren(...counts.map((count, i) => element('div', {}, element('span', { style: `height:${count ? 6 + (94 * Math.log10(1 + count)) / Math.log10(1 + total) : 0}%` }), element('b', {}, BOUNDS[i]), element('small', {}, String(count)))));
  };
  watch(['health'], paint);
  paint();
  return () => { alive = false; };
}
