// The problem of the page as the text of a problem file, with a note of which field stands on which line.
export const FIELDS = ["domain", "equations", "conditions", "parameters", "definitions"];

export function blank() {
  return { title: "", coordinates: "x, y", unknowns: "u", domain: "", equations: "", conditions: "", parameters: {}, definitions: "", results: {}, physics: {}, exact: {}, eigen: {}, solve: {} };
}

const quoted = (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
const lines = (text) => text.split("\n").map((line, k) => ({ line, k })).filter((l) => l.line.trim());
const names = (text) => text.split(/[\s,]+/).filter(Boolean);

function value(v) {
  if (Array.isArray(v)) return `[${v.map(value).join(", ")}]`;
  if (v && typeof v === "object") return `{ ${Object.entries(v).map(([k, w]) => `${k} = ${value(w)}`).join(", ")} }`;
  if (typeof v === "number") return number(v);
  return typeof v === "string" ? quoted(v) : String(v);
}
export const number = (v) => (Number.isInteger(v) && Math.abs(v) < 1e15 ? String(v) : String(v).replace(/^(-?\d+)e/, "$1.0e"));

// The text, and for each of its lines {field, line, shift}: which line of which field, and how far it is moved to the right.
export function compose(state, extra = {}) {
  const out = [], places = [];
  const put = (text, field, line = 0, shift = 0) => { out.push(text); places.push(field ? { field, line, shift } : null); };
  if (state.title) put(`title = ${quoted(state.title)}`, "title");
  put(`coordinates = ${value(names(state.coordinates))}`, "coordinates");
  put(`unknowns = ${value(names(state.unknowns))}`, "unknowns");
  put(`domain = ${quoted(state.domain.replaceAll("\n", " "))}`, "domain", 0, 10);
  for (const field of ["equations", "conditions"]) {
    put(`${field} = [`, field);
    for (const { line, k } of lines(state[field])) {
      const table = line.trim().startsWith("{");
      put(table ? `  ${line.trim()},` : `  ${quoted(line.trim())},`, field, k, (table ? 2 : 3) - line.search(/\S/));
    }
    put("]", field);
  }
  const table = (name, entries) => {
    if (!entries.length) return;
    put("");
    put(`[${name}]`);
    for (const [key, v] of entries) put(`${key} = ${value(v)}`, name);
  };
  table("parameters", Object.entries(state.parameters));
  const definitions = lines(state.definitions);
  if (definitions.length) {
    put("");
    put("[definitions]");
    for (const { line, k } of definitions) {
      const [, key, body] = line.match(/^\s*([^=\s]+)\s*=\s*(.*)$/) ?? [null, line.trim().replace(/\W/g, "_") || "_", ""];
      put(`${key} = ${quoted(body.trim())}`, "definitions", k, 1);
    }
  }
  table("results", Object.entries(state.results ?? {}).filter(([, v]) => v));
  table("physics", Object.entries(state.physics ?? {}));
  table("exact", Object.entries(state.exact));
  table("eigen", Object.entries(state.eigen ?? {}));
  table("solve", Object.entries({ ...state.solve, ...extra }));
  return { text: out.join("\n") + "\n", places };
}

// The fields of the page from the table of a problem file.
export function fields(table) {
  const text = (v) => (v === undefined ? "" : (Array.isArray(v) ? v : [v]).map((e) => (typeof e === "string" ? e : value(e))).join("\n"));
  return {
    title: table.title ?? "", coordinates: (table.coordinates ?? []).join(", "), unknowns: (table.unknowns ?? []).join(", "),
    domain: table.domain ?? "", equations: text(table.equations), conditions: text(table.conditions),
    parameters: { ...(table.parameters ?? {}) }, results: { ...(table.results ?? {}) }, physics: { ...(table.physics ?? {}) }, exact: { ...(table.exact ?? {}) }, eigen: { ...(table.eigen ?? {}) }, solve: { ...(table.solve ?? {}) },
    definitions: Object.entries(table.definitions ?? {}).map(([k, v]) => `${k} = ${v}`).join("\n"),
  };
}
