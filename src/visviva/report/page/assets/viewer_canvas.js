// Draws a drawing on a 2-D canvas, back to front, where there is no WebGL.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});
  const { subtract, along, dot, cross, length, unit, mix, clamp } = viewing.math;

  const corners = 48; // of a circle

  const css = (rgb, alpha) =>
    `rgba(${rgb.map((c) => Math.round(255 * clamp(c, 0, 1))).join(',')},${alpha === undefined ? 1 : alpha})`;
  const blend = (a, b, s) => a.map((c, i) => mix(c, b[i], s));

  const apply = (m, p) => [
    m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12],
    m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
    m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14],
  ];
  const column = (m, k) => [m[4 * k], m[4 * k + 1], m[4 * k + 2]];

  // Normals of a shape whose axes are perpendicular to one another but of different lengths.
  function turnNormal(m, n) {
    const out = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const a = column(m, k);
      const s = n[k] / dot(a, a);
      for (let i = 0; i < 3; i++) out[i] += a[i] * s;
    }
    return unit(out);
  }

  // The convex outline of points on the screen, counterclockwise: Andrew's monotone chain.
  function outlineOf(points) {
    const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (list) => {
      const chain = [];
      for (const p of list) {
        while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
        chain.push(p);
      }
      chain.pop();
      return chain;
    };
    return half(sorted).concat(half(sorted.reverse()));
  }

  function trace(context, points, closed) {
    context.moveTo(points[0][0], points[0][1]);
    for (let k = 1; k < points.length; k++) context.lineTo(points[k][0], points[k][1]);
    if (closed) context.closePath();
  }

  // A sphere's picture is drawn from few faces: only its outline and its dark eighths are.
  function makeCoarseSphere() {
    const faces = [];
    const at = (i, k) => {
      const [a, b] = [(Math.PI * i) / 12, (Math.PI * k) / 12];
      return [Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a)];
    };
    for (let i = 0; i < 12; i++) {
      for (let k = 0; k < 24; k++) faces.push([at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)]);
    }
    return faces;
  }

  const middleOf = (face) => [0, 1, 2].map((i) => face.reduce((sum, p) => sum + p[i], 0) / face.length);

  // A place in the coordinates of a unit shape.
  const inward = (m, p) => {
    const d = subtract(p, column(m, 3));
    return [0, 1, 2].map((k) => dot(d, column(m, k)) / dot(column(m, k), column(m, k)));
  };

  // A mesh of the model's own counts as its box.
  const isBoxed = (mesh) => mesh === 'box' || mesh === 'own';

  // How far out a place is, in coordinates of the unit shape: 1 on its surface.
  function outness(mesh, [x, y, z]) {
    if (mesh === 'sphere') return Math.hypot(x, y, z);
    return isBoxed(mesh) ? Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) : Math.max(Math.hypot(x, y), Math.abs(z));
  }

  const isInside = (solid, p) => outness(solid.mesh, inward(solid.model, p)) < 1 + 1e-6;

  // The normal of a unit shape's surface at a place of it.
  function normalAt({ mesh, model }, p) {
    const o = inward(model, p);
    if (mesh === 'sphere') return turnNormal(model, o);
    const sizes = isBoxed(mesh) ? o.map(Math.abs) : [Math.hypot(o[0], o[1]), 0, Math.abs(o[2])];
    const k = sizes.indexOf(Math.max(...sizes));
    return turnNormal(model, !isBoxed(mesh) && k === 0 ? [o[0], o[1], 0] : [0, 1, 2].map((i) => (i === k ? o[i] : 0)));
  }

  // The part of a link between -1 and 1 that lies outside all bodies in which it ends, none where it is all inside;
  // and the bodies that it leaves on the side towards the eye, and on the other.
  function outsideOf(link, bodies, eye) {
    const at = (s) => along(column(link.model, 3), column(link.model, 2), s);
    const ends = [-1, 1];
    const found = { ends, over: [], under: [] };
    for (const body of bodies) {
      const inside = [-1, 1].map((s) => isInside(body, at(s)));
      if (inside[0] && inside[1]) return { ...found, ends: null };
      if (!inside[0] && !inside[1]) continue;
      const k = inside[0] ? 0 : 1;
      let [low, high] = [2 * k - 1, 1 - 2 * k];
      for (let i = 0; i < 30; i++) {
        const middle = (low + high) / 2;
        if (isInside(body, at(middle))) low = middle;
        else high = middle;
      }
      ends[k] = k === 0 ? Math.max(ends[0], low) : Math.min(ends[1], low);
      const exit = at(low);
      found[dot(normalAt(body, exit), subtract(eye, exit)) > 0 ? 'over' : 'under'].push(body);
    }
    return ends[0] < ends[1] ? found : { ...found, ends: null };
  }

  // A cylinder's matrix for a part of its axis.
  function shortened(m, [from, to]) {
    const out = m.slice();
    for (let i = 0; i < 3; i++) {
      out[8 + i] = (m[8 + i] * (to - from)) / 2;
      out[12 + i] = m[12 + i] + (m[8 + i] * (from + to)) / 2;
    }
    return out;
  }

  class CanvasRenderer {
    constructor(canvas) {
      this.canvas = canvas;
      this.kind = 'canvas';
      this.context = canvas.getContext('2d');
      this.coarse = makeCoarseSphere();
      this.rims = {};
      for (const [name, faces] of Object.entries(viewing.meshes(corners))) {
        this.rims[name] = name === 'sphere' ? this.coarse.flat() : faces.flat().map((c) => c.place);
      }
    }

    release() {}

    resize(width, height, ratio) {
      this.canvas.width = Math.max(1, Math.round(width * ratio));
      this.canvas.height = Math.max(1, Math.round(height * ratio));
      this.ratio = ratio;
    }

    draw(drawing, sight, palette, show) {
      const { context } = this;
      Object.assign(this, { sight, palette, lamp: viewing.lampOf(drawing.scene), up: drawing.scene.up });
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      context.lineJoin = 'round';
      context.lineCap = 'butt';
      this.drawBackdrop();
      if (show.grid && drawing.scene.ground) this.drawGround(drawing, drawing.scene.ground);
      for (const path of drawing.traces) this.drawTrace(drawing, path);
      for (const part of this.sorted(drawing)) part.paint();
      for (const part of this.sorted({ solids: drawing.notes, tubes: [], lines: [] })) part.paint();
    }

    place(p) { return viewing.camera.project(this.sight, p); }

    drawBackdrop() {
      const { context, sight, palette } = this;
      const sky = context.createLinearGradient(0, 0, 0, sight.height);
      sky.addColorStop(0.1, css(palette.paper));
      sky.addColorStop(1, css(palette.panel));
      context.fillStyle = sky;
      context.fillRect(0, 0, sight.width, sight.height);
    }

    // Farthest first. Bodies count as nearer than the thin things that end in them; a tube goes in pieces; of a link
    // only what lies outside bodies is drawn, over or under the bodies that it comes out of.
    sorted({ solids, tubes, lines }) {
      const parts = [];
      const depthOf = (p) => -dot(subtract(p, this.sight.eye), this.sight.toward);
      const put = (p, behind, paint, low, high) => {
        const depth = depthOf(p);
        if (depth > 0) parts.push({ depth: clamp(depth + behind, low ?? -Infinity, high ?? Infinity), paint });
      };
      const nearness = (solid) => Math.min(...[0, 1, 2].map((k) => length(column(solid.model, k))));
      const bodies = solids.filter((solid) => solid.item && solid.item.solid);
      for (const solid of solids) {
        if (!solid.item || solid.item.kind !== 'link') {
          put(column(solid.model, 3), -nearness(solid), () => this.drawSolid(solid));
          continue;
        }
        const { ends, over, under } = outsideOf(solid, bodies, this.sight.eye);
        if (!ends) continue;
        const rank = (body) => depthOf(column(body.model, 3)) - nearness(body);
        const low = Math.max(-Infinity, ...under.map((body) => rank(body) * (1 + 1e-9)));
        const high = Math.min(Infinity, ...over.map((body) => rank(body) * (1 - 1e-9)));
        const rest = { ...solid, model: shortened(solid.model, ends) };
        put(column(rest.model, 3), -nearness(rest), () => this.drawSolid(rest), low, Math.max(low, high));
      }
      const middle = (points) => points[points.length >> 1];
      const piece = 12;
      for (const tube of tubes) {
        for (let k = 0; k + 1 < tube.points.length; k += piece) {
          const points = tube.points.slice(k, k + piece + 1);
          put(middle(points), 0, () => this.drawTube({ ...tube, points }));
        }
      }
      for (const line of lines) {
        const hidden = bodies.some((body) => line.points.every((p) => isInside(body, p)));
        if (!hidden) put(middle(line.points), 0, () => this.drawTube({ ...line, pixels: line.width }));
      }
      return parts.sort((a, b) => b.depth - a.depth);
    }

    drawGround({ solids }, ground) {
      const { context, palette } = this;
      let { step } = ground;
      while (ground.half > 25 * step) step *= 5;
      const reach = Math.ceil((1.8 * ground.half) / step);
      const start = [ground.e1, ground.e2].map((e) => Math.round(dot(ground.center, e) / step));
      for (let k = -reach; k <= reach; k++) this.drawRule({ ...ground, step }, start, k, reach);
      if (ground.slab) return;
      const slant = dot(this.lamp, ground.normal);
      context.beginPath();
      for (const { mesh, model, colour, item } of solids) {
        if (colour === 'ground') continue;
        const cast = this.cornersOf(mesh, item).map((p) => {
          const q = apply(model, p);
          return this.place(along(q, this.lamp, -dot(subtract(q, ground.center), ground.normal) / slant));
        });
        if (cast.every((p) => p[2] > 0)) trace(context, outlineOf(cast), true);
      }
      context.fillStyle = css(palette.shadow, palette.dark ? 0.4 : 0.1);
      context.fill('nonzero');
    }

    // The k-th line in both directions, in pieces that fade with the distance from the middle.
    drawRule(ground, start, k, reach) {
      const { context, palette } = this;
      const pieces = 12;
      const { e1, e2, step, half, normal, top } = ground;
      const on = (u, v) => along(along(normal.map((x) => x * top), e1, u), e2, v);
      for (const way of [0, 1]) {
        const fixed = (start[way] + k) * step;
        for (let j = 0; j < pieces; j++) {
          const [a, b] = [j, j + 1].map((i) => (start[1 - way] - reach + (2 * reach * i) / pieces) * step);
          const far = Math.hypot(k, -reach + (2 * reach * (j + 0.5)) / pieces) * (step / half);
          const alpha = (1 - clamp((far - 0.55) / 1.2, 0, 1)) * ((start[way] + k) % 5 === 0 ? 0.95 : 0.45);
          const ends = [a, b].map((u) => this.place(way === 0 ? on(fixed, u) : on(u, fixed)));
          if (alpha < 0.02 || ends.some((p) => p[2] < 1e-3)) continue;
          context.beginPath();
          trace(context, ends);
          context.lineWidth = 1;
          context.strokeStyle = css(palette.line, alpha);
          context.stroke();
        }
      }
    }

    drawTrace({ scene, pose, traces }, path) {
      const { context, palette } = this;
      const from = (scene.points[path.point] || {}).track;
      if (from === undefined) return;
      const span = scene.time[scene.count - 1] - scene.time[0];
      const now = viewing.timeAt(scene, pose.frame);
      const step = Math.max(1, Math.ceil((scene.count * traces.length) / 24000));
      const shades = 16;
      let last = null;
      let shade = -1;
      const flush = () => { if (shade >= 0) context.stroke(); };
      context.lineWidth = 2;
      for (let k = 0; k < pose.frame + step; k += step) {
        const frame = Math.min(k, pose.frame);
        const p = this.place(viewing.pointAt(scene, path.point, frame));
        const age = clamp((now - viewing.timeAt(scene, frame)) / (0.3 * span || 1), 0, 1);
        const next = Math.round(shades * age);
        if (last && next !== shade) {
          flush();
          const alpha = mix(traces.length > 8 ? 0.5 : 0.85, 0.14, next / shades) * (path.tone < 0 ? 0.25 : 1);
          context.strokeStyle = css(palette[path.colour], alpha);
          context.beginPath();
          context.moveTo(last[0], last[1]);
          shade = next;
        }
        if (last) context.lineTo(p[0], p[1]);
        last = p;
      }
      flush();
    }

    // The same light as in the shaders, for one normal.
    shade(rgb, n, tone) {
      const { palette } = this;
      const sky = 0.5 + 0.5 * dot(n, this.up);
      const light = mix(0.42, 0.77, sky) + 0.63 * Math.max(0, dot(n, this.lamp));
      const seen = rgb.map((c) => Math.pow(clamp(Math.pow(c, 2.2) * light, 0, 1), 1 / 2.2));
      return tone < 0 ? blend(palette.paper, seen, 0.28) : seen;
    }

    edge(rgb, tone) {
      const edge = rgb.map((c) => c * (this.palette.dark ? 0.3 : 0.45));
      return tone < 0 ? blend(this.palette.paper, edge, 0.28) : edge;
    }

    drawSolid(solid) {
      const { context, palette, sight } = this;
      const own = palette[solid.colour];
      const depth = -dot(subtract(column(solid.model, 3), sight.eye), sight.toward);
      const wide = (length(column(solid.model, 0)) * sight.pixel) / depth;
      if (solid.mesh === 'cylinder' && wide < 5) return this.drawShaft(solid, own, wide);
      const rim = outlineOf(this.cornersOf(solid.mesh, solid.item).map((p) => this.place(apply(solid.model, p))));
      if (rim.length < 3) return;
      if (solid.mesh === 'own') return this.drawMesh(solid, own);
      if (solid.tone > 0) this.stroke(rim, 7, palette.glow);
      this.stroke(rim, 1.8, this.edge(own, solid.tone));
      if (solid.mesh === 'sphere') this.drawBall(solid, own, rim);
      else this.drawFaces(solid, own, rim);
      context.lineWidth = 1;
    }

    cornersOf(mesh, item) {
      if (mesh !== 'own') return this.rims[mesh];
      item.corners = item.corners || item.faces.flat().map((c) => c.place);
      return item.corners;
    }

    // The triangles towards the eye, farthest first: a mesh need not be convex.
    drawMesh({ model, item, tone }, own) {
      const { context, sight } = this;
      const seen = [];
      for (const face of item.faces) {
        const places = face.map((c) => apply(model, c.place));
        const n = turnNormal(model, face[0].normal);
        const toEye = subtract(sight.eye, places[0]);
        if (dot(n, toEye) > 0) seen.push({ places, n, depth: dot(toEye, toEye) });
      }
      for (const { places, n } of seen.sort((a, b) => b.depth - a.depth)) {
        context.beginPath();
        trace(context, places.map((p) => this.place(p)), true);
        context.fillStyle = context.strokeStyle = css(this.shade(own, n, tone));
        context.lineWidth = 0.7; // no paper between two triangles
        context.fill();
        context.stroke();
      }
      context.lineWidth = 1;
    }

    stroke(points, width, rgb) {
      const { context } = this;
      context.beginPath();
      trace(context, points, true);
      context.lineWidth = width;
      context.strokeStyle = css(rgb);
      context.stroke();
    }

    // A thin cylinder is a thick line.
    drawShaft(solid, own, wide) {
      const [c, a] = [column(solid.model, 3), column(solid.model, 2)];
      const side = unit(cross(a, this.sight.toward), this.sight.right);
      const n = unit(cross(side, unit(a)));
      this.drawTube({
        points: [along(c, a, -1), along(c, a, 1)], pixels: Math.max(wide, 0.6), colour: solid.colour, tone: solid.tone,
        seen: this.shade(own, dot(n, this.sight.toward) < 0 ? n.map((x) => -x) : n, solid.tone),
      });
    }

    drawBall(solid, own, rim) {
      const { context } = this;
      const box = (i) => [Math.min(...rim.map((p) => p[i])), Math.max(...rim.map((p) => p[i]))];
      const [[x0, x1], [y0, y1]] = [box(0), box(1)];
      const r = Math.max(x1 - x0, y1 - y0) / 2;
      const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
      const [lx, ly] = [dot(this.lamp, this.sight.right), -dot(this.lamp, this.sight.up)];
      const glow = context.createRadialGradient(x + 0.5 * r * lx, y + 0.5 * r * ly, 0, x, y, 1.05 * r);
      const { right, up, toward } = this.sight;
      [0, 0.35, 0.7, 1].forEach((s) => {
        const tilt = 1 - 2 * s;
        const n = unit(along(along(toward.map((x) => x * (1.02 - s)), right, lx * tilt), up, -ly * tilt));
        glow.addColorStop(s, css(this.shade(own, n, solid.tone)));
      });
      context.beginPath();
      trace(context, rim, true);
      context.fillStyle = glow;
      context.fill();
      if (solid.pattern) this.drawEighths(solid);
    }

    drawEighths({ model, tone }) {
      const { context, sight } = this;
      context.beginPath();
      for (const face of this.coarse) {
        const m = middleOf(face);
        if (m[0] * m[1] * m[2] > 0) continue;
        const toEye = subtract(sight.eye, apply(model, m));
        if (dot(turnNormal(model, m), toEye) <= 0) continue;
        trace(context, face.map((p) => this.place(apply(model, p))), true);
      }
      context.fillStyle = `rgba(0,0,0,${tone < 0 ? 0.06 : 0.22})`;
      context.fill();
    }

    // Shapes are convex: the faces towards the eye never cover one another.
    drawFaces(solid, own, rim) {
      const { context, sight } = this;
      if (solid.mesh !== 'box') this.drawRound(solid, own, rim);
      for (const face of viewing.meshes(corners)[solid.mesh]) {
        if (solid.mesh !== 'box' && !face.middle) continue;
        const places = face.map((c) => apply(solid.model, c.place));
        const n = turnNormal(solid.model, middleOf(face.map((c) => c.normal)));
        if (dot(n, subtract(sight.eye, places[0])) <= 0) continue;
        const flat = places.map((p) => this.place(p));
        context.beginPath();
        trace(context, flat, true);
        context.fillStyle = css(this.shade(own, n, solid.tone));
        context.fill();
        if (face.middle && solid.pattern) this.drawQuarters(solid, face);
        this.stroke(flat, 1.1, this.edge(own, solid.tone));
      }
    }

    // The round side of a cylinder or cone: its outline, filled with the shades of its faces across the axis.
    drawRound(solid, own, rim) {
      const { context, sight, palette } = this;
      const [a, b] = [-1, 1].map((z) => this.place(apply(solid.model, [0, 0, z])));
      const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const across = [(a[1] - b[1]) / long, (b[0] - a[0]) / long];
      const shades = [];
      for (const face of viewing.meshes(corners)[solid.mesh]) {
        if (face.middle) continue;
        const n = turnNormal(solid.model, face[0].normal);
        const p = apply(solid.model, face[0].place);
        if (dot(n, subtract(sight.eye, p)) < 0) continue;
        const [x, y] = this.place(p);
        shades.push({ s: (x - a[0]) * across[0] + (y - a[1]) * across[1], n });
      }
      shades.sort((p, q) => p.s - q.s);
      context.fillStyle = css(palette[solid.colour]);
      if (shades.length > 1 && long > 0.5) {
        const [low, high] = [shades[0].s, shades[shades.length - 1].s];
        const range = context.createLinearGradient(
          a[0] + across[0] * low, a[1] + across[1] * low, a[0] + across[0] * high, a[1] + across[1] * high);
        for (const { s, n } of shades) {
          range.addColorStop(clamp((s - low) / (high - low || 1), 0, 1), css(this.shade(own, n, solid.tone)));
        }
        context.fillStyle = range;
      }
      context.beginPath();
      trace(context, rim, true);
      context.fill();
    }

    drawQuarters({ model, tone }, face) {
      const { context } = this;
      const own = context.fillStyle;
      context.beginPath();
      for (const sign of [1, -1]) {
        const quarter = face.map((c) => c.place).filter((p) => sign * p[0] >= -1e-9 && sign * p[1] <= 1e-9);
        quarter.sort((a, b) => Math.abs(a[0]) - Math.abs(b[0]));
        trace(context, quarter.concat([face.middle.place]).map((p) => this.place(apply(model, p))), true);
      }
      context.fillStyle = `rgba(0,0,0,${tone < 0 ? 0.06 : 0.25})`;
      context.fill();
      context.fillStyle = own;
    }

    drawTube(tube) {
      const { context, palette, sight } = this;
      const flat = tube.points.map((p) => this.place(p));
      if (flat.some((p) => p[2] <= 0)) return;
      const wide = tube.pixels || Math.max(0.8, (tube.radius * sight.pixel) / flat[flat.length >> 1][2]);
      const own = palette[tube.colour];
      const lit = tube.tone > 0;
      const seen = tube.seen || this.shade(own, this.lamp, tube.tone);
      let strokes = [[2 * wide + 1.6, this.edge(own, tube.tone)], [2 * wide, seen]];
      if (lit) strokes.unshift([2 * wide + 7, palette.glow]);
      if (tube.pixels && !tube.seen) strokes = [[lit ? 4 : 1.6, lit ? palette.glow : own]];
      for (const [width, rgb] of strokes) {
        context.beginPath();
        trace(context, flat);
        context.lineWidth = width;
        context.strokeStyle = css(rgb);
        context.stroke();
      }
    }
  }

  viewing.CanvasRenderer = CanvasRenderer;
  viewing.cssColour = css;
  viewing.outlineOf = outlineOf;
})((window.visviva = window.visviva || {}));
