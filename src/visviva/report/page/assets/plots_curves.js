// Plots over another quantity: phase portraits, paths, hysteresis. Values under the pointer, zoom to a box, series on and off, and a
// dot where the run is now. The numbers are read from the paths (plot_path.h), each sample with its time.
(function (visviva) {
  'use strict';

  const {makeElement, setAttributes, clamp, numberText, makeTicks} = visviva.plotting;
  const smallestPart = 1e-3;  // of the whole, that a zoom shows
  const nearEnough = 40;      // pixels from the pointer to a curve that it tells of

  class Curve {
    constructor(path, button) {
      this.path = path;
      this.button = button;
      this.isOn = true;
      this.samples = null;
      this.causes = button.dataset.cause ? button.dataset.cause.split(' ').map(Number) : [];
      for (const key of ['left', 'step', 'low', 'unit', 'tick']) this[key] = Number(path.dataset[key]);
    }

    get name() {
      return this.button.querySelector('span').textContent;
    }

    // Places, values and times of the samples, and whether a gap comes before one.
    read(from) {
      if (this.samples) return this.samples;
      const steps = (this.path.dataset.times || '').split(' ').filter(Boolean).map(Number);
      const samples = {x: [], y: [], t: [], isBehindGap: []};
      let i = 0;
      let j = 0;
      let k = 0;
      for (const [piece] of (this.path.getAttribute('d') || '').matchAll(/[Mml][^Mml]*/g)) {
        const numbers = piece.slice(1).match(/-?\d+/g).map(Number);
        for (let n = 0; n < numbers.length; n += 2) {
          i += numbers[n];
          j += numbers[n + 1];
          if (piece[0] === 'l' && numbers[n] === 0 && numbers[n + 1] === 0) continue;  // a lone sample
          k += steps[samples.x.length] || 0;
          samples.x.push(this.left + i * this.step);
          samples.y.push(this.low + j * this.unit);
          samples.t.push(from + k * this.tick);
          samples.isBehindGap.push(piece[0] === 'm');
        }
      }
      this.samples = samples;
      return samples;
    }

    // The place at a time, between samples; null before the first, behind the last and in gaps.
    at(time, from) {
      const {x, y, t, isBehindGap} = this.read(from);
      let low = 0;
      let high = t.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (t[middle] < time) low = middle + 1; else high = middle;
      }
      if (low < t.length && Math.abs(t[low] - time) <= this.tick) return [x[low], y[low]];
      if (low === t.length) return t.length > 0 && time - t[low - 1] <= 2 * this.tick ? [x[low - 1], y[low - 1]] : null;
      if (low === 0) return null;
      if (isBehindGap[low]) return null;
      const part = (time - t[low - 1]) / (t[low] - t[low - 1]);
      return [x[low - 1] + part * (x[low] - x[low - 1]), y[low - 1] + part * (y[low] - y[low - 1])];
    }
  }

  class CurveView {
    constructor(figure) {
      this.figure = figure;
      this.frame = figure.querySelector('.plot-frame');
      this.picture = figure.querySelector('.plot-picture');
      this.area = figure.querySelector('.plot-area');
      this.axes = figure.querySelector('.plot-axes');
      const data = this.picture.dataset;
      this.from = Number(data.from);
      this.until = Number(data.until);
      this.unit = data.unit;
      this.over = data.over;
      this.overUnit = data.overUnit;
      this.isPath = data.path === 'yes';
      this.isStill = data.still === 'yes';  // no motion: it has no times
      this.whole = {x: [Number(data.left), Number(data.right)], y: [Number(data.low), Number(data.high)]};
      this.view = this.whole;
      const buttons = figure.querySelectorAll('.plot-legend button');
      // The first series is drawn last.
      this.series = [...this.area.querySelectorAll('path')].reverse().map((path, i) => new Curve(path, buttons[i]));
      this.cursor = null;
      this.addParts();
      figure.classList.add('plot-live');
    }

    addParts() {
      const title = this.figure.querySelector('figcaption').firstChild.textContent.trim();
      this.frame.tabIndex = 0;
      this.frame.setAttribute('role', 'group');
      this.frame.setAttribute('aria-label', title + '. Left and right move along the curve, plus and minus zoom, Escape shows the whole, Enter moves the animation here.');
      this.overlay = makeElement('g', {class: 'plot-overlay'}, this.area);
      this.box = makeElement('rect', {class: 'plot-range', visibility: 'hidden'}, this.overlay);
      this.dots = this.series.map((series) =>
        makeElement('circle', {class: 'plot-dot plot-here ' + series.path.getAttribute('class'), r: 5, visibility: 'hidden'}, this.overlay));
      this.mark = makeElement('circle', {class: 'plot-dot', r: 4, visibility: 'hidden'}, this.overlay);
      this.when = makeElement('text', {class: 'plot-when', 'aria-hidden': 'true'}, this.picture);
      this.words = document.createElement('p');
      this.words.className = 'plot-words';
      this.words.setAttribute('aria-live', 'polite');
      this.frame.append(this.words);
      this.reset = document.createElement('button');
      setButton(this.reset, 'Whole plot');
      this.figure.querySelector('figcaption').append(this.reset);
    }

    get isZoomed() {
      return this.view !== this.whole;
    }

    // ---- Layout and drawing

    layOut() {
      const width = this.frame.clientWidth;
      if (width === 0 || width === this.width) return;
      this.width = width;
      const isNarrow = width < 480;
      this.left = isNarrow ? 54 : 64;
      this.top = 24;
      this.areaWidth = Math.max(60, width - this.left - 12);
      this.areaHeight = Math.min(320, Math.max(190, 0.62 * this.areaWidth));
      this.picture.setAttribute('viewBox', '0 0 ' + width + ' ' + (this.top + this.areaHeight + 40));
      setAttributes(this.area, {x: this.left, y: this.top, width: this.areaWidth, height: this.areaHeight});
      setAttributes(this.when, {x: this.left, y: this.top - 8});
      this.draw();
    }

    // A path keeps its shape: one unit is as long on both axes.
    shownRange() {
      const {x, y} = this.view;
      if (!this.isPath) return {x, y};
      const unit = Math.max((x[1] - x[0]) / this.areaWidth, (y[1] - y[0]) / this.areaHeight);
      const widen = (range, length) => [(range[0] + range[1] - unit * length) / 2, (range[0] + range[1] + unit * length) / 2];
      return {x: widen(x, this.areaWidth), y: widen(y, this.areaHeight)};
    }

    x(value) {
      return this.areaWidth * (value - this.shown.x[0]) / (this.shown.x[1] - this.shown.x[0]);
    }
    y(value) {
      return this.areaHeight * (1 - (value - this.shown.y[0]) / (this.shown.y[1] - this.shown.y[0]));
    }
    valueAt(px, py) {
      return [this.shown.x[0] + px / this.areaWidth * (this.shown.x[1] - this.shown.x[0]),
        this.shown.y[1] - py / this.areaHeight * (this.shown.y[1] - this.shown.y[0])];
    }

    draw() {
      if (!this.width) return;
      this.shown = this.shownRange();
      this.drawAxes();
      for (const series of this.series) {
        series.path.style.display = series.isOn ? '' : 'none';
        const scaleX = this.areaWidth / (this.shown.x[1] - this.shown.x[0]);
        const scaleY = this.areaHeight / (this.shown.y[1] - this.shown.y[0]);
        const matrix = [scaleX * series.step, 0, 0, -scaleY * series.unit, this.x(series.left), this.y(series.low)];
        series.path.setAttribute('transform', 'matrix(' + matrix.join(' ') + ')');
      }
      this.drawNow(visviva.time);
      this.drawCursor();
      this.reset.hidden = !this.isZoomed;
    }

    drawAxes() {
      const right = this.left + this.areaWidth;
      const bottom = this.top + this.areaHeight;
      this.axes.replaceChildren();
      for (const tick of makeTicks(this.shown.y[0], this.shown.y[1], 5)) {
        const y = this.top + this.y(tick.at);
        makeElement('line', {class: 'plot-grid', x1: this.left, y1: y, x2: right, y2: y}, this.axes);
        this.addText('end', this.left - 6, y + 4, tick.label);
      }
      for (const tick of makeTicks(this.shown.x[0], this.shown.x[1], clamp(this.areaWidth / 62, 2, 10))) {
        const x = this.left + this.x(tick.at);
        makeElement('line', {class: 'plot-grid', x1: x, y1: this.top, x2: x, y2: bottom}, this.axes);
        this.addText('middle', x, bottom + 16, tick.label);
      }
      makeElement('line', {class: 'plot-base', x1: this.left, y1: bottom, x2: right, y2: bottom}, this.axes);
      makeElement('line', {class: 'plot-base', x1: this.left, y1: this.top, x2: this.left, y2: bottom}, this.axes);
      this.addText('end', this.left - 6, this.top - 10, this.unit);
      this.addText('end', right, bottom + 32, this.over + (this.overUnit ? ' (' + this.overUnit + ')' : ''));
    }

    addText(anchor, x, y, text) {
      if (text) makeElement('text', {'text-anchor': anchor, x, y}, this.axes).textContent = text;
    }

    // Where each curve is at the time of the animation.
    drawNow(t) {
      if (!this.shown) return;
      this.series.forEach((series, i) => {
        const place = series.isOn && !this.isStill ? series.at(t, this.from) : null;
        const isSeen = place !== null && place.every(Number.isFinite);
        this.dots[i].setAttribute('visibility', isSeen ? 'visible' : 'hidden');
        if (isSeen) setAttributes(this.dots[i], {cx: this.x(place[0]), cy: this.y(place[1])});
      });
    }

    // ---- The sample under the pointer

    nearest(px, py, most) {
      let best = null;
      for (const series of this.series) {
        if (!series.isOn) continue;
        const {x, y} = series.read(this.from);
        for (let i = 0; i < x.length; ++i) {
          const d = Math.hypot(this.x(x[i]) - px, this.y(y[i]) - py);
          if (d <= most && (best === null || d < best.d)) best = {series, i, d};
        }
      }
      return best;
    }

    setCursor(cursor) {
      this.cursor = cursor;
      this.drawCursor();
    }

    drawCursor() {
      const {cursor} = this;
      const isShown = cursor !== null && cursor.series.isOn && this.shown;
      this.mark.setAttribute('visibility', isShown ? 'visible' : 'hidden');
      this.when.textContent = '';
      if (!isShown) return;
      const {x, y, t} = cursor.series.read(this.from);
      this.mark.setAttribute('class', 'plot-dot ' + cursor.series.path.getAttribute('class'));
      setAttributes(this.mark, {cx: this.x(x[cursor.i]), cy: this.y(y[cursor.i])});
      const unit = (text) => (text ? ' ' + text : '');
      const time = this.isStill ? '' : 't = ' + numberText(t[cursor.i], 4) + ' s: ';
      this.when.textContent = time + this.over + ' = ' + numberText(x[cursor.i], 4) + unit(this.overUnit) +
        ', ' + cursor.series.name + ' = ' + numberText(y[cursor.i], 4) + unit(this.unit);
    }

    // ---- Zoom

    setView(view) {
      const isWhole = ['x', 'y'].every((axis) => view[axis][1] - view[axis][0] >= (this.whole[axis][1] - this.whole[axis][0]) * (1 - 1e-9));
      const isTooSmall = ['x', 'y'].some((axis) => view[axis][1] - view[axis][0] < smallestPart * (this.whole[axis][1] - this.whole[axis][0]));
      if (isTooSmall) return;
      this.view = isWhole ? this.whole : view;
      this.draw();
    }

    zoom(factor, about) {
      const scaled = (range, at) => [at - (at - range[0]) * factor, at + (range[1] - at) * factor];
      this.setView({x: scaled(this.shown.x, about[0]), y: scaled(this.shown.y, about[1])});
    }

    showWhole() {
      this.setView(this.whole);
    }

    toggle(series) {
      series.isOn = !series.isOn;
      series.button.setAttribute('aria-pressed', String(series.isOn));
      this.draw();
    }

    light(causes) {
      for (const series of this.series) series.path.classList.toggle('plot-lit', series.causes.some((cause) => causes.has(cause)));
    }

    // Inside the area, in its own units.
    placeOf(event) {
      const box = this.picture.getBoundingClientRect();
      const scale = this.width / box.width;
      return [clamp((event.clientX - box.left) * scale - this.left, 0, this.areaWidth),
        clamp((event.clientY - box.top) * scale - this.top, 0, this.areaHeight)];
    }
  }

  function setButton(button, text) {
    button.type = 'button';
    button.className = 'plot-reset';
    button.textContent = text;
    button.hidden = true;
  }

  function connectPointer(plot) {
    const {frame} = plot;
    let start = null;
    frame.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse' && event.button !== 0) return;
      start = plot.placeOf(event);
      frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener('pointermove', (event) => {
      const place = plot.placeOf(event);
      if (start && event.pointerType !== 'touch' && Math.hypot(place[0] - start[0], place[1] - start[1]) > 5) {
        setAttributes(plot.box, {visibility: 'visible', x: Math.min(place[0], start[0]), y: Math.min(place[1], start[1]),
          width: Math.abs(place[0] - start[0]), height: Math.abs(place[1] - start[1])});
      }
      plot.setCursor(plot.nearest(...place, nearEnough));
    });
    frame.addEventListener('pointerup', (event) => {
      const place = plot.placeOf(event);
      const isBox = start && plot.box.getAttribute('visibility') === 'visible';
      if (isBox && Math.abs(place[0] - start[0]) > 5 && Math.abs(place[1] - start[1]) > 5) {
        const [a, b] = [plot.valueAt(...start), plot.valueAt(...place)];
        plot.setView({x: [Math.min(a[0], b[0]), Math.max(a[0], b[0])], y: [Math.min(a[1], b[1]), Math.max(a[1], b[1])]});
      } else if (start && !isBox) {
        const found = plot.nearest(...place, nearEnough);
        plot.setCursor(found);
        if (found && !plot.isStill) visviva.setTime(found.series.read(plot.from).t[found.i], 'plots');
      }
      start = null;
      plot.box.setAttribute('visibility', 'hidden');
    });
    frame.addEventListener('pointercancel', () => {
      start = null;
      plot.box.setAttribute('visibility', 'hidden');
    });
    frame.addEventListener('pointerleave', () => { if (start === null) plot.setCursor(null); });
    frame.addEventListener('dblclick', () => plot.showWhole());
    frame.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      plot.zoom(Math.exp(clamp(event.deltaY, -60, 60) * 0.01), plot.valueAt(...plot.placeOf(event)));
    }, {passive: false});
  }

  function step(plot, by) {
    const series = plot.cursor ? plot.cursor.series : plot.series.find((one) => one.isOn);
    if (!series) return;
    const {t} = series.read(plot.from);
    if (t.length === 0) return;
    const i = plot.cursor ? clamp(plot.cursor.i + by, 0, t.length - 1) : 0;
    plot.setCursor({series, i, d: 0});
    plot.words.textContent = plot.when.textContent;
  }

  function connectKeys(plot) {
    plot.frame.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== plot.frame) return;
      const {x, y} = plot.shown;
      const middle = [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2];
      const by = event.shiftKey ? 10 : 1;
      const actions = {
        ArrowLeft: () => step(plot, -by),
        ArrowRight: () => step(plot, by),
        '+': () => plot.zoom(0.5, middle),
        '=': () => plot.zoom(0.5, middle),
        '-': () => plot.zoom(2, middle),
        Escape: () => plot.showWhole(),
        Enter: () => { if (plot.cursor && !plot.isStill) visviva.setTime(plot.cursor.series.read(plot.from).t[plot.cursor.i], 'plots'); },
      };
      if (!(event.key in actions)) return;
      event.preventDefault();
      actions[event.key]();
    });
  }

  const curves = [...document.querySelectorAll('figure.plot[data-kind="curves"]')].map((figure) => new CurveView(figure));
  const byFrame = new Map(curves.map((plot) => [plot.frame, plot]));
  const watcher = new ResizeObserver((entries) => {
    for (const entry of entries) byFrame.get(entry.target).layOut();
  });
  for (const plot of curves) {
    connectPointer(plot);
    connectKeys(plot);
    plot.frame.addEventListener('blur', () => plot.setCursor(null));
    plot.reset.addEventListener('click', () => plot.showWhole());
    for (const series of plot.series) series.button.addEventListener('click', () => plot.toggle(series));
    plot.layOut();
    watcher.observe(plot.frame);
  }
  visviva.curves = curves;
  visviva.onTime((t) => { for (const plot of curves) plot.drawNow(t); });
  visviva.onLight((causes) => { for (const plot of curves) plot.light(causes); });
})(window.visviva = window.visviva || {});
