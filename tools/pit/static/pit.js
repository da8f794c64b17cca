// The pit's page: asks once a second, draws what it is told. Texts go in as text, never as markup.
import { felt } from './felt.js';

const main = document.getElementById('main');
const EVERY_MS = 1000;
const EPOCH_2000 = 946684800; // tables count seconds from 2000
let timer = 0;
let tables = [];
let painted = null; // which view stands there
let turn = 0;
let heard = Date.now() / 1000;
const GONE = new Error('another view was asked for meanwhile');

function el(name, attributes = {}, ...inside) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick') node.onclick = value; else node.setAttribute(key, value);
  }
  node.append(...inside.map((each) => (each instanceof Node ? each : String(each))));
  return node;
}

// What is there already stays and is only changed where it differs: a click begun on it still ends
// on it, and a selection or a focus is not lost once a second. Things with a key keep to it.
function become(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  old.onclick = fresh.onclick;
  inside(old, [...fresh.childNodes]);
}

function inside(old, nodes) {
  const keyed = new Map([...old.children].filter((c) => c.dataset.key).map((c) => [c.dataset.key, c]));
  nodes.forEach((node, i) => {
    const at = old.childNodes[i];
    const key = node.dataset?.key;
    const same = key ? keyed.get(key) : at;
    if (!same || same.nodeName !== node.nodeName || (same.dataset?.key !== key)) return old.insertBefore(node, at || null);
    if (same !== at) old.insertBefore(same, at);
    if (same.nodeType === Node.TEXT_NODE) { if (same.data !== node.data) same.data = node.data; } else become(same, node);
  });
  while (old.childNodes.length > nodes.length) old.lastChild.remove();
}

function paint(...nodes) {
  if (painted === location.hash) return inside(main, nodes);
  painted = location.hash;
  main.replaceChildren(...nodes);
}

const called = (name) => { const label = tables.find((t) => t.name === name)?.label; return label ? `${label} (${name})` : name; };

const money = (cents) => (cents === null || cents === undefined ? '-'
  : (cents < 0 ? '-' : '') + '$' + (Math.floor(Math.abs(cents) / 100)).toLocaleString('en') + '.' + String(Math.abs(cents) % 100).padStart(2, '0'));
const moment = (seconds) => new Date(seconds * 1000).toLocaleString('sv');

async function ask(view, query = {}) {
  const mine = turn;
  const answer = await fetch(`api/${view}?` + new URLSearchParams(query));
  if (!answer.ok) throw new Error(`${view}: ${answer.status}`);
  const said = await answer.json();
  if (mine !== turn) throw GONE;
  heard = Date.now() / 1000;
  main.classList.remove('old');
  document.getElementById('trouble').textContent = said.trouble ? 'collector: ' + said.trouble : '';
  return said.found;
}

function tile(t) {
  const row = (name, value, cls = '') => [el('dt', {}, name), el('dd', { class: cls }, value)];
  const silent = t.seen ? 'silent since ' + moment(t.seen).slice(11) : 'not heard yet';
  return el('a', { class: `tile ${t.state}`, href: `#table/${t.name}`, 'data-table': t.name, 'data-key': t.name },
    el('div', { class: 'top' }, el('span', {}, called(t.name)),
      el('span', { class: { fault: 'bad', silent: 'warn' }[t.state] || '' }, t.state === 'silent' ? silent : t.state)),
    el('div', { class: 'game' }, t.game || '-'),
    el('dl', {},
      ...row('round', t.round, 'round'),
      ...row('rounds an hour', t.per_hour),
      ...row('jackpot', money(t.jackpot)),
      ...(t.fault || !t.last_fault ? row('fault', t.fault || 'none', t.fault ? 'bad' : '')
        : row('last fault', `${t.last_fault}, ${moment(t.faulty_at)}`)),
      ...row('alarms', t.alarms, t.alarms ? 'warn' : ''),
      ...row('build', (t.build.slice(0, 12) || '-') + (t.old_build ? ' unlike most' : ''), t.old_build ? 'warn' : '')));
}

function showTables() {
  if (!tables.length) return paint(el('p', {}, 'No table is known yet.'));
  paint(el('div', { class: 'tiles' }, ...tables.map(tile)));
}

