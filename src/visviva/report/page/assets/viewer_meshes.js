// Unit shapes that everything is made of: sphere, cylinder, cone, box; each as flat faces and as triangles.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});
  const { unit } = viewing.math;

  let round = 0; // corners of a circle, while a shape is made

  // A corner is a place, the normal for light, the direction in which an outline grows, and coordinates on its
  // face that reach 1 in size at creases.
  const corner = (place, normal, grow, face) => ({ place, normal, grow: unit(grow), face });

  const circle = (k) => {
    const a = (2 * Math.PI * k) / round;
    return [Math.cos(a), Math.sin(a)];
  };

  function makeSphere() {
    const faces = [];
    const rings = round / 2;
    const at = (i, k) => {
      const a = (Math.PI * i) / rings;
      const [c, s] = circle(k);
      const p = [Math.sin(a) * c, Math.sin(a) * s, Math.cos(a)];
      return corner(p, p, p, [0, 0]);
    };
    for (let i = 0; i < rings; i++) {
      for (let k = 0; k < round; k++) {
        const face = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
        faces.push(i === 0 ? face.slice(0, 3) : i === rings - 1 ? [face[0], face[1], face[3]] : face);
      }
    }
    return faces;
  }

  // Along z from -1 to 1.
  function makeCylinder() {
    const faces = [cap(1), cap(-1)];
    for (let k = 0; k < round; k++) {
      const at = (j, z) => {
        const [c, s] = circle(j);
        return corner([c, s, z], [c, s, 0], [c, s, z], [0, z]);
      };
      faces.push([at(k, -1), at(k + 1, -1), at(k + 1, 1), at(k, 1)]);
    }
    return faces;
  }

  function cap(z) {
    const face = [];
    for (let k = 0; k < round; k++) {
      const [c, s] = circle(z > 0 ? k : -k);
      face.push(corner([c, s, z], [0, 0, z], [c, s, z], [1, 0]));
    }
    face.middle = corner([0, 0, z], [0, 0, z], [0, 0, z], [0, 0]);
    return face;
  }

  // Base at z = -1, tip at z = 1.
  function makeCone() {
    const faces = [cap(-1)];
    const at = (j, z) => {
      const [c, s] = circle(j);
      const r = z < 0 ? 1 : 0;
      return corner([r * c, r * s, z], unit([2 * c, 2 * s, 1]), [c, s, z < 0 ? -0.5 : 2], [0, 0]);
    };
    for (let k = 0; k < round; k++) faces.push([at(k, -1), at(k + 1, -1), at(k + 0.5, 1)]);
    return faces;
  }

  function makeBox() {
    const faces = [];
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [-1, 1]) {
        const normal = [0, 0, 0];
        normal[axis] = side;
        const face = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
          const p = [0, 0, 0];
          p[axis] = side;
          p[(axis + 1) % 3] = u * side;
          p[(axis + 2) % 3] = v;
          return corner(p, normal, p, [u, v]);
        });
        faces.push(face);
      }
    }
    return faces;
  }

  // Flat triangles of a mesh that the page carries: corners from -1 to 1 in its box, as shorts. Shapes have normals
  // for the axes of their own lengths: that of the surface times halves.
  function facesOfMesh({ halves, corners, triangles }) {
    const { bytesOf, subtract, cross } = viewing.math;
    const places = new Int16Array(bytesOf(corners));
    const indices = new Uint32Array(bytesOf(triangles));
    const at = (i) => [0, 1, 2].map((k) => places[3 * i + k] / 32767);
    const sized = (p) => p.map((x, k) => x * halves[k]);
    const faces = [];
    for (let t = 0; t + 2 < indices.length; t += 3) {
      const abc = [at(indices[t]), at(indices[t + 1]), at(indices[t + 2])];
      const [a, b, c] = abc.map(sized);
      const n = sized(unit(cross(subtract(b, a), subtract(c, a)), [0, 0, 1]));
      faces.push(abc.map((p) => corner(p, n, p, [0, 0])));
    }
    return faces;
  }

  // Eleven numbers a corner: place, normal, growth, face coordinates.
  function trianglesOf(faces) {
    const numbers = [];
    const put = (c) => numbers.push(...c.place, ...c.normal, ...c.grow, ...c.face);
    for (const face of faces) {
      const hub = face.middle || face[0];
      const first = face.middle ? 0 : 1;
      const last = face.middle ? face.length : face.length - 1;
      for (let k = first; k < last; k++) put(hub), put(face[k]), put(face[(k + 1) % face.length]);
    }
    return new Float32Array(numbers);
  }

  // Shapes with so many corners to a circle; made once.
  const made = new Map();
  function meshes(corners) {
    if (!made.has(corners)) {
      round = corners;
      made.set(corners, { sphere: makeSphere(), cylinder: makeCylinder(), cone: makeCone(), box: makeBox() });
    }
    return made.get(corners);
  }

  Object.assign(viewing, { meshes, trianglesOf, facesOfMesh });
})((window.visviva = window.visviva || {}));
