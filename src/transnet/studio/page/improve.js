// The chosen result: its value, its slopes and arrows, and steps that make it better while one watches.
import { $, slopeMarks } from "./panel.js";

const FIRST = 0.1, LEAST = 1e-3; // the first step as a part of the sliders' sizes, and the one that ends the search

export class Improver {
  // `hooks`: ask() sends the job, parameters() and put(values) are those of the page, drawn(arrows) shows arrows.
  constructor(hooks) { Object.assign(this, { hooks, on: false, pace: FIRST, best: null }); }
  ask() { this.hooks.ask(); }
  get sign() { return +$("better").value; }
  toggle() {
    this.on = !this.on;
    Object.assign(this, { pace: FIRST, best: null });
    $("improve").textContent = this.on ? "❚❚ stop" : "▶ improve";
    if (this.on) this.hooks.ask();
  }
  stop(text = "") { if (this.on) this.toggle(); if (text) $("result-value").textContent += ` · ${text}`; }
  forget() { slopeMarks(null); $("result-value").textContent = ""; this.hooks.drawn([]); }
  answered(head, arrows) {
    if (head.error) { this.forget(); $("result-value").textContent = head.error.text; this.stop(); return; }
    slopeMarks(head.slopes);
    $("result-value").textContent = `${head.name} = ${head.value.toPrecision(8)} ± ${head.off.toExponential(0)}`;
    this.hooks.drawn(arrows.map((v, k) => (k % 4 < 2 ? v : this.sign * v)));
    if (this.on) this.step(head);
  }
  // A step uphill along the slopes, each slider by its own size; back, and half as far, if the result is not better.
  step(head) {
    const now = { parameters: { ...this.hooks.parameters() }, value: head.value, slopes: head.slopes };
    if (this.best && this.sign * (now.value - this.best.value) <= 0) this.pace /= 2;
    else { if (this.best) this.pace *= 1.4; this.best = now; }
    const names = Object.keys(this.best.slopes).filter((n) => this.best.slopes[n] && typeof this.best.parameters[n] === "number");
    const size = (n) => Math.abs(this.best.parameters[n]) || 1, along = (n) => this.sign * this.best.slopes[n] * size(n);
    const length = Math.hypot(...names.map(along));
    if (!length || this.pace < LEAST) { const { parameters } = this.best; this.stop("no step makes it better"); this.hooks.put(parameters); return; }
    const next = { ...this.best.parameters };
    for (const n of names) next[n] = +(next[n] + (this.pace * size(n) * along(n)) / length).toPrecision(6);
    this.hooks.put(next);
  }
}
