// Programs for the graphics processor: lit solids with outlines, ribbons for tubes and lines, grid with shadow.
(function (visviva) {
  'use strict';
  const viewing = (visviva.viewing = visviva.viewing || {});

  // Light in linear colour: sky and ground by the normal, one lamp, a small highlight, a dark rim so that shapes read.
  const shade = `
    uniform vec3 up, lamp, eye, paper;
    uniform float dark, tone;
    vec3 shade(vec3 colour, vec3 n, vec3 place) {
      vec3 v = normalize(eye - place);
      vec3 base = pow(colour, vec3(2.2));
      float sky = 0.5 + 0.5 * dot(n, up);
      float front = max(dot(n, lamp), 0.0);
      vec3 light = mix(vec3(0.42, 0.41, 0.44), vec3(0.74, 0.76, 0.80), sky) + vec3(0.66, 0.64, 0.58) * front;
      float gloss = pow(max(dot(n, normalize(lamp + v)), 0.0), 48.0) * 0.22;
      float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
      vec3 lit = base * light * (1.0 - 0.45 * rim * (1.0 - dark)) + gloss + base * rim * 0.5 * dark;
      vec3 seen = pow(clamp(lit, 0.0, 1.0), vec3(1.0 / 2.2));
      return tone < 0.0 ? mix(paper, seen, 0.28) : seen;
    }`;

  const solid = {
    vertex: `#version 300 es
      layout(location = 0) in vec3 place;
      layout(location = 1) in vec3 normal;
      layout(location = 2) in vec3 growth;
      layout(location = 3) in vec2 face;
      uniform mat4 model, sight;
      uniform vec2 viewport;
      uniform float grow;
      out vec3 localPlace, worldPlace, worldNormal;
      out vec2 onFace;
      void main() {
        mat3 turn = mat3(model);
        vec3 sizes = vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]));
        vec4 world = model * vec4(place, 1.0);
        localPlace = place;
        worldPlace = world.xyz;
        worldNormal = turn * (normal / sizes);
        onFace = face;
        gl_Position = sight * world;
        if (grow > 0.0) {
          vec2 d = (sight * vec4(turn * (growth / sizes), 0.0)).xy * viewport;
          gl_Position.xy += d / max(length(d), 1e-9) * grow * 2.0 / viewport * gl_Position.w;
        }
      }`,
    fragment: `#version 300 es
      precision highp float;
      in vec3 localPlace, worldPlace, worldNormal;
      in vec2 onFace;
      uniform vec3 colour, edge;
      uniform float plain, pattern;
      out vec4 result;
      ${shade}
      void main() {
        if (plain > 0.0) { result = vec4(colour, 1.0); return; }
        vec3 own = colour;
        // Quarters and eighths in two shades show how a round body turns.
        vec3 s = sign(localPlace);
        float cap = step(0.999, abs(localPlace.z));
        float odd = max(onFace.x, step(onFace.x, 0.0)) > 0.0 ? s.x * s.y * mix(s.z, 1.0, cap) : 1.0;
        if (pattern > 0.5) own *= odd < 0.0 ? 0.72 : 1.0;
        vec3 seen = shade(own, normalize(worldNormal), worldPlace);
        vec2 inside = (1.0 - abs(onFace)) / max(fwidth(onFace), 1e-5);
        float crease = 1.0 - smoothstep(0.4, 1.5, min(inside.x, inside.y));
        result = vec4(mix(seen, edge, 0.75 * crease), 1.0);
      }`,
  };

  // A polyline as a strip that faces the eye, as wide as a tube, or so many pixels; every place comes twice, once for
  // each side.
  const ribbon = {
    vertex: `#version 300 es
      layout(location = 0) in vec3 place;
      layout(location = 1) in vec3 direction;
      layout(location = 2) in float sign_;
      layout(location = 3) in float time;
      uniform mat4 sight;
      uniform vec3 eye;
      uniform float radius, pixels, perPixel, now, back;
      out vec3 worldPlace, side, facing;
      out float across, age;
      void main() {
        side = cross(direction, eye - place);
        side = side / max(length(side), 1e-9);
        facing = cross(side, direction);
        float depth = (sight * vec4(place, 1.0)).w;
        float r = pixels > 0.0 ? pixels * depth * perPixel : radius;
        worldPlace = place + side * sign_ * r - facing * r * back;
        across = sign_;
        age = now - time;
        gl_Position = sight * vec4(worldPlace, 1.0);
      }`,
    fragment: `#version 300 es
      precision highp float;
      in vec3 worldPlace, side, facing;
      in float across, age;
      uniform vec3 colour;
      uniform float plain, pixels, opacity, tail;
      out vec4 result;
      ${shade}
      void main() {
        vec3 n = normalize(side * across + facing * sqrt(max(0.0, 1.0 - across * across)));
        if (plain <= 0.0) { result = vec4(shade(colour, n, worldPlace), 1.0); return; }
        float soft = pixels > 0.0 ? clamp((1.0 - abs(across)) * pixels, 0.0, 1.0) : 1.0;
        float old = tail > 0.0 ? mix(1.0, 0.16, smoothstep(0.0, 1.0, age / tail)) : 1.0;
        result = vec4(colour, opacity * soft * old * (tone < 0.0 ? 0.25 : 1.0));
      }`,
  };

  const grid = {
    vertex: `#version 300 es
      layout(location = 0) in vec2 corner;
      uniform mat4 sight;
      uniform vec3 center, e1, e2;
      uniform vec2 middle, shadowMiddle;
      uniform float half_, shadowHalf;
      out vec2 place, onPatch, onShadow;
      out vec3 world;
      void main() {
        vec2 c = vec2(corner.x * 2.0 - 1.0, corner.y) * 3.0;
        place = middle + c * half_;
        onPatch = c;
        onShadow = (c * half_ - shadowMiddle) / shadowHalf;
        world = center + (e1 * c.x + e2 * c.y) * half_;
        gl_Position = sight * vec4(world, 1.0);
      }`,
    fragment: `#version 300 es
      precision highp float;
      in vec2 place, onPatch, onShadow;
      in vec3 world;
      uniform sampler2D shadow;
      uniform vec3 line, dusk, slab;
      uniform float step_, strength, slabHeight;
      out vec4 result;
      float ruled(vec2 x, vec2 w) {
        vec2 d = abs(fract(x - 0.5) - 0.5) / w;
        vec2 fine = (1.0 - smoothstep(0.3, 1.3, d)) * (1.0 - smoothstep(0.15, 0.5, w));
        return max(fine.x, fine.y);
      }
      // Four looks at the shadow's coarser picture make its edge soft; most places are far from any shadow.
      float soft(vec2 t) {
        if (textureLod(shadow, t, 4.0).r == 0.0) return 0.0;
        float o = 2.0 / 256.0;
        vec2 a = vec2(o, 0.4 * o);
        vec2 b = vec2(-0.4 * o, o);
        return 0.25 * (textureLod(shadow, t + a, 1.6).r + textureLod(shadow, t - a, 1.6).r
          + textureLod(shadow, t + b, 1.6).r + textureLod(shadow, t - b, 1.6).r);
      }
      void main() {
        float far = 1.0 - smoothstep(0.55, 1.9, length(onPatch));
        vec2 x = place / step_;
        vec2 w = max(fwidth(x), 1e-6);
        float ink = max(0.45 * ruled(x, w), 0.95 * ruled(0.2 * x, 0.2 * w)) * far;
        vec2 rim = 1.0 - smoothstep(0.9, 1.0, abs(onShadow));
        float shade = strength * soft(onShadow * 0.5 + 0.5) * rim.x * rim.y;
        if (dot(world, slab) < slabHeight) shade = 0.0;
        float alpha = ink + shade * (1.0 - ink);
        if (alpha < 0.004) discard;
        result = vec4(mix(dusk, line, ink / alpha), alpha);
      }`,
  };

  const backdrop = {
    vertex: `#version 300 es
      layout(location = 0) in vec2 corner;
      out float height;
      void main() {
        height = corner.y * 0.5 + 0.5;
        gl_Position = vec4(corner.x * 2.0 - 1.0, corner.y, 0.9999, 1.0);
      }`,
    fragment: `#version 300 es
      precision highp float;
      in float height;
      uniform vec3 top, bottom;
      out vec4 result;
      void main() { result = vec4(mix(bottom, top, smoothstep(0.0, 0.9, height)), 1.0); }`,
  };

  viewing.shaders = { solid, ribbon, grid, backdrop };
})((window.visviva = window.visviva || {}));
