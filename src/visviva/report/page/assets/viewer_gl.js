// Draws a drawing with WebGL 2.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});
  const { subtract, along, dot, cross, unit, scale, reject } = viewing.math;

  const shadowSize = 256;
  const corners = [12, 24, 64]; // of a circle that is small, middling, large on the screen
  const manySolids = 30; // more cast no shadow and are less round

  function compile(gl, { vertex, fragment }) {
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    const places = {};
    for (let i = 0; i < count; i++) {
      const { name, type } = gl.getActiveUniform(program, i);
      places[name] = { at: gl.getUniformLocation(program, name), type };
    }
    return { program, places };
  }

  // Sets the uniforms that a program has; others are left out by its compiler.
  function setUniforms(gl, { places }, values) {
    for (const name in values) {
      const place = places[name];
      const value = values[name];
      if (!place) continue;
      if (place.type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(place.at, false, value);
      else if (place.type === gl.FLOAT_VEC3) gl.uniform3fv(place.at, value);
      else if (place.type === gl.FLOAT_VEC2) gl.uniform2fv(place.at, value);
      else if (place.type === gl.SAMPLER_2D) gl.uniform1i(place.at, value);
      else gl.uniform1f(place.at, value);
    }
  }

  function uploadMesh(gl, faces) {
    const numbers = viewing.trianglesOf(faces);
    const shape = gl.createVertexArray();
    gl.bindVertexArray(shape);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    [[3, 0], [3, 12], [3, 24], [2, 36]].forEach(([size, offset], i) => {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, size, gl.FLOAT, false, 44, offset);
    });
    return { shape, count: numbers.length / 11 };
  }

  // Eight numbers a corner: place, direction, side, time.
  function stripOf(points, times) {
    const numbers = new Float32Array(16 * points.length);
    let direction = [1, 0, 0];
    points.forEach((p, k) => {
      const [a, b] = [points[Math.max(k - 1, 0)], points[Math.min(k + 1, points.length - 1)]];
      direction = unit(subtract(b, a), direction);
      const time = times ? times[k] : 0;
      for (const half of [0, 1]) numbers.set([...p, ...direction, 2 * half - 1, time], 16 * k + 8 * half);
    });
    return numbers;
  }

  function makeStrip(gl) {
    const strip = { shape: gl.createVertexArray(), buffer: gl.createBuffer() };
    gl.bindVertexArray(strip.shape);
    gl.bindBuffer(gl.ARRAY_BUFFER, strip.buffer);
    [[3, 0], [3, 12], [1, 24], [1, 28]].forEach(([size, offset], i) => {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, size, gl.FLOAT, false, 32, offset);
    });
    return strip;
  }

  function fillStrip(gl, strip, numbers, usage) {
    gl.bindBuffer(gl.ARRAY_BUFFER, strip.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, usage);
  }

  // A quadrilateral: 0 to 1 along x, -1 to 1 along y.
  function makeQuad(gl) {
    const shape = gl.createVertexArray();
    gl.bindVertexArray(shape);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 8, 0);
    return shape;
  }

  function makeShadow(gl) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, shadowSize, shadowSize, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    const frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, frame };
  }

  // A lamp above, to the left and before the scene; before the wall, where a plane motion has one behind it.
  function lampOf(scene) {
    const { up } = scene.front;
    const isWall = scene.ground && scene.ground.kind === 'wall' && Math.abs(dot(scene.ground.normal, up)) < 0.5;
    const toward = isWall ? unit(reject(scene.ground.normal, up)) : scene.front.toward;
    return unit(along(along(scale(cross(up, toward), -0.45), up, 1), toward, 0.75));
  }

  // The square of ground that holds all shadows now. Its size changes by leaps, so that the shadows' softness does
  // not breathe.
  function shadowPatch({ solids, tubes, scene }, ground, lamp) {
    const slant = dot(lamp, ground.normal);
    const rows = [ground.e1, ground.e2].map((e) => along(e, ground.normal, -dot(lamp, e) / slant));
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    const hold = (p, reach) => rows.forEach((row, i) => {
      const u = dot(row, subtract(p, ground.center));
      (low[i] = Math.min(low[i], u - reach)), (high[i] = Math.max(high[i], u + reach));
    });
    for (const { model: m, colour } of solids) {
      if (colour !== 'ground') hold([m[12], m[13], m[14]], 1.4 * Math.hypot(...m.subarray(0, 12)));
    }
    for (const { points } of tubes) hold(points[0], 0), hold(points[points.length - 1], 0);
    if (!(high[0] >= low[0])) return null;
    const needed = Math.max(high[0] - low[0], high[1] - low[1]) / 2 + 0.1 * scene.size;
    const half = Math.pow(1.3, Math.ceil(Math.log(needed) / Math.log(1.3)));
    return { rows, half, middle: [0, 1].map((i) => (low[i] + high[i]) / 2) };
  }

  // From places to that square, as clip coordinates.
  function shadowSight(ground, { rows, half, middle }) {
    const m = new Float32Array(16);
    rows.forEach((row, i) => {
      for (let k = 0; k < 3; k++) m[4 * k + i] = row[k] / half;
      m[12 + i] = -(dot(row, ground.center) + middle[i]) / half;
    });
    m[15] = 1;
    return m;
  }

  class GlRenderer {
    constructor(canvas, onLost) {
      this.canvas = canvas;
      this.kind = 'webgl';
      const gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
      if (!gl) throw new Error('WebGL 2 is not there');
      this.gl = gl;
      canvas.addEventListener('webglcontextlost', (event) => { event.preventDefault(); onLost(); });
      this.programs = {};
      for (const name in viewing.shaders) this.programs[name] = compile(gl, viewing.shaders[name]);
      this.meshes = corners.map(() => ({}));
      this.own = new Map();
      this.quad = makeQuad(gl);
      this.loose = makeStrip(gl);
      this.shadow = makeShadow(gl);
      this.trails = new Map();
      gl.clearColor(0, 0, 0, 0);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    }

    // Browsers keep few contexts and take away the oldest: one that is done with is given back at once.
    release() {
      const loser = this.gl.isContextLost() ? null : this.gl.getExtension('WEBGL_lose_context');
      if (loser) loser.loseContext();
    }

    resize(width, height, ratio) {
      this.canvas.width = Math.max(1, Math.round(width * ratio));
      this.canvas.height = Math.max(1, Math.round(height * ratio));
      this.ratio = ratio;
    }

    draw(drawing, sight, palette, show) {
      const { gl } = this;
      const { scene } = drawing;
      this.lamp = lampOf(scene);
      this.palette = palette;
      const ground = show.grid ? scene.ground : null;
      this.many = drawing.solids.length > manySolids;
      this.patch = ground && !this.many ? shadowPatch(drawing, ground, this.lamp) : null;
      if (this.patch) this.castShadow(drawing, ground);
      gl.viewport(0, 0, this.canvas.width, this.canvas.height);
      gl.depthMask(true);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      this.light = {
        sight: sight.matrix, eye: sight.eye, up: scene.up, lamp: this.lamp, paper: palette.paper, dark: palette.dark,
        viewport: [sight.width, sight.height], perPixel: 1 / sight.pixel, plain: 0, tone: 0,
      };
      this.pixelThere = (this.ratio * sight.pixel) / sight.distance;
      this.drawBackdrop();
      if (ground) this.drawGround(ground);
      this.drawSolids(drawing.solids);
      this.drawTubes(drawing.tubes);
      this.drawLines(drawing);
      gl.depthMask(true);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      this.drawSolids(drawing.notes);
    }

    use(name, values) {
      const program = this.programs[name];
      this.gl.useProgram(program.program);
      this.program = program;
      setUniforms(this.gl, program, values);
    }

    set(values) { setUniforms(this.gl, this.program, values); }

    drawQuad() {
      const { gl } = this;
      gl.bindVertexArray(this.quad);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }

    drawBackdrop() {
      const { gl, palette } = this;
      gl.disable(gl.DEPTH_TEST);
      gl.disable(gl.CULL_FACE);
      gl.disable(gl.BLEND);
      this.use('backdrop', { top: palette.paper, bottom: palette.panel });
      this.drawQuad();
    }

    castShadow(drawing, ground) {
      const { gl } = this;
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.frame);
      gl.viewport(0, 0, shadowSize, shadowSize);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.disable(gl.DEPTH_TEST);
      gl.disable(gl.CULL_FACE);
      gl.disable(gl.BLEND);
      const sight = shadowSight(ground, this.patch);
      this.pixelThere = (0.5 * shadowSize) / this.patch.half;
      this.use('solid', { sight, plain: 1, colour: [1, 1, 1], grow: 0 });
      for (const solid of drawing.solids) if (solid.colour !== 'ground') this.drawShape(solid);
      const eye = along(ground.center, this.lamp, 1e3 * ground.half);
      const white = { plain: 1, colour: [1, 1, 1], opacity: 1, tone: 0 };
      this.use('ribbon', { sight, eye, ...white, pixels: 0, back: 0, now: 1, tail: 0 });
      for (const tube of drawing.tubes) this.drawStrip(tube.points, { radius: tube.radius });
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture);
      gl.generateMipmap(gl.TEXTURE_2D);
    }

    drawGround(ground) {
      const { gl, palette, patch } = this;
      const { slab } = ground;
      gl.enable(gl.BLEND);
      const phase = (e) => dot(ground.center, e) % (5 * ground.step);
      this.use('grid', {
        ...this.light, center: ground.center, e1: ground.e1, e2: ground.e2, half_: ground.half, step_: ground.step,
        middle: [phase(ground.e1), phase(ground.e2)], line: palette.line, dusk: palette.shadow,
        strength: !patch ? 0 : palette.dark ? 0.5 : 0.2, shadow: 0,
        shadowMiddle: patch ? patch.middle : [0, 0], shadowHalf: patch ? patch.half : 1,
        slab: slab ? slab.normal : [0, 0, 0], slabHeight: slab ? dot(slab.at, slab.normal) : -1,
      });
      this.drawQuad();
      gl.disable(gl.BLEND);
    }

    // A shape as fine as its size on the screen asks for; uploaded when first needed.
    meshFor(solid, pixel) {
      if (solid.mesh === 'own') return this.ownMesh(solid.item);
      const m = solid.model;
      const wide = Math.hypot(m[0], m[1], m[2]) * pixel;
      const level = wide > (this.many ? 90 : 30) ? 2 : wide > 7 ? 1 : 0;
      const there = this.meshes[level];
      there[solid.mesh] = there[solid.mesh] || uploadMesh(this.gl, viewing.meshes(corners[level])[solid.mesh]);
      return there[solid.mesh];
    }

    ownMesh(item) {
      if (!this.own.has(item.index)) this.own.set(item.index, uploadMesh(this.gl, item.faces));
      return this.own.get(item.index);
    }

    drawShape(solid) {
      const mesh = this.meshFor(solid, this.pixelThere);
      this.set({ model: solid.model });
      this.gl.bindVertexArray(mesh.shape);
      this.gl.drawArrays(this.gl.TRIANGLES, 0, mesh.count);
    }

    // Outlines first: the back of each shape, a little grown; then the shapes.
    drawSolids(solids) {
      const { gl, palette } = this;
      gl.enable(gl.DEPTH_TEST);
      gl.enable(gl.CULL_FACE);
      gl.cullFace(gl.FRONT);
      this.use('solid', { ...this.light, plain: 1 });
      for (const solid of solids) {
        const lit = solid.tone > 0;
        this.set({ colour: lit ? palette.glow : this.edgeOf(solid), grow: lit ? 3.2 : 0.8 });
        this.drawShape(solid);
      }
      gl.cullFace(gl.BACK);
      this.set({ plain: 0, grow: 0 });
      for (const solid of solids) {
        this.set({ colour: palette[solid.colour], edge: this.edgeOf(solid), pattern: solid.pattern, tone: solid.tone });
        this.drawShape(solid);
      }
      gl.disable(gl.CULL_FACE);
    }

    edgeOf(solid) {
      const { palette } = this;
      const own = palette[solid.colour];
      const edge = own.map((c) => c * (solid.colour === 'ground' ? 0.7 : palette.dark ? 0.3 : 0.45));
      return solid.tone < 0 ? edge.map((c, i) => palette.paper[i] + (c - palette.paper[i]) * 0.28) : edge;
    }

    drawStrip(points, values, times) {
      const { gl } = this;
      fillStrip(gl, this.loose, stripOf(points, times), gl.STREAM_DRAW);
      this.set(values);
      gl.bindVertexArray(this.loose.shape);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 2 * points.length);
    }

    drawTubes(tubes) {
      const { palette } = this;
      this.use('ribbon', { ...this.light, pixels: 0, now: 1, tail: 0, opacity: 1 });
      for (const tube of tubes) {
        const lit = tube.tone > 0;
        this.drawStrip(tube.points, {
          plain: 1, tone: 0, back: 1, colour: lit ? palette.glow : this.edgeOf(tube),
          radius: tube.radius * (lit ? 1.9 : 1.3),
        });
      }
      this.set({ plain: 0, back: 0 });
      for (const tube of tubes) {
        this.drawStrip(tube.points, { colour: palette[tube.colour], radius: tube.radius, tone: tube.tone });
      }
    }

    drawLines({ lines, traces, scene, pose }) {
      const { gl, palette } = this;
      gl.enable(gl.BLEND);
      gl.depthMask(false);
      this.use('ribbon', { ...this.light, plain: 1, radius: 0, back: 0, now: 1, tail: 0, opacity: 1 });
      for (const line of lines) {
        this.drawStrip(line.points, {
          colour: line.tone > 0 ? palette.glow : palette[line.colour], tone: line.tone,
          pixels: line.width * (line.tone > 0 ? 2 : 1),
        });
      }
      const now = viewing.timeAt(scene, pose.frame) - scene.time[0];
      const tail = 0.3 * (scene.time[scene.count - 1] - scene.time[0]);
      this.set({ now, tail, opacity: traces.length > 8 ? 0.5 : 0.85, pixels: 1.5 });
      for (const trace of traces) this.drawTrail(scene, pose, trace, now);
      gl.disable(gl.BLEND);
    }

    // The samples so far, and the piece from the last of them to the place now.
    drawTrail(scene, pose, { point, colour, tone }, now) {
      const { gl } = this;
      const trail = this.trailOf(scene, point);
      if (!trail) return;
      const last = Math.floor(pose.frame);
      this.set({ colour: this.palette[colour], tone });
      gl.bindVertexArray(trail.shape);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 2 * (last + 1));
      if (pose.frame > last) this.drawStrip([viewing.pointAt(scene, point, last), pose.points[point]], {}, [now, now]);
    }

    // A point's whole path stays in the graphics memory; time decides how much of it shows.
    trailOf(scene, point) {
      if (!this.trails.has(point)) {
        const moves = scene.points[point] && !scene.points[point].fixed && scene.count > 1;
        this.trails.set(point, moves ? this.makeTrail(scene, point) : null);
      }
      return this.trails.get(point);
    }

    makeTrail(scene, point) {
      const times = Array.from(scene.time, (t) => t - scene.time[0]);
      const trail = makeStrip(this.gl);
      const places = times.map((_, k) => viewing.pointAt(scene, point, k));
      fillStrip(this.gl, trail, stripOf(places, times), this.gl.STATIC_DRAW);
      return trail;
    }
  }

  viewing.GlRenderer = GlRenderer;
  viewing.lampOf = lampOf;
})((window.visviva = window.visviva || {}));
