// Questions about the outline of the domain, which is given as lines of points.
// For each row of the grid where the outline crosses it: inside is between the first and the second, and so on.
export function crossings(lines, box, ny) {
  const rows = Array.from({ length: ny }, () => []);
  const [, y0, , y1] = box, h = (y1 - y0) / (ny - 1);
  for (const line of lines)
    for (let k = 0; k + 3 < line.length; k += 2) {
      const ax = line[k], ay = line[k + 1], bx = line[k + 2], by = line[k + 3];
      const low = Math.min(ay, by), high = Math.max(ay, by);
      for (let j = Math.max(0, Math.ceil((low - y0) / h)); j < ny && y0 + j * h < high; j++) {
        const y = y0 + j * h;
        if (y >= low) rows[j].push(ax + ((y - ay) / (by - ay)) * (bx - ax));
      }
    }
  rows.forEach((r) => r.sort((a, b) => a - b));
  return rows;
}

export function inside(lines, x, y) {
  let odd = false;
  for (const line of lines)
    for (let k = 0; k + 3 < line.length; k += 2) {
      const ax = line[k], ay = line[k + 1], bx = line[k + 2], by = line[k + 3];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
    }
  return odd;
}

// The least and the largest value inside of the domain.
export function range(grid, lines) {
  const [nx, ny] = grid.counts, [x0, , x1] = grid.box, h = (x1 - x0) / (nx - 1);
  let low = Infinity, high = -Infinity;
  crossings(lines, grid.box, ny).forEach((row, j) => {
    for (let k = 0; k + 1 < row.length; k += 2)
      for (let i = Math.max(0, Math.ceil((row[k] - x0) / h)); i < nx && x0 + i * h <= row[k + 1]; i++) {
        const v = grid.coarse[j * nx + i];
        if (v < low) low = v;
        if (v > high) high = v;
      }
  });
  return low <= high ? [low, high] : [0, 1];
}
