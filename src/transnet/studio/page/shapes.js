// The drawing is a view of the domain's text: shapes are found in it, and a drag writes their new numbers back.
import { parse } from "./grammar.js";

const DEFAULTS = { Disk: { center: [0, 0], radius: 1 }, Annulus: { center: [0, 0], inner: 0.5, outer: 1 } };
const ORDER = { Disk: ["center", "radius", "name"], Annulus: ["center", "inner", "outer"], Polygon: ["vertices", "holes", "names"] };

function value(tree, parameters) {
  switch (tree.kind) {
    case "number": return Number(tree.text.replaceAll("_", ""));
    case "name": return tree.name === "pi" ? Math.PI : Number(parameters[tree.name] ?? NaN);
    case "operation": {
      const b = value(tree.right, parameters);
      if (!tree.left) return tree.sign === "-" ? -b : b;
      const a = value(tree.left, parameters);
      return { "+": a + b, "-": a - b, "*": a * b, "/": a / b, "**": a ** b, "^": a ** b }[tree.sign] ?? NaN;
    }
    case "call": return tree.name === "sqrt" ? Math.sqrt(value(tree.args[0], parameters)) : NaN;
  }
  return NaN;
}

export const short = (v) => String(+v.toFixed(4));
const pair = (p) => `(${short(p[0])}, ${short(p[1])})`;

// All the shapes of a text that can be dragged: {kind, tree, minus, ...numbers}.
export function shapes(text, parameters, axes) {
  let tree;
  try { tree = parse(text); } catch { return []; }
  const found = [];
  walk(tree, false, null);
  return found;

  function walk(node, minus, parent) {
    node = node.inner ? { ...node.inner, at: node.inner.at, end: node.inner.end, outer: node } : node;
    if (node.kind === "operation" && node.left && "-|&*".includes(node.sign)) {
      walk(node.left, minus, { node, side: "left" });
      if (node.sign !== "*") walk(node.right, node.sign === "-" ? !minus : minus, { node, side: "right" });
      return;
    }
    if (node.kind !== "call") return;
    const made = read(node);
    if (made) found.push({ ...made, tree: node, minus, parent });
  }
  function read(node) {
    const args = {};
    (ORDER[node.name] ?? []).forEach((name, k) => { if (node.args[k] && node.args[k].kind !== "keyword") args[name] = node.args[k]; });
    node.args.forEach((a) => { if (a.kind === "keyword") args[a.name] = a.value; });
    const number = (name) => (args[name] ? value(args[name], parameters) : DEFAULTS[node.name][name]);
    const point = (t) => (t?.kind === "items" && t.items.length === 2 ? t.items.map((i) => value(i, parameters)) : null);
    const name = args.name?.kind === "text" ? args.name.text : "";
    const fine = (shape, numbers) => (numbers.every(Number.isFinite) ? { ...shape, args, name } : null);
    if (node.name === "Disk" || (node.name === "Ball" && false)) {
      const center = args.center ? point(args.center) : [0, 0], radius = number("radius");
      return center && fine({ kind: "disk", center, radius }, [...center, radius]);
    }
    if (node.name === "Annulus") {
      const center = args.center ? point(args.center) : [0, 0], inner = number("inner"), outer = number("outer");
      return center && fine({ kind: "annulus", center, inner, outer }, [...center, inner, outer]);
    }
    if (node.name === "Box" && axes.length === 2 && args[axes[0]] && args[axes[1]]) {
      const x = point(args[axes[0]]), y = point(args[axes[1]]);
      return x && y && fine({ kind: "box", x, y, axes }, [...x, ...y]);
    }
    if (node.name === "Polygon" && args.vertices?.kind === "items") {
      const corners = args.vertices.items.map(point);
      return corners.every(Boolean) ? fine({ kind: "polygon", corners }, corners.flat()) : null;
    }
    if (node.name === "Region" && node.args.length === 1 && node.args[0].name === "Curve" && node.args[0].args[0]?.kind === "items") {
      const middle = node.args[0].args[0].items.map(first), curve = node.args[0].args.find((a) => a.kind === "keyword" && a.name === "name");
      const center = middle.map((t) => value(t, parameters));
      return middle.length === 2 ? fine({ kind: "curve", center, middle, curve }, center) : null;
    }
    return null;
  }
}
// The first term of a sum: of a curve that was drawn here it is the middle.
function first(tree) {
  while (tree.kind === "operation" && tree.left && "+-".includes(tree.sign)) tree = tree.left;
  return tree;
}

