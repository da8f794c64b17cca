// The felt: seats in the dealer's order (seat 1 at his far left), spots, chips, cards, lamps, payments.
import { act, hello, money, state, watch } from './net.js';
import { card, chips, defs, HIGH, svg, WIDE } from './cards.js';
import { coin, removing } from './tray.js';

const DEALER = 0, BOARD = 8, BURN = 9, DISCARD = 10;
const SHOE = [742, 40];
const RAIL = 'M 30 30 H 970 Q 985 30 985 60 C 985 330 800 545 500 545 C 200 545 15 330 15 60 Q 15 30 30 30 Z';
const CLOTH = 'M 48 46 H 952 Q 966 46 966 70 C 966 320 790 524 500 524 C 210 524 34 320 34 70 Q 34 46 48 46 Z';
const WORDS = ['', '', 'FOLDED', 'VOID', 'DEAD', 'INSTANT', 'FALSE CALL'];
const LOW = 380;  // seats below this line sit at the lower edge of the felt
const BURNT = 330, DISCARDED = 262;
let layers = {};
let seen = new Map();
let looking = 0;

function seats() {
  const n = hello.seats || 6;
  const out = [];
  for (let i = 0; i < n; i++) {
    const angle = Math.PI * (0.03 + (0.94 * i) / (n - 1));
    out.push([500 + 385 * Math.cos(angle), 148 + 280 * Math.sin(angle)]);
  }
  return out;
}

// Lamps are on a seat's outer side, words and the button on its inner one.
const outer = (x) => (x >= 500 ? 1 : -1);

function spotPlaces() {
  const main = [...hello.wagers.slice(0, hello.mandatory), ...hello.raises];
  const sideBets = hello.wagers.slice(hello.mandatory);
  const row = (names, y, gap) => names.map((name, i) => [name, (i - (names.length - 1) / 2) * gap, y]);
  return [...row(main, 28, 42), ...row(sideBets, -14, 42)];
}

function short(label) {
  const words = label.split(' ');
  return words.length > 1 ? words : [label];
}

function spotNode(seat, name, x, y) {
  const label = hello.labels[name];
  const place = () => {
    if (removing()) act(`remove ${seat} ${name}`);
    else act(`place ${seat} ${name} ${coin() / 100}`);
  };
  const node = svg('g', {
    class: 'spot', transform: `translate(${x} ${y})`, tabindex: 0, role: 'button',
    'data-seat': seat, 'data-spot': name, 'aria-label': `seat ${seat} ${label}`,
    onclick: (event) => (event.shiftKey ? act(`remove ${seat} ${name}`) : place()),
    oncontextmenu: (event) => { event.preventDefault(); act(`remove ${seat} ${name}`); },
    onkeydown: (event) => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); place(); }
      if (event.key === 'Delete' || event.key === 'Backspace') act(`remove ${seat} ${name}`);
    },
  });
  node.append(svg('title', {}, `${label}, seat ${seat}`), svg('circle', { class: 'ring', r: 19.5 }));
  const words = short(label);
  words.forEach((word, i) => node.append(
    svg('text', { class: 'name', y: 3 + (i - (words.length - 1) / 2) * 9 }, word.toUpperCase())));
  return node;
}

