// The viewer's buttons, slider, boxes and list of objects, and what drags, wheels and keys do.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});

  // make('button', {class: 'x'}, 'text' or children...): text never becomes markup.
  function make(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  function button(text, label, act, more) {
    const node = make('button', { type: 'button', 'aria-label': label, title: label, ...more }, text);
    node.addEventListener('click', act);
    return node;
  }

  // Pictures on buttons are drawn here: fonts do not agree on them.
  const icons = {
    play: 'M4 2 L14 8 L4 14 Z', pause: 'M3 2 H7 V14 H3 Z M9 2 H13 V14 H9 Z',
    first: 'M2 2 H4.5 V14 H2 Z M14 2 V14 L5 8 Z', last: 'M11.5 2 H14 V14 H11.5 Z M2 2 V14 L11 8 Z',
    back: 'M9 3 V13 L2 8 Z M11 3 H13.5 V13 H11 Z', next: 'M7 3 V13 L14 8 Z M2.5 3 H5 V13 H2.5 Z',
  };

  function icon(name) {
    const space = 'http://www.w3.org/2000/svg';
    const picture = document.createElementNS(space, 'svg');
    picture.setAttribute('viewBox', '0 0 16 16');
    picture.setAttribute('aria-hidden', 'true');
    picture.setAttribute('class', 'viewer-icon');
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', icons[name]);
    picture.append(path);
    return picture;
  }

  function check(text, checked, act, mark) {
    const box = make('input', { type: 'checkbox' });
    box.checked = checked;
    box.addEventListener('change', () => act(box.checked));
    const label = make('label', { class: 'viewer-check' }, box);
    if (mark) label.append(make('span', { class: `viewer-mark viewer-mark-${mark}`, 'aria-hidden': 'true' }));
    label.append(text);
    return { label, box };
  }

  const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

  function makeSpeed(player) {
    const select = make('select', { 'aria-label': 'Speed' });
    for (const speed of speeds) select.append(make('option', { value: speed }, `${speed}×`));
    select.append(make('option', { value: 'whole' }, 'run in 10 s'));
    select.value = player.speed;
    select.addEventListener('change', () => player.setSpeed(select.value));
    return select;
  }

  // Bodies and particles can be followed.
  function makeFollow(scene, player) {
    const select = make('select', { 'aria-label': 'Follow' }, make('option', { value: -1 }, 'follow: nothing'));
    const seen = new Set();
    for (const item of scene.items) {
      const point = item.solid ? scene.points[item.point] : null;
      if (!point || point.fixed || seen.has(item.point)) continue;
      seen.add(item.point);
      select.append(make('option', { value: item.point }, `follow: ${item.name}`));
    }
    select.value = player.camera.follow;
    select.addEventListener('change', () => player.follow(Number(select.value)));
    return seen.size ? select : null;
  }

  function makeTimeRow(player) {
    const parts = {
      play: button(icon('play'), 'Play', () => player.toggle(), { class: 'viewer-play' }),
      slider: make('input', { type: 'range', min: 0, max: 10000, 'aria-label': 'Time', class: 'viewer-slider' }),
      readout: make('output', { class: 'viewer-time' }),
    };
    parts.slider.addEventListener('input', () => player.scrub(parts.slider.value / 10000));
    const row = make('div', { class: 'viewer-row', role: 'group', 'aria-label': 'Time' },
      button(icon('first'), 'To the start', () => player.jump(0)),
      button(icon('back'), 'One frame back', () => player.step(-1)),
      parts.play,
      button(icon('next'), 'One frame forward', () => player.step(1)),
      button(icon('last'), 'To the end', () => player.jump(1)),
      parts.slider, parts.readout, makeSpeed(player),
      check('loop', player.loop, (on) => { player.loop = on; }).label);
    return { row, ...parts };
  }

  function makeCameraRow(scene, player) {
    const row = make('div', { class: 'viewer-row', role: 'group', 'aria-label': 'Camera' });
    const names = { front: 'Front', side: 'Side', top: 'Top', isometric: 'Isometric' };
    for (const [name, text] of Object.entries(names)) {
      row.append(button(text, `${text} view`, () => player.setCamera(name), { 'data-camera': name }));
    }
    row.append(button('Fit', 'Show the whole motion', () => player.setCamera('fit')));
    const follow = makeFollow(scene, player);
    if (follow) row.append(follow);
    const flat = { class: 'viewer-flat', 'aria-pressed': 'false' };
    const [text, words] = player.hasDiagram() ? ['Diagram', 'Draw as a plane diagram'] : ['2-D', 'Draw without WebGL'];
    row.append(button(text, words, () => player.switchRenderer(), flat));
    return row;
  }

  // Only what this scene has can be switched.
  function makeShowRow(scene, player) {
    const { show } = player;
    const has = (group) => scene.items.some((item) => item.arrow && item.group === group);
    const row = make('div', { class: 'viewer-row', role: 'group', 'aria-label': 'Show' });
    const put = (there, key, text, mark) => {
      if (there) row.append(check(text, show[key], (on) => player.setShow(key, on), mark).label);
    };
    put((scene.json.traces || []).length > 0, 'traces', 'traces');
    put(true, 'names', 'names');
    put(scene.frames.length > 0, 'frames', 'frames');
    put(has('gravity'), 'gravity', 'gravity', 'gravity');
    put(has('loads'), 'loads', 'loads', 'loads');
    put(has('reactions'), 'reactions', 'reactions', 'reactions');
    put(scene.ground, 'grid', 'grid');
    if (scene.items.some((item) => item.arrow)) row.append(makeArrowScale(player));
    return row;
  }

  function makeArrowScale(player) {
    const range = { type: 'range', min: -1, max: 1, step: 0.05, value: 0 };
    const slider = make('input', { ...range, 'aria-label': 'Length of arrows' });
    const tell = () => slider.setAttribute('aria-valuetext', `${Math.pow(10, slider.value).toPrecision(2)} times`);
    slider.addEventListener('input', () => { tell(); player.setShow('arrowScale', Math.pow(10, slider.value)); });
    tell();
    return make('label', { class: 'viewer-check' }, 'arrows', slider);
  }

  const kindNames = {
    standin: 'body (ellipsoid of its inertia)', other: 'body (stands for its inertia)', roll: 'rolling contact',
  };

  function describe(item) {
    const kind = item.standin && item.kind === 'ellipsoid' ? kindNames.standin : item.bar ? `part of ${item.bar}` : item.standin ? kindNames.other : kindNames[item.kind] || item.kind;
    const said = (item.name || '').startsWith(kind); // "reaction at P"
    return (said ? 'force' : kind) + (item.partial ? ' (part not determined)' : '');
  }

  // Several forces share a name, such as the two ends of a spring: their points tell them apart.
  function nameOf(scene, item) {
    const end = (i) => (scene.points[i] || {}).name || '';
    if (item.group === 'loads' && end(item.at)) return `${item.name} at ${end(item.at)}`;
    if (item.name) return item.name;
    return item.from === undefined ? '' : `${end(item.from)}–${end(item.to)}`;
  }

  // The keyboard's way of pointing: focusing a name lights the thing.
  function makeList(scene, player) {
    const list = make('ul', { class: 'viewer-list' });
    for (const item of scene.items) {
      const kind = make('span', { class: 'viewer-kind' }, describe(item));
      const entry = make('button', { type: 'button' }, `${nameOf(scene, item)} `, kind);
      if (item.cause.length) entry.setAttribute('data-cause', item.cause.join(' '));
      for (const event of ['focus', 'pointerenter']) entry.addEventListener(event, () => player.point(item));
      for (const event of ['blur', 'pointerleave']) entry.addEventListener(event, () => player.point(null));
      list.append(make('li', {}, entry));
    }
    const summary = make('summary', {}, `Objects and arrows (${scene.items.length})`);
    return make('details', { class: 'viewer-objects', 'data-print': 'no' }, summary, list);
  }

  const keysText =
    'space: play or pause · ← → or , .: one frame · Home End: start, end · drag or shift+arrows: turn · ' +
    'shift+drag or two fingers: move · ctrl+wheel, pinch or + −: zoom · 1 2 3 4: views · 0: fit';

  function makeControls(scene, player) {
    const time = makeTimeRow(player);
    const fold = { class: 'viewer-keys', 'data-print': 'no' };
    const keys = make('details', fold, make('summary', {}, 'Keys'), make('p', {}, keysText));
    const panel = make('div', { class: 'viewer-controls' },
      time.row, makeCameraRow(scene, player), makeShowRow(scene, player), makeList(scene, player), keys);
    return { panel, ...time };
  }

  // ---- Drags, wheel, pinch

  function listenToPointers(stage, player) {
    const down = new Map();
    const { camera } = player;
    const spread = () => {
      const [a, b] = [...down.values()];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.hypot(a.x - b.x, a.y - b.y) };
    };
    const drop = (event) => {
      down.delete(event.pointerId);
      if (!down.size) stage.classList.remove('viewer-held');
    };
    stage.addEventListener('pointerdown', (event) => {
      if (event.button === 2) return;
      stage.focus({ preventScroll: true });
      stage.setPointerCapture(event.pointerId);
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      stage.classList.add('viewer-held');
      player.hover(event);
    });
    stage.addEventListener('pointermove', (event) => {
      // Released where nobody saw it, such as over a menu.
      if (event.buttons === 0) drop(event);
      const last = down.get(event.pointerId);
      if (!last) return player.hover(event);
      const now = { x: event.clientX, y: event.clientY };
      const before = down.size === 2 ? spread() : null;
      down.set(event.pointerId, now);
      if (before) {
        const after = spread();
        viewing.camera.pan(camera, after.x - before.x, after.y - before.y);
        viewing.camera.zoom(camera, before.wide / Math.max(1, after.wide));
      } else if (event.shiftKey || event.buttons === 4) {
        viewing.camera.pan(camera, now.x - last.x, now.y - last.y);
      } else if (player.renderer.kind === 'diagram') {
        viewing.camera.pan(camera, now.x - last.x, now.y - last.y);
      } else {
        viewing.camera.orbit(camera, now.x - last.x, now.y - last.y);
      }
      player.cameraMoved();
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) stage.addEventListener(name, drop);
    stage.addEventListener('pointerleave', (event) => { if (event.pointerType !== 'touch') player.point(null); });
    // The page scrolls over the picture until the reader has taken hold of it.
    stage.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && document.activeElement !== stage) return;
      event.preventDefault();
      viewing.camera.zoom(camera, Math.exp(event.deltaY * (event.deltaMode ? 0.05 : 0.0016)));
      player.cameraMoved();
    }, { passive: false });
  }

  const keys = {
    ' ': (p) => p.toggle(), k: (p) => p.toggle(),
    ',': (p) => p.step(-1), '.': (p) => p.step(1), ArrowLeft: (p) => p.step(-1), ArrowRight: (p) => p.step(1),
    Home: (p) => p.jump(0), End: (p) => p.jump(1),
    '+': (p) => p.zoom(0.85), '=': (p) => p.zoom(0.85), '-': (p) => p.zoom(1 / 0.85),
    1: (p) => p.setCamera('front'), 2: (p) => p.setCamera('side'), 3: (p) => p.setCamera('top'),
    4: (p) => p.setCamera('isometric'), 0: (p) => p.setCamera('fit'),
  };
  const turns = { ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, -15], ArrowDown: [0, 15] };

  // Controls keep the keys that are their own: blanks press buttons, arrows move sliders.
  function listenToKeys(root, stage, player) {
    root.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const onStage = event.target === stage;
      if (event.shiftKey && onStage && turns[event.key]) {
        event.preventDefault();
        return player.turn(...turns[event.key]);
      }
      const own = !onStage && event.target.matches('button, select, summary, input');
      const typed = event.target.matches('select, input[type=range]');
      if (!keys[event.key] || (own && event.key === ' ') || (typed && event.key !== 'k')) return;
      event.preventDefault();
      keys[event.key](player);
    });
    // Where nothing has the focus, a blank is for the motion that is in sight.
    document.addEventListener('keydown', (event) => {
      const isFree = event.target === document.body || event.target === document.documentElement;
      if (event.key !== ' ' || !isFree || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !player.seen) return;
      event.preventDefault();
      player.toggle();
    });
  }

  Object.assign(viewing, { make, icon, makeControls, listenToPointers, listenToKeys, nameOf, describe });
})((window.visviva = window.visviva || {}));
