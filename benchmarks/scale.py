"""Time and memory of pieces against their number: Poisson's equation in a square, 16 to 4096 cells of 160 waves.

`python benchmarks/scale.py` runs each size in a process of its own and writes docs/theory/scale.csv and scale.png. The
data have one wavelength for each cell of a row, so that the problem grows with the grid; times are CPU times.
"""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import sympy as sp

import transnet as tn
from transnet.clock import Clock
from transnet.pieces.frequency import frequencies
from transnet.pieces.lattice.law import law_of
from transnet.pieces.lattice.solve import solve_grid

SIDES = (4, 8, 16, 32, 64)
WAVES = 160
FOLDER = Path(__file__).parent.parent / "docs" / "theory"


def measured(side: int) -> dict[str, float]:
    """One solve on side x side cells: seconds of CPU for everything and for the glue, memory, and the true error."""
    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    w = 2 * np.pi * side
    exact = sp.sin(w * x + 0.3) * sp.cos(w * y + 0.1)
    square = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(square, [sp.Eq(tn.laplacian(u), -2 * w**2 * exact)], [tn.on("boundary", sp.Eq(u, exact))])
    law = law_of(problem, ())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    clock = Clock(time.process_time)
    level = solve_grid(law, (side, side), frequencies(problem, ()), WAVES, 1e-6, clock)
    seconds = time.process_time() - start
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    joined = level.joined
    points = joined.centres[:, None, :] + joined.cube.fresh[: level.looked.values[0].shape[1]]
    true = sp.lambdify((x, y), exact)(*np.moveaxis(points, 2, 0))
    error = np.linalg.norm(level.looked.values[0] - true) / np.linalg.norm(true)
    glue = clock.laps["glue"]
    return {"pieces": side**2, "seconds": seconds, "glue": glue, "megabytes": memory, "error": float(error)}


def drawn(rows: list[dict[str, float]]) -> None:
    """The figure, log-log, with a line of slope 1.5."""
    import matplotlib.pyplot as plt

    pieces = np.array([r["pieces"] for r in rows])
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    local = np.array([max(r["seconds"] - r["glue"], 1e-3) for r in rows])
    axes[0].loglog(pieces, local, "o-", label="cells")
    axes[0].loglog(pieces, [r["glue"] for r in rows], "s-", label="glue")
    end = rows[-1]["glue"]
    axes[0].loglog(pieces, end * (pieces / pieces[-1]) ** 1.5, "k:", label="slope 1.5")
    axes[0].set(xlabel="pieces", ylabel="seconds of CPU")
    axes[0].legend()
    axes[1].loglog(pieces, [max(r["megabytes"], 1) for r in rows], "o-")
    axes[1].set(xlabel="pieces", ylabel="memory in MB")
    figure.savefig(FOLDER / "scale.png", dpi=110)


def main() -> None:
    """Measure every size in a fresh process."""
    rows = []
    for side in SIDES:
        run = subprocess.run([sys.executable, __file__, str(side)], check=True, capture_output=True, text=True)
        rows.append(json.loads(run.stdout))
        print(rows[-1], flush=True)
    with (FOLDER / "scale.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    drawn(rows)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measured(int(sys.argv[1]))))
    else:
        main()
