// The studio: one problem, its history, and everything that follows when it changes.
import { mapNames } from "./field.js";
import { Improver } from "./improve.js";
import { Link } from "./link.js";
import { $, element, forget, grow, mark, parameterRows, setLines, unmark } from "./panel.js";
import { without } from "./shapes.js";
import { COLOURS, Stage } from "./stage.js";
import { pretty } from "./curves.js";
import { coded, decoded, fileName, png, save, svg } from "./take.js";
import { blank, compose, fields } from "./toml.js";

const EIGEN = [...document.querySelectorAll("[data-eigen]")];
const TEXTS = ["title", "coordinates", "unknowns", "domain", "equations", "conditions", "definitions"];
const REST = 420; // milliseconds without a change after which the problem is solved with all digits
let state = blank(), past = [], future = [], saved = "", frame = null, boundary = [], timer = 0, places = [], still = false, playing = 0;
const fixed = {}, view = { show: "", flow: "", mode: 0 }, timing = [];
window.studio = { timing, get state() { return state; }, get frame() { return frame; }, get stage() { return stage; }, get link() { return link; } };

// -- the problem and its history ----------------------------------------------------------------------------------------
const copy = () => JSON.stringify(state);
function remember() {
  const now = copy();
  if (now === saved) return;
  past.push(saved);
  if (past.length > 300) past.shift();
  future = [];
  saved = now;
  buttons();
  address();
}
function address() { history.replaceState({ token }, "", `#problem=${coded(compose(state).text)}`); }
function step(from, to) {
  remember();
  if (!from.length) return;
  to.push(saved);
  saved = from.pop();
  state = JSON.parse(saved);
  address();
  shown();
  solve(true);
  rest();
  buttons();
}
const undo = () => step(past, future), redo = () => { const kept = future; future = []; const next = kept.pop(); if (next === undefined) { future = kept; return; } past.push(saved); saved = next; state = JSON.parse(saved); future = kept; shown(); solve(true); rest(); buttons(); };
function buttons() { $("undo").disabled = !past.length; $("redo").disabled = !future.length; }

function open(next) {
  state = { ...blank(), ...next };
  improver.stop();
  Object.keys(fixed).forEach((k) => delete fixed[k]);
  Object.assign(view, { show: "", flow: "", mode: 0 });
  $("flow").classList.remove("on");
  forget();
  stage.root.classList.add("stale"); // the field is still that of the problem before
  stage.fitted = true;
  stage.bounds = null;
  stage.cutLine = null;
  $("plot").hidden = true;
  $("cut").classList.remove("on");
  stopPlaying();
  if (saved) remember(); else saved = copy();
  shown();
  solve(true);
  rest(60);
}

// -- showing the problem ------------------------------------------------------------------------------------------------
function shown() {
  for (const field of TEXTS) {
    const area = $(field);
    if (area.value !== state[field]) area.value = state[field];
    if (area.tagName === "TEXTAREA") grow(area);
    setLines(field, state[field]);
  }
  if (document.activeElement !== $("result")) $("result").value = state.results[chosen()] ?? "";
  for (const input of EIGEN) if (document.activeElement !== input) input.value = String(state.eigen?.[input.dataset.eigen] ?? "");
  parameterRows(state.parameters, {
    changed: (name, value) => { state.parameters[name] = value; shown(); solve(true); rest(); },
    settled: remember,
    removed: (name) => { delete state.parameters[name]; changed(); },
  });
  document.title = state.title ? `${state.title} – transnet studio` : "transnet studio";
}
function changed() { shown(); solve(true); rest(); }
// The result that is chosen: the first that is one line of text.
const chosen = () => Object.keys(state.results).find((n) => typeof state.results[n] === "string") ?? "result";
const improver = new Improver({
  ask: () => { if (state.results[chosen()]) link.send("slope", { toml: compose(state).text }); else improver.forget(); },
  parameters: () => state.parameters,
  put: (values) => { state.parameters = values; shown(); solve(true); rest(60); },
  drawn: (arrows) => { stage.arrows = arrows; stage.overlay(); },
});