// The places by which a shape is held, each with what a drag to (x, y) makes of the shape.
export function handles(shape) {
  const moved = (dx, dy) => {
    switch (shape.kind) {
      case "box": return { x: shape.x.map((v) => v + dx), y: shape.y.map((v) => v + dy) };
      case "polygon": return { corners: shape.corners.map(([a, b]) => [a + dx, b + dy]) };
      default: return { center: [shape.center[0] + dx, shape.center[1] + dy] };
    }
  };
  const whole = (x, y) => ({ role: "move", x, y, drag: (a, b) => moved(a - x, b - y) });
  const least = 0.01;
  switch (shape.kind) {
    case "disk": {
      const [x, y] = shape.center, away = (a, b) => Math.max(Math.hypot(a - x, b - y), least);
      return [whole(x, y), { role: "size", x: x + shape.radius, y, drag: (a, b) => ({ radius: away(a, b) }) }];
    }
    case "annulus": {
      const [x, y] = shape.center, away = (a, b) => Math.max(Math.hypot(a - x, b - y), least);
      return [whole(x, y), { role: "size", x: x + shape.outer, y, drag: (a, b) => ({ outer: Math.max(away(a, b), shape.inner + least) }) },
        { role: "size", x: x + shape.inner, y, drag: (a, b) => ({ inner: Math.min(away(a, b), shape.outer - least) }) }];
    }
    case "curve": return [whole(...shape.center)];
    case "box": {
      const { x, y } = shape, found = [whole((x[0] + x[1]) / 2, (y[0] + y[1]) / 2)];
      for (const i of [0, 1]) for (const j of [0, 1])
        found.push({ role: "corner", x: x[i], y: y[j], drag: (a, b) => {
          const u = [...x], v = [...y];
          u[i] = i ? Math.max(a, x[0] + least) : Math.min(a, x[1] - least);
          v[j] = j ? Math.max(b, y[0] + least) : Math.min(b, y[1] - least);
          return { x: u, y: v };
        } });
      return found;
    }
    case "polygon": {
      const n = shape.corners.length, mean = [0, 1].map((k) => shape.corners.reduce((s, c) => s + c[k], 0) / n);
      return [whole(...mean), ...shape.corners.map(([x, y], k) => ({ role: "corner", x, y, vertex: k, drag: (a, b) => ({ corners: shape.corners.map((c, m) => (m === k ? [a, b] : c)) }) }))];
    }
  }
  return [];
}

// The text of the domain, and the parameters, with a shape changed. A size that is a parameter changes the parameter.
export function rewritten(text, shape, change, parameters) {
  const edits = [], values = { ...parameters }, fresh = [];
  const put = (tree, number) => {
    if (tree.kind === "name" && tree.name in parameters) values[tree.name] = +short(number);
    else if (Math.abs(value(tree, parameters) - number) > 1e-9) edits.push([tree.at, tree.end, short(number)]);
  };
  const numbers = (tree, name, list) => {
    if (tree?.kind === "items") tree.items.forEach((t, k) => put(t, list[k]));
    else fresh.push(`${name}=${pair(list)}`);
  };
  const { args } = shape;
  if (change.center && shape.middle) shape.middle.forEach((t, k) => put(t, change.center[k]));
  else if (change.center) numbers(args.center, "center", change.center);
  for (const name of ["radius", "inner", "outer"])
    if (change[name] !== undefined) { if (args[name]) put(args[name], change[name]); else fresh.push(`${name}=${short(change[name])}`); }
  if (change.x) { numbers(args[shape.axes[0]], shape.axes[0], change.x); numbers(args[shape.axes[1]], shape.axes[1], change.y); }
  if (change.corners) {
    const items = args.vertices.items;
    if (items.length === change.corners.length) items.forEach((t, k) => numbers(t, "", change.corners[k]));
    else edits.push([args.vertices.at, args.vertices.end, `[${change.corners.map(pair).join(", ")}]`]);
  }
  if (fresh.length) {
    const at = shape.tree.end - 1, comma = shape.tree.args.length ? ", " : "";
    edits.push([at, at, comma + fresh.join(", ")]);
  }
  edits.sort((a, b) => b[0] - a[0]);
  return { text: edits.reduce((t, [a, b, s]) => t.slice(0, a) + s + t.slice(b), text), parameters: values };
}

