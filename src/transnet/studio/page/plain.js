// The picture pixel by pixel, for browsers without WebGL and those that would imitate a graphics card on the processor:
// of each row of pixels the stretches between the crossings of the outline, with the contour lines of the shader.
import { crossings } from "./outline.js";

const mixed = (colour, line, a) => {
  let out = 0xff000000;
  for (let c = 0; c < 3; c++) out |= Math.round(((colour >>> (8 * c)) & 255) * (1 - a) + 255 * line[c] * a) << (8 * c);
  return out >>> 0;
};

// A row of the grid at height q in cells, and how it changes with q.
function blended(grid, q, row, slope) {
  const b = Math.max(0, Math.min(Math.floor(q), grid.ny - 2)), f = q - b, w = grid.values, n = grid.nx, at = b * n;
  for (let i = 0; i < n; i++) { slope[i] = w[at + n + i] - w[at + i]; row[i] = w[at + i] + f * slope[i]; }
}

export function paint(canvas, grid, lines, table, { centre, scale, limits, spacing = 0, line = [0, 0, 0, 0] }) {
  const ink = canvas.getContext("2d"), w = canvas.width, h = canvas.height;
  if (!grid) { ink.clearRect(0, 0, w, h); return; }
  const image = ink.createImageData(w, h), pixels = new Uint32Array(image.data.buffer), colours = new Uint32Array(table.buffer);
  const [x0, y0, x1, y1] = grid.box, tall = h / scale[1];
  const low = centre[1] - tall / 2 + 0.5 / scale[1], rows = crossings(lines, [0, low, 0, low + (h - 1) / scale[1]], h);
  const step = 255 / (limits[1] - limits[0] || 1e-30), cell = (grid.nx - 1) / (x1 - x0) / scale[0], cellY = (grid.ny - 1) / (y1 - y0) / scale[1];
  const left = ((centre[0] + (0.5 - w / 2) / scale[0] - x0) * (grid.nx - 1)) / (x1 - x0);
  const row = new Float32Array(grid.nx), slope = new Float32Array(grid.nx), last = grid.nx - 2;
  for (let j = 0; j < h; j++) {
    const ends = rows[h - 1 - j];
    if (!ends.length) continue;
    blended(grid, ((low + (h - 1 - j) / scale[1] - y0) * (grid.ny - 1)) / (y1 - y0), row, slope);
    for (let k = 0; k + 1 < ends.length; k += 2) {
      const from = Math.max(0, Math.ceil((ends[k] - centre[0]) * scale[0] + w / 2 - 0.5)), to = Math.min(w - 1, (ends[k + 1] - centre[0]) * scale[0] + w / 2 - 0.5);
      for (let i = from; i <= to; i++) {
        const p = left + i * cell, a = p < 0 ? 0 : p > last ? last : p | 0, f = p - a, across = row[a + 1] - row[a], v = row[a] + f * across;
        const s = (v - limits[0]) * step, colour = colours[s > 0 ? (s < 255 ? (s + 0.5) | 0 : 255) : 0];
        pixels[j * w + i] = colour;
        if (spacing > 0) {
          const q = v / spacing, near = Math.abs(q - Math.round(q)), change = (Math.abs(across) * cell + Math.abs(slope[a]) * cellY) / spacing;
          if (near < 1.9 * change) {
            const bold = Math.abs(q / 5 - Math.round(q / 5)) * 5 < change ? 1.5 : 1, d = (near / change - 0.45 * bold) / (0.8 * bold);
            const t = d < 0 ? 0 : d > 1 ? 1 : d, strength = (1 - t * t * (3 - 2 * t)) * line[3] * Math.min(1, 0.6 / change);
            if (strength > 0) pixels[j * w + i] = mixed(colour, line, strength);
          }
        }
      }
    }
  }
  ink.putImageData(image, 0, 0);
}
