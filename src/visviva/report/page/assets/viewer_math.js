// Vectors, quaternions and 4x4 matrices for the viewer, and the bytes behind base64 text.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});

  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
  const along = (a, d, s) => [a[0] + d[0] * s, a[1] + d[1] * s, a[2] + d[2] * s];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const length = (a) => Math.hypot(a[0], a[1], a[2]);
  const mix = (a, b, s) => a + (b - a) * s;
  const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

  // The zero vector has no direction: it gives the fallback.
  function unit(a, fallback) {
    const l = length(a);
    return l > 1e-300 ? scale(a, 1 / l) : fallback || [0, 0, 1];
  }

  // What is left of a after its part along the unit vector d has gone.
  const reject = (a, d) => along(a, d, -dot(a, d));

  // Some unit vector perpendicular to the unit vector d.
  function perpendicular(d) {
    const least = Math.abs(d[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
    return unit(cross(d, least));
  }

  // Quaternions are [w, x, y, z]; R(q) turns frame columns into N columns.
  function multiply(a, b) {
    return [
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
      a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
      a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
  }

  // The three columns of R(q).
  function axesOf(q) {
    const [w, x, y, z] = q;
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
  }

  // Half the angle of the turn from a to b, from 0 to pi: -b is the same orientation as b, reached the other way round.
  function halfTurn(a, b) {
    const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    return Math.acos(clamp(cosine / (Math.hypot(...a) * Math.hypot(...b) || 1), -1, 1));
  }

  // Along the arc from a to b. Signs are kept, for a track tells by them how far a body has turned: up to 2 pi.
  function slerp(a, b, s) {
    const half = halfTurn(a, b);
    const sine = Math.sin(half);
    const [from, to] = sine < 1e-3 ? [1 - s, s] : [Math.sin((1 - s) * half) / sine, Math.sin(s * half) / sine];
    const q = a.map((x, i) => from * x + to * b[i]);
    const l = Math.hypot(...q);
    if (l > 0) return q.map((x) => x / l);
    const size = Math.hypot(...a) || 1;
    return a.map((x) => x / size);
  }

  // Column-major 4x4 from three columns and a position, as WebGL wants it.
  function matrix(ax, ay, az, p) {
    return new Float32Array([
      ax[0], ax[1], ax[2], 0, ay[0], ay[1], ay[2], 0, az[0], az[1], az[2], 0, p[0], p[1], p[2], 1,
    ]);
  }

  function product(a, b) {
    const out = new Float32Array(16);
    for (let c = 0; c < 4; c++) {
      for (let r = 0; r < 4; r++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += a[k * 4 + r] * b[c * 4 + k];
        out[c * 4 + r] = sum;
      }
    }
    return out;
  }

  // Principal axes of a cloud of points by Jacobi rotations of its covariance: mean, axes and the variances
  // along them, largest first.
  function principalAxes(points) {
    const mean = [0, 0, 0];
    for (const p of points) for (let i = 0; i < 3; i++) mean[i] += p[i] / points.length;
    const c = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
    for (const p of points) {
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) c[i][j] += ((p[i] - mean[i]) * (p[j] - mean[j])) / points.length;
      }
    }
    const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    for (let sweep = 0; sweep < 12; sweep++) {
      for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) rotateAway(c, v, p, q);
    }
    const order = [0, 1, 2].sort((i, j) => c[j][j] - c[i][i]);
    return {
      mean,
      axes: order.map((i) => [v[0][i], v[1][i], v[2][i]]),
      variances: order.map((i) => Math.max(0, c[i][i])),
    };
  }

  // One Jacobi rotation: makes c[p][q] zero and turns the columns p and q of v along.
  function rotateAway(c, v, p, q) {
    if (Math.abs(c[p][q]) < 1e-300) return;
    const theta = (c[q][q] - c[p][p]) / (2 * c[p][q]);
    const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const cosine = 1 / Math.sqrt(t * t + 1);
    const sine = t * cosine;
    for (let k = 0; k < 3; k++) {
      [c[k][p], c[k][q]] = [cosine * c[k][p] - sine * c[k][q], sine * c[k][p] + cosine * c[k][q]];
    }
    for (let k = 0; k < 3; k++) {
      [c[p][k], c[q][k]] = [cosine * c[p][k] - sine * c[q][k], sine * c[p][k] + cosine * c[q][k]];
      [v[k][p], v[k][q]] = [cosine * v[k][p] - sine * v[k][q], sine * v[k][p] + cosine * v[k][q]];
    }
  }

  function bytesOf(base64) {
    const text = atob(base64 || '');
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes.buffer;
  }

  viewing.math = {
    add, subtract, scale, along, dot, cross, length, mix, clamp, unit, reject, perpendicular,
    multiply, axesOf, halfTurn, slerp, matrix, product, principalAxes, bytesOf,
  };
})((window.visviva = window.visviva || {}));
