// What plots are made of: elements, numbers, ticks, and series that are read from their paths.
//
// A path holds whole numbers i, j with t = from + i * step and height = low + j * unit (plot_path.h); the height is the value, or
// its logarithm to base ten. All values that are shown are read from there.
(function (visviva) {
  'use strict';

  const svgNamespace = 'http://www.w3.org/2000/svg';

  function makeElement(name, attributes, parent) {
    const element = document.createElementNS(svgNamespace, name);
    setAttributes(element, attributes);
    if (parent) parent.append(element);
    return element;
  }

  function setAttributes(element, attributes) {
    for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
  }

  function clamp(x, low, high) {
    return Math.min(Math.max(x, low), high);
  }

  // ---- Numbers and ticks

  function numberText(value, digits) {
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(digits)));
    return Number(value.toPrecision(digits)).toExponential().replace('e+', 'e');
  }

  // 1, 2 or 5 times a power of ten, not less than size.
  function roundUpStep(size) {
    const exponent = Math.floor(Math.log10(size));
    const factor = [1, 2, 5, 10].find((f) => size <= f * Math.pow(10, exponent) * (1 + 1e-9)) || 10;
    return factor === 10 ? {factor: 1, exponent: exponent + 1} : {factor, exponent};
  }

  function sizeOf(step) {
    return step.factor * Math.pow(10, step.exponent);
  }

  // Each multiple by itself, so that three times 0.1 is 0.3.
  function multiple(step, count) {
    const power = Math.pow(10, Math.abs(step.exponent));
    return step.exponent < 0 ? count * step.factor / power : count * step.factor * power;
  }

  function makeTicks(from, until, about) {
    const step = roundUpStep((until - from) / about);
    const size = sizeOf(step);
    const first = Math.ceil(from / size - 1e-6);
    const last = Math.floor(until / size + 1e-6);
    const largest = Math.max(Math.abs(first), Math.abs(last)) * size;
    const digits = largest > 0 ? clamp(Math.floor(Math.log10(largest) + 1e-9) - step.exponent + 1, 1, 15) : 1;
    const ticks = [];
    for (let i = first; i <= last; ++i) {
      const value = multiple(step, i);
      ticks.push({at: value, label: numberText(value, digits)});
    }
    return ticks;
  }

  function makeLinearAxis(low, high, least) {
    const largest = Math.max(Math.abs(low), Math.abs(high));
    if (largest === 0 && !(least > 0)) return makeLinearAxis(-1, 1, 0);  // all zero: any range will do
    const shown = Math.max(least, 1e-6 * largest, 1e-300);
    const spare = Math.max(0, (shown - (high - low)) / 2);
    const grain = 0.5 * sizeOf(roundUpStep((high - low + 2 * spare) / 5));
    const from = Math.floor((low - spare) / grain + 1e-9) * grain;
    const until = Math.ceil((high + spare) / grain - 1e-9) * grain;
    return {from, until, ticks: makeTicks(from, until, 5)};
  }

  // Heights are logarithms here.
  function makeLogAxis(low, high) {
    const from = Math.floor(low + 1e-9);
    const until = Math.max(Math.ceil(high - 1e-9), from + 1);
    const stride = Math.max(1, Math.ceil((until - from) / 6));
    const ticks = [];
    for (let e = from; e <= until; ++e) ticks.push({at: e, label: (until - e) % stride === 0 ? '1e' + e : ''});
    return {from, until, ticks};
  }

  // ---- One series, read from its path when first needed

  class Series {
    constructor(path, button, plot) {
      this.path = path;
      this.button = button;
      this.plot = plot;
      this.low = Number(path.dataset.low);
      this.unit = Number(path.dataset.unit);
      this.step = Number(path.dataset.step);
      this.isOn = true;
      this.samples = null;
      this.causes = button.dataset.cause ? button.dataset.cause.split(' ').map(Number) : [];
      this.value = document.createElement('span');
      this.value.className = 'plot-value';
      this.value.setAttribute('aria-hidden', 'true');
      // Room for any value from the beginning: nothing may move under a pointer.
      this.value.style.minWidth = 10 + plot.unit.length + 'ch';
      button.append(this.value);
    }

    get name() {
      return this.button.querySelector('span').textContent;
    }

    // Times, heights, and whether a gap comes before a sample.
    read() {
      if (this.samples) return this.samples;
      const times = [];
      const heights = [];
      const isBehindGap = [];
      let i = 0;
      let j = 0;
      for (const [piece] of (this.path.getAttribute('d') || '').matchAll(/[Mml][^Mml]*/g)) {
        const numbers = piece.slice(1).match(/-?\d+/g).map(Number);
        for (let k = 0; k < numbers.length; k += 2) {
          i += numbers[k];
          j += numbers[k + 1];
          const isSame = piece[0] === 'l' && numbers[k] === 0 && numbers[k + 1] === 0;
          if (isSame) continue;
          times.push(this.plot.whole.from + i * this.step);
          heights.push(this.low + j * this.unit);
          isBehindGap.push(piece[0] === 'm');
        }
      }
      this.samples = {times, heights, isBehindGap};
      return this.samples;
    }

    // The place of the first sample that is not before t.
    find(t) {
      const times = this.read().times;
      let low = 0;
      let high = times.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (times[middle] < t) low = middle + 1; else high = middle;
      }
      return low;
    }

    nearest(t) {
      const {times} = this.read();
      const next = this.find(t);
      if (next === 0) return 0;
      if (next === times.length) return next - 1;
      return t - times[next - 1] < times[next] - t ? next - 1 : next;
    }

    // The height of the drawn line; NaN in a gap, before the first sample and behind the last.
    heightAt(t) {
      const {times, heights, isBehindGap} = this.read();
      if (times.length === 0) return NaN;
      const next = this.find(t);
      if (next === 0 || next === times.length || isBehindGap[next]) {
        const at = this.nearest(t);
        return Math.abs(t - times[at]) <= this.step ? heights[at] : NaN;
      }
      const part = (t - times[next - 1]) / (times[next] - times[next - 1]);
      return heights[next - 1] + part * (heights[next] - heights[next - 1]);
    }

    // The lowest and highest between two times.
    extent(from, until) {
      const {times, heights} = this.read();
      let low = Infinity;
      let high = -Infinity;
      for (let at = Math.max(0, this.find(from) - 1); at < times.length; ++at) {
        low = Math.min(low, heights[at]);
        high = Math.max(high, heights[at]);
        if (times[at] > until) break;
      }
      return {low, high};
    }
  }

  visviva.plotting = {makeElement, setAttributes, clamp, numberText, makeTicks, makeLinearAxis, makeLogAxis, Series};
})(window.visviva = window.visviva || {});