// The text with another shape united with the domain, or cut out of it; factors of time stay where they are.
export function joined(text, made, minus) {
  const sign = minus ? "-" : "|";
  let tree;
  try { tree = parse(text); } catch { return made; }
  if (!text.trim()) return made;
  if (tree.kind === "operation" && tree.sign === "*" && !tree.bracketed) {
    const space = text.slice(tree.left.at, tree.left.end), rest = text.slice(tree.left.end);
    const bare = tree.left.bracketed ? text.slice(tree.left.at + 1, tree.left.end - 1) : space;
    return `(${bare} ${sign} ${made})${rest}`;
  }
  const mixed = tree.kind === "operation" && tree.sign !== sign && !tree.bracketed && sign === "|";
  return mixed ? `(${text.trim()}) | ${made}` : `${text.trim()} ${sign} ${made}`;
}

// The text without a shape; null if nothing would be left.
export function without(text, shape) {
  const { parent } = shape;
  if (!parent) return null;
  const { node, side } = parent;
  if (side === "right") return text.slice(0, node.left.end) + text.slice(node.right.end);
  if (node.sign !== "|") return null;
  return text.slice(0, node.left.at) + text.slice(node.right.at);
}

// A disk, a box or a polygon between two points of a drag, as text.
export function drawn(tool, from, to, axes, name) {
  const named = name ? `, name='${name}'` : "";
  if (tool === "disk") return `Disk(center=${pair(from)}, radius=${short(Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 0.02))}${named})`;
  if (tool === "ring") { const r = Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 0.04); return `Annulus(center=${pair(from)}, inner=${short(r / 2)}, outer=${short(r)})`; }
  const side = (k) => { const a = Math.min(from[k], to[k]), b = Math.max(from[k], to[k]); return `${axes[k]}=(${short(a)}, ${short(b > a ? b : a + 0.05)})`; };
  return `Box(${side(0)}, ${side(1)}${named})`;
}

// A freely drawn line, closed and smoothed: a curve with a few terms of its Fourier series. Null if it is too short.
const TERMS = 6, SAMPLES = 96;
export function freehand(points, name) {
  const closed = [...points, points[0]], lengths = [0];
  for (let k = 1; k < closed.length; k++) lengths.push(lengths[k - 1] + Math.hypot(closed[k][0] - closed[k - 1][0], closed[k][1] - closed[k - 1][1]));
  const whole = lengths.at(-1);
  if (points.length < 8 || !(whole > 0)) return null;
  let even = [], k = 1;
  for (let n = 0; n < SAMPLES; n++) {
    const at = (whole * n) / SAMPLES;
    while (lengths[k] < at) k++;
    const part = (at - lengths[k - 1]) / (lengths[k] - lengths[k - 1] || 1);
    even.push([0, 1].map((c) => closed[k - 1][c] + part * (closed[k][c] - closed[k - 1][c])));
  }
  const area = even.reduce((sum, p, n) => { const q = even[(n + 1) % SAMPLES]; return sum + p[0] * q[1] - p[1] * q[0]; }, 0) / 2;
  if (Math.abs(area) < 0.02 * whole * whole / 12.6) return null;
  if (area < 0) even = even.reverse();
  const size = Math.sqrt(Math.abs(area)), term = (v, text) => (Math.abs(v) < 0.004 * size ? "" : ` ${v < 0 ? "-" : "+"} ${short(Math.abs(v))}*${text}`);
  const sums = [0, 1].map((c) => {
    const mean = even.reduce((s, p) => s + p[c], 0) / SAMPLES;
    let text = short(mean);
    for (let m = 1; m <= TERMS; m++) {
      const angle = m === 1 ? "s" : `${m}*s`;
      for (const f of ["cos", "sin"]) text += term((2 / SAMPLES) * even.reduce((s, p, n) => s + p[c] * Math[f]((2 * Math.PI * m * n) / SAMPLES), 0), `${f}(${angle})`);
    }
    return text;
  });
  return `Region(Curve((${sums.join(", ")}), (s, 0, 2*pi)${name ? `, name='${name}'` : ""}))`;
}
export const polygon = (corners) => `Polygon([${corners.map(pair).join(", ")}])`;
