// Draws a plane mechanism as textbooks do: links between pins, ground with hatching, sliders on their guides, springs as zigzags,
// dampers as pots, wheels with spokes. It stands where the other renderers stand (viewer.js), with the same places and names.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});
  const { subtract, along, dot, cross, length, unit, mix, multiply, axesOf } = viewing.math;
  const css = viewing.cssColour;

  // In pixels of the page.
  const bar = 9, pin = 4.2, particle = 7, ground = 13, hatch = 5.5;
  const coils = 7, corners = 96;

  const mixed = (a, b, s) => a.map((x, i) => mix(x, b[i], s));

  class DiagramRenderer extends viewing.CanvasRenderer {
    constructor(canvas) {
      super(canvas);
      this.kind = 'diagram';
    }

    draw(drawing, sight, palette, show) {
      const { context } = this;
      const { scene, pose } = drawing;
      Object.assign(this, { drawing, scene, pose, sight, palette, lamp: viewing.lampOf(scene), up: scene.up });
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      context.lineJoin = context.lineCap = 'round';
      context.globalAlpha = 1;
      context.fillStyle = css(palette.paper);
      context.fillRect(0, 0, sight.width, sight.height);
      // The scale of the picture: links of a small mechanism in a large frame are not thinner than their pins.
      this.unitPixels = sight.pixel / sight.distance;
      scene.roles = scene.roles || findRoles(scene);
      if (show.grid) this.drawGrid();
      for (const profile of viewing.profilesAt(scene, pose)) this.drawProfile(profile);
      if (scene.ground && scene.ground.slab && show.grid) this.drawSlab(scene.ground.slab);
      for (const path of drawing.traces) this.drawTrace(drawing, path);
      for (const guide of scene.roles.guides) this.drawGuide(guide);
      for (const i of scene.roles.grounded) this.drawGroundPin(i);
      for (const pass of [0, 1, 2]) {
        for (const item of scene.items) if (!item.arrow && passOf(item) === pass) this.drawItem(item);
      }
      for (const i of scene.roles.pins) this.drawPin(i);
      for (const solid of drawing.notes) this.drawNote(solid);
    }

    // ---- Pens

    flat(p) {
      const [x, y] = this.place(p);
      return [x, y];
    }

    toneOf(item) {
      const part = this.drawing.solids.concat(this.drawing.tubes, this.drawing.lines).find((one) => one.item === item);
      return part ? part.tone : 0;
    }

    path(points, closed) {
      const { context } = this;
      context.beginPath();
      points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      if (closed) context.closePath();
    }

    pen(colour, width, alpha) {
      const { context, palette } = this;
      context.strokeStyle = css(palette[colour] || palette.ink, alpha);
      context.lineWidth = width;
    }

    // A line with a halo when it is lit.
    line(points, width, colour, tone) {
      const { context } = this;
      if (tone > 0) {
        this.path(points);
        this.pen('glow', width + 6, 1);
        context.stroke();
      }
      this.path(points);
      this.pen(colour, width, tone < 0 ? 0.3 : 1);
      context.stroke();
    }

    // A shape filled with a light shade of its colour.
    shape(points, colour, tone, closed = true) {
      const { context, palette } = this;
      this.path(points, closed);
      if (tone > 0) {
        this.pen('glow', 7, 1);
        context.stroke();
      }
      context.fillStyle = css(mixed(palette[colour] || palette.ink, palette.paper, tone < 0 ? 0.9 : 0.72));
      context.fill();
      this.pen(colour, 1.8, tone < 0 ? 0.35 : 1);
      context.stroke();
    }

    disc([x, y], radius, fill, stroke, width, alpha = 1) {
      const { context, palette } = this;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = css(palette[fill] || palette.ink, alpha);
      context.fill();
      this.pen(stroke, width, alpha);
      context.stroke();
    }

    // Short strokes below a line from a to b, on the side of n.
    hatching(a, b, n, colour = 'muted') {
      const { context } = this;
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const long = Math.hypot(dx, dy);
      if (!(long > 1)) return;
      const count = Math.min(400, Math.max(2, Math.round(long / 7)));
      this.pen(colour, 1, 0.9);
      context.beginPath();
      for (let k = 1; k <= count; k++) {
        const [x, y] = [a[0] + (dx * k) / count, a[1] + (dy * k) / count];
        context.moveTo(x, y);
        context.lineTo(x - (dx / long) * hatch + n[0] * hatch, y - (dy / long) * hatch + n[1] * hatch);
      }
      context.stroke();
    }

    // ---- What stands still

    drawGrid() {
      const { context, scene, sight } = this;
      const base = scene.ground ? scene.ground.step : 0.25 * scene.size;
      let step = base;
      while (step * this.unitPixels < 28) step *= 2;
      const { right, up } = sight;
      const half = [sight.width / this.unitPixels, sight.height / this.unitPixels];
      const center = along(sight.eye, sight.toward, -sight.distance);
      this.pen('line', 1, 0.45);
      context.beginPath();
      [[right, up, half[0]], [up, right, half[1]]].forEach(([e, other, reach]) => {
        const middle = dot(center, e);
        for (let k = Math.ceil((middle - reach / 2) / step); k * step <= middle + reach / 2; k++) {
          const p = along(center, e, k * step - middle);
          const a = this.flat(along(p, other, half[0] + half[1]));
          const b = this.flat(along(p, other, -half[0] - half[1]));
          context.moveTo(...a);
          context.lineTo(...b);
        }
      });
      context.stroke();
    }

    drawProfile({ points, up }) {
      const { context, palette } = this;
      const flat = points.map((p) => this.flat(p));
      if (flat.length < 2) return;
      const down = this.direction(points[0], up).map((x) => -x);
      context.beginPath();
      flat.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      const deep = 4000;
      context.lineTo(flat[flat.length - 1][0] + down[0] * deep, flat[flat.length - 1][1] + down[1] * deep);
      context.lineTo(flat[0][0] + down[0] * deep, flat[0][1] + down[1] * deep);
      context.closePath();
      context.fillStyle = css(palette.ground, 0.35);
      context.fill();
      this.line(flat, 2, 'ink', 0);
    }

    // A direction of space on the screen, of length 1.
    direction(at, d) {
      const a = this.flat(at);
      const b = this.flat(along(at, d, 0.1 * this.scene.size));
      const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      return [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    }

    drawSlab(slab) {
      const side = cross(slab.normal, this.sight.toward);
      const reach = 40 * this.scene.size;
      const [a, b] = [-reach, reach].map((s) => this.flat(along(slab.at, side, s)));
      const clipped = clip(a, b, this.sight.width + 40, this.sight.height + 40);
      if (!clipped) return;
      this.line(clipped, 1.8, 'ink', 0);
      const n = this.direction(slab.at, slab.normal).map((x) => -x);
      this.hatching(clipped[0], clipped[1], n);
    }

    // A triangle on hatched ground below a pin that stands.
    drawGroundPin(i) {
      const { scene, pose } = this;
      const at = this.flat(pose.points[i]);
      const up = this.direction(pose.points[i], scene.up);
      const side = [-up[1], up[0]];
      const put = (s, u) => [at[0] + s * side[0] + u * up[0], at[1] + s * side[1] + u * up[1]];
      const n = up.map((x) => -x);
      const wall = scene.roles.walls.get(i);
      if (wall) {
        // What only springs and dampers hang on is a wall across them.
        const d = this.direction(pose.points[i], subtract(pose.points[wall], pose.points[i]));
        const across = [-d[1], d[0]];
        const [a, b] = [-15, 15].map((s) => [at[0] + s * across[0], at[1] + s * across[1]]);
        this.line([a, b], 1.8, 'ink', 0);
        return this.hatching(a, b, d.map((x) => -x));
      }
      const feet = [put(-ground * 0.75, -ground), put(ground * 0.75, -ground)];
      this.path([at, ...feet], true);
      this.context.fillStyle = css(this.palette.paper);
      this.context.fill();
      this.pen('ink', 1.5, 1);
      this.context.stroke();
      const [a, b] = [put(-ground * 1.25, -ground), put(ground * 1.25, -ground)];
      this.line([a, b], 1.6, 'ink', 0);
      this.hatching(a, b, n);
      return undefined;
    }

    // The line along which something slides: a rail on the ground, or a thin line where it moves itself.
    drawGuide({ item, low, high, direction }) {
      const { scene, pose } = this;
      const from = pose.points[item.from];
      if (!direction) {
        this.context.setLineDash([7, 5]);
        this.line([this.flat(from), this.flat(pose.points[item.to])], 1.2, 'muted', this.toneOf(item));
        return this.context.setLineDash([]);
      }
      const reach = 16 / this.unitPixels;
      const [a, b] = [low - reach, high + reach].map((s) => this.flat(along(from, direction, s)));
      const d = [b[0] - a[0], b[1] - a[1]];
      const long = Math.hypot(...d) || 1;
      let n = [-d[1] / long, d[0] / long];
      const up = this.direction(from, scene.up);
      const steep = n[0] * up[0] + n[1] * up[1];
      if (steep > 0.01 || (Math.abs(steep) <= 0.01 && n[0] < 0)) n = n.map((x) => -x);
      const drop = 8.5;
      const [p, q] = [a, b].map(([x, y]) => [x + n[0] * drop, y + n[1] * drop]);
      this.line([p, q], 1.5, 'ink', 0);
      this.hatching(p, q, n);
      return undefined;
    }

    // ---- What moves

    drawItem(item) {
      const tone = this.toneOf(item);
      const painters = {
        link: () => this.drawLink(item, tone), spring: () => this.drawSpring(item, tone), damper: () => this.drawDamper(item, tone),
        particle: () => this.drawParticle(item, tone), roll: () => {},
      };
      (painters[item.kind] || (() => this.drawBody(item, tone)))();
    }

    drawLink(item, tone) {
      const { scene, pose } = this;
      if (!item.fixed_length) return;
      const ends = [pose.points[item.from], pose.points[item.to]].map((p) => this.flat(p));
      const standing = [item.from, item.to].every((i) => (scene.points[i] || {}).fixed);
      if (standing) return;
      if (scene.points[item.from].within || scene.points[item.to].within) return this.line(ends, 4, 'ink', tone);
      if (item.bar) return this.drawBar(ends, scene.colours.get(item.bar) || 'steel', tone);
      return this.line(ends, 3, 'ink', tone);
    }

    // Round ends about the pins.
    drawBar([a, b], colour, tone) {
      const { context, palette } = this;
      const strokes = [[bar + 3.6, palette[colour], tone < 0 ? 0.35 : 1], [bar, mixed(palette[colour], palette.paper, tone < 0 ? 0.9 : 0.72), 1]];
      if (tone > 0) strokes.unshift([bar + 10, palette.glow, 1]);
      for (const [width, rgb, alpha] of strokes) {
        this.path([a, b]);
        context.lineWidth = width;
        context.strokeStyle = css(rgb, alpha);
        context.stroke();
      }
      return undefined;
    }

    drawParticle(item, tone) {
      const at = this.flat(this.pose.points[item.point]);
      const slide = this.scene.roles.sliders.get(item.point);
      if (slide) return this.drawSlider(item.point, slide, item.colour, tone);
      if (tone > 0) this.disc(at, particle + 4, 'glow', 'glow', 1);
      return this.disc(at, particle, item.colour, 'paper', 1.2, tone < 0 ? 0.35 : 1);
    }

    // A block along its guide.
    drawSlider(point, { item, direction }, colour, tone) {
      const { pose } = this;
      const at = this.flat(pose.points[point]);
      const d = this.direction(pose.points[point], direction || unit(subtract(pose.points[item.to], pose.points[item.from]), [1, 0, 0]));
      const n = [-d[1], d[0]];
      const put = (s, u) => [at[0] + s * d[0] + u * n[0], at[1] + s * d[1] + u * n[1]];
      this.shape([put(-14, -8.5), put(14, -8.5), put(14, 8.5), put(-14, 8.5)], colour, tone);
    }

    // Two things between the same points stand beside one another.
    sideways(item) {
      const shift = this.scene.roles.shifts.get(item.index) || 0;
      const ends = [this.pose.points[item.from], this.pose.points[item.to]].map((p) => this.flat(p));
      const [dx, dy] = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
      const long = Math.hypot(dx, dy) || 1;
      const n = [-dy / long, dx / long];
      const [a, b] = ends.map(([x, y]) => [x + n[0] * shift, y + n[1] * shift]);
      return { a, b, d: [dx / long, dy / long], n, long, shift, ends };
    }

    drawSpring(item, tone) {
      const { a, d, n, long, shift, ends, b } = this.sideways(item);
      const wide = 7;
      const lead = Math.min(12, 0.14 * long);
      const put = (s, u) => [a[0] + s * d[0] + u * n[0], a[1] + s * d[1] + u * n[1]];
      const points = [a, put(lead, 0)];
      const pitch = (long - 2 * lead) / coils;
      for (let k = 0; k < coils; k++) points.push(put(lead + (k + 0.25) * pitch, wide), put(lead + (k + 0.75) * pitch, -wide));
      points.push(put(long - lead, 0), b);
      if (shift) points.unshift(ends[0]), points.push(ends[1]);
      this.line(points, 1.8, 'ink', tone);
    }

    drawDamper(item, tone) {
      const { a, b, d, n, long, shift, ends } = this.sideways(item);
      const put = (s, u) => [a[0] + s * d[0] + u * n[0], a[1] + s * d[1] + u * n[1]];
      const pot = Math.min(26, 0.4 * long);
      const begin = 0.5 * (long - pot);
      const wide = 7.5;
      const piston = begin + 0.45 * pot;
      this.line([...(shift ? [ends[0]] : []), a, put(begin, 0)], 1.8, 'ink', tone);
      this.line([put(begin + pot, wide), put(begin, wide), put(begin, -wide), put(begin + pot, -wide)], 1.8, 'ink', tone);
      this.line([put(piston, 0.8 * wide), put(piston, -0.8 * wide)], 2.6, 'ink', tone);
      this.line([put(piston, 0), b, ...(shift ? [ends[1]] : [])], 1.8, 'ink', tone);
    }

    // ---- Bodies with a shape: their outline on the screen

    axesOfItem(item) {
      return axesOf(multiply(this.pose.quaternions[item.frame] || [1, 0, 0, 0], item.turn || [1, 0, 0, 0]));
    }

    drawBody(item, tone) {
      const { pose } = this;
      const center = pose.points[item.point];
      const axes = this.axesOfItem(item);
      const slide = this.scene.roles.sliders.get(item.point);
      if (slide && (item.standin && item.kind === 'sphere')) return this.drawSlider(item.point, slide, item.colour, tone);
      if (item.standin && item.kind === 'sphere') return this.drawCenter(center, item, tone);
      if (isRoundTowards(item, axes, this.sight.toward)) return this.drawWheel(item, center, axes, tone);
      const outline = viewing.outlineOf(placesOn(item, center, axes).map((p) => this.flat(p)));
      if (item.kind === 'rod') {
        const k = { x: 0, y: 1, z: 2 }[item.axis] ?? 2;
        return this.drawBar([-0.5, 0.5].map((s) => this.flat(along(center, axes[k], s * item.length))), item.colour, tone);
      }
      return this.shape(outline, item.colour, tone);
    }

    // The mass center of a body that is drawn by its links.
    drawCenter(center, item, tone) {
      const { context, palette } = this;
      const [x, y] = this.flat(center);
      const r = 5;
      if (tone > 0) this.disc([x, y], r + 4, 'glow', 'glow', 1);
      this.disc([x, y], r, 'paper', item.colour, 1.4);
      context.fillStyle = css(palette[item.colour] || palette.ink, tone < 0 ? 0.35 : 1);
      for (const from of [0, Math.PI]) {
        context.beginPath();
        context.moveTo(x, y);
        context.arc(x, y, r, from, from + Math.PI / 2);
        context.closePath();
        context.fill();
      }
    }

    drawWheel(item, center, axes, tone) {
      const at = this.flat(center);
      const radius = (item.radius || item.semiaxes[0]) * this.unitPixels;
      const outline = [];
      for (let k = 0; k < corners; k++) {
        const angle = (2 * Math.PI * k) / corners;
        outline.push([at[0] + radius * Math.cos(angle), at[1] + radius * Math.sin(angle)]);
      }
      this.shape(outline, item.colour, tone);
      const [e1, e2] = axes.filter((e) => Math.abs(dot(e, this.sight.toward)) < 0.5);
      if (radius < 9 || !e1 || !e2) return;
      // Spokes tell how it turns; one is stronger.
      const spokes = [[e1, 1], [e1, -1], [e2, 1], [e2, -1]];
      spokes.forEach(([e, sign], k) => {
        const d = this.direction(center, e.map((x) => sign * x));
        this.line([at, [at[0] + d[0] * radius, at[1] + d[1] * radius]], k ? 1 : 2.4, item.colour, tone);
      });
      this.disc(at, Math.min(4, 0.2 * radius), 'paper', item.colour, 1.4);
    }

    drawPin(i) {
      const point = this.scene.points[i];
      this.disc(this.flat(this.pose.points[i]), point.fixed ? pin : pin - 0.6, 'paper', 'ink', 1.6);
    }

    // Arrows and axes: shafts as lines, heads as triangles.
    drawNote({ mesh, model: m, colour, tone }) {
      const center = [m[12], m[13], m[14]];
      const half = [m[8], m[9], m[10]];
      const [a, b] = [-1, 1].map((s) => this.flat(along(center, half, s)));
      if (mesh === 'cylinder') return this.line([a, b], 2, colour, tone);
      if (mesh !== 'cone') return undefined;
      const wide = Math.max(3.5, length([m[0], m[1], m[2]]) * this.unitPixels * 1.2);
      const d = [b[0] - a[0], b[1] - a[1]];
      const long = Math.hypot(...d) || 1;
      const n = [-d[1] / long * wide, d[0] / long * wide];
      this.path([b, [a[0] + n[0], a[1] + n[1]], [a[0] - n[0], a[1] - n[1]]], true);
      this.context.fillStyle = css(this.palette[colour] || this.palette.ink, tone < 0 ? 0.35 : 1);
      this.context.fill();
      return undefined;
    }
  }

  // Bodies with an area below bars, those below what joins them; small things on top.
  function passOf(item) {
    if (item.kind === 'particle' || (item.standin && item.kind === 'sphere')) return 2;
    return item.kind === 'link' || item.kind === 'spring' || item.kind === 'damper' || item.kind === 'rod' ? 1 : 0;
  }

  function isRoundTowards(item, axes, toward) {
    if (item.kind === 'sphere' || item.kind === 'shell') return true;
    if (!['cylinder', 'disc'].includes(item.kind)) return false;
    const k = { x: 0, y: 1, z: 2 }[item.axis] ?? 2;
    return Math.abs(dot(axes[k], toward)) > 0.9;
  }

  // Places whose outline on the screen is that of the body.
  function placesOn(item, center, axes) {
    const put = (x, y, z) => along(along(along(center, axes[0], x), axes[1], y), axes[2], z);
    const places = [];
    const k = { x: 0, y: 1, z: 2 }[item.axis] ?? 2;
    const around = (act) => { for (let i = 0; i < corners; i++) act((2 * Math.PI * i) / corners); };
    if (item.kind === 'box' || item.kind === 'mesh') {
      const halves = item.kind === 'box' ? item.sizes.map((s) => s / 2) : item.mesh.halves;
      const middle = item.kind === 'box' ? [0, 0, 0] : item.mesh.center;
      for (let n = 0; n < 8; n++) {
        const c = [n & 1, n & 2, n & 4].map((bit, i) => middle[i] + (bit ? 1 : -1) * halves[i]);
        places.push(put(...c));
      }
    } else if (item.kind === 'ellipsoid') {
      const [a, b, c] = item.semiaxes;
      around((s) => {
        for (let u = 0; u <= 8; u++) {
          const r = Math.sin((Math.PI * u) / 8);
          places.push(put(a * r * Math.cos(s), b * r * Math.sin(s), c * Math.cos((Math.PI * u) / 8)));
        }
      });
    } else {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      around((s) => {
        for (const end of [-0.5, 0.5]) {
          const c = [0, 0, 0];
          c[i] = item.radius * Math.cos(s);
          c[j] = item.radius * Math.sin(s);
          c[k] = end * item.length;
          places.push(put(...c));
          if (item.kind === 'capsule') {
            c[i] *= 0.7;
            c[j] *= 0.7;
            c[k] += Math.sign(end) * 0.7 * item.radius;
            places.push(put(...c));
          }
        }
      });
    }
    return places;
  }

  // ---- What the points of a mechanism are: found once

  function findRoles(scene) {
    const items = scene.items.filter((item) => !item.arrow);
    const guides = [];
    const sliders = new Map();
    const held = new Map();  // point -> what ends there
    const note = (i, item) => held.set(i, (held.get(i) || []).concat(item));
    for (const item of items) {
      if (item.from === undefined) continue;
      if (item.kind === 'link' && !item.fixed_length) {
        const guide = readGuide(scene, item);
        if (!guide) continue;
        guides.push(guide);
        sliders.set(item.to, guide);
        continue;
      }
      note(item.from, item);
      note(item.to, item);
    }
    const isFixed = (i) => Boolean(scene.points[i].fixed);
    const massive = new Set(items.filter((item) => item.solid && !(item.kind === 'box' || item.kind === 'disc' || item.kind === 'cylinder')).map((item) => item.point));
    const grounded = [];
    const walls = new Map();
    const pins = [];
    for (const [i, list] of held) {
      if (scene.points[i].within && !isFixed(i)) continue;
      const moving = list.filter((item) => !(isFixed(item.from) && isFixed(item.to)));
      if (isFixed(i)) {
        if (!moving.length) continue;
        grounded.push(i);
        if (moving.every((item) => item.kind === 'spring' || item.kind === 'damper')) {
          walls.set(i, moving[0].from === i ? moving[0].to : moving[0].from);
        } else {
          pins.push(i);
        }
      } else if (!massive.has(i) && list.some((item) => item.kind === 'link')) {
        pins.push(i);
      }
    }
    // A wheel on an axle that stands: the axle is a pin on the ground.
    for (const item of items) {
      const isWheel = item.solid && ['disc', 'cylinder', 'sphere', 'shell'].includes(item.kind) && scene.points[item.point].fixed;
      const turns = scene.frames[item.frame] && !scene.frames[item.frame].fixed;
      if (!isWheel || !turns || grounded.includes(item.point)) continue;
      grounded.push(item.point);
      pins.push(item.point);
    }
    return { guides, sliders, grounded, walls, pins, shifts: findShifts(items) };
  }

  // A guide on the ground keeps its direction; null for a line that is none because its ends are the same.
  function readGuide(scene, item) {
    const { count } = scene;
    const at = (k) => subtract(viewing.pointAt(scene, item.to, k), viewing.pointAt(scene, item.from, k));
    const step = Math.max(1, Math.floor(count / 200));
    let longest = [0, 0, 0];
    for (let k = 0; k < count; k += step) if (length(at(k)) > length(longest)) longest = at(k);
    if (!(length(longest) > 1e-9 * scene.size)) return null;
    const d = unit(longest, [1, 0, 0]);
    let [low, high] = [Infinity, -Infinity];
    let straight = Boolean(scene.points[item.from].fixed);
    for (let k = 0; k < count; k += step) {
      const v = at(k);
      const s = dot(v, d);
      low = Math.min(low, s);
      high = Math.max(high, s);
      straight = straight && length(subtract(v, d.map((x) => x * s))) < 1e-6 * scene.size;
    }
    const stands = high - low < 1e-9 * scene.size;
    return straight && !stands ? { item, low, high, direction: d } : { item, low, high, direction: null };
  }

  // Springs and dampers between the same two points.
  function findShifts(items) {
    const groups = new Map();
    for (const item of items) {
      if (item.kind !== 'spring' && item.kind !== 'damper') continue;
      const key = [item.from, item.to].sort((a, b) => a - b).join(' ');
      groups.set(key, (groups.get(key) || []).concat(item));
    }
    const shifts = new Map();
    for (const group of groups.values()) {
      group.forEach((item, k) => {
        const sign = item.from <= item.to ? 1 : -1;
        shifts.set(item.index, sign * 24 * (k - (group.length - 1) / 2));
      });
    }
    return shifts;
  }

  // The part of a line inside the picture; null where there is none.
  function clip(a, b, width, height) {
    let [low, high] = [0, 1];
    for (const [p, d, least, most] of [[a[0], b[0] - a[0], -40, width], [a[1], b[1] - a[1], -40, height]]) {
      if (Math.abs(d) < 1e-12) {
        if (p < least || p > most) return null;
        continue;
      }
      const [s, t] = [(least - p) / d, (most - p) / d].sort((x, y) => x - y);
      low = Math.max(low, s);
      high = Math.min(high, t);
    }
    if (!(low < high)) return null;
    const at = (s) => [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
    return [at(low), at(high)];
  }

  viewing.DiagramRenderer = DiagramRenderer;
})((window.visviva = window.visviva || {}));
