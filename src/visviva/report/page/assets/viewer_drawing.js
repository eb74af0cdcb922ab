// What is to be drawn at one instant, as solids, tubes, lines and labels: the same list for every renderer.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});
  const { add, subtract, scale, along, dot, cross, length, unit, clamp, perpendicular } = viewing.math;
  const { matrix, multiply, axesOf } = viewing.math;

  const manyNames = 12; // of points: more would hide what they name
  const manyItems = 60; // more are drawn with fewer details

  // show: {frames, names, gravity, loads, reactions, traces, grid, arrowScale}; lit: Set of causes; pointed: an
  // item's index or -1.
  // Notes are the solids of arrows and axes: they lie over everything else, as in a textbook.
  function makeDrawing(scene, pose, show, lit, pointed) {
    const drawing = { solids: [], notes: [], tubes: [], lines: [], labels: [], traces: [], scene, pose };
    const tone = toneOf(scene, lit, pointed);
    for (const item of scene.items) {
      const part = { drawing, scene, pose, item, tone: tone(item), note: item.arrow };
      if (item.arrow) drawArrow(part, show, lit);
      else if (painters[item.kind]) painters[item.kind](part);
    }
    drawSupports(drawing, scene, pose);
    for (const { points } of viewing.profilesAt(scene, pose)) drawing.lines.push({ points, width: 2.5, colour: 'ink', tone: 0, item: null });
    if (show.frames) drawTriads(drawing, scene, pose);
    if (show.names) drawNames(drawing, scene, pose);
    if (show.traces) drawTraces(drawing, scene, tone);
    if (show.grid && scene.ground && scene.ground.slab) drawSlab(drawing, scene);
    return drawing;
  }

  // 1: lit, -1: dimmed because another thing is lit, 0: plain.
  function toneOf(scene, lit, pointed) {
    const shares = (item) => item.cause.some((c) => lit.has(c));
    const any = pointed >= 0 || scene.items.some(shares);
    return (item) => (!any ? 0 : item.index === pointed || shares(item) ? 1 : -1);
  }

  function solid(part, mesh, model, colour, pattern) {
    const { tone, item } = part;
    part.drawing[part.note ? 'notes' : 'solids'].push({ mesh, model, colour, pattern: pattern || 0, tone, item });
  }

  // A cylinder or cone from a to b.
  function shaft(part, mesh, a, b, radius, colour) {
    const d = subtract(b, a);
    const l = length(d);
    if (!(l > 0)) return;
    const z = scale(d, 1 / l);
    const x = perpendicular(z);
    const y = cross(z, x);
    solid(part, mesh, matrix(scale(x, radius), scale(y, radius), scale(z, l / 2), scale(add(a, b), 0.5)), colour);
  }

  function ball(part, center, radius, colour, pattern) {
    solid(part, 'sphere', matrix([radius, 0, 0], [0, radius, 0], [0, 0, radius], center), colour, pattern);
  }

  function axesOfItem({ item, pose }) {
    return axesOf(multiply(pose.quaternions[item.frame] || [1, 0, 0, 0], item.turn || [1, 0, 0, 0]));
  }

  // A body's shape with half sizes along three axes.
  function bodyShape(part, mesh, halves, pattern, axes) {
    const { item, pose } = part;
    const [x, y, z] = axes || axesOfItem(part);
    const least = 0.004 * part.scene.size;
    const h = halves.map((v) => Math.max(v, least));
    const model = matrix(scale(x, h[0]), scale(y, h[1]), scale(z, h[2]), pose.points[item.point]);
    solid(part, mesh, model, item.colour, pattern);
  }

  // The last of them is the axis of a round body.
  function axesAlong(part) {
    const [x, y, z] = axesOfItem(part);
    return { x: [y, z, x], y: [z, x, y], z: [x, y, z] }[part.item.axis] || [x, y, z];
  }

  function roundBody(part) {
    const { item } = part;
    const axes = axesAlong(part);
    // A rod that is a body shows over the links between its points.
    const rod = item.kind === 'rod';
    const r = rod ? Math.max(item.radius, 1.25 * part.scene.radii.link) : item.radius;
    bodyShape(part, 'cylinder', [r, r, item.length / 2], rod ? 0 : 1, axes);
  }

  function ellipsoid(part) {
    const { item } = part;
    const least = 0.12 * Math.max(...item.semiaxes);
    bodyShape(part, 'sphere', item.semiaxes.map((v) => Math.max(v, least)), 1);
  }

  // A tube with a ball at each end.
  function capsule(part) {
    const { item, pose } = part;
    const axes = axesAlong(part);
    const r = item.radius;
    bodyShape(part, 'cylinder', [r, r, item.length / 2], 0, axes);
    for (const side of [-0.5, 0.5]) ball(part, along(pose.points[item.point], axes[2], side * item.length), r, item.colour);
  }

  // Its faces are told in its box, from -1 to 1.
  function meshBody(part) {
    const { item, pose, scene } = part;
    const axes = axesOfItem(part);
    const { center, halves } = item.mesh;
    const middle = axes.reduce((sum, axis, i) => along(sum, axis, center[i]), pose.points[item.point]);
    const h = halves.map((v) => Math.max(v, 1e-6 * scene.size));
    const model = matrix(scale(axes[0], h[0]), scale(axes[1], h[1]), scale(axes[2], h[2]), middle);
    solid(part, 'own', model, item.colour);
  }

  function sphereBody(part) {
    const r = part.item.radius;
    bodyShape(part, 'sphere', [r, r, r], 1);
  }

  const ends = ({ item, pose }) => [pose.points[item.from], pose.points[item.to]];

  function link(part) {
    const { item, scene, drawing } = part;
    const [a, b] = ends(part);
    const standing = [item.from, item.to].every((i) => (scene.points[i] || {}).fixed);
    const thick = item.bar ? 1.6 * scene.radii.link : scene.radii.link;
    const colour = (item.bar && scene.colours.get(item.bar)) || 'steel';
    if (item.fixed_length && !standing) shaft(part, 'cylinder', a, b, thick, colour);
    else dashes(drawing, a, b, { width: 1.6, colour: 'muted', tone: part.tone, item });
  }

  // Along it something slides, or it only joins points of N: a dashed line.
  function dashes(drawing, a, b, look) {
    const d = subtract(b, a);
    const count = Math.min(200, Math.max(1, Math.round(length(d) / (0.07 * drawing.scene.size))));
    for (let k = 0; k < count; k++) {
      drawing.lines.push({ points: [along(a, d, (k + 0.2) / count), along(a, d, (k + 0.8) / count)], ...look });
    }
  }

  const coilRadius = (scene, item) =>
    Math.min(scene.radii.coil, Math.max(0.065 * (item.rest || 0), 0.035 * scene.size));

  // A helix with straight ends; its radius stays, its pitch follows the length.
  function spring(part) {
    const { item, scene, drawing } = part;
    const [a, b] = ends(part);
    const l = length(subtract(b, a));
    const z = unit(subtract(b, a), scene.up);
    const x = perpendicular(z);
    const y = cross(z, x);
    const radius = coilRadius(scene, item);
    const coils = item.coils || 8;
    const lead = 0.08 * l;
    const points = [a];
    const steps = coils * (scene.items.length > manyItems ? 10 : 20);
    for (let k = 0; k <= steps; k++) {
      const angle = (2 * Math.PI * coils * k) / steps;
      const r = radius * Math.min(1, (6 * k) / steps, (6 * (steps - k)) / steps);
      const p = along(a, z, lead + ((l - 2 * lead) * k) / steps);
      points.push(along(along(p, x, r * Math.cos(angle)), y, r * Math.sin(angle)));
    }
    points.push(b);
    drawing.tubes.push({ points, radius: scene.radii.wire, colour: 'steel', tone: part.tone, item });
  }

  // A pot on the first end, a rod with a piston on the second.
  function damper(part) {
    const { item, scene } = part;
    const [a, b] = ends(part);
    const d = subtract(b, a);
    const l = length(d);
    const rest = item.rest > 0 ? item.rest : l;
    const z = unit(d, scene.up);
    const wide = 0.7 * coilRadius(scene, item);
    const pot = Math.min(0.42 * rest, 0.7 * l);
    const thin = scene.radii.wire;
    shaft(part, 'cylinder', a, along(a, z, 0.3 * pot), thin, 'steel');
    shaft(part, 'cylinder', along(a, z, 0.3 * pot), along(a, z, 1.3 * pot), wide, 'steel');
    shaft(part, 'cylinder', along(a, z, 1.3 * pot), b, thin * 1.3, 'ink');
  }

  const painters = {
    particle: (part) =>
      ball(part, part.pose.points[part.item.point], part.scene.radii.particle, part.item.colour),
    sphere: sphereBody,
    shell: sphereBody,
    cylinder: roundBody,
    rod: roundBody,
    disc: roundBody,
    box: (part) => bodyShape(part, 'box', part.item.sizes.map((s) => s / 2)),
    ellipsoid,
    capsule,
    mesh: meshBody,
    link,
    spring,
    damper,
    roll: (part) => {
      if (part.tone > 0) ball(part, part.pose.points[part.item.point], part.scene.radii.joint, 'ink');
    },
  };

  // All arrows of one unit share one scale: the largest of the run has the length sizes.arrow.
  function arrowLength(scene, item) {
    scene.largest = scene.largest || new Map();
    if (!scene.largest.has(item.unit)) {
      const alike = scene.items.filter((other) => other.arrow && other.unit === item.unit && other.largest > 0);
      scene.largest.set(item.unit, Math.max(0, ...alike.map((other) => other.largest)));
    }
    const largest = scene.largest.get(item.unit);
    return largest > 0 ? (viewing.sizes.arrow * scene.size) / largest : 0;
  }

  const arrowText = (item) => item.name + (item.partial ? ' (part not determined)' : '');
  const arrowColours = { gravity: 'muted', loads: 'accent', reactions: 'bad' };

  function drawArrow(part, show, lit) {
    const { scene, pose, item } = part;
    if (!show[item.group] && !item.cause.some((c) => lit.has(c)) && part.tone < 1) return;
    const v = viewing.vectorAt(scene, item, pose.frame);
    const full = scale(v, arrowLength(scene, item) * show.arrowScale);
    const l = length(full);
    if (!(l > 0.012 * scene.size)) return;
    const from = pose.points[item.at];
    const colour = arrowColours[item.group] || 'accent';
    arrow(part, from, add(from, full), colour, item.kind === 'torque');
    if (part.tone > 0 || show.names) label(part.drawing, add(from, full), arrowText(item), colour, 'arrow', item);
  }

  // Shaft and head; a torque has two heads, as in statics.
  function arrow(part, from, to, colour, twice) {
    const d = subtract(to, from);
    const l = length(d);
    const z = scale(d, 1 / l);
    const head = Math.min(0.09 * part.scene.size, 0.45 * l);
    const thin = Math.min(0.011 * part.scene.size, 0.14 * head);
    const neck = along(to, z, -head);
    shaft(part, 'cylinder', from, neck, thin, colour);
    shaft(part, 'cone', neck, to, 0.3 * head, colour);
    if (twice) shaft(part, 'cone', along(neck, z, -0.65 * head), along(to, z, -0.65 * head), 0.3 * head, colour);
  }

  const bare = (drawing, scene, pose) => ({ drawing, scene, pose, tone: 0, item: null });

  function drawTriads(drawing, scene, pose) {
    const part = { ...bare(drawing, scene, pose), note: true };
    const l = viewing.sizes.triad * scene.size;
    const few = scene.frames.length <= 5;
    scene.frames.forEach((frame, i) => {
      const origin = pose.points[frame.origin] || [0, 0, 0];
      ['x', 'y', 'z'].forEach((letter, k) => {
        const axis = pose.axes[i][k];
        arrow(part, origin, along(origin, axis, l), `axis-${letter}`, false);
        const text = few ? `${frame.name}.${letter}` : letter;
        label(drawing, along(origin, axis, 1.16 * l), text, `axis-${letter}`, 'axis');
      });
      if (!few) label(drawing, origin, frame.name, 'muted', 'frame');
    });
  }

  // Fixed points that links, springs or dampers hang on are drawn as pins.
  function drawSupports(drawing, scene, pose) {
    scene.pins = scene.pins || findPins(scene);
    const part = bare(drawing, scene, pose);
    const r = scene.radii.joint;
    for (const i of scene.pins) ball(part, pose.points[i], r, 'ink');
  }

  // Massive things hide a pin; joints between links want one too.
  function findPins(scene) {
    const held = new Set();
    const massive = new Set();
    for (const item of scene.items) {
      if (item.solid) massive.add(item.point);
      if (['link', 'spring', 'damper'].includes(item.kind)) held.add(item.from), held.add(item.to);
    }
    return [...held].filter((i) => !massive.has(i) && !scene.points[i].within);
  }

  function label(drawing, at, text, colour, kind, item) {
    const short = text.length > 48 ? `${text.slice(0, 46)}…` : text;
    drawing.labels.push({ at, text: short, colour, kind, item });
  }

  // Names of bodies and particles; of points too, where there are few.
  function drawNames(drawing, scene, pose) {
    const named = new Set();
    for (const item of scene.items) {
      if (!item.solid || !item.name || named.has(item.point)) continue;
      named.add(item.point);
      label(drawing, pose.points[item.point], item.name, item.colour, 'body', item);
    }
    const contacts = new Set(scene.items.filter((item) => item.kind === 'roll').map((item) => item.point));
    const plain = (i) => scene.points[i].name && !named.has(i) && !contacts.has(i);
    let others = scene.points.map((_, i) => i).filter(plain);
    if (others.length > manyNames) others = [];
    const part = bare(drawing, scene, pose);
    for (const i of others) {
      if (sameAsNamed(pose, i, named)) continue;
      if (!scene.pins.includes(i)) ball(part, pose.points[i], 0.5 * scene.radii.joint, 'ink');
      label(drawing, pose.points[i], scene.points[i].name, 'muted', 'point');
      named.add(i);
    }
  }

  // Two names at one place cover each other: the first stays.
  function sameAsNamed(pose, i, named) {
    for (const j of named) if (length(subtract(pose.points[i], pose.points[j])) < 1e-9) return true;
    return false;
  }

  function drawTraces(drawing, scene, tone) {
    for (const point of scene.json.traces || []) {
      const owner = scene.items.find((item) => item.solid && item.point === point);
      drawing.traces.push({ point, colour: owner ? owner.colour : 'muted', tone: owner ? tone(owner) : 0 });
    }
  }

  // The edge-on ground of a plane motion: a plate below the contact.
  function drawSlab(drawing, scene) {
    const { slab, half, normal, center } = scene.ground;
    const thick = 0.025 * scene.size;
    const side = cross(slab.normal, normal);
    const below = along(slab.at, slab.normal, -thick);
    const middle = along(below, side, dot(subtract(center, below), side));
    const deep = 0.3 * scene.size;
    drawing.solids.push({
      mesh: 'box', model: matrix(scale(side, half), scale(slab.normal, thick), scale(normal, deep), middle),
      colour: 'ground', pattern: 0, tone: 0, item: null,
    });
  }

  viewing.makeDrawing = makeDrawing;
})((window.visviva = window.visviva || {}));
