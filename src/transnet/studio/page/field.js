import { paint } from "./plain.js";

// The field on the true domain: values on a grid, made finer by cubic interpolation, coloured by WebGL and cut out by the
// outline of the domain in the stencil buffer.
const MAPS = {
  sea: ["#160f3b", "#2b2f77", "#2a5a8f", "#20848f", "#37aa82", "#86c96a", "#dde36b", "#fff7c2"],
  ember: ["#0c0a1d", "#3b1054", "#7c1d6a", "#b8345b", "#e55c3f", "#f79a34", "#fbd65f", "#fffbd0"],
  balance: ["#0b3c6f", "#2b72b4", "#77b0da", "#cfe2ee", "#f7f4ef", "#f3cdb5", "#e08a68", "#bd4038", "#7a1029"],
  ink: ["#ffffff", "#d7dbe2", "#a3acbb", "#6d788c", "#3e485c", "#171d2b"],
};
export const mapNames = Object.keys(MAPS);

export function colours(name) {
  const stops = MAPS[name].map((c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16)));
  const table = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const x = (i / 255) * (stops.length - 1), k = Math.min(Math.floor(x), stops.length - 2), f = x - k;
    for (let c = 0; c < 3; c++) table[4 * i + c] = Math.round(stops[k][c] * (1 - f) + stops[k + 1][c] * f);
    table[4 * i + 3] = 255;
  }
  return table;
}

const FINE = 320; // points along the longer side after interpolation: finer than most screens show

// Catmull-Rom along one axis.
function refined(values, nx, ny, fx, along) {
  const n = along === 0 ? nx : ny, m = (n - 1) * fx + 1;
  const out = new Float32Array(along === 0 ? m * ny : nx * m);
  const rows = along === 0 ? ny : nx, stepIn = along === 0 ? 1 : nx, rowIn = along === 0 ? nx : 1;
  const stepOut = along === 0 ? 1 : nx, rowOut = along === 0 ? m : 1;
  const weights = [];
  for (let s = 0; s < fx; s++) {
    const t = s / fx, t2 = t * t, t3 = t2 * t;
    weights.push([-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2]);
  }
  for (let r = 0; r < rows; r++) {
    const base = r * rowIn, put = r * rowOut;
    for (let k = 0; k < n - 1; k++) {
      const b = values[base + k * stepIn], c = values[base + (k + 1) * stepIn];
      const a = k > 0 ? values[base + (k - 1) * stepIn] : 2 * b - c, d = k < n - 2 ? values[base + (k + 2) * stepIn] : 2 * c - b;
      for (let s = 0; s < fx; s++) {
        const w = weights[s];
        out[put + (k * fx + s) * stepOut] = w[0] * a + w[1] * b + w[2] * c + w[3] * d;
      }
    }
    out[put + (m - 1) * stepOut] = values[base + (n - 1) * stepIn];
  }
  return out;
}

export class Grid {
  constructor(values, counts, box) {
    const [nx, ny] = counts, f = Math.max(1, Math.min(8, Math.floor(FINE / Math.max(nx, ny))));
    this.coarse = values; this.counts = counts; this.box = box;
    const wide = f > 1 ? refined(values, nx, ny, f, 0) : values;
    this.nx = (nx - 1) * f + 1;
    this.values = f > 1 ? refined(wide, this.nx, ny, f, 1) : values;
    this.ny = (ny - 1) * f + 1;
  }
  at(x, y) {
    const [x0, y0, x1, y1] = this.box;
    const i = ((x - x0) / (x1 - x0)) * (this.nx - 1), j = ((y - y0) / (y1 - y0)) * (this.ny - 1);
    if (!(i >= 0 && j >= 0 && i <= this.nx - 1 && j <= this.ny - 1)) return NaN;
    const a = Math.min(Math.floor(i), this.nx - 2), b = Math.min(Math.floor(j), this.ny - 2), u = i - a, v = j - b, at = b * this.nx + a;
    const w = this.values;
    return (w[at] * (1 - u) + w[at + 1] * u) * (1 - v) + (w[at + this.nx] * (1 - u) + w[at + this.nx + 1] * u) * v;
  }
}