// -- solving ------------------------------------------------------------------------------------------------------------
function looked(grid) {
  const show = view.show === "formula" ? $("formula").value : view.show;
  return { show, flow: view.flow, mode: view.mode, fixed: { ...fixed }, grid, ...(stage.zoomed() ? { window: stage.window() } : {}) };
}
function solve(quick) {
  const { text, places: found } = compose(state);
  link.send("solve", { toml: text, quick, view: looked(quick ? 48 : 88), places: undefined });
  places = found;
  if (!quick) busy();
}
function rest(after = REST) {
  clearTimeout(timer);
  timer = setTimeout(() => { remember(); solve(false); }, after);
}
function busy() { $("dot").className = "busy"; }

function answered(head, arrays, raw, job) {
  if (head.type === "slope") return improver.answered(head, arrays[0] ?? []);
  if (head.type === "take") return taken(head, raw);
  if (head.type === "open") return head.error ? notice(head.error.text) : open(fields(head.table));
  if (head.type === "drop" && !head.error) { state.domain = head.domain; stage.fitted = true; return changed(); }
  if (head.error) {
    if (head.type === "solve") wrong(head.error);
    else if (["look", "drop"].includes(head.type)) notice(head.error.text);
    return;
  }
  if (head.type === "probe") return probed(head);
  if (head.type === "cut") return stage.showCut(arrays[0], head.length);
  const received = performance.now();
  if (head.type === "solve") {
    unmark();
    stage.root.classList.remove("wrong", "stale");
    $("notice").hidden = true;
    boundary = head.boundary;
    frame = head;
    said(head);
    partChips();
    choices(head.unknowns);
    modes(head.modes);
    sliders(head);
    if (!head.quick) improver.ask();
    else if (stage.arrows?.length && !improver.on) improver.hooks.drawn([]);
  }
  stage.show(head, arrays, { label: label(), log: view.show === "residual" });
  const end = performance.now();
  timing.push({ type: head.type, quick: head.quick, whole: end - job.sent, drawing: end - received, seconds: head.seconds, bytes: link.bytes, at: end });
  if (timing.length > 2000) timing.shift();
  if (stage.cutLine) cut(stage.cutLine);
}
const label = () => (view.show === "formula" ? $("formula").value || "u" : view.show === "residual" ? "residual" : view.show || frame?.unknowns[0] || "u");

