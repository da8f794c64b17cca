// The terminal by itself: its page holds the glass and one WebSocket to the program at the serial line.
import { TouchTerminal } from './touch.js';

let socket = null;
const send = (key, value) => {
  if (!socket || socket.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify({ key, value }));
  return true;
};
const glass = new TouchTerminal(document.getElementById('terminal'), send);

function take(message) {
  if (message.state) glass.show(message.state);
  for (const [text, alarm] of message.notices || []) glass.say(text, alarm);
  if (message.refused) glass.warn('NOT SENT: touch again');
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/ws`);
  socket.onmessage = (event) => take(JSON.parse(event.data));
  socket.onclose = () => { glass.show({ up: false }); setTimeout(connect, 500); };
}

glass.show({});
connect();
