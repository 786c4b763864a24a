// The stage: the view, the outline with its coloured parts, the handles, and what the pointer does.
import { Grid, Painter } from "./field.js";
import { inside, range } from "./outline.js";
import { drawCurve, drawFlow, pretty, streamlines, ticks } from "./curves.js";
import { drawn, freehand, handles, joined, polygon, rewritten, shapes, short } from "./shapes.js";

export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31", "#374c80", "#bc5090"];
const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes, parent) => {
  const made = document.createElementNS(SVG, name);
  for (const [k, v] of Object.entries(attributes)) made.setAttribute(k, v);
  parent?.append(made);
  return made;
};

export class Stage {
  constructor(root, hooks) {
    this.root = root; this.hooks = hooks;
    this.rule = root.querySelector("#rule"); this.field = root.querySelector("#field"); this.ink = root.querySelector("#ink"); this.svg = root.querySelector("#draw");
    this.plot = root.querySelector("#plot"); this.tip = root.querySelector("#tip");
    this.painter = new Painter(this.field);
    this.painter.setMap("sea");
    Object.assign(this, { map: "sea", contours: true, tool: "", sign: "-", snap: true, lines: [], parts: [], centre: [0, 0], scale: [1, 1], fitted: true, corners: [], picked: -1 });
    new ResizeObserver(() => { this.size(); this.redraw(); }).observe(root);
    this.listen();
    this.size();
  }
  // -- the view -------------------------------------------------------------------------------------------------------
  size() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), { clientWidth: w, clientHeight: h } = this.root;
    this.width = w; this.height = h; this.ratio = ratio;
    for (const c of [this.rule, this.field, this.ink]) { c.width = Math.max(1, Math.round(w * ratio)); c.height = Math.max(1, Math.round(h * ratio)); }
    this.framed = "";
    this.svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
    if (this.fitted) this.fit();
  }
  fit() {
    this.fitted = true;
    if (!this.bounds) return;
    const [x0, y0, x1, y1] = this.bounds, below = this.plot.hidden || this.flat ? 0 : 160;
    const w = this.width - 100 - (this.width < 600 ? 0 : 60), h = this.height - 70 - below, sx = w / (x1 - x0), sy = h / (y1 - y0);
    const same = Math.min(sx, sy);
    this.scale = this.timelike || sx / sy > 6 || sy / sx > 6 ? [sx, sy] : [same, same];
    this.centre = [(x0 + x1) / 2 + (this.width < 600 ? 0.02 : 0) * w / this.scale[0], (y0 + y1) / 2 - (below / 2 - 4) / this.scale[1]];
  }
  place(x, y) { return [this.width / 2 + (x - this.centre[0]) * this.scale[0], this.height / 2 - (y - this.centre[1]) * this.scale[1]]; }
  world(a, b) { return [this.centre[0] + (a - this.width / 2) / this.scale[0], this.centre[1] - (b - this.height / 2) / this.scale[1]]; }
  window() { const [x0, y1] = this.world(0, 0), [x1, y0] = this.world(this.width, this.height); return [x0, y0, x1, y1]; }
  zoomed() { if (this.fitted || !this.bounds) return false; const [x0, y0, x1, y1] = this.window(), [a, b, c, d] = this.bounds; return x1 - x0 < 0.7 * (c - a) || y1 - y0 < 0.7 * (d - b); }
  // -- what is shown --------------------------------------------------------------------------------------------------
  show(head, arrays, options) {
    this.options = options;
    this.flat = head.axes.length === 1;
    this.axes = head.axes;
    this.timelike = head.axes.includes("t");
    if (this.flat) {
      this.curve = { values: arrays[0], low: head.box[0], high: head.box[1] };
      this.lines = []; this.parts = []; this.grid = null; this.painter.clear(); this.redraw();
      return;
    }
    const lines = arrays.slice(1 + head.flow), values = arrays[0];
    this.lines = [...lines]; this.parts = head.parts;
    this.grid = new Grid(values, head.counts, head.box);
    this.flow = head.flow === 2 ? [new Grid(arrays[1], head.counts, head.box), new Grid(arrays[2], head.counts, head.box)] : null;
    this.flowLines = null;
    const found = range(this.grid, this.lines);
    const signed = found[0] < 0 && found[1] > 0 && Math.min(-found[0], found[1]) > 0.25 * Math.max(-found[0], found[1]);
    this.limits = this.map === "balance" && signed ? [-Math.max(-found[0], found[1]), Math.max(-found[0], found[1])] : found;
    const bounds = [0, 1].flatMap((k) => head.axes.map((a) => head.all[a][k]));
    const changed = !this.bounds || bounds.some((b, k) => Math.abs(b - this.bounds[k]) > 1e-9);
    this.bounds = bounds;
    if (changed && this.fitted && !this.held) this.fit();
    this.painter.setField(this.grid, this.lines);
    this.redraw();
  }
  setMap(name) { this.map = name; this.painter.setMap(name); }
  theme() { const s = getComputedStyle(document.documentElement), of = (n) => s.getPropertyValue(n).trim(); return { ink: of("--ink"), soft: of("--soft"), line: of("--line"), accent: of("--accent"), dark: document.documentElement.dataset.theme === "dark" }; }
  redraw() {
    const ink = this.ink.getContext("2d");
    this.root.querySelector("#bar").hidden = !this.grid;
    if (this.flat && this.curve) {
      this.wiped();
      this.svg.replaceChildren();
      drawCurve(ink, this.width, this.height, this.curve.values, this.curve.low, this.curve.high, this.options.label, this.theme());
      return;
    }
    if (!this.grid) { this.wiped(); this.svg.replaceChildren(); return; }
    const spacing = this.contours ? ticks(this.limits[0], this.limits[1], 16).step : 0;
    const dark = this.map === "sea" || this.map === "ember";
    this.painter.draw({ centre: this.centre, scale: [this.scale[0] * this.ratio, this.scale[1] * this.ratio], limits: this.limits, spacing, line: [...(dark ? [1, 1, 1] : [0, 0, 0]), this.flow ? 0.12 : 0.34] });
    const framed = [this.centre, this.scale, this.width, this.height, this.ratio, this.plot.hidden, this.axes, document.documentElement.dataset.theme].join();
    if (this.flow || framed !== this.framed) {
      this.wiped();
      this.drawAxes(ink, this.theme());
      if (this.flow) this.drawStream(ink); else this.framed = framed;
    }
    this.drawBar();
    this.overlay();
  }
  wiped() {
    this.framed = "";
    for (const pen of [this.ink.getContext("2d"), this.rule.getContext("2d")]) {
      pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      pen.clearRect(0, 0, this.width, this.height);
    }
  }
  // What lies on top of the field: this is all that changes while a hand moves and no new field has come.
  overlay() {
    this.svg.replaceChildren();
    if (this.flat || !this.grid) return;
    this.drawOutline();
    this.drawArrows();
    this.drawHandles();
    this.drawCutLine();
  }
  drawAxes(ink, theme) {
    const [x0, y0, x1, y1] = this.window(), rule = this.rule.getContext("2d"), bottom = this.height - (this.plot.hidden ? 0 : 164);
    rule.strokeStyle = theme.line; rule.lineWidth = 1;
    ink.font = "11.5px system-ui, 'DejaVu Sans', sans-serif"; ink.lineWidth = 1;
    for (const [k, low, high] of [[0, x0, x1], [1, y0, y1]])
      for (const t of ticks(low, high, (k ? this.height : this.width) / 95).found) {
        const [a, b] = k ? this.place(x0, t) : this.place(t, y0);
        rule.beginPath();
        if (k) { rule.moveTo(0, b); rule.lineTo(this.width, b); } else { rule.moveTo(a, 0); rule.lineTo(a, this.height); }
        rule.stroke();
        ink.fillStyle = theme.soft;
        if (k ? b > 20 && b < bottom - 24 : a > 26 && a < this.width - 18) { ink.textAlign = k ? "left" : "center"; if (k) ink.fillText(pretty(t), 6, b + 4); else ink.fillText(pretty(t), a, bottom - 8); }
      }
    ink.fillStyle = theme.ink; ink.font = "italic 13px Georgia, 'DejaVu Serif', serif"; ink.textAlign = "right";
    ink.fillText(this.axes[0], this.width - 8, bottom - 10); ink.textAlign = "left"; ink.fillText(this.axes[1], 8, 16);
  }
  drawStream(ink) {
    this.flowLines ??= streamlines(this.flow[0], this.flow[1], (x, y) => inside(this.lines, x, y), this.grid.box, (this.grid.box[2] - this.grid.box[0]) / 30);
    drawFlow(ink, this.flowLines, (x, y) => this.place(x, y), this.map === "balance" || this.map === "ink" ? "#1118" : "#fffb");
  }
  colour(part) { const k = this.hooks.parts().indexOf(part); return k < 0 ? "#808a99" : COLOURS[k % COLOURS.length]; }
  path(line) { let d = ""; for (let k = 0; k < line.length; k += 2) { const [a, b] = this.place(line[k], line[k + 1]); d += `${k ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`; } return d; }
  drawOutline() {
    const named = new Set();
    this.lines.forEach((line, k) => {
      const part = this.parts[k] ?? "";
      make("path", { d: this.path(line), stroke: this.colour(part), "data-part": part }, this.svg);
      if (part && !named.has(part) && this.hover === part) { const m = 2 * Math.floor(line.length / 4), [a, b] = this.place(line[m], line[m + 1]); const t = make("text", { x: a + 8, y: b - 8, fill: this.colour(part) }, this.svg); t.textContent = part; named.add(part); }
    });
  }
  // Where the boundary would have to go for the result to grow: x, y and the components of each arrow.
  drawArrows() {
    const found = this.arrows ?? [], longest = 34;
    for (let k = 0; k + 3 < found.length; k += 4) {
      const [a, b] = this.place(found[k], found[k + 1]), c = a + longest * found[k + 2], d = b - longest * found[k + 3];
      const size = Math.hypot(c - a, d - b);
      if (size < 1.5) continue;
      const [u, v] = [(c - a) / size, (d - b) / size], tip = Math.min(6, size);
      make("path", { class: "arrow", d: `M${a} ${b}L${c} ${d}M${c - tip * (u - 0.6 * v)} ${d - tip * (v + 0.6 * u)}L${c} ${d}L${c - tip * (u + 0.6 * v)} ${d - tip * (v - 0.6 * u)}` }, this.svg);
    }
  }
  drawHandles() {
    if (this.tool || this.hooks.still()) return;
    this.shapes = shapes(this.hooks.domain(), this.hooks.parameters(), this.axes);
    this.shapes.forEach((shape, n) => handles(shape).forEach((h, m) => {
      const [a, b] = this.place(h.x, h.y), classes = `${h.role} ${shape.minus ? "minus" : ""} ${this.picked === n ? "picked" : ""}`;
      const big = window.matchMedia("(pointer: coarse)").matches ? 10 : 6;
      const made = make("circle", { cx: a, cy: b, r: h.role === "move" ? big : big - 1, class: `handle ${classes}`, "data-shape": n, "data-handle": m, tabindex: 0 }, this.svg);
      make("title", {}, made).textContent = h.role === "move" ? "Drag to move; Delete removes" : "Drag to change";
    }));
    if (this.ghost) make("path", { d: this.ghost, class: "ghost" }, this.svg);
  }
  drawCutLine() {
    if (this.tool && this.ghost) make("path", { d: this.ghost, class: "ghost" }, this.svg);
    const line = this.cutLine;
    if (!line) return;
    const [a, b] = this.place(...line[0]), [c, d] = this.place(...line[1]);
    make("path", { d: `M${a} ${b}L${c} ${d}`, class: "cutline" }, this.svg);
    [[a, b], [c, d]].forEach(([x, y], k) => make("circle", { cx: x, cy: y, r: 6, "data-cut": k, class: "handle" }, this.svg));
  }
  drawBar() {
    const barred = [this.map, this.limits, this.options.log].join();
    if (barred === this.barred) return;
    this.barred = barred;
    const canvas = this.root.querySelector("#bar-canvas"), ink = canvas.getContext("2d"), image = ink.createImageData(1, 256);
    for (let k = 0; k < 256; k++) for (let c = 0; c < 4; c++) image.data[4 * k + c] = this.painter.table[4 * (255 - k) + c];
    ink.putImageData(image, 0, 0);
    const power = this.options.log ? (v) => `1e${v.toFixed(1)}` : pretty;
    this.root.querySelector("#bar-high").textContent = power(this.limits[1]);
    this.root.querySelector("#bar-low").textContent = power(this.limits[0]);
  }
  showCut(values, length) {
    this.cutValues = { values, length };
    const box = this.plot.getBoundingClientRect(), ratio = this.ratio;
    this.plot.width = box.width * ratio; this.plot.height = box.height * ratio;
    const ink = this.plot.getContext("2d");
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    const name = this.timelike ? this.axes.find((a) => a !== "t") : "", low = this.timelike && this.cutLine && this.cutLine[0][1] === this.cutLine[1][1] ? this.cutLine[0][0] : 0;
    drawCurve(ink, box.width, box.height, values, low, low + length, `${this.options.label} along ${name || "the line"}`, this.theme(), this.timelike ? this.limits : null);
  }
  // -- the pointer ----------------------------------------------------------------------------------------------------
  snapped(x, y, free) {
    if (!this.snap || free) return [x, y];
    const step = ticks(...this.world(0, 0).slice(0, 1), this.world(this.width, 0)[0], this.width / 95).step / 20;
    return [x, y].map((v) => +(Math.round(v / step) * step).toPrecision(10));
  }
  at(event) { const box = this.root.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; }
  listen() {
    const { root } = this;
    root.addEventListener("pointerdown", (e) => this.down(e));
    root.addEventListener("pointermove", (e) => this.move(e));
    root.addEventListener("pointerup", (e) => this.up(e));
    root.addEventListener("pointercancel", (e) => this.up(e));
    root.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    root.addEventListener("dblclick", () => { if (this.tool === "polygon") this.closePolygon(); });
    root.addEventListener("wheel", (e) => {
      if (this.flat || !this.grid) return;
      e.preventDefault();
      const p = this.at(e), [x, y] = this.world(...p), f = Math.exp(-e.deltaY * 0.0015);
      this.scale = this.scale.map((s) => s * f);
      const [u, v] = this.world(...p);
      this.centre = [this.centre[0] + x - u, this.centre[1] + y - v];
      this.fitted = false;
      this.redraw();
      this.hooks.viewed();
    }, { passive: false });
  }
  down(e) {
    if (e.button > 0 || e.target.closest("#plot")) return;
    const p = this.at(e), where = this.world(...p), data = e.target.dataset;
    root: if (data.shape !== undefined) {
      this.picked = +data.shape;
      const shape = this.shapes[+data.shape];
      this.held = { kind: "handle", shape, n: +data.shape, m: +data.handle, text: this.hooks.domain(), parameters: this.hooks.parameters(), start: where };
      this.held.handle = handles(shape)[+data.handle];
    } else if (data.cut !== undefined) this.held = { kind: "cut", k: +data.cut };
    else if (this.tool === "polygon") { this.addCorner(this.snapped(...where, e.altKey), p); return; }
    else if (this.tool === "cut") { this.cutLine = [where, where]; this.held = { kind: "cut", k: 1 }; }
    else if (this.tool === "free") this.held = { kind: "free", points: [where] };
    else if (this.tool) this.held = { kind: "new", from: this.snapped(...where, e.altKey) };
    else { this.held = { kind: "pan", centre: [...this.centre], p }; if (this.picked >= 0) { this.picked = -1; this.redraw(); } }
    this.root.setPointerCapture(e.pointerId);
    e.preventDefault();
    this.root.focus({ preventScroll: true });
  }
  move(e) {
    const p = this.at(e), where = this.world(...p), held = this.held;
    if (!held) {
      this.hover = e.target.dataset?.part ?? "";
      if (this.tool === "polygon" && this.corners.length) { this.ghost = this.path([...this.corners, where].flat()); this.overlay(); }
      this.pointTo(where);
      return;
    }
    if (held.kind === "pan") {
      this.centre = [held.centre[0] - (p[0] - held.p[0]) / this.scale[0], held.centre[1] + (p[1] - held.p[1]) / this.scale[1]];
      this.fitted = false;
      this.redraw();
      this.hooks.viewed();
    } else if (held.kind === "cut") { this.cutLine[held.k] = where; this.overlay(); this.hooks.cut(this.cutLine); }
    else if (held.kind === "free") {
      const [a, b] = this.place(...held.points.at(-1));
      if (Math.hypot(a - p[0], b - p[1]) > 3) held.points.push(where);
      this.ghost = this.path(held.points.flat());
      this.overlay();
    } else if (held.kind === "new") {
      held.to = this.snapped(...where, e.altKey);
      const [a, b] = this.place(...held.from), [c, d] = this.place(...held.to), r = Math.hypot(c - a, d - b);
      this.ghost = this.tool === "box" ? `M${a} ${b}H${c}V${d}H${a}Z` : [r, ...(this.tool === "ring" ? [r / 2] : [])].map((q) => `M${a + q} ${b}A${q} ${q} 0 1 1 ${a - q} ${b}A${q} ${q} 0 1 1 ${a + q} ${b}`).join("");
      this.overlay();
    } else {
      const target = [held.handle.x + where[0] - held.start[0], held.handle.y + where[1] - held.start[1]];
      const change = held.handle.drag(...this.snapped(...target, e.altKey));
      const next = rewritten(held.text, held.shape, change, held.parameters);
      this.hooks.dragged(next.text, next.parameters);
      this.overlay();
    }
  }
  up(e) {
    const held = this.held;
    this.held = null;
    if (!held) return;
    if (held.kind === "new" && held.to) {
      const minus = this.sign === "-", name = this.tool === "ring" ? "" : this.hooks.freshName(minus ? "hole" : this.tool);
      const made = drawn(this.tool, held.from, held.to, this.axes ?? ["x", "y"], name);
      this.ghost = null;
      this.hooks.added(joined(this.hooks.domain(), made, minus), name);
    } else if (held.kind === "free") {
      const minus = this.sign === "-", name = this.hooks.freshName(minus ? "hole" : "blob"), made = freehand(held.points, name);
      this.ghost = null;
      if (made) this.hooks.added(joined(this.hooks.domain(), made, minus), name);
    } else if (held.kind === "handle") this.hooks.dropped();
    else if (held.kind === "cut") this.hooks.cut(this.cutLine);
    this.redraw();
  }
  addCorner(where, p) {
    if (this.corners.length > 2) { const [a, b] = this.place(...this.corners[0]); if (Math.hypot(a - p[0], b - p[1]) < 12) return this.closePolygon(); }
    this.corners.push(where);
    this.ghost = this.path(this.corners.flat());
    this.redraw();
  }
  closePolygon() {
    const corners = this.corners.filter((c, k) => !k || Math.hypot(c[0] - this.corners[k - 1][0], c[1] - this.corners[k - 1][1]) > 1e-9);
    this.corners = []; this.ghost = null;
    if (corners.length > 2) this.hooks.added(joined(this.hooks.domain(), polygon(corners), this.sign === "-"), "");
    this.redraw();
  }
  escape() { this.corners = []; this.ghost = null; this.picked = -1; this.redraw(); }
  pointTo([x, y]) {
    if (!this.grid || !inside(this.lines, x, y)) { this.tip.hidden = true; return; }
    this.tip.hidden = false;
    this.tip.textContent = `${this.axes[0]} = ${short(x)}  ${this.axes[1]} = ${short(y)}\n${this.options.label} = ${pretty(this.grid.at(x, y))}`;
    this.hooks.probe([x, y]);
  }
}
