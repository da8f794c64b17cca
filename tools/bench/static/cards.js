// Playing cards and chips as SVG.

const SVG = 'http://www.w3.org/2000/svg';
const UNREAD = ['', '#6b6454']; // a card that nobody has read: ??
const SUITS = { c: ['♣', '#17301f'], d: ['♦', '#c1272d'], h: ['♥', '#c1272d'], s: ['♠', '#15151c'] };
export const COINS = [[100, '#3b6fb5', '1'], [500, '#b3202c', '5'], [2500, '#1f7a46', '25'], [10000, '#1c1b20', '100']];
export const WIDE = 34;
export const HIGH = 48;

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node[key] = value;
    else if (value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function face(name) {
  const [sign, colour] = SUITS[name[1]] || UNREAD;
  const rank = name[0] === 'T' ? '10' : name[0];
  return [
    svg('rect', { width: WIDE, height: HIGH, rx: 4, fill: '#fffdf6', stroke: '#b9b09a', 'stroke-width': 0.6 }),
    svg('text', { x: 4, y: 16, 'font-size': 15, 'font-weight': 700, fill: colour, style: 'font-family: Georgia, serif; letter-spacing: -1px' }, rank),
    svg('text', { x: 4.5, y: 28, 'font-size': 11, fill: colour }, sign),
    svg('text', { x: WIDE - 5, y: HIGH - 5, 'font-size': 21, fill: colour, 'text-anchor': 'end' }, sign),
  ];
}

function back() {
  return [
    svg('rect', { width: WIDE, height: HIGH, rx: 4, fill: '#f7f1e2', stroke: '#b9b09a', 'stroke-width': 0.6 }),
    svg('rect', { x: 2.5, y: 2.5, width: WIDE - 5, height: HIGH - 5, rx: 2.5, fill: 'url(#lattice)' }),
  ];
}

// A card; `from` is where it comes from when it is new on the felt.
export function card(name, x, y, from) {
  const inner = svg('g', { class: from ? 'card fresh' : 'card' }, ...(name === '##' ? back() : face(name)));
  if (from) inner.setAttribute('style', `--fx:${from[0] - x}px;--fy:${from[1] - y}px`);
  inner.append(svg('title', {}, { '##': 'face down', '??': 'not read' }[name] || name));
  return svg('g', { transform: `translate(${x} ${y})` }, inner);
}

// A stack of chips worth `cents`, largest first, at most six shown.
export function chips(cents, x, y) {
  const group = svg('g', { transform: `translate(${x} ${y})`, 'pointer-events': 'none' });
  const stack = [];
  let left = cents;
  for (const [value, colour] of [...COINS].reverse()) {
    while (left >= value && stack.length < 6) { stack.push(colour); left -= value; }
  }
  stack.forEach((colour, index) => {
    const dy = -index * 3;
    group.append(
      svg('ellipse', { cx: 0, cy: dy + 2, rx: 15, ry: 11.5, fill: '#0007' }),
      svg('ellipse', { cx: 0, cy: dy, rx: 15, ry: 11.5, fill: colour, stroke: '#f6efe0', 'stroke-width': 2.6, 'stroke-dasharray': '6 4.5' }),
    );
  });
  const whole = cents / 100;
  group.append(svg('text', { class: 'chip-amount', y: -stack.length * 3 + 6 }, `$${Number.isInteger(whole) ? whole : whole.toFixed(2)}`));
  return group;
}

export function defs() {
  const box = svg('defs');
  box.innerHTML = `
    <radialGradient id="cloth" cx="50%" cy="20%" r="85%">
      <stop offset="0" stop-color="#178a5b"/><stop offset=".55" stop-color="#0d6443"/><stop offset="1" stop-color="#063626"/>
    </radialGradient>
    <linearGradient id="rail" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#2a1710"/><stop offset=".45" stop-color="#5d3722"/><stop offset=".55" stop-color="#6f442a"/><stop offset="1" stop-color="#24130c"/>
    </linearGradient>
    <pattern id="lattice" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill="#8c1d2c"/><path d="M0 3H6M3 0V6" stroke="#e8c9a0" stroke-width=".9"/>
    </pattern>
    <filter id="nap" x="0" y="0" width="100%" height="100%">
      <feTurbulence type="fractalNoise" baseFrequency=".9" numOctaves="2" seed="7"/>
      <feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 .55 -.12"/>
      <feComposite operator="in" in2="SourceGraphic"/>
    </filter>
    <path id="arc" d="M 250 262 Q 500 392 750 262"/>`;
  return box;
}
