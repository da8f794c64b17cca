// The pit's page: asks once a second, draws what it is told. Texts go in as text, never as markup.
import { felt } from './felt.js';

const main = document.getElementById('main');
const EVERY_MS = 1000;
const EPOCH_2000 = 946684800; // tables count seconds from 2000
let timer = 0;

function el(name, attributes = {}, ...inside) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick') node.onclick = value; else node.setAttribute(key, value);
  }
  node.append(...inside.map((each) => (each instanceof Node ? each : String(each))));
  return node;
}

const money = (cents) => (cents === null || cents === undefined ? '-'
  : (cents < 0 ? '-' : '') + '$' + (Math.floor(Math.abs(cents) / 100)).toLocaleString('en') + '.' + String(Math.abs(cents) % 100).padStart(2, '0'));
const moment = (seconds) => new Date(seconds * 1000).toLocaleString('sv');

async function ask(view, query = {}) {
  const answer = await fetch(`api/${view}?` + new URLSearchParams(query));
  if (!answer.ok) throw new Error(`${view}: ${answer.status}`);
  const said = await answer.json();
  document.getElementById('trouble').textContent = said.trouble ? 'collector: ' + said.trouble : '';
  return said.found;
}

function tile(t) {
  const row = (name, value, cls = '') => [el('dt', {}, name), el('dd', { class: cls }, value)];
  const name = t.label ? `${t.label} (${t.name})` : t.name;
  return el('a', { class: `tile ${t.state}`, href: `#table/${t.name}`, 'data-table': t.name },
    el('div', { class: 'top' }, el('span', {}, name), el('span', { class: t.state === 'fault' ? 'bad' : '' }, t.state)),
    el('div', { class: 'game' }, t.game || '-'),
    el('dl', {},
      ...row('round', t.round, 'round'),
      ...row('rounds an hour', t.per_hour),
      ...row('jackpot', money(t.jackpot)),
      ...row('fault', t.fault || 'none', t.fault ? 'bad' : ''),
      ...row('alarms', t.alarms, t.alarms ? 'warn' : ''),
      ...row('build', t.build.slice(0, 12) + (t.old_build ? ' unlike most' : ''), t.old_build ? 'warn' : '')));
}

async function showTables() {
  const found = await ask('tables');
  if (!found.length) return main.replaceChildren(el('p', {}, 'No table has been heard of yet.'));
  main.replaceChildren(el('div', { class: 'tiles' }, ...found.map(tile)));
}

function list(names, rows, numbers = []) {
  const cell = (kind, value, i) => el(kind, numbers.includes(i) ? { class: 'num' } : {}, value);
  return el('table', {}, el('tr', {}, ...names.map((name, i) => cell('th', name, i))),
    ...rows.map(({ cells, go }) => el('tr', go ? { class: 'go', onclick: () => { location.hash = go; } } : {},
      ...cells.map((value, i) => cell('td', value, i)))));
}

async function showTable(name) {
  const [rounds, log] = [await ask('rounds', { table: name }), await ask('log', { table: name })];
  main.replaceChildren(el('h2', {}, `Rounds of ${name}`),
    list(['round', 'stored', 'game', 'wagered', 'house win', 'jackpot', ''], rounds.map((r) => ({
      go: `round/${name}/${r.epoch}/${r.serial}`,
      cells: [r.round, moment(r.received), r.game, money(r.handle), money(r.win), money(r.jackpot), r.void ? 'void: ' + r.void : r.hits ? 'jackpot hit' : ''],
    })), [0, 3, 4, 5]),
    el('h2', {}, 'Log'),
    list(['number', 'what', 'time', 'start', 'seconds since'], log.map((e) => ({ cells: [e.serial, e.what, e.real ? moment(e.real + EPOCH_2000) : '-', e.start_no, e.seconds] })), [0, 3, 4]));
}

async function showRound(name, epoch, serial) {
  const r = await ask('round', { table: name, epoch, serial });
  if (!r.name) return main.replaceChildren(el('p', {}, 'There is no such round.'));
  main.replaceChildren(
    el('h2', {}, `${name}, round ${r.round}, ${r.game}: wagered ${money(r.handle)}, house win ${money(r.win)}`),
    el('p', {}, `settings ${r.settings}, build ${r.build}, stored ${moment(r.received)} `, el('a', { href: `#table/${name}` }, 'all rounds')),
    el('div', { class: 'two' },
      el('div', {}, el('h2', {}, 'What happened'), el('ol', { class: 'words' }, ...r.words.map((line) => el('li', {}, line)))),
      el('div', {}, el('h2', {}, 'On the felt'), felt(r.frames),
        el('h2', {}, 'Payments'),
        list(['what', 'seat', 'wager', 'amount', 'rule'], r.payments.map((p) => ({ cells: [p.kind, p.seat, p.wager, money(p.cents), p.rule] })), [1, 3]))));
}

async function showAlarms() {
  const found = await ask('alarms');
  main.replaceChildren(el('h2', {}, 'Alarms'), list(['table', 'alarm', 'what it says', 'about', 'times', 'first', 'last'],
    found.map((a) => ({ cells: [a.name, a.kind, a.means, a.about, a.count, moment(a.first_at), moment(a.last_at)] })), [4]));
}

async function showHits() {
  const found = await ask('hits');
  const tables = await ask('tables');
  main.replaceChildren(
    el('h2', {}, 'Meters'), list(['table', 'game', 'jackpot'], tables.filter((t) => t.jackpot !== null).map((t) => ({ cells: [t.label || t.name, t.game, money(t.jackpot)] })), [2]),
    el('h2', {}, 'Hits'), list(['table', 'round', 'stored', 'seat', 'prize'], found.map((h) => ({ cells: [h.name, h.round, moment(h.received), h.seat, money(h.cents)] })), [1, 3, 4]));
}

// Rounds stand still; everything else is asked again.
const VIEWS = { tables: [showTables, true], alarms: [showAlarms, true], hits: [showHits, true], table: [showTable, true], round: [showRound, false] };

async function show() {
  clearTimeout(timer);
  const [view, ...rest] = (location.hash.slice(1) || 'tables').split('/').map(decodeURIComponent);
  const [draw, live] = VIEWS[view] || VIEWS.tables;
  try {
    await draw(...rest);
    const serious = (await ask('alarms')).filter((a) => !['hit', 'accepted'].includes(a.kind));
    document.getElementById('count').textContent = serious.length || '';
  } catch (error) {
    document.getElementById('trouble').textContent = String(error);
  }
  if (live) timer = setTimeout(show, EVERY_MS);
}

addEventListener('hashchange', show);
show();
