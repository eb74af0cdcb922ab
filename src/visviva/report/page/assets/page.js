// The page: what belongs together lights up together, one time cursor for animation and plots, copying, theme, printing.
(function (visviva) {
  'use strict';

  const element = document.getElementById('visviva-data');
  visviva.data = JSON.parse(element.textContent);
  visviva.span = visviva.data.span || {from: 0, until: 0};

  // ---- Light: an element with data-cause="3 7" belongs to the causes 3 and 7.

  const lightListeners = [];
  let byCause = null;
  let litElements = [];
  let litCauses = new Set();

  function causesOf(node) {
    return node.dataset.cause.split(' ').map(Number);
  }

  function indexCauses() {
    byCause = new Map();
    for (const node of document.querySelectorAll('[data-cause]')) {
      for (const cause of causesOf(node)) {
        if (!byCause.has(cause)) byCause.set(cause, []);
        byCause.get(cause).push(node);
      }
    }
  }

  function setLight(causes, origin) {
    if (byCause === null) indexCauses();
    for (const node of litElements) node.classList.remove('lit');
    litElements = [];
    litCauses = new Set(causes);
    for (const cause of litCauses) {
      for (const node of byCause.get(cause) || []) {
        node.classList.add('lit');
        litElements.push(node);
      }
    }
    showCard(origin);
    for (const listener of lightListeners) listener(litCauses, origin);
  }

  visviva.light = (causes, origin) => setLight(causes || [], origin);
  visviva.unlight = (origin) => { if (litCauses.size > 0) setLight([], origin); };
  visviva.onLight = (listener) => lightListeners.push(listener);

  // A term is often far from its statement: the card brings the statement to the reader.
  const card = document.createElement('div');
  card.className = 'card';
  card.hidden = true;
  card.setAttribute('aria-hidden', 'true');
  document.body.append(card);

  const kinds = {load: 'load', body: 'body', constraint: 'constraint', motor: 'prescribed'};

  let expanded = '';

  // A factored term without its brackets.
  function expandedLines(text) {
    const line = document.createElement('code');
    line.className = 'card-expanded';
    line.textContent = '= ' + text;
    return [cardParagraph('multiplied out'), line];
  }

  function showCard(origin) {
    const causes = [...litCauses].filter((cause) => visviva.data.causes[cause]);
    card.hidden = causes.length === 0 || origin === 'model';
    if (card.hidden) return;
    const most = 4;
    card.replaceChildren();
    for (const cause of causes.slice(0, most)) card.append(...cardLines(visviva.data.causes[cause]));
    if (causes.length > most) card.append(cardParagraph('and ' + (causes.length - most) + ' more'));
    if (expanded) card.append(...expandedLines(expanded));
  }

  function cardParagraph(text) {
    const paragraph = document.createElement('p');
    paragraph.textContent = text;
    return paragraph;
  }

  function cardLines(cause) {
    const line = document.getElementById('line-' + cause.line);
    const head = cardParagraph(kinds[cause.kind] + ' ' + cause.name + (line ? ', line ' + cause.line : ''));
    if (!line) return [head];
    const statement = document.createElement('code');
    statement.textContent = line.textContent.trim();
    return [head, statement];
  }

  function causeAt(event) {
    return event.target instanceof Element ? event.target.closest('[data-cause]') : null;
  }

  function originOf(node) {
    return node.closest('#model') ? 'model' : 'page';
  }

  let pointed = null;
  document.addEventListener('pointerover', (event) => {
    const node = causeAt(event);
    if (node === pointed) return;
    if (pointed !== null && node === null) visviva.unlight('page');
    pointed = node;
    expanded = (node && node.dataset.expanded) || '';
    if (node !== null) visviva.light(causesOf(node), originOf(node));
  });
  document.addEventListener('focusin', (event) => {
    const node = causeAt(event);
    if (node !== null) visviva.light(causesOf(node), originOf(node));
  });
  document.addEventListener('focusout', (event) => {
    if (causeAt(event) !== null) visviva.unlight('page');
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') visviva.unlight('page');
  });

  // ---- Time: one cursor for all.

  const timeListeners = [];
  visviva.time = visviva.span.from;
  visviva.onTime = (listener) => timeListeners.push(listener);
  visviva.setTime = (t, origin) => {
    visviva.time = Math.min(Math.max(t, visviva.span.from), visviva.span.until);
    for (const listener of timeListeners) listener(visviva.time, origin);
  };

  // ---- Copying, also where the clipboard's interface is not there for files.

  function copyByCommand(text) {
    const focused = document.activeElement;
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (focused) focused.focus({preventScroll: true});
    return done;
  }

  async function copyText(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (refused) {
      return copyByCommand(text);
    }
  }

  function textToCopy(button) {
    const group = button.closest('.equations, .copyable');
    const source = group && group.querySelector('[data-copy-text="' + CSS.escape(button.dataset.copy) + '"]');
    return source ? source.textContent : null;
  }

  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest('button[data-copy]') : null;
    const text = button && textToCopy(button);
    if (text === null) return;
    const label = button.dataset.label || button.textContent;
    button.dataset.label = label;
    button.focus();
    const done = await copyText(text);
    if (done) visviva.copied = text;
    writeButton(button, done ? 'Copied' : 'Not copied');
    setTimeout(() => writeButton(button, label), 1500);
  });

  // Many buttons say the same: to a reader who listens they also say of what.
  function writeButton(button, text) {
    button.textContent = text;
    if (button.dataset.of) button.setAttribute('aria-label', text + ': ' + button.dataset.of);
  }

  let heading = '';
  for (const node of document.querySelectorAll('h2, h3, .equations button[data-copy]')) {
    if (!(node instanceof HTMLButtonElement)) {
      heading = node.textContent.trim();
      continue;
    }
    const fold = node.closest('details');
    node.dataset.of = fold ? fold.querySelector('summary').textContent.trim() : heading;
    writeButton(node, node.textContent);
  }

  // ---- Theme: that of the system, until the reader chooses.

  const theme = document.getElementById('theme');
  function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }
  const themeListeners = [];
  visviva.onTheme = (listener) => themeListeners.push(listener);
  function tellTheme() {
    theme.textContent = isDark() ? 'Light' : 'Dark';
    theme.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
    for (const listener of themeListeners) listener(isDark());
  }
  theme.hidden = false;
  theme.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    tellTheme();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tellTheme);
  tellTheme();

  // ---- What a link points at is unfolded; paper shows all.

  function unfoldTarget() {
    const target = document.getElementById(location.hash.slice(1));
    for (let node = target; node; node = node.parentElement) {
      if (node instanceof HTMLDetailsElement) node.open = true;
    }
    if (target) target.scrollIntoView();
  }
  window.addEventListener('hashchange', unfoldTarget);
  unfoldTarget();

  let unfolded = [];
  window.addEventListener('beforeprint', () => {
    unfolded = [...document.querySelectorAll('details:not([open]):not([data-print="no"])')];
    for (const node of unfolded) node.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const node of unfolded) node.open = false;
    unfolded = [];
  });
})(window.visviva = window.visviva || {});