const PLACE = `#version 300 es
in vec2 place; uniform vec4 view; out vec2 where;
void main() { where = place; gl_Position = vec4((place - view.xy) * view.zw, 0.0, 1.0); }`;
const NOTHING = `#version 300 es
precision highp float; in vec2 where; out vec4 colour; void main() { colour = vec4(0.0); }`;
const PAINT = `#version 300 es
precision highp float; precision highp sampler2D;
in vec2 where; out vec4 colour;
uniform sampler2D field, map; uniform vec4 box; uniform vec2 counts, limits; uniform float spacing; uniform vec4 line;
float value(vec2 at) {
  vec2 p = clamp((at - box.xy) / (box.zw - box.xy), 0.0, 1.0) * (counts - 1.0);
  ivec2 k = ivec2(min(floor(p), counts - 2.0)); vec2 f = p - vec2(k);
  float a = texelFetch(field, k, 0).r, b = texelFetch(field, k + ivec2(1, 0), 0).r;
  float c = texelFetch(field, k + ivec2(0, 1), 0).r, d = texelFetch(field, k + ivec2(1, 1), 0).r;
  return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}
void main() {
  float v = value(where);
  float s = clamp((v - limits.x) / (limits.y - limits.x), 0.0, 1.0);
  vec3 c = texture(map, vec2((s * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  if (spacing > 0.0) {
    float q = v / spacing, w = fwidth(q);
    float d = abs(fract(q - 0.5) - 0.5) / max(w, 1e-9);
    float bold = abs(fract(q / 5.0 - 0.5) - 0.5) * 5.0 / max(w, 1e-9) < 1.0 ? 1.5 : 1.0;
    float a = (1.0 - smoothstep(0.45 * bold, 1.25 * bold, d)) * line.a * min(1.0, 0.6 / max(w, 1e-9));
    c = mix(c, line.rgb, a);
  }
  colour = vec4(c, 1.0);
}`;

// Whether there is a graphics card behind WebGL.
function hardware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const known = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(known ? known.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Painter {
  // Software that imitates a graphics card takes longer than painting pixel by pixel; `how` ("webgl", "plain") insists.
  constructor(canvas, how = "") {
    this.canvas = canvas;
    const gl = how === "webgl" || (how !== "plain" && hardware()) ? canvas.getContext("webgl2", { stencil: true, antialias: true, preserveDrawingBuffer: true, alpha: true, premultipliedAlpha: true }) : null;
    if (!gl) return;
    this.gl = gl;
    this.mask = this.program(PLACE, NOTHING);
    this.paint = this.program(PLACE, PAINT);
    this.outline = gl.createBuffer();
    this.quad = gl.createBuffer();
    this.field = this.texture();
    this.map = this.texture();
    this.triangles = 0;
  }
  program(vertex, fragment) {
    const gl = this.gl, made = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.bindAttribLocation(made, 0, "place");
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const uniforms = {};
    for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(made, k);
      uniforms[name] = gl.getUniformLocation(made, name);
    }
    return { made, uniforms };
  }
  texture() {
    const gl = this.gl, made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    for (const key of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, key, gl.NEAREST);
    for (const key of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, key, gl.CLAMP_TO_EDGE);
    return made;
  }
  setMap(name) {
    this.table = colours(name);
    const gl = this.gl;
    if (!gl) return;
    gl.bindTexture(gl.TEXTURE_2D, this.map);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, this.table);
  }
  setField(grid, lines) {
    this.grid = grid;
    this.lines = lines;
    const gl = this.gl;
    if (!gl) return;
    gl.bindTexture(gl.TEXTURE_2D, this.field);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, grid.nx, grid.ny, 0, gl.RED, gl.FLOAT, grid.values);
    const [x0, y0, x1, y1] = grid.box, px = x0 - (x1 - x0), py = y0 - (y1 - y0);
    const fan = [];
    for (const line of lines) for (let k = 0; k + 3 < line.length; k += 2) fan.push(px, py, line[k], line[k + 1], line[k + 2], line[k + 3]);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.outline);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(fan), gl.DYNAMIC_DRAW);
    this.triangles = fan.length / 2;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([x0, y0, x1, y0, x0, y1, x1, y1]), gl.DYNAMIC_DRAW);
  }
  clear() { this.grid = null; this.draw({ scale: [1, 1], centre: [0, 0] }); }
  draw({ centre, scale, limits = [0, 1], spacing = 0, line = [0, 0, 0, 0.4] }) {
    const { canvas, gl } = this;
    if (!gl) return paint(canvas, this.grid, this.lines, this.table, { centre, scale, limits, spacing, line });
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clearStencil(0);
    gl.stencilMask(255);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    if (!this.grid) return;
    const view = [centre[0], centre[1], (2 * scale[0]) / canvas.width, (2 * scale[1]) / canvas.height];
    gl.enable(gl.STENCIL_TEST);
    gl.enableVertexAttribArray(0);
    gl.colorMask(false, false, false, false);
    gl.stencilFunc(gl.ALWAYS, 0, 1);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INVERT);
    gl.stencilMask(1);
    gl.useProgram(this.mask.made);
    gl.uniform4fv(this.mask.uniforms.view, view);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.outline);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLES, 0, this.triangles);
    gl.colorMask(true, true, true, true);
    gl.stencilFunc(gl.EQUAL, 1, 1);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
    gl.useProgram(this.paint.made);
    const u = this.paint.uniforms;
    gl.uniform4fv(u.view, view);
    gl.uniform4fv(u.box, this.grid.box);
    gl.uniform2f(u.counts, this.grid.nx, this.grid.ny);
    gl.uniform2f(u.limits, limits[0], limits[1] > limits[0] ? limits[1] : limits[0] + 1e-30);
    gl.uniform1f(u.spacing, spacing);
    gl.uniform4fv(u.line, line);
    gl.uniform1i(u.field, 0);
    gl.uniform1i(u.map, 1);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.field);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.map);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.STENCIL_TEST);
  }
}
