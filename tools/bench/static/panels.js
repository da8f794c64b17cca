// Tabs under the felt: devices to play tricks with, and views into the table's memory.
import { element } from './net.js';
import { boardPanel, shoePanel } from './devices.js';
import { healthPanel, journalPanel, metersPanel, nvramPanel, recallPanel } from './views.js';
import { consolePanel, feedPanel, scriptPanel } from './scripts.js';

const PANELS = [
  ['shoe', 'Shoe', shoePanel], ['board', 'Keys & power', boardPanel], ['journal', 'Journal', journalPanel],
  ['meters', 'Meters', metersPanel], ['recall', 'Recall', recallPanel], ['nvram', 'NVRAM', nvramPanel],
  ['health', 'Loop latency', healthPanel], ['script', 'Scripts & record', scriptPanel],
  ['feed', 'Effects', feedPanel], ['console', 'Console', consolePanel],
];
let leave = () => {};

function open(name) {
  const panel = document.getElementById('panel');
  leave();
  document.querySelectorAll('#tabs button').forEach((node) =>
    node.setAttribute('aria-selected', String(node.dataset.name === name)));
  panel.replaceChildren();
  leave = PANELS.find(([each]) => each === name)[2](panel) || (() => {});
  location.hash = name;
}

export function startPanels() {
  const tabs = document.getElementById('tabs');
  tabs.append(...PANELS.map(([name, label]) => element('button', {
    role: 'tab', 'data-name': name, onclick: () => open(name),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) tabs.children[(PANELS.findIndex(([n]) => n === name) + step + PANELS.length) % PANELS.length].focus();
    },
  }, label)));
  const wanted = location.hash.slice(1);
  open(PANELS.some(([name]) => name === wanted) ? wanted : 'shoe');
}
