// What the table waits for, as buttons. Every button is a script line; the terminal could do it too.
import { GONE, act, element, hello, settled, state, watch } from './net.js';

const HEARD_MS = 10000;
const READ_MS = 2000; // a chip reader has told every amount long before
const LOOK_MS = 50;
const STILL_MS = 300; // three pictures of a chip reader
const b = (label, lines, kind = '') => ({ label, lines: [].concat(lines), kind });

export const dealWord = () => ((state.picture?.dealing || hello.dealing) === 'hand' ? 'hand' : 'deal');

function dealing() {
  const word = dealWord();
  return [b('Deal a card', word, 'main'), b('Deal all due', `${word} due`)];
}

const VOID = ['key attendant on', 'seen', 'say void', 'seen', 'key attendant off'];

// By what is due; `p` is the table's picture, `d` the due with its seat and choices.
const DUE = {
  closed: () => [b('Open, new cards', 'say open new', 'main'), b('Open, pre-shuffled', 'say open pre')],
  check: (p, d) => {
    const step = d.choices[0];
    if (step === 'verify') return [b('Floorperson verifies', ['key attendant on', 'seen', 'say ok', 'seen', 'key attendant off'], 'main')];
    if (step === 'cut') return [b('Cut 26 cards', 'say done 26', 'main'), b('Cut 5 (too few)', 'say done 5')];
    if (step === 'shuffle') return [b('Shuffle', ['shuffle-deck', 'say done 52'], 'main')];
    return [b('Done', 'say ok', 'main')];
  },
  idle: () => [b('Player comes: open again', 'say open again', 'main')],
  bet: () => [b('No more bets', ['seen', 'golden', 'touch N 0'], 'main'), b('Spread cards', 'say idle'), b('Close', 'say close')],
  deal: (p) => (p.dealing === 'auto' ? [b('Stacks come by themselves', [], 'quiet')] : dealing()),
  mend: dealing,
  stop: () => [b('The cards lie in order: go on', 'say ok', 'main'), b('Void, with the key', VOID)],
  name: (p, d) => {
    const place = { 0: 'dealer', 8: 'board' }[d.places[0]] || d.places[0];
    const lie = ((state.peek || {})[d.places[0]] || []).join(' ');
    return lie ? [b(`Name ${place}: ${lie}`, `say hand ${place} ${lie}`, 'main')] : [];
  },
  decide: (p, d) => d.choices.map((a, i) => b(hello.actions[a], `decide ${d.seat} ${a}`, i ? '' : 'main')),
  show: () => [b('Turn the cards', 'say reveal', 'main')],
  reveal: () => [b('Reveal the dealer', 'say reveal', 'main')],
  stub: (p) => [b('Count the stub', `say stub ${52 - p.dealt}`, 'main'), b('Stub one short', `say stub ${51 - p.dealt}`)],
  discard: (p, d) => ((state.peek || {})[d.seat] || []).map((card) => b(`Discard ${card}`, `say discard ${d.seat} ${card}`)),
  tap: (p, d) => [b(`Tap seat ${d.seat}`, `tap ${d.seat}`, 'main')],
  settle: (p, d) => [b(`Seat ${d.seat} settled`, `say paid ${d.seat}`, 'main')],
  pot: () => [b('Award the pot', 'say paid 0', 'main')],
  spin: (p, d) => [b(`Spin for seat ${d.seat}`, 'say spin', 'main')],
  spun: (p, d) => (state.display?.turning ? [] : [b('Spin paid', `say spun ${d.seat}`, 'main')]),
  hand_pay: (p, d) => (state.display?.turning ? [] : [b('Hand pay with the key', ['key attendant on', 'seen', `say handpaid ${d.seat}`, 'seen', 'key attendant off'], 'main')]),
  collect: () => [b('Collect the cards', 'say end', 'main')],
  void: () => [b('Stakes returned', 'say end', 'main')],
};

const CLEAR = ['power off', 'key service on', 'key attendant on', 'power on', 'pause 2000', 'type clear', 'pause 1000', 'power off', 'key service off', 'key attendant off', 'power on'];

