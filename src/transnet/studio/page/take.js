// What can be taken away, as files that the browser saves.
export function save(name, parts, kind = "application/octet-stream") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(parts instanceof Blob ? parts : new Blob([parts], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}
export const fileName = (title, kind) => `${title.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "problem"}.${kind}`;

function flattened(stage) {
  const canvas = document.createElement("canvas"), { width, height } = stage.field;
  Object.assign(canvas, { width, height });
  const ink = canvas.getContext("2d");
  ink.fillStyle = getComputedStyle(stage.root).backgroundColor;
  ink.fillRect(0, 0, width, height);
  ink.drawImage(stage.field, 0, 0);
  ink.drawImage(stage.ink, 0, 0);
  ink.setTransform(stage.ratio, 0, 0, stage.ratio, 0, 0);
  ink.lineWidth = 2.2;
  stage.svg.querySelectorAll("path[data-part]").forEach((p) => { ink.strokeStyle = p.getAttribute("stroke"); ink.stroke(new Path2D(p.getAttribute("d"))); });
  return canvas;
}
export const png = (stage) => new Promise((done) => flattened(stage).toBlob(done, "image/png"));

// The field as a picture, and outline and text as lines that stay sharp.
export function svg(stage, title) {
  const SPACE = "http://www.w3.org/2000/svg", root = document.createElementNS(SPACE, "svg");
  const add = (name, attributes, text) => { const e = document.createElementNS(SPACE, name); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); if (text) e.textContent = text; root.append(e); };
  root.setAttribute("viewBox", `0 0 ${stage.width} ${stage.height}`);
  add("title", {}, title);
  add("rect", { width: stage.width, height: stage.height, fill: getComputedStyle(stage.root).backgroundColor });
  for (const canvas of [stage.field, stage.ink]) add("image", { href: canvas.toDataURL("image/png"), width: stage.width, height: stage.height });
  stage.svg.querySelectorAll("path[data-part]").forEach((p) => add("path", { d: p.getAttribute("d"), stroke: p.getAttribute("stroke"), "stroke-width": 2.2, fill: "none" }));
  return new XMLSerializer().serializeToString(root);
}

const bytes = (text) => new TextEncoder().encode(text);
export const coded = (text) => btoa(String.fromCharCode(...bytes(text))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
export function decoded(text) {
  try { return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))); } catch { return ""; }
}
