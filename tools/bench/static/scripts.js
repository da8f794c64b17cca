// Scripts: run one, record what was played by hand, and two raw streams for the curious.
import { act, element, fetchView, state, watch } from './net.js';

function following(key, paint) {
  let alive = true;
  watch([key], () => alive && paint());
  paint();
  return () => { alive = false; };
}

export function scriptPanel(panel) {
  const area = element('textarea', { rows: 12, spellcheck: 'false', class: 'mono', 'aria-label': 'Script', placeholder: '# one statement a line\nbet 1 ante 5 xtra 5\nsay nmb\ndeal-all' });
  const out = element('pre', { class: 'mono transcript', 'aria-live': 'polite' });
  const pick = element('select', { 'aria-label': 'Stored scripts', onchange: () => { if (stored[pick.value]) area.value = stored[pick.value]; } });
  let stored = {};
  fetchView('scripts').then((found) => {
    stored = found;
    pick.replaceChildren(element('option', { value: '' }, 'stored scripts …'), ...Object.keys(found).map((name) => element('option', {}, name)));
  });
  const save = async () => {
    area.value = await fetchView('record');
    const link = element('a', { href: URL.createObjectURL(new Blob([area.value], { type: 'text/plain' })), download: 'recorded.felt' });
    link.click();
  };
  panel.append(element('div', { class: 'columns wide' },
    element('div', {}, element('div', { class: 'row' }, pick,
      element('button', { class: 'main', onclick: () => fetch('/api/script', { method: 'POST', body: area.value }).then(async (r) => { if (!r.ok) out.textContent = await r.text(); }) }, 'Run'),
      element('button', { onclick: () => act('stop-script') }, 'Stop'),
      element('button', { onclick: async () => { area.value = await fetchView('record'); } }, 'Show what I played'),
      element('button', { onclick: save }, 'Save recording')), area),
    out));
  return following('script', () => {
    const script = state.script;
    if (!script) return;
    out.textContent = script.transcript.join('\n') + (script.done ? (script.error ? '' : '\n— done —') : `\n… ${script.line}`);
    out.scrollTop = out.scrollHeight;
  });
}

export function feedPanel(panel) {
  const out = element('pre', { class: 'mono transcript' });
  panel.append(element('p', { class: 'soft' }, 'Effects of the round machine, one a line, as they were let out after journalling.'), out);
  return following('feed', () => { out.textContent = (state.feed || []).join('\n'); out.scrollTop = out.scrollHeight; });
}

export function consolePanel(panel) {
  const out = element('pre', { class: 'mono transcript' });
  const input = element('input', { 'aria-label': 'Service console', placeholder: 'service console (service key at power-on)', style: 'width:100%' });
  const form = element('form', { onsubmit: (event) => { event.preventDefault(); act(`type ${input.value}`); input.value = ''; } }, input);
  panel.append(element('p', { class: 'soft' }, 'USB console: what the firmware prints.'), out, form);
  return following('console', () => { out.textContent = (state.console || []).join('\n'); out.scrollTop = out.scrollHeight; });
}
