"""Tune shapes over dimension, neurons, correlation length and radius: the data to which the laws are fitted.

Writes one line for each tuned space to a CSV file, skipping those that are there already, so that an interrupted run
goes on where it stopped. Run: python benchmarks/tuned_shapes.py docs/theory/tuned_shapes.csv (about half an hour).
"""

from __future__ import annotations

import csv
import sys
from itertools import product
from pathlib import Path

from transnet.features.tuning import landscape, tune

NEURONS = {1: (10, 20, 40, 80), 2: (50, 100, 200, 400), 3: (100, 200, 400, 800), 4: (150, 300, 600)}
LENGTHS = {1: (1.0, 0.5, 0.25, 0.12), 2: (1.0, 0.6, 0.35), 3: (1.5, 1.0, 0.6), 4: (2.0, 1.2, 0.8)}
RADII = (1.35, 1.0, 1.8)
"""Times sqrt(d), the radius of the ball around [-1, 1]^d."""
CONSTANTS = tuple(round(0.04 * 1.35**i, 4) for i in range(12))
"""C of the shapes C M^(1/d) / R, or scales C M^(1/d), at which the error is recorded too."""
HEADER = ("activation", "dimension", "neurons", "correlation_length", "radius", "shape", "mse", *map(str, CONSTANTS))


def main(path: Path) -> None:
    done = set()
    if path.exists():
        with path.open() as file:
            done = {tuple(row[k] for k in HEADER[:5]) for row in csv.DictReader(file)}
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not done:
            writer.writerow(HEADER)
        for d in (1, 2, 3, 4):
            cases = [("sin", m, e, "inf") for m, e in product(NEURONS[d], LENGTHS[d])]
            cases += [("tanh", m, e, f"{r * d**0.5:.4f}") for r, m, e in product(RADII, NEURONS[d], LENGTHS[d])]
            for activation, m, eta, radius in cases:
                key = (activation, str(d), str(m), str(eta), radius)
                if key in done:
                    continue
                tuned = tune(d, m, eta, 5, radius=float(radius), activation=activation, tol=0.05, points=3 * (m + 1))
                ball = float(radius) if activation == "tanh" else 1.0
                shapes = [c * m ** (1 / d) / ball for c in CONSTANTS]
                errors = landscape(
                    d, m, eta, shapes, 5, radius=float(radius), activation=activation, points=3 * (m + 1)
                )
                writer.writerow([*key, f"{tuned.shape:.4f}", f"{tuned.error:.3e}", *(f"{e:.2e}" for e in errors)])
                file.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
