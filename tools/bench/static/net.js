// The WebSocket: state comes in as changed keys, pixels as binary, actions go out as script lines.

export const state = {};
export const hello = {};
const watchers = [];
let pixels = () => {};
let problem = () => {};
let socket = null;
let sent = 0;
let waiting = [];
export const GONE = 'The bench does not answer; trying again.';

export function watch(keys, call) { watchers.push([keys, call]); }
export function onPixels(call) { pixels = call; }
export function onProblem(call) { problem = call; }

export function act(...lines) {
  for (const line of lines) {
    if (socket && socket.readyState === WebSocket.OPEN) { socket.send(JSON.stringify({ do: line })); sent += 1; }
    else problem('The bench does not answer.');
  }
}

// Resolves when everything done on this page is done at the table, and the table has seen it.
export function settled() {
  return new Promise((resolve) => { waiting.push(resolve); settle(); });
}

function settle() {
  if (state.done !== sent || !state.seen) return;
  const ready = waiting;
  waiting = [];
  ready.forEach((resolve) => resolve());
}

function notify(changed) {
  for (const [keys, call] of watchers) {
    if (keys.some((key) => key in changed)) call();
  }
}

function take(message) {
  if (message.t === 'error') { problem(message.text); return; }
  const { t, ...rest } = message;
  Object.assign(t === 'hello' ? hello : state, rest);
  notify(t === 'hello' ? { hello: 1 } : rest);
  settle();
}

export function connect() {
  sent = 0;
  socket = new WebSocket(`ws://${location.host}/ws`);
  socket.binaryType = 'arraybuffer';
  socket.onmessage = (event) => {
    if (typeof event.data !== 'string') { pixels(new Uint8Array(event.data)); return; }
    const message = JSON.parse(event.data);
    if (message.t === 'state' && state.lost) message.lost = false;
    take(message);
  };
  socket.onclose = () => {
    take({ t: 'state', lost: true }); // what is shown is old: it is no table's any more
    problem(GONE);
    setTimeout(connect, 1000);
  };
}

export async function fetchView(name) {
  const answer = await fetch(`/api/${name}`);
  return name === 'record' ? answer.text() : answer.json();
}

export function money(cents) {
  const sign = cents < 0 ? '−' : '';
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString('en-US');
  const rest = Math.abs(cents) % 100;
  return `${sign}$${whole}${rest ? '.' + String(rest).padStart(2, '0') : ''}`;
}

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node[key] = value;
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children);
  return node;
}
