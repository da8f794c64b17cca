// The dealer's terminal as glass: it shows the parts the controller sends and sends back touches.
// What a part says, which buttons there are and what they do is decided at the other end of the line.
const TITLE = 0, PROMPT = 1, BOOKS = 2, FELT = 3, MONEY = 4, FOOT = 5, ENTRY = 6, PAGE = 7, SEAT = 7, BUTTON = 16;
const NEXT = BUTTON, UNDO = BUTTON + 1, FLOOR = BUTTON + 2;
const SUITS = { c: '♣', d: '♦', h: '♥', s: '♠' };
const MARKS = { c: 'cards', w: 'wager', d: 'draft', s: 'state', p: 'pay', t: 'take', u: 'push', '!': 'wrong' };
const GUARD_MS = 3000, BOUNCE_MS = 400, READ_MS = 1500;

function node(tag, kind, ...children) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...children);
  return made;
}

// "Ah" becomes a card, "##" its back; other words stay words.
function withCards(text) {
  return text.split(/(\b[2-9TJQKA][cdhs]\b|##)/).filter(Boolean).map((word) => {
    if (word === '##') return node('span', 'card back');
    if (!/^[2-9TJQKA][cdhs]$/.test(word)) return word;
    const red = word[1] === 'd' || word[1] === 'h';
    return node('span', red ? 'card red' : 'card', word[0] === 'T' ? '10' : word[0], SUITS[word[1]]);
  });
}

function lines(text) {
  return text.split('\n').filter(Boolean).map((line) =>
    node('p', MARKS[line[0]] || 'plain', ...withAmount(MARKS[line[0]] ? line.slice(1) : line)));
}

// "PAY Ante $10" is two things: what it is about, and an amount that is never broken or cut.
function withAmount(text) {
  const found = /^(.*?) ?(\+?\$[\d,.]+|\?)$/.exec(text);
  if (!found || found[1].endsWith('?')) return withCards(text); // ?? is a card nobody knows
  return [...withCards(found[1]), node('span', 'amount', found[2])];
}

function button(text) {
  const found = /^(.)(.)(\d+) (.*)$/s.exec(text || '');
  return found && { style: found[1], key: found[2], value: Number(found[3]), label: found[4] };
}

