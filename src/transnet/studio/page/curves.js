// Lines drawn on a canvas: axes, streamlines, and the plot of a cut.
export function ticks(low, high, about) {
  const raw = (high - low) / about, power = 10 ** Math.floor(Math.log10(raw)), m = raw / power;
  const step = power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) found.push(+(k * step).toPrecision(12));
  return { step, found };
}
export const pretty = (v) => {
  if (!Number.isFinite(v)) return "–";
  if (v === 0 || Math.abs(v) < 1e-14) return "0";
  const size = Math.abs(v);
  return size >= 1e4 || size < 1e-3 ? v.toExponential(2) : String(+v.toPrecision(4));
};

// Streamlines of a field (fx, fy), spread evenly: a line ends where it comes near another one.
export function streamlines(fx, fy, within, box, spacing) {
  const [x0, y0, x1, y1] = box, cell = spacing * 0.55;
  const nx = Math.ceil((x1 - x0) / cell) + 1, ny = Math.ceil((y1 - y0) / cell) + 1;
  const taken = new Int32Array(nx * ny).fill(-1), lines = [];
  const key = (x, y) => Math.floor((y - y0) / cell) * nx + Math.floor((x - x0) / cell);
  let largest = 0;
  for (const g of [fx, fy]) for (let k = 0; k < g.coarse.length; k += 7) if (Math.abs(g.coarse[k]) < 1e20) largest = Math.max(largest, Math.abs(g.coarse[k]));
  const h = spacing * 0.18;
  const direction = (x, y) => {
    const u = fx.at(x, y), v = fy.at(x, y), s = Math.hypot(u, v);
    return s > 1e-7 * largest ? [u / s, v / s, s] : null;
  };
  const march = (x, y, way, id, own) => {
    const points = [];
    for (let k = 0; k < 400; k++) {
      const a = direction(x, y);
      if (!a) break;
      const b = direction(x + (way * h * a[0]) / 2, y + (way * h * a[1]) / 2);
      if (!b) break;
      x += way * h * b[0];
      y += way * h * b[1];
      if (!within(x, y)) break;
      const c = key(x, y);
      if (taken[c] >= 0 && taken[c] !== id) break;
      if (taken[c] === id && own.has(c) && k - own.get(c) > 25) break; // closed
      taken[c] = id;
      own.set(c, k);
      points.push([x, y]);
    }
    return points;
  };
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++) {
      const x = x0 + (i + 0.5) * cell, y = y0 + (j + 0.5) * cell, c = j * nx + i;
      if (taken[c] >= 0 || !within(x, y)) continue;
      const id = lines.length, own = new Map();
      taken[c] = id;
      const line = [...march(x, y, -1, id, own).reverse(), [x, y], ...march(x, y, 1, id, new Map())];
      if (line.length > 8) lines.push(line);
    }
  return lines;
}

export function drawFlow(ink, lines, place, colour) {
  ink.strokeStyle = ink.fillStyle = colour;
  ink.lineWidth = 1.2;
  for (const line of lines) {
    ink.beginPath();
    line.forEach(([x, y], k) => { const [a, b] = place(x, y); if (k) ink.lineTo(a, b); else ink.moveTo(a, b); });
    ink.stroke();
    for (let k = 18; k < line.length - 2; k += 60) {
      const [a, b] = place(...line[k]), [c, d] = place(...line[k + 2]), t = Math.atan2(d - b, c - a);
      ink.beginPath();
      ink.moveTo(c + 4 * Math.cos(t), d + 4 * Math.sin(t));
      ink.lineTo(c + 5 * Math.cos(t + 2.5), d + 5 * Math.sin(t + 2.5));
      ink.lineTo(c + 5 * Math.cos(t - 2.5), d + 5 * Math.sin(t - 2.5));
      ink.fill();
    }
  }
}

// A curve of values over [low, high]; gaps where there is no number.
export function drawCurve(ink, width, height, values, low, high, label, theme, limits) {
  const room = { left: 58, right: 14, top: 14, bottom: 24 }, w = width - room.left - room.right, h = height - room.top - room.bottom;
  ink.clearRect(0, 0, width, height);
  const finite = [...values].filter(Number.isFinite);
  if (!finite.length) return;
  let [a, b] = limits ?? [Math.min(...finite), Math.max(...finite)];
  if (b - a < 1e-14 * Math.max(Math.abs(a), 1)) { a -= 0.5; b += 0.5; }
  const pad = 0.06 * (b - a), X = (v) => room.left + ((v - low) / (high - low)) * w, Y = (v) => room.top + (1 - (v - a + pad) / (b - a + 2 * pad)) * h;
  ink.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  ink.lineWidth = 1;
  for (const t of ticks(a, b, height > 220 ? 6 : 3).found) {
    ink.strokeStyle = theme.line; ink.fillStyle = theme.soft;
    ink.beginPath(); ink.moveTo(room.left, Y(t)); ink.lineTo(width - room.right, Y(t)); ink.stroke();
    ink.textAlign = "right"; ink.fillText(pretty(t), room.left - 6, Y(t) + 4);
  }
  ink.textAlign = "center";
  for (const t of ticks(low, high, 6).found) ink.fillText(pretty(t), X(t), height - 8);
  ink.textAlign = "left"; ink.fillStyle = theme.ink; ink.fillText(label, room.left + 6, room.top + 8);
  ink.strokeStyle = theme.accent; ink.lineWidth = 2; ink.lineJoin = "round";
  ink.beginPath();
  let pen = false;
  values.forEach((v, k) => {
    const x = X(low + (k / (values.length - 1)) * (high - low));
    if (!Number.isFinite(v)) { pen = false; return; }
    if (pen) ink.lineTo(x, Y(v)); else ink.moveTo(x, Y(v));
    pen = true;
  });
  ink.stroke();
}
