// The camera: where it stands, what it sees, and how drags, wheels and presets move it.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});
  const { add, subtract, along, dot, cross, unit, clamp, matrix, product } = viewing.math;

  // Half the picture's height at distance 1: a long lens, for a gentle perspective.
  const opening = Math.tan((11 * Math.PI) / 180);
  const steepest = Math.PI / 2;

  // Yaw turns about "up" from the front view, pitch lifts the camera; the target is what it looks at.
  function makeCamera(scene) {
    return {
      scene, yaw: 0, pitch: 0, distance: 10 * scene.size, target: [0, 0, 0], width: 1, height: 1, follow: -1,
      preset: '',
    };
  }

  // Unit vectors to the right, up and towards the reader on the screen.
  function basisOf(camera) {
    const { right, up, toward } = camera.scene.front;
    const [cosine, sine] = [Math.cos(camera.yaw), Math.sin(camera.yaw)];
    const level = along(right.map((x) => x * sine), toward, cosine);
    const out = along(level.map((x) => x * Math.cos(camera.pitch)), up, Math.sin(camera.pitch));
    const sideways = along(right.map((x) => x * cosine), toward, -sine);
    return { right: sideways, up: cross(out, sideways), toward: out };
  }

  // Turns the camera so that it looks against the given direction.
  function lookFrom(camera, direction) {
    const { right, up, toward } = camera.scene.front;
    const d = unit(direction);
    camera.pitch = Math.asin(clamp(dot(d, up), -1, 1));
    const level = Math.hypot(dot(d, right), dot(d, toward));
    camera.yaw = level > 1e-6 ? Math.atan2(dot(d, right), dot(d, toward)) : 0;
  }

  const angles = {
    front: [0, 0],
    side: [Math.PI / 2, 0],
    top: [0, steepest],
    isometric: [-Math.PI / 5, Math.asin(0.42)],
  };

  // A preset view, fitted. "start" is the view that shows this mechanism best.
  function setPreset(camera, name) {
    const { plane, ground } = camera.scene;
    const rolls = ground && ground.kind === 'floor';
    if (angles[name]) [camera.yaw, camera.pitch] = angles[name];
    else if (name === 'start' && plane && !rolls) lookFrom(camera, plane.normal);
    else if (name === 'start') [camera.yaw, camera.pitch] = angles.isometric;
    camera.preset = name;
    fit(camera);
  }

  // Moves the camera until the whole motion, or what it follows, fits: a few rounds suffice, since each
  // corrects the last for the depth of the points.
  function fit(camera) {
    const { right, up, toward } = basisOf(camera);
    const seen = seenBy(camera);
    const wide = (opening * camera.width) / camera.height;
    camera.target = seen[0].p;
    for (let round = 0; round < 8; round++) {
      const low = [Infinity, Infinity];
      const high = [-Infinity, -Infinity];
      let distance = 1e-6 * camera.scene.size;
      for (const { p, reach } of seen) {
        const d = subtract(p, camera.target);
        const [x, y, z] = [dot(d, right), dot(d, up), dot(d, toward)];
        low[0] = Math.min(low[0], x - reach), high[0] = Math.max(high[0], x + reach);
        low[1] = Math.min(low[1], y - reach), high[1] = Math.max(high[1], y + reach);
        distance = Math.max(distance, z + (Math.abs(x) + reach) / wide, z + (Math.abs(y) + reach) / opening);
      }
      camera.target = along(along(camera.target, right, (low[0] + high[0]) / 2), up, (low[1] + high[1]) / 2);
      camera.distance = Math.max(distance * 1.14, (0.45 * camera.scene.size) / opening);
    }
    camera.fitted = camera.distance;
    camera.offset = [0, 0, 0];
    if (camera.follow >= 0) camera.target = followed(camera);
  }

  // While following, the mechanism at its start stands for what must be seen.
  function seenBy(camera) {
    const { outline, size } = camera.scene;
    if (camera.follow < 0) return outline;
    const center = viewing.pointAt(camera.scene, camera.follow, camera.frame || 0);
    const first = outline.filter((place) => place.frame <= 0);
    return first.concat([{ p: center, reach: 1.6 * size }]);
  }

  const followed = (camera) =>
    add(viewing.pointAt(camera.scene, camera.follow, camera.frame || 0), camera.offset || [0, 0, 0]);

  // Whether it looks along the normal of a plane.
  const isAlong = (camera, plane) => plane !== null && Math.abs(dot(basisOf(camera).toward, plane.normal)) > 0.999;

  // The frame of the animation decides where a followed body is.
  function setFrame(camera, frame) {
    camera.frame = frame;
    if (camera.follow >= 0) camera.target = followed(camera);
  }

  function setFollow(camera, point) {
    camera.follow = point;
    camera.offset = [0, 0, 0];
    fit(camera);
  }

  function orbit(camera, dx, dy) {
    camera.preset = '';
    camera.yaw -= dx * 0.008;
    camera.pitch = clamp(camera.pitch + dy * 0.008, -steepest, steepest);
  }

  function pan(camera, dx, dy) {
    const { right, up } = basisOf(camera);
    const perPixel = (2 * opening * camera.distance) / camera.height;
    const move = along(right.map((x) => -x * dx * perPixel), up, dy * perPixel);
    camera.preset = '';
    camera.offset = add(camera.offset || [0, 0, 0], move);
    camera.target = add(camera.target, move);
  }

  function zoom(camera, factor) {
    const usual = camera.fitted || camera.distance;
    camera.distance = clamp(camera.distance * factor, usual * 0.02, usual * 20);
  }

  // What a renderer needs: position, basis, and the matrix from N to the clip cube.
  function seeThrough(camera) {
    const basis = basisOf(camera);
    const { right, up, toward } = basis;
    const eye = along(camera.target, toward, camera.distance);
    const view = matrix(
      [right[0], up[0], toward[0]], [right[1], up[1], toward[1]], [right[2], up[2], toward[2]],
      [-dot(right, eye), -dot(up, eye), -dot(toward, eye)]);
    const near = camera.distance * 0.02;
    const far = camera.distance * 4 + 40 * camera.scene.size;
    const lens = new Float32Array(16);
    lens[0] = camera.height / (opening * camera.width);
    lens[5] = 1 / opening;
    lens[10] = (near + far) / (near - far);
    lens[11] = -1;
    lens[14] = (2 * near * far) / (near - far);
    return {
      ...basis, eye, distance: camera.distance, matrix: product(lens, view), width: camera.width, height: camera.height,
      pixel: camera.height / (2 * opening), // pixels per unit of length at depth 1
    };
  }

  // CSS pixels from the upper left corner, and the depth before the camera.
  function project(sight, p) {
    const d = subtract(p, sight.eye);
    const depth = -dot(d, sight.toward);
    const s = sight.pixel / Math.max(depth, 1e-9);
    return [sight.width / 2 + dot(d, sight.right) * s, sight.height / 2 - dot(d, sight.up) * s, depth];
  }

  // The unit direction from the eye through a place of the picture.
  function rayThrough(sight, x, y) {
    const dx = (x - sight.width / 2) / sight.pixel;
    const dy = (sight.height / 2 - y) / sight.pixel;
    return unit(along(along(sight.toward.map((c) => -c), sight.right, dx), sight.up, dy));
  }

  viewing.camera = {
    makeCamera, setPreset, isAlong, fit, setFollow, setFrame, orbit, pan, zoom, seeThrough, project, rayThrough,
  };
})((window.visviva = window.visviva || {}));