export class TouchTerminal {
  // root: an empty element; send(key, value): a touch on its way, false when it could not be sent
  constructor(root, send) {
    this.root = root;
    this.send = send;
    this.state = { parts: [], rows: [], up: false, sent: 0, taken: 0, dropped: 0 };
    this.guarded = null;
    this.painted = '';
    this.dropped = this.taken = 0;
    this.told = {};
    root.classList.add('touch');
    root.addEventListener('pointerdown', (event) => this.pressed(event));
    root.addEventListener('keydown', (event) => {
      if (!event.repeat && (event.key === 'Enter' || event.key === ' ')) this.pressed(event);
    });
    root.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  show(state) {
    this.state = { ...this.state, ...state };
    if (this.state.taken > this.taken) this.tell('warn', '');
    this.taken = this.state.taken;
    if (this.state.dropped > this.dropped) this.warn('NOT TAKEN: touch again');
    this.dropped = this.state.dropped;
    const text = JSON.stringify([this.state.parts, this.state.up, this.guarded, this.state.rows]);
    if (text !== this.painted) { this.painted = text; this.paint(); }
    this.root.classList.toggle('busy', this.state.sent > this.state.taken + this.state.dropped);
  }

  pressed(event) {
    const target = event.target.closest('[data-key]');
    if (!target) { this.guard(null); return; }
    event.preventDefault();
    if (target.dataset.style === 'r' && this.guarded !== target.dataset.key + target.dataset.value) {
      this.guard(target.dataset.key + target.dataset.value);
      return;
    }
    if (target.dataset.style === 'r' && performance.now() - this.guardedAt < BOUNCE_MS) return;
    this.guard(null);
    target.classList.add('hit');
    setTimeout(() => target.classList.remove('hit'), 150);
    if (!this.state.up) this.warn('NO LINK: nothing was sent');
    else if (this.send(target.dataset.key, Number(target.dataset.value)) === false) this.warn('NOT SENT: touch again');
    else this.answered();
  }

  // Whoever touches on has read what was said, unless it was said just now: it stood over what was put right.
  answered() {
    if (this.told.said && performance.now() - this.told.said.at > READ_MS) this.tell('said', '');
  }

  // A guarded button asks for a second touch, for three seconds; one that comes too soon is a bounce.
  guard(what) {
    clearTimeout(this.guardTimer);
    if (this.guarded === what) return;
    this.guarded = what;
    this.guardedAt = performance.now();
    if (what) this.guardTimer = setTimeout(() => this.guard(null), GUARD_MS);
    this.show({});
  }

  warn(text) { this.tell('warn', text, false, 4000); }

  // What was said once: the newest notice stays readable for a while.
  say(text, alarm) { this.tell('said', text, alarm, alarm ? 8000 : 4000); }

  // Its time runs from when it was told: a picture that changes meanwhile does not prolong it.
  tell(kind, text, alarm, ms) {
    clearTimeout(this.told[kind]?.timer);
    this.told[kind] = text && { text, alarm, at: performance.now(), timer: setTimeout(() => this.tell(kind, ''), ms) };
    this.put(kind);
  }

  put(kind) {
    const box = this.root.querySelector(`.${kind}`);
    const told = this.told[kind];
    if (!box) return;
    box.textContent = told ? told.text : '';
    box.classList.toggle('alarm', Boolean(told && told.alarm));
    box.classList.toggle('on', Boolean(told));
  }

  paint() {
    const { parts, up } = this.state;
    const part = (index) => parts[index] || '';
    this.root.classList.toggle('down', !up);
    const seats = [];
    for (let seat = 1; seat <= 7; seat += 1) if (part(SEAT + seat)) seats.push(this.seat(seat, part(SEAT + seat)));
    const head = node('header', '', node('div', 'title', part(TITLE)),
      node('div', 'prompt', ...withCards(up ? part(PROMPT) : 'NO LINK TO THE TABLE')), node('div', 'books', ...withCards(part(BOOKS))));
    const foot = node('footer', '', node('span', 'foot', part(FOOT)), node('span', 'said'), node('span', 'warn'));
    const body = part(PAGE) ? node('pre', 'rows', this.state.rows.join('\n')) : node('section', 'felt', node('div', 'cloth', ...lines(part(FELT))), node('div', 'money', ...lines(part(MONEY))));
    const row = node('section', `seats of${seats.length}`, ...seats);
    const last = node('nav', 'last', ...[UNDO, FLOOR, NEXT].map((index) => this.key(button(part(index)))).filter(Boolean));
    this.root.replaceChildren(head, row, body, this.keys(part), foot, last);
    this.put('warn');
    this.put('said');
  }

  seat(number, text) {
    const flags = /^[*>]*/.exec(text)[0];
    const made = node('button', 'seat', node('b', '', String(number)), ...lines(text.slice(flags.length)));
    made.dataset.key = 'S';
    made.dataset.value = number;
    made.dataset.style = 'p';
    made.setAttribute('aria-label', `seat ${number}`);
    if (flags.includes('*')) made.classList.add('chosen');
    if (flags.includes('>')) made.classList.add('due');
    return made;
  }

  keys(part) {
    const box = node('nav', 'keys');
    const choices = node('div', 'choices');
    for (let index = FLOOR + 1; index < BUTTON + 24; index += 1) {
      const made = this.key(button(part(index)));
      if (made) choices.append(made);
    }
    const pad = part(ENTRY)[0] === 'k' ? this.pad(part(ENTRY).slice(1)) : '';
    box.append(choices, pad);
    return box;
  }

  pad(typed) {
    const pad = node('div', 'pad', node('output', '', typed || ' '));
    for (const [label, key, value] of [...'1234567890'].map((d) => [d, 'D', Number(d)]).concat([['⌫', 'X', 0]])) {
      pad.append(this.key({ style: 'p', key, value, label }));
    }
    return pad;
  }

  key(found) {
    if (!found) return null;
    const asks = found.style === 'r' && this.guarded === found.key + found.value;
    const made = node('button', `key k${found.key} s${found.style}${asks ? ' asks' : ''}`, ...withCards(asks ? `${found.label}: sure?` : found.label));
    made.dataset.key = found.key;
    made.dataset.value = found.value;
    made.dataset.style = found.style;
    return made;
  }
}
