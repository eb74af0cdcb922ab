// The viewer: plays the scene of the data block, in step with the page's time and light.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});

  const colourNames = [
    'paper', 'ink', 'muted', 'line', 'panel', 'accent', 'bad', 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8',
    'c9', 'steel', 'ground', 'shadow', 'glow', 'axis-x', 'axis-y', 'axis-z',
  ];

  // The page's colours as numbers from 0 to 1; a canvas understands every way to write one.
  function readPalette(root) {
    const style = getComputedStyle(root);
    const pen = document.createElement('canvas').getContext('2d');
    const palette = {};
    for (const name of colourNames) {
      pen.fillStyle = '#888888';
      pen.fillStyle = style.getPropertyValue(`--${name}`).trim() || '#888888';
      const text = pen.fillStyle;
      const numbers = text[0] === '#'
        ? [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16))
        : text.match(/[\d.]+/g).slice(0, 3).map(Number);
      palette[name] = numbers.map((x) => x / 255);
    }
    palette.dark = palette.paper[1] < 0.5 ? 1 : 0;
    return palette;
  }

  const tooFast = 'Some parts turn faster than the picture can show; their direction may look wrong.';

  // "renderer=canvas" in the address chooses.
  const wantedRenderer = () => (/[?#&]renderer=(canvas|webgl|diagram)\b/.exec(location.search + location.hash) || [])[1];

  class Player {
    constructor(root, scene) {
      Object.assign(this, {
        root, scene, playing: false, loop: true, pointed: null, lit: new Set(), wanted: 0, pose: null, drawing: null,
        seen: true,
      });
      const small = scene.items.filter((item) => item.solid).length <= 8;
      this.show = {
        traces: true, names: small, frames: false, gravity: false, loads: false, reactions: false, grid: true,
        arrowScale: 1,
      };
      this.span = { from: scene.time[0], until: scene.time[scene.count - 1] };
      const seconds = this.span.until - this.span.from;
      this.speed = seconds >= 2 && seconds <= 30 ? '1' : 'whole';
      this.camera = viewing.camera.makeCamera(scene);
      this.camera.follow = this.farTraveller();
      this.build();
      this.setRenderer(wantedRenderer() || (this.hasDiagram() ? 'diagram' : 'webgl'));
      this.listen();
    }

    // A mechanism that goes much farther than it is large would be a dot: the camera goes along.
    farTraveller() {
      const { box, size, items, points } = this.scene;
      const far = Math.max(...[0, 1, 2].map((i) => box[1][i] - box[0][i]));
      const first = items.find((item) => item.solid && points[item.point] && !points[item.point].fixed);
      return far > 12 * size && first ? first.point : -1;
    }

    build() {
      const { make } = viewing;
      const words = this.scene.json.alternative || this.root.dataset.alternative || 'Animation of the mechanism';
      // It takes keys: an application, with the picture in it.
      const role = { role: 'application', 'aria-roledescription': 'animation', 'aria-label': words };
      this.stage = make('div', { class: 'viewer-stage', tabindex: '0', ...role });
      this.overlay = make('canvas', { class: 'viewer-overlay', 'aria-hidden': 'true' });
      this.tip = make('div', { class: 'viewer-tip', hidden: '' });
      this.tally = make('p', { class: 'viewer-live', 'aria-live': 'polite' });
      this.stage.append(this.overlay, this.tip);
      this.controls = viewing.makeControls(this.scene, this);
      this.remark = make('p', { class: 'viewer-remark', hidden: '' }, tooFast);
      this.root.replaceChildren(this.stage, this.remark, this.controls.panel, this.tally);
      this.showRemark();
    }

    // Plane mechanisms are drawn as textbooks do; what has pictures of its own, or many parts, in space.
    hasDiagram() {
      const { turnsInPlane, items } = this.scene;
      return turnsInPlane && items.length <= 120 && !items.some((item) => item.kind === 'mesh');
    }

    // ---- Renderer

    setRenderer(kind) {
      const words = this.stage.getAttribute('aria-label');
      const canvas = viewing.make('canvas', { class: 'viewer-canvas', role: 'img', 'aria-label': words });
      const before = this.renderer;
      // A canvas that was replaced loses its context too: that is no reason to change again.
      const onLost = () => { if (this.renderer.canvas === canvas) this.setRenderer('canvas'); };
      try {
        if (kind === 'webgl') this.renderer = new viewing.GlRenderer(canvas, onLost);
        else this.renderer = kind === 'diagram' ? new viewing.DiagramRenderer(canvas) : new viewing.CanvasRenderer(canvas);
      } catch (missing) {
        return kind === 'webgl' ? this.setRenderer('canvas') : undefined;
      }
      if (before) {
        before.release();
        before.canvas.remove();
      }
      this.stage.prepend(canvas);
      this.palette = readPalette(this.root);
      const flat = this.root.querySelector('.viewer-flat');
      flat.setAttribute('aria-pressed', String(this.renderer.kind !== 'webgl'));
      this.width = 0;
      this.resize();
    }

    switchRenderer() {
      const flat = this.hasDiagram() ? 'diagram' : 'canvas';
      this.setRenderer(this.renderer.kind === 'webgl' ? flat : 'webgl');
    }

    // A diagram is seen from the front alone: another view is one in space.
    leaveDiagram() {
      if (this.renderer.kind === 'diagram') this.setRenderer('webgl');
    }

    resize() {
      const { clientWidth: width, clientHeight: height } = this.stage;
      const ratio = Math.min(window.devicePixelRatio || 1, 3);
      if (!width || !height || (width === this.width && height === this.height && ratio === this.ratio)) return;
      const { camera } = this;
      Object.assign(this, { width, height, ratio });
      Object.assign(camera, { width, height });
      this.renderer.resize(width, height, ratio);
      this.overlay.width = Math.round(width * ratio);
      this.overlay.height = Math.round(height * ratio);
      if (!camera.fitted) viewing.camera.setPreset(camera, 'start');
      else if (camera.preset) viewing.camera.fit(camera);
      this.draw();
    }

    // At most one drawing for each picture of the screen, and none while nothing changes.
    want() {
      if (this.wanted) return;
      this.wanted = requestAnimationFrame((now) => {
        this.wanted = 0;
        this.tick(now);
        if (this.seen) this.draw();
      });
    }

    draw() {
      if (!this.width) return this.resize();
      const { scene, camera, renderer, palette, show } = this;
      const frame = this.frame();
      viewing.camera.setFrame(camera, frame);
      this.pose = viewing.poseAt(scene, frame);
      this.sight = viewing.camera.seeThrough(camera);
      this.drawing = viewing.makeDrawing(scene, this.pose, show, this.lit, this.pointed ? this.pointed.index : -1);
      renderer.draw(this.drawing, this.sight, palette, show);
      viewing.drawOverlay(this.overlay, this.drawing, this.sight, palette, this.ratio);
    }

    // ---- Time

    frame() { return viewing.frameAt(this.scene, visviva.time); }

    rate() {
      return this.speed === 'whole' ? (this.span.until - this.span.from) / 10 : Number(this.speed);
    }

    tick(now) {
      if (!this.playing) return;
      const passed = this.before === undefined ? 0 : Math.min(0.25, (now - this.before) / 1000);
      this.before = now;
      let t = visviva.time + passed * this.rate();
      if (t >= this.span.until) {
        if (this.loop) t = this.span.from;
        else (t = this.span.until), this.pause();
      }
      visviva.setTime(t, 'viewer');
      if (this.playing) this.want();
    }

    play() {
      if (visviva.time >= this.span.until) visviva.setTime(this.span.from, 'viewer');
      this.playing = true;
      this.before = undefined;
      this.showPlaying();
      this.want();
    }

    pause() {
      this.playing = false;
      this.showPlaying();
      this.tell();
    }

    toggle() { this.playing ? this.pause() : this.play(); }

    showPlaying() {
      const { play } = this.controls;
      play.replaceChildren(viewing.icon(this.playing ? 'pause' : 'play'));
      for (const name of ['aria-label', 'title']) play.setAttribute(name, this.playing ? 'Pause' : 'Play');
    }

    goTo(t) {
      this.playing && this.pause();
      visviva.setTime(t, 'viewer');
      this.tell();
    }

    // From a time between two samples the next step ends on a sample.
    step(by) {
      const frame = this.frame();
      const next = by > 0 ? Math.floor(frame + 1 + 1e-9) : Math.ceil(frame - 1 - 1e-9);
      this.goTo(viewing.timeAt(this.scene, Math.min(this.scene.count - 1, Math.max(0, next))));
    }

    jump(part) { this.goTo(part ? this.span.until : this.span.from); }
    scrub(part) { this.goTo(this.span.from + part * (this.span.until - this.span.from)); }

    setSpeed(speed) {
      this.speed = speed;
      this.showRemark();
    }

    // What turns half round between two pictures of the screen seems to turn either way.
    showRemark() {
      this.remark.hidden = !this.scene.json.blur && !((this.scene.fastest * this.rate()) / 60 > 0.9 * Math.PI);
    }

    timeText() {
      const step = (this.span.until - this.span.from) / 1000 || 1;
      const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step))));
      return `t = ${visviva.time.toFixed(digits)} s`;
    }

    // A reader who listens hears where the motion stands once it stands.
    tell() {
      clearTimeout(this.telling);
      this.telling = setTimeout(() => { this.tally.textContent = this.timeText(); }, 400);
    }

    showTime() {
      const { slider, readout } = this.controls;
      const text = this.timeText();
      slider.value = (10000 * (visviva.time - this.span.from)) / (this.span.until - this.span.from || 1);
      slider.setAttribute('aria-valuetext', text);
      readout.textContent = text;
    }

    // ---- Camera and what is shown

    setCamera(name) {
      if (name === 'fit') return viewing.camera.fit(this.camera), this.want();
      viewing.camera.setPreset(this.camera, name);
      if (!viewing.camera.isAlong(this.camera, this.scene.plane)) this.leaveDiagram();
      this.want();
    }

    follow(point) {
      viewing.camera.setFollow(this.camera, point);
      this.want();
    }

    turn(dx, dy) { this.leaveDiagram(), viewing.camera.orbit(this.camera, dx, dy), this.want(); }
    zoom(factor) { viewing.camera.zoom(this.camera, factor), this.want(); }
    cameraMoved() { this.want(); }

    setShow(key, value) {
      this.show[key] = value;
      this.want();
    }

    // ---- Pointing and light

    // A finger points where it comes down, and needs more room than a mouse.
    hover(event) {
      const touch = event.pointerType === 'touch';
      if (!this.drawing || touch !== (event.type === 'pointerdown')) return;
      const box = this.stage.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      const item = viewing.pick(this.drawing, this.sight, x, y, touch ? 20 : 9);
      this.point(item);
      if (!item) return;
      this.tip.textContent = `${viewing.nameOf(this.scene, item)} · ${viewing.describe(item)}`;
      this.tip.style.left = `${Math.min(x + 14, this.width - this.tip.offsetWidth - 4)}px`;
      this.tip.style.top = `${y > this.height - 50 ? y - 34 : y + 16}px`;
      this.tip.hidden = false;
    }

    point(item) {
      if (!item) this.tip.hidden = true;
      if (item === this.pointed) return;
      this.pointed = item;
      if (item && item.cause.length) visviva.light(item.cause, 'viewer');
      else visviva.unlight('viewer');
      this.want();
    }

    // ---- What the page and the browser tell

    listen() {
      viewing.listenToPointers(this.stage, this);
      viewing.listenToKeys(this.root, this.stage, this);
      visviva.onTime((t, origin) => {
        if (origin !== 'viewer' && this.playing) this.pause();
        this.showTime();
        this.want();
      });
      visviva.onLight((lit) => { this.lit = lit; this.want(); });
      new ResizeObserver(() => this.resize()).observe(this.stage);
      const recolour = () => { this.palette = readPalette(this.root); this.draw(); };
      new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ['data-theme'] });
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
      window.addEventListener('beforeprint', () => this.showPrint());
      window.addEventListener('afterprint', () => { this.print && this.print.remove(); recolour(); });
      document.addEventListener('visibilitychange', () => { if (document.hidden && this.playing) this.pause(); });
      new IntersectionObserver((entries) => {
        this.seen = entries[entries.length - 1].isIntersecting;
        if (this.seen) this.want();
      }).observe(this.stage);
      this.showTime();
      this.showTellingMoment();
    }

    // Stands where the mechanism shows best until the reader starts it.
    showTellingMoment() {
      if (visviva.time <= this.span.from) visviva.setTime(viewing.tellingTime(this.scene), 'viewer');
    }

    // On paper an image in light colours stands for the canvases.
    showPrint() {
      const { dataset } = document.documentElement;
      const chosen = dataset.theme;
      dataset.theme = 'light';
      this.palette = readPalette(this.root);
      if (chosen) dataset.theme = chosen;
      else delete dataset.theme;
      if (this.print) this.print.remove();
      const alt = this.stage.getAttribute('aria-label');
      this.print = viewing.make('img', { class: 'viewer-print', alt, src: this.image() });
      this.root.prepend(this.print);
    }

    image() {
      this.draw();
      const copy = document.createElement('canvas');
      copy.width = this.overlay.width;
      copy.height = this.overlay.height;
      const context = copy.getContext('2d');
      context.drawImage(this.renderer.canvas, 0, 0);
      context.drawImage(this.overlay, 0, 0);
      return copy.toDataURL('image/png');
    }
  }

  function start() {
    const root = document.getElementById('viewer');
    const json = visviva.data && visviva.data.scene;
    if (!root || !json || !(json.count > 0)) return;
    const player = new Player(root, viewing.readScene(json));
    visviva.viewer = {
      get renderer() { return player.renderer.kind; },
      get playing() { return player.playing; },
      frame: () => player.frame(),
      draw: () => player.draw(),
      image: () => player.image(),
      play: () => player.play(),
      pause: () => player.pause(),
      setCamera: (name) => { player.setCamera(name); player.draw(); },
      setShow: (key, value) => { player.setShow(key, value); player.draw(); },
      project: (point) => {
        player.draw();
        return viewing.camera.project(player.sight, player.pose.points[point]).slice(0, 2);
      },
    };
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})((window.visviva = window.visviva || {}));
