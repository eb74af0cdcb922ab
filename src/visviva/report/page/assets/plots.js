// Plots: layout for the room there is, values under a cursor, zoom in time, series on and off, the common time cursor.
(function (visviva) {
  'use strict';

  const {makeElement, setAttributes, clamp, numberText, makeTicks, makeLinearAxis, makeLogAxis, Series} = visviva.plotting;
  const smallestPart = 1e-4;  // of the run, that a zoom shows

  // ---- One plot

  class PlotView {
    constructor(figure) {
      this.figure = figure;
      this.frame = figure.querySelector('.plot-frame');
      this.picture = figure.querySelector('.plot-picture');
      this.area = figure.querySelector('.plot-area');
      this.axes = figure.querySelector('.plot-axes');
      this.limits = [...figure.querySelectorAll('.plot-limit')];
      this.events = [...figure.querySelectorAll('.plot-event')];
      const data = this.picture.dataset;
      this.whole = {from: Number(data.from), until: Number(data.until)};
      this.view = this.whole;
      this.isLog = data.scale === 'log';
      this.least = Number(data.least);
      this.unit = data.unit;
      const height = this.isLog ? Math.log10 : Number;
      this.fullAxis = {low: height(Number(data.low)), high: height(Number(data.high))};
      const buttons = figure.querySelectorAll('.plot-legend button');
      // The first series is drawn last.
      this.series = [...this.area.querySelectorAll('path')].reverse().map((path, i) => new Series(path, buttons[i], this));
      this.addOverlay();
      this.addControls();
      this.figure.classList.add('plot-live');
      this.cursor = null;
    }

    get isZoomed() {
      return this.view.from > this.whole.from || this.view.until < this.whole.until;
    }

    // ---- Parts that scripts add

    addOverlay() {
      this.overlay = makeElement('g', {class: 'plot-overlay'}, this.area);
      this.range = makeElement('rect', {class: 'plot-range', y: 0, visibility: 'hidden'}, this.overlay);
      this.now = makeElement('line', {class: 'plot-now', y1: 0}, this.overlay);
      this.cross = makeElement('line', {class: 'plot-cross', y1: 0, visibility: 'hidden'}, this.overlay);
      this.dots = this.series.map((series) =>
        makeElement('circle', {class: 'plot-dot ' + series.path.getAttribute('class'), r: 4, visibility: 'hidden'}, this.overlay));
      this.when = makeElement('text', {class: 'plot-when', 'text-anchor': 'middle', 'aria-hidden': 'true'}, this.picture);
    }

    addControls() {
      const title = this.figure.querySelector('figcaption').firstChild.textContent.trim();
      this.frame.tabIndex = 0;
      this.frame.setAttribute('role', 'group');
      this.frame.setAttribute('aria-label', title + '. Left and right move a cursor, plus and minus zoom, Escape shows the whole run, Enter moves the animation here.');
      this.words = document.createElement('p');
      this.words.className = 'plot-words';
      this.words.setAttribute('aria-live', 'polite');
      this.frame.append(this.words);
      this.reset = document.createElement('button');
      this.reset.type = 'button';
      this.reset.className = 'plot-reset';
      this.reset.textContent = 'Whole run';
      this.reset.hidden = true;
      this.figure.querySelector('figcaption').append(this.reset);
    }

    // ---- Layout and drawing

    layOut() {
      const width = this.frame.clientWidth;
      if (width === 0 || width === this.width) return;
      this.width = width;
      const isNarrow = width < 480;
      this.left = isNarrow ? 54 : 64;
      this.right = 12;
      this.top = 24;
      this.areaWidth = Math.max(60, width - this.left - this.right);
      this.areaHeight = isNarrow ? 170 : 196;
      this.picture.setAttribute('viewBox', '0 0 ' + width + ' ' + (this.top + this.areaHeight + 40));
      setAttributes(this.area, {x: this.left, y: this.top, width: this.areaWidth, height: this.areaHeight});
      for (const line of [this.now, this.cross]) line.setAttribute('y2', this.areaHeight);
      this.range.setAttribute('height', this.areaHeight);
      this.when.setAttribute('y', this.top - 8);
      this.draw();
    }

    // Places inside the area.
    x(t) {
      return this.areaWidth * (t - this.view.from) / (this.view.until - this.view.from);
    }
    y(height) {
      return this.areaHeight * (1 - (height - this.axis.from) / (this.axis.until - this.axis.from));
    }

    fitAxis() {
      // The axis of the whole run was made with the page.
      const isWhole = !this.isZoomed && this.series.every((series) => series.isOn);
      const {low, high} = isWhole ? this.fullAxis : this.visibleExtent();
      if (this.isLog) this.axis = makeLogAxis(low, high);
      else if (isWhole) this.axis = {from: low, until: high, ticks: makeTicks(low, high, 5)};
      else this.axis = makeLinearAxis(low, high, this.least);
    }

    visibleExtent() {
      const levels = this.limits.map((limit) => Number(limit.dataset.value)).filter((value) => !this.isLog || value > 0)
        .map((value) => this.isLog ? Math.log10(value) : value);
      let low = Math.min(...levels, Infinity);
      let high = Math.max(...levels, -Infinity);
      for (const series of this.series) {
        if (!series.isOn) continue;
        const extent = series.extent(this.view.from, this.view.until);
        low = Math.min(low, extent.low);
        high = Math.max(high, extent.high);
      }
      return low <= high ? {low, high} : this.fullAxis;
    }

    draw() {
      if (!this.width) return;
      this.fitAxis();
      this.drawAxes();
      for (const series of this.series) this.drawSeries(series);
      for (const limit of this.limits) this.drawLimit(limit);
      for (const event of this.events) this.drawEvent(event);
      this.drawNow(visviva.time);
      this.drawCursor();
      this.reset.hidden = !this.isZoomed;
    }

    drawAxes() {
      const right = this.left + this.areaWidth;
      const bottom = this.top + this.areaHeight;
      this.axes.replaceChildren();
      for (const tick of this.axis.ticks) {
        const y = this.top + this.y(tick.at);
        makeElement('line', {class: 'plot-grid', x1: this.left, y1: y, x2: right, y2: y}, this.axes);
        this.addText('end', this.left - 6, y + 4, tick.label);
      }
      for (const tick of makeTicks(this.view.from, this.view.until, clamp(this.areaWidth / 62, 2, 10))) {
        const x = this.left + this.x(tick.at);
        makeElement('line', {class: 'plot-grid', x1: x, y1: this.top, x2: x, y2: bottom}, this.axes);
        this.addText('middle', x, bottom + 16, tick.label);
      }
      makeElement('line', {class: 'plot-base', x1: this.left, y1: bottom, x2: right, y2: bottom}, this.axes);
      this.addText('end', this.left - 6, this.top - 10, this.unit);
      this.addText('end', right, bottom + 32, 't (s)');
    }

    addText(anchor, x, y, text) {
      if (text) makeElement('text', {'text-anchor': anchor, x, y}, this.axes).textContent = text;
    }

    drawSeries(series) {
      series.path.style.display = series.isOn ? '' : 'none';
      const scaleX = this.areaWidth / (this.view.until - this.view.from);
      const scaleY = this.areaHeight / (this.axis.until - this.axis.from);
      const matrix = [scaleX * series.step, 0, 0, -scaleY * series.unit, this.x(this.whole.from), this.y(series.low)];
      series.path.setAttribute('transform', 'matrix(' + matrix.join(' ') + ')');
    }

    drawLimit(limit) {
      const value = Number(limit.dataset.value);
      const y = this.top + this.y(this.isLog ? Math.log10(value) : value);
      const right = this.left + this.areaWidth;
      setAttributes(limit.querySelector('line'), {x1: this.left, y1: y, x2: right, y2: y});
      setAttributes(limit.querySelector('text'), {x: right - 4, y: y - 5});
    }

    drawEvent(event) {
      const t = Number(event.dataset.time);
      const x = this.left + this.x(t);
      event.style.display = t >= this.view.from && t <= this.view.until ? '' : 'none';
      setAttributes(event.querySelector('line'), {x1: x, y1: this.top, x2: x, y2: this.top + this.areaHeight});
      const anchor = x > this.left + this.areaWidth - 60 ? 'end' : x < this.left + 60 ? 'start' : 'middle';
      setAttributes(event.querySelector('text'), {x, y: this.top - 6, 'text-anchor': anchor});
    }

    drawNow(t) {
      if (!this.width) return;
      setAttributes(this.now, {x1: this.x(t), x2: this.x(t)});
    }

    // ---- Cursor: values of all visible series at one sample

    setCursor(t) {
      const first = this.series.find((series) => series.isOn && series.read().times.length > 0);
      this.cursor = t === null || !first ? null : first.read().times[first.nearest(t)];
      this.drawCursor();
    }

    drawCursor() {
      const t = this.cursor;
      const isShown = t !== null && t >= this.view.from && t <= this.view.until;
      this.cross.setAttribute('visibility', isShown ? 'visible' : 'hidden');
      for (const event of this.events) event.querySelector('text').style.visibility = isShown ? 'hidden' : '';
      this.when.textContent = isShown ? 't = ' + numberText(t, 5) + ' s' : '';
      if (isShown) {
        const x = this.x(t);
        setAttributes(this.cross, {x1: x, x2: x});
        this.when.setAttribute('x', clamp(this.left + x, this.left + 45, this.left + this.areaWidth - 45));
      }
      this.series.forEach((series, i) => this.drawValue(series, this.dots[i], isShown ? t : null));
    }

    drawValue(series, dot, t) {
      const height = t !== null && series.isOn ? series.heightAt(t) : NaN;
      const isKnown = Number.isFinite(height);
      dot.setAttribute('visibility', isKnown ? 'visible' : 'hidden');
      if (isKnown) setAttributes(dot, {cx: this.x(t), cy: this.y(height)});
      series.value.textContent = t === null || !series.isOn ? '' : isKnown ? this.valueText(height) : 'none';
    }

    valueText(height) {
      const unit = this.unit ? ' ' + this.unit : '';
      if (!this.isLog) return numberText(height, 5) + unit;
      const isBottom = height <= this.fullAxis.low + 1e-9;
      return (isBottom ? '\u2264 ' : '') + numberText(Math.pow(10, height), 3) + unit;
    }

    tellCursor() {
      if (this.cursor === null) return;
      const values = this.series.filter((series) => series.isOn).map((series) => series.name + ' ' + series.value.textContent);
      this.words.textContent = this.when.textContent + ': ' + values.join(', ');
    }

    // ---- Zoom

    setView(from, until) {
      const length = clamp(until - from, smallestPart * (this.whole.until - this.whole.from), this.whole.until - this.whole.from);
      const begin = clamp((from + until - length) / 2, this.whole.from, this.whole.until - length);
      const isWhole = length >= (this.whole.until - this.whole.from) * (1 - 1e-9);
      this.view = isWhole ? this.whole : {from: begin, until: begin + length};
      this.draw();
    }

    zoom(factor, about) {
      const {from, until} = this.view;
      this.setView(about - (about - from) * factor, about + (until - about) * factor);
    }

    showWhole() {
      this.setView(this.whole.from, this.whole.until);
    }

    toggle(series) {
      series.isOn = !series.isOn;
      series.button.setAttribute('aria-pressed', String(series.isOn));
      this.draw();
    }

    light(causes) {
      for (const series of this.series) series.path.classList.toggle('plot-lit', series.causes.some((cause) => causes.has(cause)));
    }

    // The time under a place of the window.
    timeAt(clientX) {
      const box = this.picture.getBoundingClientRect();
      const x = (clientX - box.left) * this.width / box.width - this.left;
      return this.view.from + clamp(x / this.areaWidth, 0, 1) * (this.view.until - this.view.from);
    }
  }

  // ---- Pointer: hover, drag a range, click, pinch

  class PlotPointer {
    constructor(plot) {
      this.plot = plot;
      this.fingers = new Map();
      this.start = null;
      const frame = plot.frame;
      frame.addEventListener('pointerdown', (event) => this.press(event));
      frame.addEventListener('pointermove', (event) => this.move(event));
      frame.addEventListener('pointerup', (event) => this.release(event));
      frame.addEventListener('pointercancel', (event) => this.cancel(event));
      frame.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse' && this.start === null) plot.setCursor(null); });
      frame.addEventListener('dblclick', () => plot.showWhole());
      frame.addEventListener('wheel', (event) => this.turn(event), {passive: false});
    }

    press(event) {
      if (event.pointerType === 'mouse' && event.button !== 0) return;
      this.fingers.set(event.pointerId, event.clientX);
      this.start = this.fingers.size === 1 ? {x: event.clientX, isMoved: false} : null;
      if (this.fingers.size === 2) this.beginPinch();
      this.plot.frame.setPointerCapture(event.pointerId);
      this.plot.setCursor(this.plot.timeAt(event.clientX));
    }

    move(event) {
      const isDown = this.fingers.has(event.pointerId);
      if (isDown) this.fingers.set(event.pointerId, event.clientX);
      if (this.fingers.size === 2) return this.pinch();
      if (isDown && this.start) this.drag(event);
      return this.plot.setCursor(this.plot.timeAt(event.clientX));
    }

    // A range of time by mouse or pen; a finger moves the cursor.
    drag(event) {
      if (Math.abs(event.clientX - this.start.x) > 5) this.start.isMoved = true;
      if (!this.start.isMoved || event.pointerType === 'touch') return;
      const [low, high] = this.draggedRange(event.clientX);
      const x = this.plot.x(low);
      setAttributes(this.plot.range, {x, width: this.plot.x(high) - x, visibility: 'visible'});
    }

    draggedRange(clientX) {
      const a = this.plot.timeAt(this.start.x);
      const b = this.plot.timeAt(clientX);
      return a < b ? [a, b] : [b, a];
    }

    release(event) {
      const start = this.start;
      if (start && this.fingers.has(event.pointerId)) {
        if (!start.isMoved) visviva.setTime(this.plot.timeAt(event.clientX), 'plots');
        else if (event.pointerType !== 'touch') this.plot.setView(...this.draggedRange(event.clientX));
      }
      this.cancel(event);
    }

    cancel(event) {
      this.fingers.delete(event.pointerId);
      this.start = null;
      this.plot.range.setAttribute('visibility', 'hidden');
    }

    beginPinch() {
      this.pinched = [...this.fingers.values()].map((x) => this.plot.timeAt(x));
    }

    // The two times stay under the two fingers.
    pinch() {
      const plot = this.plot;
      const box = plot.picture.getBoundingClientRect();
      const places = [...this.fingers.values()].map((x) => ((x - box.left) * plot.width / box.width - plot.left) / plot.areaWidth);
      const [a, b] = this.pinched;
      const apart = places[1] - places[0];
      if (Math.abs(apart) < 0.02 || a === b) return;
      const length = Math.abs((b - a) / apart);
      const from = a - places[0] * length;
      plot.setView(from, from + length);
    }

    turn(event) {
      const plot = this.plot;
      const length = plot.view.until - plot.view.from;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        plot.zoom(Math.exp(clamp(event.deltaY, -60, 60) * 0.01), plot.timeAt(event.clientX));
      } else if (plot.isZoomed && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        const shift = event.deltaX / plot.areaWidth * length;
        plot.setView(plot.view.from + shift, plot.view.until + shift);
      }
    }
  }

  // ---- Keyboard

  function stepCursor(plot, steps) {
    const series = plot.series.find((one) => one.isOn);
    if (!series || series.read().times.length === 0) return;
    const {times} = series.read();
    const start = plot.cursor === null ? clamp(visviva.time, plot.view.from, plot.view.until) : plot.cursor;
    const at = clamp(series.nearest(start) + (plot.cursor === null ? 0 : steps), 0, times.length - 1);
    moveCursor(plot, times[at]);
  }

  function moveCursor(plot, t) {
    const {from, until} = plot.view;
    if (t < from) plot.setView(t, t + until - from);
    if (t > until) plot.setView(t - until + from, t);
    plot.setCursor(t);
    plot.tellCursor();
  }

  function pressKey(plot, event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== plot.frame) return;
    const steps = event.shiftKey ? 10 : 1;
    const middle = plot.cursor === null ? (plot.view.from + plot.view.until) / 2 : plot.cursor;
    const actions = {
      ArrowLeft: () => stepCursor(plot, -steps),
      ArrowRight: () => stepCursor(plot, steps),
      Home: () => moveCursor(plot, plot.whole.from),
      End: () => moveCursor(plot, plot.whole.until),
      '+': () => plot.zoom(0.5, middle),
      '=': () => plot.zoom(0.5, middle),
      '-': () => plot.zoom(2, middle),
      Escape: () => plot.showWhole(),
      Enter: () => { if (plot.cursor !== null) visviva.setTime(plot.cursor, 'plots'); },
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  function connect(plot) {
    new PlotPointer(plot);
    plot.frame.addEventListener('keydown', (event) => pressKey(plot, event));
    plot.frame.addEventListener('blur', () => plot.setCursor(null));
    plot.reset.addEventListener('click', () => plot.showWhole());
    for (const series of plot.series) series.button.addEventListener('click', () => plot.toggle(series));
  }

  const plots = [...document.querySelectorAll('figure.plot:not([data-kind="curves"])')].map((figure) => new PlotView(figure));
  const byFrame = new Map(plots.map((plot) => [plot.frame, plot]));
  const watcher = new ResizeObserver((entries) => {
    for (const entry of entries) byFrame.get(entry.target).layOut();
  });
  for (const plot of plots) {
    connect(plot);
    plot.layOut();
    watcher.observe(plot.frame);
  }
  visviva.plots = plots;
  visviva.onTime((t) => { for (const plot of plots) plot.drawNow(t); });
  visviva.onLight((causes) => { for (const plot of plots) plot.light(causes); });
})(window.visviva = window.visviva || {});
