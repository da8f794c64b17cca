// A round on the felt, frame by frame: wagers and cards where they lay after each event.
const NS = 'http://www.w3.org/2000/svg';
const DEALER = 0, BOARD = 8;
const SUITS = { c: '♣', d: '♦', h: '♥', s: '♠' };

function svg(name, attributes, text) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function place(number) {
  if (number === DEALER) return [500, 80];
  if (number === BOARD) return [500, 190];
  if (number > BOARD) return [120 + 90 * (number - BOARD - 1), 60];
  const angle = Math.PI * (0.06 + 0.88 * (number - 1) / 6);
  return [500 - 385 * Math.cos(angle), 170 + 285 * Math.sin(angle)];
}

function card(name, x, y) {
  const group = svg('g', {});
  const red = 'dh'.includes(name[1]);
  group.append(svg('rect', { x, y: y - 28, width: 38, height: 54, rx: 5, fill: '#fff', stroke: '#8a958f' }),
    svg('text', { x: x + 19, y: y + 6, 'text-anchor': 'middle', 'font-size': 19, fill: red ? '#b00020' : '#16211c' },
      name[0].toUpperCase() + (SUITS[name[1]] || '')));
  return group;
}

function draw(picture, frame) {
  picture.replaceChildren(svg('path', { d: 'M 20 20 H 980 V 90 C 980 400 760 560 500 560 C 240 560 20 400 20 90 Z', fill: '#1d6b4a', stroke: '#123f2c', 'stroke-width': 8 }));
  if (!frame) return;
  for (let seat = 1; seat <= 7; seat += 1) {
    const [x, y] = place(seat);
    picture.append(svg('text', { x, y: y + 52, 'text-anchor': 'middle', 'font-size': 17, fill: '#cfe5da' },
      `seat ${seat}` + (frame.bets[seat] ? `  $${(frame.bets[seat] / 100).toFixed(2)}` : '')));
  }
  for (const [number, names] of Object.entries(frame.cards)) {
    const [x, y] = place(Number(number));
    names.forEach((name, i) => picture.append(card(name, x + (i - names.length / 2) * 42, y)));
  }
}

export function felt(frames) {
  const box = document.createElement('div');
  const picture = svg('svg', { class: 'felt', viewBox: '0 0 1000 580' });
  const slider = document.createElement('input');
  Object.assign(slider, { type: 'range', min: 0, max: Math.max(0, frames.length - 1), value: Math.max(0, frames.length - 1) });
  slider.setAttribute('aria-label', 'event');
  const said = document.createElement('span');
  const play = document.createElement('button');
  play.textContent = 'Replay';
  const step = () => {
    const frame = frames[Number(slider.value)];
    draw(picture, frame);
    said.textContent = frame ? `${Number(slider.value) + 1} of ${frames.length}: ${frame.event}` : 'nothing kept';
  };
  play.onclick = () => {
    slider.value = 0;
    const next = () => { step(); if (box.isConnected && Number(slider.value) < frames.length - 1) { slider.value = Number(slider.value) + 1; setTimeout(next, 400); } };
    next();
  };
  slider.oninput = step;
  const controls = document.createElement('div');
  controls.className = 'controls';
  controls.append(play, slider, said);
  box.append(picture, controls);
  step();
  return box;
}
