// The panel: fields with their typeset lines and marked errors, and parameters as sliders.
import { typeset } from "./typeset.js";

export const $ = (id) => document.getElementById(id);
export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) if (k.startsWith("on")) made[k] = v; else if (k in made && k !== "list") made[k] = v; else made.setAttribute(k, v);
  made.append(...children);
  return made;
};

// Asking for the height lays the page out anew, so it is asked for where the text or the width is another.
export function grow(area) {
  const grown = `${area.clientWidth} ${area.value}`;
  if (area.dataset.grown === grown) return;
  area.dataset.grown = grown;
  area.style.height = "auto"; area.style.height = `${area.scrollHeight + 2}px`;
}

// Typeset the lines of a field below it.
export function setLines(field, text) {
  const target = document.querySelector(`.set[data-of="${field}"]`);
  if (!target || target.dataset.text === text) return;
  target.dataset.text = text;
  target.replaceChildren(...text.split("\n").filter((l) => l.trim()).map((line) => typeset(line)).filter(Boolean).map((m) => element("div", {}, m)));
}

// Mark the place of an error in a field, and explain it below; a null error takes the mark away.
let marked = true;
export function mark(field, error) {
  if (error) marked = true;
  const area = $(field), code = area.closest(".code");
  const holder = code ?? area;
  holder.parentElement.querySelectorAll(".explain").forEach((e) => e.remove());
  code?.classList.toggle("wrong", Boolean(error));
  const mirror = code?.querySelector("pre");
  mirror?.replaceChildren();
  if (!error) return;
  if (mirror && error.column !== undefined) {
    const lines = area.value.split("\n"), before = lines.slice(0, error.line).join("\n").length + (error.line ? 1 : 0);
    const line = lines[error.line] ?? "", from = Math.max(0, Math.min(error.column, Math.max(line.length - 1, 0)));
    const word = line.slice(from).match(/^[\p{L}\p{N}_.]+|^./u)?.[0] ?? " ";
    mirror.append(area.value.slice(0, before + from), element("mark", { textContent: word }), area.value.slice(before + from + word.length));
  }
  holder.after(element("div", { className: "explain", textContent: error.text }));
}
export function unmark() {
  if (!marked) return;
  marked = false;
  ["domain", "equations", "conditions", "definitions", "coordinates", "unknowns", "eigen"].forEach((f) => mark(f, null)); $("parameters").parentElement.querySelectorAll(".explain").forEach((e) => e.remove());
}

// A slider for each parameter. Its ends are found from the value when it is first seen, and stay.
const ends = new Map();
function range(name, v) {
  const known = ends.get(name);
  if (known && v >= known[0] && v <= known[1]) return known;
  const made = v === 0 ? [-1, 1] : v > 0 ? [0, 2 * v] : [2 * v, 0];
  ends.set(name, made);
  return made;
}
export function forget() { ends.clear(); }

export function parameterRows(parameters, { changed, settled, removed }) {
  const target = $("parameters"), names = Object.keys(parameters);
  const same = [...target.children].map((c) => c.dataset.name).join() === names.join();
  if (!same)
    target.replaceChildren(...names.map((name) => {
      const slide = element("input", { type: "range", step: "any", ariaLabel: name, oninput: () => changed(name, +(+slide.value).toPrecision(4)), onchange: settled });
      const box = element("input", { type: "text", inputMode: "decimal", ariaLabel: `${name} as a number`, onchange: () => { const v = Number(box.value); changed(name, Number.isFinite(v) && box.value.trim() ? v : box.value); settled(); } });
      const row = element("div", { className: "parameter" }, element("span", { textContent: name }), slide, box, element("button", { className: "quiet", textContent: "×", title: `Remove ${name}`, onclick: () => removed(name) }));
      row.dataset.name = name;
      return row;
    }));
  for (const row of target.children) {
    const v = parameters[row.dataset.name], [slide, box] = row.querySelectorAll("input");
    if (typeof v === "number") {
      const [low, high] = range(row.dataset.name, v);
      Object.assign(slide, { min: low, max: high });
      if (document.activeElement !== slide || +slide.value !== v) slide.value = v;
    }
    slide.disabled = typeof v !== "number";
    if (document.activeElement !== box) box.value = String(v);
  }
}

// The slope of the result at each slider; without slopes nothing is said.
export function slopeMarks(slopes) {
  for (const row of $("parameters").children) {
    const slope = slopes?.[row.dataset.name], name = row.firstChild;
    row.dataset.slope = slope === undefined || slope === null ? "" : `${slope > 0 ? "↗" : slope < 0 ? "↘" : "→"} ${Number(slope).toPrecision(3)}`;
    name.title = row.dataset.slope && `The result changes by ${Number(slope).toPrecision(6)} per unit of ${row.dataset.name}`;
  }
}