function said(head) {
  const digits = head.estimate > 0 ? Math.max(0, Math.floor(-Math.log10(head.estimate))) : 0;
  const good = digits >= 4 && !head.warnings.length;
  $("dot").className = head.quick ? "busy" : good ? "good" : digits >= 2 ? "poor" : "bad";
  $("estimate").textContent = head.estimate === null ? "no estimate" : `${digits} digit${digits === 1 ? "" : "s"} · estimated error ${head.estimate.toExponential(1)}`;
  if (head.modes) $("estimate").textContent = `${head.modes.name} = ${head.modes.values[head.modes.shown]} ± ${head.modes.errors[head.modes.shown]}`;
  const ms = 1000 * Object.values(head.seconds).reduce((a, b) => a + b, 0);
  $("facts").textContent = `${head.neurons} neurons · ${ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`}${head.quick ? " · refining when you rest" : ""}`;
  $("warnings").replaceChildren(...(head.quick ? [] : head.warnings).map((w) => element("p", { textContent: w })));
  if (head.report) $("report").textContent = head.report;
  document.body.dataset.solved = head.quick ? "quick" : "full";
}
function wrong(error) {
  unmark();
  $("dot").className = "bad";
  $("estimate").textContent = "not solved";
  $("facts").textContent = "";
  stage.root.classList.add("wrong");
  document.body.dataset.solved = "wrong";
  const place = error.line ? places[error.line - 1] : null;
  const explained = { text: error.text, line: place?.line ?? 0, column: place ? error.column - 1 - place.shift : undefined };
  if (place && $(place.field) && place.field !== "title") {
    $("warnings").replaceChildren();
    mark(place.field, explained);
  } else $("warnings").replaceChildren(element("p", { className: "bad", textContent: error.text }));
}
let noticeTimer = 0;
function notice(text) { $("notice").textContent = text; $("notice").hidden = !text; clearTimeout(noticeTimer); noticeTimer = setTimeout(() => { $("notice").hidden = true; }, 6000); }

// -- parts, what is shown, sliders of coordinates ------------------------------------------------------------------------
function partChips() {
  if ($("parts").dataset.names === boundary.join()) return;
  $("parts").dataset.names = boundary.join();
  $("parts").replaceChildren(...boundary.map((part, k) => {
    const dash = element("i");
    dash.style.setProperty("--c", COLOURS[k % COLOURS.length]);
    const chip = element("button", { title: `Add a condition on ${part}`, onclick: () => { state.conditions = `${state.conditions.trimEnd()}\n${frame.unknowns[0]} = 0 on ${part}`.trim(); changed(); $("conditions").focus(); } }, dash, part);
    chip.onpointerenter = () => { stage.hover = part; stage.redraw(); };
    chip.onpointerleave = () => { stage.hover = ""; stage.redraw(); };
    return chip;
  }));
}
function choices(unknowns) {
  const pair = flowPair(unknowns), names = [...unknowns, ...(pair ? [`sqrt(${pair[0]}**2 + ${pair[1]}**2)`] : []), "residual", "formula"];
  if ($("show").dataset.names === names.join()) return;
  $("show").dataset.names = names.join();
  const words = (n) => (n === "residual" ? "residual (log)" : n === "formula" ? "a formula …" : n.startsWith("sqrt(") ? `|(${pair.join(", ")})|` : n);
  $("show").replaceChildren(...names.map((n) => element("option", { value: n, textContent: words(n) })));
  $("show").value = view.show || unknowns[0];
  $("formula").hidden = view.show !== "formula";
}
// The eigenvalues, one of which is looked at; there are none for most problems.
function modes(found) {
  $("mode").hidden = !found;
  if (!found) return;
  $("mode").replaceChildren(...found.values.map((value, k) => element("option", { value: k, textContent: `${k + 1}: ${found.name} = ${value}` })));
  $("mode").value = view.mode = found.shown;
}
const flowPair = (unknowns) => [["u", "v"], ["vx", "vy"], ["v1", "v2"], ["ux", "uy"]].find((p) => p.every((n) => unknowns.includes(n)));

function sliders(head) {
  const timelike = head.axes.includes("t") && head.axes.length === 2, names = [...Object.keys(head.all).filter((n) => !head.axes.includes(n)), ...(timelike ? ["t"] : [])];
  const target = $("sliders");
  if (timelike && !stage.cutLine) { fixed.t ??= head.all.t[0]; }
  if (target.dataset.names === names.map((n) => n + head.all[n]).join()) return;
  target.dataset.names = names.map((n) => n + head.all[n]).join();
  target.replaceChildren(...names.map((name) => {
    const [low, high] = head.all[name];
    const output = element("output", { textContent: "" });
    const start = Math.min(Math.max(fixed[name] ?? (name === "t" ? low : (low + high) / 2), low), high);
    const slide = element("input", { type: "range", min: low, max: high, step: (high - low) / 400, value: start, ariaLabel: name });
    const tell = () => { output.textContent = `${name} = ${pretty(+slide.value)}`; };
    slide.oninput = () => { fixed[name] = +slide.value; tell(); looking(timelike); };
    fixed[name] = start;
    tell();
    const row = element("div", { className: "slider" }, ...(name === "t" ? [element("button", { id: "play", textContent: "▶", title: "Play (space)", ariaLabel: "Play", onclick: play })] : []), output, slide);
    row.dataset.name = name;
    return row;
  }));
  if (timelike) looking(true);
}
function looking(timelike) {
  if (!timelike) { link.send("look", { view: looked(playing ? 56 : 88) }); return; }
  const [low, high] = frame.all[frame.axes.find((a) => a !== "t")], at = frame.axes[0] === "t" ? (v) => [fixed.t, v] : (v) => [v, fixed.t];
  const fresh = !stage.cutLine;
  stage.cutLine = [at(low), at(high)];
  $("plot").hidden = false;
  if (fresh && stage.fitted) stage.fit();
  stage.redraw();
  cut(stage.cutLine);
}
function play() {
  if (playing) return stopPlaying();
  const slide = $("sliders").querySelector('[data-name="t"] input'), button = $("play");
  if (!slide) return;
  button.textContent = "❚❚";
  let last = performance.now();
  const advance = (now) => {
    if (!playing || !slide.isConnected) return;
    const low = +slide.min, high = +slide.max, next = +slide.value + ((now - last) / 4500) * (high - low);
    last = now;
    slide.value = next >= high ? low : next;
    slide.oninput();
    playing = requestAnimationFrame(advance);
  };
  playing = requestAnimationFrame(advance);
}
function stopPlaying() { cancelAnimationFrame(playing); playing = 0; if ($("play")) $("play").textContent = "▶"; }
function cut(line) { link.send("cut", { line, view: looked(8) }); }
function probed(head) {
  if (!head.inside || stage.tip.hidden || head.value === null) return;
  const first = stage.tip.textContent.split("\n")[0], shownName = label(), value = head.value;
  const slope = head.gradient.length ? `\n∇ = (${head.gradient.map(pretty).join(", ")})` : "";
  stage.tip.textContent = `${first}\n${view.show === "residual" ? `residual = ${(10 ** value).toExponential(1)}` : `${shownName} = ${value.toPrecision(10)}`}${slope}`;
}

// -- taking away --------------------------------------------------------------------------------------------------------
async function take(kind) {
  $("take-menu").hidden = true;
  const { text } = compose(state), name = fileName(state.title, kind);
  if (kind === "toml") save(name, text, "application/toml");
  else if (kind === "png") save(name, await png(stage));
  else if (kind === "svg") save(name, svg(stage, state.title), "image/svg+xml");
  else if (kind === "link") {
    const address = `${location.origin}/#problem=${coded(text)}`;
    try { await navigator.clipboard.writeText(address); notice("The link is on the clipboard. The problem is in the link itself, after the #."); } catch { notice(address); }
  } else link.send("take", { kind, toml: text, view: looked(64) });
}
function taken(head, raw) { if (head.error) notice(head.error.text); else save(fileName(state.title, head.kind), raw); }

