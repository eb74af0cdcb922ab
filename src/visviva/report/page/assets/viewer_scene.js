// The scene of the data block as numbers: its tracks, its pose at a time, the plane it moves in, its ground.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});
  const { subtract, along, dot, cross, length, mix, unit, reject, halfTurn, slerp, axesOf } = viewing.math;

  const flat = 0.02; // thinner than this part of its width, a motion counts as planar, or as straight

  function readScene(json) {
    const { bytesOf } = viewing.math;
    const scene = {
      json,
      count: json.count,
      time: new Float64Array(bytesOf(json.time)),
      positions: new Float32Array(bytesOf(json.positions)),
      orientations: new Int16Array(bytesOf(json.orientations)),
      vectors: new Float32Array(bytesOf(json.vectors)),
      up: unit(json.up || [0, 1, 0], [0, 1, 0]),
      points: json.points || [],
      frames: json.frames || [],
      items: readItems(json),
      profiles: readProfiles(json),
      box: json.box || [[-1, -1, -1], [1, 1, 1]],
    };
    const diagonal = length(subtract(scene.box[1], scene.box[0]));
    scene.size = json.size > 0 ? json.size : diagonal || 1;
    scene.radii = findRadii(scene);
    for (const item of scene.items) {
      if (item.standin && item.kind === 'sphere') item.radius = Math.min(item.radius, scene.radii.particle);
    }
    scene.colours = new Map(scene.items.filter((item) => item.solid && item.name).map((item) => [item.name, item.colour]));
    scene.fastest = findFastest(scene);
    scene.cloud = makeCloud(scene);
    scene.outline = makeOutline(scene);
    scene.plane = findPlane(scene);
    scene.front = frontOf(scene.up);
    scene.turnsInPlane = scene.plane !== null && turnsAbout(scene, scene.plane.normal);
    scene.gravity = scene.items.some((item) => item.group === 'gravity');
    scene.ground = findGround(scene);
    return scene;
  }

  // Everything that can be pointed at: objects first, then arrows; each knows its place in the list.
  function readItems(json) {
    const objects = (json.objects || []).map((object) => ({ ...object, arrow: false }));
    const arrows = (json.arrows || []).map((arrow) => ({ ...arrow, arrow: true }));
    let colour = 0;
    return objects.concat(arrows).map((item, index) => {
      const solid = !item.arrow && item.point !== undefined && item.kind !== 'roll';
      if (item.mesh) item.faces = viewing.facesOfMesh(item.mesh);
      return { ...item, index, solid, cause: item.cause || [], colour: solid ? `c${colour++ % 10}` : '' };
    });
  }

  // Tables of heights over distance, and where they lie: fixed, or a shift for each sample.
  function readProfiles(json) {
    const { bytesOf } = viewing.math;
    return (json.profiles || []).map((profile) => ({
      ...profile,
      heights: new Float32Array(bytesOf(profile.heights)),
      shifts: profile.shifts ? new Float32Array(bytesOf(profile.shifts)) : null,
    }));
  }

  // The curves at a pose, as far as the mechanism's neighbourhood reaches.
  function profilesAt(scene, pose) {
    const places = scene.items.flatMap(({ arrow, point, from, to }) => (arrow ? [] : [point, from, to]))
      .filter((i) => i !== undefined).map((i) => pose.points[i]).filter((p) => p.every(Number.isFinite));
    return scene.profiles.map((profile) => {
      const { along: e, up, heights, shifts } = profile;
      const k = 2 * Math.min(Math.round(pose.frame), scene.count - 1);
      // Heights are over No's level, unless what touches the road is below: above, it has a wheel's radius.
      const [x0, base] = shifts ? [shifts[k], shifts[k + 1]] : profile.shift;
      const y0 = Math.min(0, base);
      const values = places.map((p) => dot(p, e));
      const [low, high] = [Math.min(...values) - 2.2 * scene.size, Math.max(...values) + 2.2 * scene.size];
      const aside = scene.plane ? along([0, 0, 0], scene.plane.normal, dot(scene.plane.mean, scene.plane.normal)) : [0, 0, 0];
      const points = [];
      for (let i = 0; i < heights.length; i += 2) {
        const x = heights[i] + x0;
        if (x >= low && x <= high) points.push(along(along(aside, e, x), up, heights[i + 1] + y0));
      }
      return { name: profile.name, points, up };
    });
  }

  // Where between two samples a time lies: a fractional index.
  function frameAt(scene, t) {
    const time = scene.time;
    let low = 0;
    let high = scene.count - 1;
    if (!(t > time[0]) || high < 1) return 0;
    if (t >= time[high]) return high;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle;
    }
    return low + (t - time[low]) / (time[high] - time[low] || 1);
  }

  function timeAt(scene, frame) {
    const low = Math.min(Math.floor(frame), scene.count - 1);
    const high = Math.min(low + 1, scene.count - 1);
    return mix(scene.time[low], scene.time[high], frame - low);
  }

  // A row of three numbers between two samples of a track.
  function between(scene, numbers, track, frame) {
    const low = Math.min(Math.floor(frame), scene.count - 1);
    const high = Math.min(low + 1, scene.count - 1);
    const a = (track * scene.count + low) * 3;
    const b = (track * scene.count + high) * 3;
    const s = frame - low;
    const at = (i) => (s === 0 ? numbers[a + i] : mix(numbers[a + i], numbers[b + i], s));
    return [at(0), at(1), at(2)];
  }

  function pointAt(scene, index, frame) {
    const point = scene.points[index];
    if (!point) return [0, 0, 0];
    return point.fixed || between(scene, scene.positions, point.track, frame);
  }

  function quaternionAt(scene, index, frame) {
    const turned = scene.frames[index];
    if (!turned) return [1, 0, 0, 0];
    if (turned.fixed) return turned.fixed;
    const low = Math.min(Math.floor(frame), scene.count - 1);
    const high = Math.min(low + 1, scene.count - 1);
    return slerp(orientationAt(scene, turned, low), orientationAt(scene, turned, high), frame - low);
  }

  // A quaternion of a track at a sample, not of length 1.
  function orientationAt(scene, { track }, k) {
    const from = (track * scene.count + k) * 4;
    return Array.from(scene.orientations.subarray(from, from + 4));
  }

  // The largest angular speed of a frame between two samples, rad/s.
  function findFastest(scene) {
    let fastest = 0;
    for (const frame of scene.frames) {
      if (frame.fixed) continue;
      let before = orientationAt(scene, frame, 0);
      for (let k = 1; k < scene.count; k++) {
        const now = orientationAt(scene, frame, k);
        const passed = scene.time[k] - scene.time[k - 1];
        if (passed > 0) fastest = Math.max(fastest, (2 * halfTurn(before, now)) / passed);
        before = now;
      }
    }
    return fastest;
  }

  const vectorAt = (scene, arrow, frame) =>
    arrow.fixed || between(scene, scene.vectors, arrow.track, frame);

  // Places of all points and axes of all frames at one fractional index.
  function poseAt(scene, frame) {
    const quaternions = scene.frames.map((_, i) => quaternionAt(scene, i, frame));
    return {
      frame,
      points: scene.points.map((_, i) => pointAt(scene, i, frame)),
      quaternions,
      axes: quaternions.map(axesOf),
    };
  }

  // How far an item reaches from its point.
  function reachOf(scene, item) {
    switch (item.kind) {
      case 'particle': return scene.radii.particle;
      case 'sphere': case 'shell': return item.radius;
      case 'cylinder': case 'rod': case 'disc': return Math.hypot(item.radius, item.length / 2);
      case 'box': return Math.hypot(...item.sizes) / 2;
      case 'ellipsoid': return Math.max(...item.semiaxes);
      case 'capsule': return item.radius + item.length / 2;
      case 'mesh': return Math.hypot(...item.mesh.halves.map((h, i) => h + Math.abs(item.mesh.center[i])));
      default: return 0;
    }
  }

  // Some sixty instants of the run stand for all.
  function* someFrames(scene, point) {
    const still = scene.points[point] && scene.points[point].fixed;
    const step = Math.max(1, Math.floor(scene.count / 60));
    for (let k = 0; k < (still ? 1 : scene.count); k += step) yield k;
  }

  // The points that something is drawn at: what tells the plane of a motion.
  function makeCloud(scene) {
    const drawn = new Set();
    for (const { arrow, point, from, to } of scene.items) {
      if (!arrow) for (const i of [point, from, to]) if (i !== undefined) drawn.add(i);
    }
    if (!drawn.size) scene.points.forEach((_, i) => drawn.add(i));
    const cloud = [];
    for (const point of drawn) {
      for (const k of someFrames(scene, point)) cloud.push(pointAt(scene, point, k));
    }
    const there = cloud.filter((p) => p.every(Number.isFinite));
    return there.length ? there : [[0, 0, 0]];
  }

  // Places, each with its reach, that hold all that is drawn: what a picture must show. The frame tells when.
  function makeOutline(scene) {
    const outline = scene.cloud.map((p) => ({ p, reach: scene.radii.joint, frame: 1 }));
    for (const item of scene.items) {
      if (!item.solid) continue;
      const corners = cornersOf(scene, item);
      const turning = scene.frames[item.frame] && !scene.frames[item.frame].fixed;
      for (const k of someFrames(scene, turning ? -1 : item.point)) {
        const axes = axesOf(viewing.math.multiply(quaternionAt(scene, item.frame, k), item.turn || [1, 0, 0, 0]));
        const center = pointAt(scene, item.point, k);
        for (const { at, reach } of corners) {
          const p = at.reduce((sum, x, i) => along(sum, axes[i], x), center);
          if (p.every(Number.isFinite)) outline.push({ p, reach, frame: k });
        }
      }
    }
    return outline;
  }

  // Places on a body, in its own axes, that hold its shape.
  function cornersOf(scene, item) {
    const around = [{ at: [0, 0, 0], reach: reachOf(scene, item) }];
    const onAxis = (k, x) => [0, 1, 2].map((i) => (i === k ? x : 0));
    if (item.length > 2 * item.radius || item.kind === 'capsule') {
      const k = { x: 0, y: 1, z: 2 }[item.axis] ?? 2;
      return [-0.5, 0.5].map((s) => ({ at: onAxis(k, s * item.length), reach: item.radius }));
    }
    if (item.kind === 'ellipsoid') {
      const thin = 0.5 * Math.min(...item.semiaxes);
      return item.semiaxes.flatMap((h, k) => [-1, 1].map((s) => ({ at: onAxis(k, s * (h - thin)), reach: thin })));
    }
    if (item.kind !== 'box' && item.kind !== 'mesh') return around;
    const signs = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n & 1, n & 2, n & 4].map((bit) => (bit ? 0.5 : -0.5)));
    const { center, halves } = item.mesh || { center: [0, 0, 0], halves: item.sizes.map((s) => s / 2) };
    return signs.map((sign) => ({ at: sign.map((s, i) => center[i] + 2 * s * halves[i]), reach: 0 }));
  }

  // The view that shows N.x to the right and "up" up; where up is along N.x, N.y to the right.
  function frontOf(up) {
    const right = unit(reject(Math.abs(up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0], up));
    return { right, up, toward: cross(right, up) };
  }

  // The unit normal, towards the reader, of the plane in which all points stay; null for a motion in space.
  function findPlane(scene) {
    const { mean, axes, variances } = viewing.math.principalAxes(scene.cloud);
    const spread = Math.sqrt(variances[0]);
    if (!(spread > 1e-9 * scene.size)) return planeOfTurning(scene, mean);
    if (Math.sqrt(variances[2]) > flat * spread) return null;
    const straight = Math.sqrt(variances[1]) <= flat * spread;
    const front = frontOf(scene.up);
    const normal = straight ? unit(reject(front.toward, axes[0]), front.up) : axes[2];
    return { mean, normal: towardReader(normal, front) };
  }

  // Nothing goes anywhere: what turns about one axis is seen along it.
  function planeOfTurning(scene, mean) {
    const front = frontOf(scene.up);
    for (const [i, frame] of scene.frames.entries()) {
      if (frame.fixed) continue;
      const step = Math.max(1, Math.floor(scene.count / 60));
      let axis = [0, 0, 0];
      for (let k = 0; k < scene.count; k += step) {
        const v = viewing.math.multiply(quaternionAt(scene, i, k), inverse(quaternionAt(scene, i, 0))).slice(1);
        if (length(v) > length(axis)) axis = v;
      }
      if (!(length(axis) > 1e-3)) continue;
      const normal = towardReader(unit(axis, front.toward), front);
      return turnsAbout(scene, normal) ? { mean, normal } : null;
    }
    return null;
  }

  const inverse = ([w, x, y, z]) => [w, -x, -y, -z];

  // All that turns does so about one direction.
  function turnsAbout(scene, normal) {
    return scene.frames.every((frame, i) => {
      if (frame.fixed) return true;
      const first = inverse(quaternionAt(scene, i, 0));
      const step = Math.max(1, Math.floor(scene.count / 60));
      for (let k = 0; k < scene.count; k += step) {
        const v = viewing.math.multiply(quaternionAt(scene, i, k), first).slice(1);
        if (length(reject(v, normal)) > 1e-3) return false;
      }
      return true;
    });
  }

  // The time at which the mechanism shows best: its parts are farthest from one another, as seen from the front. Where they never
  // come nearer, a third of the run.
  function tellingTime(scene) {
    const { right, up } = scene.plane ? planeAxes(scene) : scene.front;
    const points = new Set();
    for (const { arrow, point, from, to } of scene.items) {
      if (!arrow) for (const i of [point, from, to]) if (i !== undefined) points.add(i);
    }
    const chosen = [...points].slice(0, 24);
    const spreadAt = (k) => {
      const places = chosen.map((i) => pointAt(scene, i, k)).map((p) => [dot(p, right), dot(p, up)]);
      let sum = 0;
      places.forEach(([x, y], i) => {
        for (let j = 0; j < i; j++) sum += Math.log(Math.hypot(x - places[j][0], y - places[j][1]) / scene.size + 0.02);
      });
      return sum / Math.max(1, (places.length * (places.length - 1)) / 2);
    };
    const last = scene.count - 1;
    const usual = Math.round(last / 3);
    let best = { k: usual, spread: spreadAt(usual) + 0.01 };
    for (let n = 6; n <= 42; n++) {
      const k = Math.round((last * n) / 60);
      const spread = spreadAt(k);
      if (spread > best.spread) best = { k, spread };
    }
    return scene.time[best.k];
  }

  function planeAxes(scene) {
    const { normal } = scene.plane;
    const up = unit(reject(scene.up, normal), scene.front.right);
    return { right: cross(up, normal), up };
  }

  // Of the two sides of a plane, the one seen from the front, or from above, or with N.x to the right.
  function towardReader(normal, front) {
    for (const side of [front.toward, front.up, front.right]) {
      const s = dot(normal, side);
      if (Math.abs(s) > 0.3) return s > 0 ? normal : normal.map((x) => -x);
    }
    return normal;
  }

  const lowest = (scene, d) => scene.outline.reduce((low, { p, reach }) => Math.min(low, dot(p, d) - reach), Infinity);

  // The surface drawn below or behind: the plane that bodies roll on; a wall behind a plane motion; the floor
  // where there is gravity. A floating motion in space has none.
  function findGround(scene) {
    const contacts = contactsOnN(scene);
    const rolling = contacts.length ? contactPlane(contacts, scene.up) : null;
    const upright = scene.plane && Math.abs(dot(scene.plane.normal, scene.up)) < 0.5;
    if (upright) return { ...wallBehind(scene), slab: rolling };
    if (rolling) return patch(scene, rolling.normal, dot(rolling.at, rolling.normal), 'floor');
    if (scene.plane) return { ...wallBehind(scene), slab: null };
    if (!scene.gravity) return null;
    return patch(scene, scene.up, lowest(scene, scene.up) - 0.12 * scene.size, 'floor');
  }

  // A plane motion turns bodies about the plane's normal only: their depth at the start is their depth always.
  function wallBehind(scene) {
    const { normal, mean } = scene.plane;
    const depths = scene.items.filter((item) => item.solid).map((item) => depthOf(scene, item, normal));
    const behind = Math.max(scene.radii.joint, ...depths) + 0.06 * scene.size;
    return patch(scene, normal, dot(mean, normal) - behind, 'wall');
  }

  // How far a body reaches from its point along the unit vector n.
  function depthOf(scene, item, n) {
    const turned = quaternionAt(scene, item.frame, 0);
    const shares = axesOf(viewing.math.multiply(turned, item.turn || [1, 0, 0, 0])).map((a) => Math.abs(dot(a, n)));
    const along = shares[{ x: 0, y: 1, z: 2 }[item.axis] ?? 2];
    switch (item.kind) {
      case 'cylinder': case 'rod': case 'disc':
        return (along * item.length) / 2 + item.radius * Math.sqrt(Math.max(0, 1 - along * along));
      case 'box': return item.sizes.reduce((sum, size, k) => sum + (size / 2) * shares[k], 0);
      case 'ellipsoid': return Math.hypot(...item.semiaxes.map((size, k) => size * shares[k]));
      default: return reachOf(scene, item);
    }
  }

  function contactsOnN(scene) {
    const contacts = [];
    for (const item of scene.items) {
      if (item.kind !== 'roll' || item.on !== 0) continue;
      const step = Math.max(1, Math.floor(scene.count / 60));
      for (let k = 0; k < scene.count; k += step) contacts.push(pointAt(scene, item.point, k));
    }
    return contacts.filter((p) => p.every(Number.isFinite));
  }

  // The plane through all contacts; a straight or standing contact leaves the slope to "up".
  function contactPlane(contacts, up) {
    const { mean, axes, variances } = viewing.math.principalAxes(contacts);
    const wide = variances[1] > flat * flat * variances[0] && variances[2] < 1e-4 * variances[1];
    let normal = up;
    if (wide) normal = axes[2];
    else if (variances[0] > 1e-12) normal = unit(reject(up, axes[0]), up);
    if (dot(normal, up) < 0) normal = normal.map((x) => -x);
    return { normal, at: mean };
  }

  // A square piece of plane below the whole motion, with a step of lines that is 1, 2 or 5 times a power of ten.
  function patch(scene, normal, height, kind) {
    const e1 = unit(reject(scene.front.right, normal), scene.front.up);
    const e2 = cross(normal, e1);
    const range = (d) => {
      const values = scene.cloud.map((p) => dot(p, d));
      return [Math.min(...values), Math.max(...values)];
    };
    const [[a, b], [c, d]] = [range(e1), range(e2)];
    const center = along(along(normal.map((x) => x * height), e1, (a + b) / 2), e2, (c + d) / 2);
    const half = Math.max(b - a, d - c, scene.size) * 0.5 + 1.2 * scene.size;
    return { kind, normal, e1, e2, center, half, step: roundStep(Math.min(half / 9, 0.5 * scene.size)), top: height };
  }

  function roundStep(x) {
    const power = Math.pow(10, Math.floor(Math.log10(x)));
    return power * [1, 2, 5, 10].find((m) => m * power >= x * 0.999);
  }

  // The usual distance from a body or particle to the nearest other at the start; of one alone, the mechanism's size.
  function findSpacing(scene) {
    const places = [...new Set(scene.items.filter((item) => item.solid).map((item) => item.point))]
      .map((point) => pointAt(scene, point, 0));
    const distances = [];
    places.forEach((p, i) => {
      let least = Infinity;
      places.forEach((q, k) => {
        const l = length(subtract(p, q));
        if (k !== i && l > 1e-6 * scene.size) least = Math.min(least, l);
      });
      if (least < Infinity) distances.push(least);
    });
    distances.sort((a, b) => a - b);
    return distances.length ? distances[distances.length >> 1] : scene.size;
  }

  // Radii of particles, links, joints, springs and their wires: parts of the mechanism's size, but thin against the
  // links themselves, and against the distances between bodies where many stand in a row.
  function findRadii(scene) {
    const lengths = scene.items
      .filter((item) => item.kind === 'link' && item.fixed_length)
      .map((item) => length(subtract(pointAt(scene, item.from, 0), pointAt(scene, item.to, 0))))
      .filter((l) => l > 1e-6 * scene.size)
      .sort((a, b) => a - b);
    const typical = lengths.length ? lengths[lengths.length >> 1] : scene.size;
    const spacing = findSpacing(scene);
    const radius = (part, ofLink, ofSpacing) =>
      Math.min(viewing.sizes[part] * scene.size, ofLink * typical, ofSpacing * spacing);
    return {
      particle: radius('particle', 0.2, 0.3), link: radius('link', 0.055, 0.09), joint: radius('joint', 0.08, 0.13),
      wire: radius('wire', 1, 0.045), coil: radius('coil', 1, 0.2),
    };
  }

  // Drawn sizes as parts of scene.size.
  viewing.sizes = { arrow: 0.55, triad: 0.22, wire: 0.009, coil: 0.08, particle: 0.055, link: 0.0165, joint: 0.024 };
  Object.assign(viewing, { readScene, profilesAt, tellingTime, frameAt, timeAt, poseAt, pointAt, vectorAt, reachOf });
})((window.visviva = window.visviva || {}));