function build() {
  const felt = document.getElementById('felt');
  const title = svg('text', { class: 'print', 'font-size': 26 });
  const path = svg('textPath', { href: '#arc', startOffset: '50%', 'text-anchor': 'middle' }, hello.title.toUpperCase());
  title.append(path);
  layers = { cards: svg('g'), chips: svg('g'), lamps: svg('g'), moves: svg('g'), marks: svg('g') };
  seen = new Map();
  felt.replaceChildren(
    defs(),
    svg('path', { d: RAIL, fill: 'url(#rail)', stroke: '#0c0705', 'stroke-width': 2 }),
    svg('path', { d: CLOTH, fill: 'url(#cloth)', stroke: '#d8b25a', 'stroke-width': 1.6 }),
    svg('path', { d: CLOTH, filter: 'url(#nap)', opacity: 0.33, 'pointer-events': 'none' }),
    svg('path', { d: 'M 330 190 H 670 Q 684 190 684 204 V 262 Q 684 276 670 276 H 330 Q 316 276 316 262 V 204 Q 316 190 330 190 Z', fill: '#0000001c', stroke: '#d8b25a', 'stroke-width': 1, opacity: 0.7 }),
    title,
    svg('text', { class: 'small', x: 500, y: 64, 'text-anchor': 'middle' }, 'DEALER'),
    svg('g', { transform: `translate(${SHOE[0] - 20} ${SHOE[1] + 14})` },
      svg('rect', { width: 66, height: 44, rx: 6, fill: '#17120f', stroke: '#6d5a3b' }),
      svg('rect', { x: -8, y: 12, width: 22, height: 26, rx: 3, fill: '#8c1d2c', stroke: '#e8c9a0', 'stroke-width': 0.8 }),
      svg('text', { class: 'small', x: 38, y: 27, 'text-anchor': 'middle' }, 'SHOE')),
  );
  seats().forEach(([x, y], i) => {
    const seat = i + 1;
    const group = svg('g', { class: 'seat', id: `seat-${seat}`, transform: `translate(${x} ${y})` },
      svg('circle', {
        class: 'plate', cx: 0, cy: 65, r: 13, tabindex: 0, role: 'button', 'aria-label': `look at the cards of seat ${seat}`,
        onpointerenter: () => look(seat), onpointerleave: () => look(0), onfocus: () => look(seat), onblur: () => look(0),
      }),
      svg('text', { class: 'number', x: 0, y: 69.6 }, String(seat)));
    for (const [name, sx, sy] of spotPlaces()) group.append(spotNode(seat, name, sx, sy));
    felt.append(group);
  });
  felt.append(layers.marks, layers.chips, layers.cards, layers.lamps, layers.moves);
  update();
}

function paintChips() {
  const where = seats();
  const spots = Object.fromEntries(spotPlaces().map(([name, x, y]) => [name, [x, y]]));
  const covered = new Set((state.chips || []).map(([seat, name]) => `${seat} ${name}`));
  document.querySelectorAll('#felt .spot').forEach((node) =>
    node.classList.toggle('covered', covered.has(`${node.dataset.seat} ${node.dataset.spot}`)));
  layers.chips.replaceChildren(...(state.chips || []).filter(([seat, name]) => where[seat - 1] && spots[name]).map(([seat, name, cents]) => {
    const [x, y] = where[seat - 1];
    return chips(cents, x + spots[name][0], y + spots[name][1]);
  }));
}

// The player at a seat lifts the corners of his own cards.
function look(seat) {
  looking = seat;
  if (layers.cards) paintCards();
}

function own(place, names) {
  if (place !== looking) return names;
  return names.map((name, i) => (name === '##' ? (state.peek?.[place]?.[i] || name) : name));
}

function hand(place, shown, x, y, gap) {
  const names = own(place, shown);
  const width = (names.length - 1) * gap + WIDE;
  return names.map((name, i) => {
    const key = `${place}:${i}`;
    const fresh = seen.get(key) === undefined;
    seen.set(key, name);
    return card(name, x - width / 2 + i * gap, y, fresh ? SHOE : null);
  });
}

function paintCards() {
  const cards = state.picture?.cards;
  if (!cards || !cards.some((place) => place.length)) {
    seen = new Map();
    layers.cards.replaceChildren();
    return;
  }
  const where = seats();
  const out = [
    ...hand(DEALER, cards[DEALER], 500, 76, 38),
    ...hand(BOARD, cards[BOARD], 500, 208, 42),
    ...hand(BURN, cards[BURN], BURNT, 76, 9),
    ...hand(DISCARD, cards[DISCARD], DISCARDED, 76, 9),
  ];
  where.forEach(([x, y], i) => out.push(...hand(i + 1, cards[i + 1], x, y - 38 - HIGH, 24)));
  layers.cards.replaceChildren(...out);
}

function paintLamps() {
  const where = seats();
  layers.lamps.replaceChildren(...(state.lamps || []).slice(0, where.length).map(([r, g, b], i) => {
    const [x, y] = where[i];
    const bright = Math.max(r, g, b);
    const colour = bright ? `rgb(${[r, g, b].map((v) => Math.round((v * 255) / bright)).join(',')})` : '#1b2a24';
    const lit = bright ? Math.min(1, 0.45 + bright / 200) : 1;
    const lamp = svg('g', { transform: `translate(${x + outer(x) * 26} ${y + 65})`, 'data-lamp': i + 1, 'data-rgb': `${r},${g},${b}` });
    if (bright) lamp.append(svg('circle', { r: 13, fill: colour, opacity: lit * 0.35 }));
    lamp.append(svg('circle', { r: 6.5, fill: colour, opacity: lit, stroke: '#0009' }));
    return lamp;
  }));
}