// -- the stage, the link and the keys -----------------------------------------------------------------------------------
let viewedTimer = 0;
const stage = new Stage($("stage"), {
  domain: () => state.domain, parameters: () => state.parameters, parts: () => boundary, still: () => still,
  dragged: (domain, parameters) => { state.domain = domain; state.parameters = parameters; shown(); solve(true); rest(900); },
  dropped: () => { remember(); rest(120); },
  added: (domain, name) => {
    state.domain = domain;
    if (name && !/\bon\s+(boundary|sides)\b/.test(state.conditions)) state.conditions = `${state.conditions.trimEnd()}\n${state.unknowns.split(/[\s,]+/).filter((u) => u && u !== "p").map((u) => `${u} = 0`).join(", ")} on ${name}`;
    tool("");
    changed();
  },
  freshName: (base) => { let k = 1; while (new RegExp(`['"]${base}${k}['"]`).test(state.domain)) k++; return `${base}${k}`; },
  viewed: () => { clearTimeout(viewedTimer); viewedTimer = setTimeout(() => { if (frame) link.send("look", { view: looked(110) }); }, 160); },
  probe: (point) => { if (frame && document.body.dataset.solved !== "wrong") link.send("probe", { point, view: looked(8) }); },
  cut,
});
function tool(name) {
  stage.tool = name;
  stage.escape();
  document.querySelectorAll("[data-tool]").forEach((b) => b.classList.toggle("on", b.dataset.tool === name));
  $("cut").classList.toggle("on", name === "cut" || Boolean(stage.cutLine && !stage.timelike));
}
function toggleCut() {
  if (stage.tool === "cut" || (stage.cutLine && !stage.timelike)) { stage.cutLine = null; $("plot").hidden = true; tool(""); if (stage.fitted) stage.fit(); stage.redraw(); return; }
  if (!stage.bounds) return;
  const [x0, y0, x1, y1] = stage.bounds;
  stage.cutLine = [[x0, (y0 + y1) / 2], [x1, (y0 + y1) / 2]];
  $("plot").hidden = false;
  $("cut").classList.add("on");
  if (stage.fitted) stage.fit();
  stage.redraw();
  cut(stage.cutLine);
}
function toggleFlow() {
  const pair = flowPair(frame?.unknowns ?? []);
  view.flow = view.flow ? "" : pair && view.show !== "residual" ? pair.join(",") : "grad";
  $("flow").classList.toggle("on", Boolean(view.flow));
  link.send("look", { view: looked(88) });
}
function toggleContours() { stage.contours = !stage.contours; $("contours").classList.toggle("on", stage.contours); stage.redraw(); }
function home() { stage.fit(); stage.redraw(); link.send("look", { view: looked(88) }); }
function sign(mark) { stage.sign = mark; document.querySelectorAll("[data-sign]").forEach((b) => b.classList.toggle("on", b.dataset.sign === mark)); }

