// Letters over the picture, the little axes in its corner, and which thing lies under a place of it.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});
  const { subtract, dot } = viewing.math;

  const fonts = {
    body: 'italic 600 15px Georgia, "Times New Roman", serif',
    arrow: 'italic 14px Georgia, "Times New Roman", serif',
    point: 'italic 13px Georgia, "Times New Roman", serif',
    axis: '12px system-ui, sans-serif',
    frame: '12px system-ui, sans-serif',
  };

  // Text with a halo in the paper's colour, so that it reads on anything.
  function write(context, text, x, y, palette, colour) {
    context.strokeStyle = viewing.cssColour(palette.paper, 0.85);
    context.lineWidth = 3.5;
    context.lineJoin = 'round';
    context.strokeText(text, x, y);
    context.fillStyle = viewing.cssColour(palette[colour] || palette.ink);
    context.fillText(text, x, y);
  }

  function drawOverlay(canvas, drawing, sight, palette, ratio) {
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, sight.width, sight.height);
    context.textBaseline = 'middle';
    const taken = [];
    for (const label of drawing.labels) drawLabel(context, label, drawing, sight, palette, taken);
    drawCorner(context, sight, palette);
  }

  // How far a thing reaches across itself: a long rod has its name beside it, not at its length's distance.
  function girthOf(scene, item) {
    const middle = (three) => [...three].sort((a, b) => a - b)[1];
    if (item.sizes) return middle(item.sizes) / 2;
    if (item.semiaxes) return middle(item.semiaxes);
    return item.radius < item.length / 2 ? item.radius : viewing.reachOf(scene, item);
  }

  // Beside its place, far enough from the thing it names; a label that would cover another is left out.
  function drawLabel(context, label, drawing, sight, palette, taken) {
    const [x, y, depth] = viewing.camera.project(sight, label.at);
    if (!(depth > 0)) return;
    context.font = fonts[label.kind];
    const width = context.measureText(label.text).width;
    let [left, top] = [x - width / 2, y];
    if (label.kind !== 'axis') {
      const { scene } = drawing;
      const reach = label.kind === 'body' ? girthOf(scene, label.item) : scene.radii.joint;
      const away = Math.min(40, 0.75 * reach * (sight.pixel / depth)) + 6;
      [left, top] = [x + away, y - 0.7 * away - 3];
      if (left + width > sight.width - 4) left = x - away - width;
    }
    const box = [left, top - 7, left + width, top + 7];
    const covers = taken.some((b) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1]);
    if (covers) return;
    taken.push(box);
    const named = label.kind === 'body' || label.kind === 'point';
    write(context, label.text, left, top, palette, named ? 'ink' : label.colour);
  }

  // The directions of N, nearest last.
  function drawCorner(context, sight, palette) {
    const [x, y, l] = [34, sight.height - 34, 20];
    const axes = ['x', 'y', 'z'].map((letter, k) => {
      const e = [0, 0, 0];
      e[k] = 1;
      return { letter, right: dot(e, sight.right), up: dot(e, sight.up), toward: dot(e, sight.toward) };
    });
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'center';
    axes.sort((a, b) => a.toward - b.toward);
    for (const { letter, right, up } of axes) {
      if (Math.hypot(right, up) < 0.12) continue;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + l * right, y - l * up);
      context.lineWidth = 2;
      context.lineCap = 'round';
      context.strokeStyle = viewing.cssColour(palette[`axis-${letter}`]);
      context.stroke();
      write(context, letter, x + (l + 8) * right, y - (l + 8) * up, palette, `axis-${letter}`);
    }
    context.textAlign = 'left';
  }

  // ---- Pointing

  // Where a ray from the eye enters a unit shape that a model matrix places; Infinity if it misses. A cone counts as
  // the cylinder around it.
  function enters(solid, eye, ray) {
    const m = solid.model;
    const inward = (v) => [0, 1, 2].map((k) => {
      const a = [m[4 * k], m[4 * k + 1], m[4 * k + 2]];
      return dot(v, a) / dot(a, a);
    });
    const o = inward(subtract(eye, [m[12], m[13], m[14]]));
    const d = inward(ray);
    if (solid.mesh === 'sphere') return entersRound(o, d, 3);
    if (solid.mesh === 'box') return latest([slab(o, d, 0), slab(o, d, 1), slab(o, d, 2)]);
    const side = roundRange(o, d, 2);
    return side ? latest([side, slab(o, d, 2)]) : Infinity;
  }

  const slab = (o, d, k) => [(-1 - o[k]) / d[k], (1 - o[k]) / d[k]].sort((a, b) => a - b);

  function latest(ranges) {
    const from = Math.max(...ranges.map((r) => r[0]));
    return from <= Math.min(...ranges.map((r) => r[1])) ? from : Infinity;
  }

  // Where a line is within distance 1 of the axis (n = 2) or of the middle (n = 3).
  function roundRange(o, d, n) {
    let [a, b, c] = [0, 0, -1];
    for (let k = 0; k < n; k++) (a += d[k] * d[k]), (b += o[k] * d[k]), (c += o[k] * o[k]);
    const root = b * b - a * c;
    return root < 0 || a === 0 ? null : [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a];
  }

  const entersRound = (o, d, n) => (roundRange(o, d, n) || [Infinity])[0];

  function distanceTo(x, y, a, b) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const s = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(a[0] + s * dx - x, a[1] + s * dy - y);
  }

  // The item at a place: what the ray meets first, notes before solids; else what comes within some pixels of it.
  function pick(drawing, sight, x, y, tolerance) {
    const ray = viewing.camera.rayThrough(sight, x, y);
    let best = { depth: Infinity, item: null };
    for (const layer of [drawing.notes, drawing.solids]) {
      for (const solid of layer) {
        if (!solid.item) continue;
        const depth = enters(solid, sight.eye, ray);
        if (depth > 0 && depth < best.depth) best = { depth, item: solid.item };
      }
      if (best.item) return best.item;
    }
    return nearest(drawing, sight, x, y, tolerance);
  }

  function nearest(drawing, sight, x, y, tolerance) {
    let best = { distance: tolerance, item: null };
    const consider = (item, points) => {
      const flat = points.map((p) => viewing.camera.project(sight, p));
      for (let k = 1; k < flat.length; k++) {
        const distance = distanceTo(x, y, flat[k - 1], flat[k]);
        if (distance < best.distance) best = { distance, item };
      }
    };
    for (const { item, points } of drawing.tubes.concat(drawing.lines)) if (item) consider(item, points);
    for (const { item, model: m, mesh } of drawing.solids.concat(drawing.notes)) {
      if (!item) continue;
      const s = mesh === 'sphere' ? 0 : 1;
      const ends = [-s, s].map((k) => [m[12] + k * m[8], m[13] + k * m[9], m[14] + k * m[10]]);
      consider(item, ends);
    }
    return best.item;
  }

  Object.assign(viewing, { drawOverlay, pick });
})((window.visviva = window.visviva || {}));
