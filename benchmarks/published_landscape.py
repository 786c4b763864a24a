"""Our tuned shapes beside the published ones: same dimension, neurons, correlation length, radius and points.

The published curves are those of a ball of radius 1.5 (2D) and 1.8 (3D) around the box [-1, 1]^d, with the mean-square
error averaged over 10 realisations at the points where it was fitted: a 50^2 grid in 2D, 30^3 uniform points in 3D.
Writes one line for each curve to a CSV file, skipping what is there. The two with 5000 neurons need 1.3 GB and minutes
for each shape, so only the shape of the law is tried, and on a grid with its faces, which is harder.
Run: python benchmarks/published_landscape.py published_shape_landscape.csv docs/theory/published_landscape.csv
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

from transnet.features.auxiliary import grid
from transnet.features.neurons import kronecker
from transnet.features.scaling import tanh_shape
from transnet.features.tuning import landscape, tune

RADIUS = {2: 1.5, 3: 1.8}
GRID = {2: 50, 3: 30}
HEADER = ("dimension", "correlation_length", "neurons", "published_shape", "published_mse", "shape", "mse", "iid_mse")


def samples(dimension: int, neurons: int) -> np.ndarray:
    """The points of the fit."""
    if dimension == 2 or neurons > 2000:
        return grid(dimension, GRID[dimension])
    return 2.0 * kronecker(GRID[dimension] ** dimension, dimension, np.random.default_rng(0)) - 1.0


def minima(path: Path) -> dict[tuple[str, str, str], tuple[float, float]]:
    """The shape of the smallest error of each published curve, and that error."""
    best: dict[tuple[str, str, str], tuple[float, float]] = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            key = (row["dimension"], row["correlation_length"], row["neurons"])
            found = (float(row["shape"]), float(row["mse"]))
            if key not in best or found[1] < best[key][1]:
                best[key] = found
    return best


def main(published: Path, out: Path) -> None:
    done = set()
    if out.exists():
        with out.open() as file:
            done = {tuple(row[k] for k in HEADER[:3]) for row in csv.DictReader(file)}
    with out.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not done:
            writer.writerow(HEADER)
        for key, (shape, mse) in sorted(minima(published).items(), key=lambda item: float(item[0][2])):
            if key in done:
                continue
            d, eta, m = int(key[0]), float(key[1]), int(key[2])
            setting = {"radius": RADIUS[d], "points": samples(d, m), "held_out": False}
            if m > 2000:
                ours = tanh_shape(d, m, RADIUS[d])
                error = landscape(d, m, eta, [ours], **setting)[0]
                iid = float("nan")
            else:
                tuned = tune(d, m, eta, tol=0.1, **setting)
                ours, error = tuned.shape, tuned.error
                iid = landscape(d, m, [shape], eta, placement="random", **setting)[0]
            writer.writerow([*key, shape, f"{mse:.3e}", f"{ours:.3f}", f"{error:.3e}", f"{iid:.3e}"])
            file.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