for (const field of TEXTS) {
  $(field).addEventListener("input", () => { state[field] = $(field).value; shown(); if (field !== "title") { solve(true); rest(700); } else rest(700); });
  $(field).addEventListener("change", remember);
}
// The table [eigen] is there where the eigenvalue has a name.
for (const input of EIGEN) {
  input.addEventListener("input", () => {
    const given = EIGEN.map((i) => [i.dataset.eigen, i.value.trim()]).filter(([, v]) => v);
    state.eigen = Object.fromEntries(given.map(([k, v]) => [k, k !== "lam" && Number.isFinite(Number(v)) ? Number(v) : v]));
    if (!state.eigen.lam) state.eigen = {};
    shown();
    solve(true);
    rest(700);
  });
  input.addEventListener("change", remember);
}
$("result").addEventListener("input", () => { state.results = { ...state.results, [chosen()]: $("result").value.trim() }; improver.stop(); rest(700); });
$("result").addEventListener("change", remember);
$("better").onchange = () => { improver.ask(); };
$("improve").onclick = () => improver.toggle();
$("undo").onclick = undo;
$("redo").onclick = redo;
$("take").onclick = (e) => { e.stopPropagation(); $("take-menu").hidden = !$("take-menu").hidden; };
document.addEventListener("click", (e) => { if (!e.target.closest(".menu")) $("take-menu").hidden = true; });
document.querySelectorAll("[data-take]").forEach((b) => { b.onclick = () => take(b.dataset.take); });
document.querySelectorAll("[data-tool]").forEach((b) => { b.onclick = () => tool(b.dataset.tool); });
document.querySelectorAll("[data-sign]").forEach((b) => { b.onclick = () => sign(b.dataset.sign); });
$("snap").onclick = () => { stage.snap = !stage.snap; $("snap").classList.toggle("on", stage.snap); };
$("contours").onclick = toggleContours;
$("flow").onclick = toggleFlow;
$("cut").onclick = toggleCut;
$("home").onclick = home;
$("show").onchange = () => {
  view.show = $("show").value;
  $("formula").hidden = view.show !== "formula";
  if (view.show === "formula") { $("formula").value ||= `${frame.unknowns[0]}_${frame.axes[0]}`; $("formula").select(); }
  link.send("look", { view: looked(88) });
};
$("mode").onchange = () => {
  view.mode = +$("mode").value;
  frame.modes.shown = view.mode;
  $("estimate").textContent = `${frame.modes.name} = ${frame.modes.values[view.mode]} ± ${frame.modes.errors[view.mode]}`;
  link.send("look", { view: looked(88) });
};
$("formula").onchange = () => link.send("look", { view: looked(88) });
$("map").replaceChildren(...mapNames.map((n) => element("option", { value: n, textContent: n })));
$("map").onchange = () => { stage.setMap($("map").value); if (frame) link.send("look", { view: looked(88) }); };
$("add-parameter").onclick = () => { let k = 1; while (`k${k}` in state.parameters) k++; const field = $("new-parameter"); field.hidden = false; field.value = `k${k}`; field.select(); };
$("new-parameter").onkeydown = (e) => {
  const field = e.target, name = field.value.trim();
  if (e.key === "Escape") field.hidden = true;
  if (e.key !== "Enter") return;
  if (!/^\p{L}[\p{L}\p{N}_]*$/u.test(name)) return notice("A name is a letter, then letters, digits and _.");
  field.hidden = true;
  if (!(name in state.parameters)) { state.parameters[name] = 1; changed(); }
};
$("theme").onclick = () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
function theme(name) { document.documentElement.dataset.theme = name; try { localStorage.setItem("theme", name); } catch { /* private */ } stage.redraw(); if (stage.cutValues && stage.cutLine) stage.showCut(stage.cutValues.values, stage.cutValues.length); }