function list(names, rows, numbers = []) {
  const cell = (kind, value, i) => el(kind, numbers.includes(i) ? { class: 'num' } : {}, value);
  return el('table', {}, el('tr', {}, ...names.map((name, i) => cell('th', name, i))),
    ...rows.map(({ cells, go }) => el('tr', go ? { class: 'go', 'data-key': go, onclick: () => { location.hash = go; } } : {},
      ...cells.map((value, i) => cell('td', value, i)))));
}

async function showTable(name) {
  const [rounds, log] = [await ask('rounds', { table: name }), await ask('log', { table: name })];
  paint(el('h2', {}, `Rounds of ${called(name)}`),
    list(['round', 'stored', 'game', 'wagered', 'house win', 'jackpot', ''], rounds.map((r) => ({
      go: `round/${name}/${r.epoch}/${r.serial}`,
      cells: [r.round, moment(r.received), r.game, money(r.handle), money(r.win), money(r.jackpot), r.void ? 'void: ' + r.void : r.hits ? 'jackpot hit' : ''],
    })), [0, 3, 4, 5]),
    el('h2', {}, 'Log'),
    list(['number', 'what', 'time', 'start', 'seconds since'], log.map((e) => ({ cells: [e.serial, e.what, e.real ? moment(e.real + EPOCH_2000) : '-', e.start_no, e.seconds] })), [0, 3, 4]));
}

async function showRound(name, epoch, serial) {
  const r = await ask('round', { table: name, epoch, serial });
  if (!r.name) return paint(el('p', {}, 'There is no such round.'));
  paint(
    el('h2', {}, `${called(name)}, round ${r.round}, ${r.game}: wagered ${money(r.handle)}, house win ${money(r.win)}`),
    el('p', {}, `settings ${r.settings}, build ${r.build}, stored ${moment(r.received)} `, el('a', { href: `#table/${name}` }, 'all rounds')),
    el('div', { class: 'two' },
      el('div', {}, el('h2', {}, 'What happened'), el('ol', { class: 'words' }, ...r.words.map((line) => el('li', {}, line)))),
      el('div', {}, el('h2', {}, 'On the felt'), felt(r.frames),
        el('h2', {}, 'Payments'),
        list(['what', 'seat', 'wager', 'amount', 'rule'], r.payments.map((p) => ({ cells: [p.kind, p.seat, p.wager, money(p.cents), p.rule] })), [1, 3]))));
}

async function showAlarms() {
  const found = await ask('alarms');
  paint(el('h2', {}, 'Alarms'), list(['table', 'alarm', 'what it says', 'about', 'times', 'first', 'last'],
    found.map((a) => ({ cells: [called(a.name), a.kind, a.means, a.about, a.count, moment(a.first_at), moment(a.last_at)] })), [4]));
}

async function showHits() {
  const found = await ask('hits');
  paint(
    el('h2', {}, 'Meters'), list(['table', 'game', 'jackpot'], tables.filter((t) => t.jackpot !== null).map((t) => ({ cells: [called(t.name), t.game, money(t.jackpot)] })), [2]),
    el('h2', {}, 'Hits'), list(['table', 'round', 'stored', 'seat', 'prize'], found.map((h) => ({ cells: [called(h.name), h.round, moment(h.received), h.seat, money(h.cents)] })), [1, 3, 4]));
}

// Rounds stand still; everything else is asked again.
const VIEWS = { tables: [showTables, true], alarms: [showAlarms, true], hits: [showHits, true], table: [showTable, true], round: [showRound, false] };

async function show() {
  clearTimeout(timer);
  turn += 1;
  const [view, ...rest] = (location.hash.slice(1) || 'tables').split('/').map(decodeURIComponent);
  const [draw, live] = VIEWS[view] || VIEWS.tables;
  try {
    tables = await ask('tables');
    await draw(...rest);
    const serious = (await ask('alarms')).filter((a) => !['hit', 'accepted'].includes(a.kind));
    document.getElementById('count').textContent = serious.length || '';
  } catch (error) {
    if (error === GONE) return;
    const lost = error instanceof TypeError; // no answer at all
    document.getElementById('trouble').textContent = lost ? `no answer from the collector since ${moment(heard)}; what stands here is old` : String(error);
    main.classList.toggle('old', lost);
  }
  if (live) timer = setTimeout(show, EVERY_MS);
}

addEventListener('hashchange', show);
show();