function choices() {
  const picture = state.picture;
  if (state.lost) return [GONE, []];
  if (!state.power?.on) return ['The table has no power.', [b('Power on', 'power on', 'main')]];
  if (!state.power.alive || !picture) {
    return [state.keys?.service ? 'Service key at power-on: the service console is open (Console tab).' : 'The table starts …', []];
  }
  const says = state.terminal?.rows[1] || '';
  if (picture.fault) {
    const cure = /^vault_(?!missing)/.test(picture.fault);
    return [`Closed by a fault: ${picture.fault}`, cure ? [b('Set memory up anew (both keys, service console)', CLEAR, 'alert')] : []];
  }
  const found = DUE[picture.due.kind];
  return [says, found ? found(picture, picture.due) : []];
}

let offered = '';
let told = null;
let forget = 0;

// What the terminal said last stands under its prompt for a while: alarms must not be overlooked.
function hear() {
  told = (state.notices || []).at(-1) || null;
  clearTimeout(forget);
  forget = setTimeout(() => { told = null; paint(); }, HEARD_MS);
  paint();
}

function paint() {
  const [says, list] = choices();
  const bar = document.getElementById('strip');
  if (!bar.firstChild) bar.append(element('span', { class: 'says' }));
  bar.firstChild.replaceChildren(says, ...(told ? [element('small', { class: told.alarm ? 'alarm' : '' }, told.text)] : []));
  offer(bar, list);
  const plain = golden();
  [...bar.querySelectorAll('button')].forEach((node, i) => { node.className = plain && list[i].kind === 'main' ? '' : list[i].kind; });
}

// A button stays the same node while it is offered: one that is replaced between press and release is not clicked.
function offer(bar, list) {
  const does = (each) => each.lines.join('; ');
  const key = JSON.stringify(list.map((each) => [each.label, does(each)]));
  if (key === offered) return;
  offered = key;
  const held = bar.contains(document.activeElement);
  bar.replaceChildren(bar.firstChild, ...list.map((each) =>
    element('button', { 'data-do': does(each), onclick: () => perform(each.lines) }, each.label)));
  if (held) bar.querySelector('button')?.focus();
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Give the terminal time to offer what the chips say, and to stand still: a chip reader may be about
// to change it. If it does not offer anything, it will say what is missing.
async function becomesGolden() {
  const glass = () => JSON.stringify(state.terminal?.parts);
  let still = 0;
  let before = glass();
  for (let waited = 0; waited < READ_MS && still < STILL_MS; waited += LOOK_MS) {
    await pause(LOOK_MS);
    still = golden() && glass() === before ? still + LOOK_MS : 0;
    before = glass();
  }
}

export async function perform(lines) {
  for (const line of lines) {
    const [word, count] = line.split(' ');
    if (word === 'seen') await settled();
    else if (word === 'golden') await becomesGolden();
    else if (word === 'pause') await pause(Number(count));
    else act(line);
  }
}

const PHASE_NAMES = { closed: 'Closed', check: 'Checklist', idle: 'Cards spread', bet: 'Place your bets', deal: 'Dealing', decide: 'Decisions', show: 'Turn the board', reveal: 'Reveal', settle: 'Settlement', pot: 'The pot', spin: 'Bonus Spin', collect: 'Collect', void: 'VOID' };

function phase() {
  const chip = document.getElementById('phase');
  const picture = state.picture || {};
  chip.classList.toggle('fault', Boolean(picture.fault));
  chip.textContent = state.lost ? 'No bench' : !state.power?.on ? 'No power' : picture.fault ? `Fault: ${picture.fault}` : `${PHASE_NAMES[picture.phase] || '…'} · round ${(picture.round_no ?? 0) + 1}`;
}

// One golden button at a time: the terminal's NEXT where it has something to book. While cards are due the
// hand that deals them comes first: a terminal that nothing tells of cards would book them undealt.
const cardsDue = () => ['deal', 'mend'].includes(state.picture?.due?.kind);
const golden = () => Boolean(state.power?.on && !cardsDue() && state.terminal?.parts?.[16]?.startsWith('g'));

export function mainButton() {
  if (golden()) return { click: () => act('touch N 0') };
  return document.querySelector('#strip button.main');
}

export function startStrip() {
  watch(['picture', 'terminal', 'power', 'keys', 'chips', 'hello', 'peek', 'display', 'lost'], paint);
  watch(['picture', 'power', 'lost'], phase);
  watch(['notices'], hear);
}