const KEYS = { c: toggleContours, s: toggleFlow, l: toggleCut, d: () => tool("disk"), g: () => tool("ring"), b: () => tool("box"), p: () => tool("polygon"), f: () => tool("free"), x: () => sign(stage.sign === "-" ? "|" : "-"), 0: home, " ": play,
  Escape: () => tool(""), Enter: () => stage.closePolygon(), r: () => { $("show").value = view.show === "residual" ? frame.unknowns[0] : "residual"; $("show").onchange(); } };
document.addEventListener("keydown", (e) => {
  const typing = e.target.matches("input:not([type=range]), textarea, select");
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z") { e.preventDefault(); (e.shiftKey ? redo : undo)(); return; }
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "y") { e.preventDefault(); redo(); return; }
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  if ((e.key === "Delete" || e.key === "Backspace") && stage.picked >= 0) {
    const next = without(state.domain, stage.shapes[stage.picked]);
    stage.picked = -1;
    if (next === null) notice("This shape holds the others: draw another one before it is removed.");
    else { state.domain = next; changed(); }
    return;
  }
  if (KEYS[e.key] && !(e.target.tagName === "BUTTON" && [" ", "Enter"].includes(e.key))) { e.preventDefault(); KEYS[e.key](); }
});

// Files that are dropped: problem files, and drawings of domains.
document.addEventListener("dragover", (e) => e.preventDefault());
document.addEventListener("drop", async (e) => {
  e.preventDefault();
  const file = e.dataTransfer.files[0];
  if (!file) return;
  if (file.size > 290000) return notice("The file is larger than 290 kB.");
  const text = await file.text();
  if (/\.toml$/i.test(file.name)) link.send("open", { toml: text });
  else link.send("drop", { name: file.name, text });
});

const hash = new URLSearchParams(location.hash.slice(1));
let token = hash.get("token") ?? history.state?.token;
try { if (token) localStorage.setItem("token", token); else token = localStorage.getItem("token"); theme(localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")); } catch { theme("light"); }
let started = false;
const link = new Link(token ?? "", {
  answer: answered,
  state: (name, text, head) => {
    document.body.dataset.link = name;
    if (name !== "ready") { $("dot").className = "bad"; $("estimate").textContent = text; return; }
    $("shelf").replaceChildren(...head.shelf.map(({ title, about, toml }) => element("button", { title: about, onclick: () => link.send("open", { toml }) }, element("b", { textContent: title }), element("small", { textContent: about }))));
    if (started) { solve(true); rest(); return; }
    started = true;
    const linked = hash.get("problem") ? decoded(hash.get("problem")) : "";
    link.send("open", { toml: linked || head.opened || head.shelf[0].toml });
  },
});
window.addEventListener("beforeunload", stopPlaying);
buttons();