// Beside the seat: towards the middle at the sides of the felt, outwards at its lower edge.
function paintMoves() {
  const where = seats();
  const reach = Math.max(...spotPlaces().map(([, x]) => Math.abs(x))) + 26;
  const rows = new Map();
  for (const move of state.moves || []) {
    const secret = state.display?.turning && move.wager === hello.latch && move.kind === 'pay';
    if (!where[move.seat - 1] || secret) continue;  // nobody pays before the wheel rests
    rows.set(move.seat, [...(rows.get(move.seat) || []), move]);
  }
  layers.moves.replaceChildren(...[...rows].flatMap(([seat, moves]) => {
    const [x, y] = where[seat - 1];
    const low = y > LOW;
    const side = (x >= 500) === low ? 1 : -1;
    const top = low ? y + 6 - moves.length * 7 : y - moves.length * 14;
    return moves.flatMap((move, i) => moveNode(move, x + side * reach, top + i * 14, side));
  }));
}

function moveNode(move, x, y, side) {
  const sign = { pay: '+', take: '−', push: '=', return: '↩' }[move.kind];
  const text = `${sign}${money(move.cents)} ${hello.labels[move.wager] || move.wager}`;
  const wide = 10 + text.length * 6.7;
  return [
    svg('rect', { x: side > 0 ? x - 4 : x - wide + 4, y, width: wide, height: 14, fill: '#042218', opacity: 0.86, rx: 3 }),
    svg('text', { class: `move ${move.kind}`, x, y: y + 10.6, 'text-anchor': side > 0 ? 'start' : 'end' }, text)];
}

function paintSeats() {
  const picture = state.picture || {};
  const where = seats();
  const due = picture.due || { seat: 0, places: [] };
  const marks = [];
  where.forEach(([x, y], i) => {
    const seat = i + 1;
    const group = document.getElementById(`seat-${seat}`);
    group?.classList.toggle('turn', due.seat === seat);
    const word = WORDS[picture.status?.[seat] || 0];
    const tapped = picture.tapped?.[seat] ? 'SPIN' : '';
    if (word || tapped) marks.push(svg('text', { class: 'seat status', x: x - outer(x) * 46, y: y + 69, fill: '#ffb3a8', 'font-size': 10, 'font-weight': 700, 'text-anchor': 'middle' }, word || tapped));
    const late = picture.late?.[seat] || 0;
    [...hello.wagers, ...hello.raises].forEach((name, bit) =>
      group?.querySelector(`[data-spot="${name}"]`).classList.toggle('late', Boolean((late >> bit) & 1)));
  });
  if (due.places.length && picture.phase === 'deal') {
    const place = due.places[0];
    const at = place === DEALER ? [500, 100] : place === BOARD ? [500, 232] : place === BURN ? [BURNT, 100] : where[place - 1] && [where[place - 1][0], where[place - 1][1] - 62];
    if (at) marks.push(svg('rect', { x: at[0] - 62, y: at[1] - 28, width: 124, height: 56, rx: 9, fill: 'none', stroke: '#ffe19a', 'stroke-width': 1.6, 'stroke-dasharray': '5 5', opacity: 0.85 }));
  }
  if (picture.jackpot != null) {
    marks.push(svg('text', { class: 'print', x: 500, y: 178, 'font-size': 15, 'text-anchor': 'middle', style: 'opacity:.95;letter-spacing:.06em' }, `JACKPOT ${money(picture.jackpot)}`));
  }
  if (hello.button && picture.button !== undefined) {
    const at = picture.button ? [where[picture.button - 1][0] - outer(where[picture.button - 1][0]) * 26, where[picture.button - 1][1] + 65] : [440, 62];
    marks.push(svg('circle', { cx: at[0], cy: at[1], r: 8, fill: '#f4ecd8' }), svg('text', { x: at[0], y: at[1] + 3, 'font-size': 8, 'font-weight': 800, 'text-anchor': 'middle', fill: '#222' }, 'B'));
  }
  layers.marks.replaceChildren(...marks);
}

function update() {
  if (!layers.chips) return;
  paintChips(); paintCards(); paintLamps(); paintMoves(); paintSeats();
}

export function startFelt() {
  watch(['hello'], build);
  watch(['chips'], () => layers.chips && paintChips());
  watch(['lamps'], () => layers.lamps && paintLamps());
  watch(['picture', 'moves', 'peek', 'display'], () => { if (layers.cards) { paintCards(); paintSeats(); paintMoves(); } });
}
