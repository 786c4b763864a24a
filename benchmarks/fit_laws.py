"""Fit the laws of transnet.features.scaling to tuned shapes, and say how close a predicted space comes to a tuned one.

The minimum of a landscape is flat, so the laws are not fitted to the tuned shapes themselves: the constants are those
for which the error of the predicted space exceeds that of the tuned one least, on average over the cases. Prints a
table of constants and of the ratios of root-mean-square errors.
Run: python benchmarks/fit_laws.py docs/theory/tuned_shapes.csv
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

RESOLVED = (1e-24, 1e-3)
"""Mean-square errors of the cases that count: fitted at all, and not yet down to rounding."""


def cases(path: Path, activation: str, dimension: int) -> list[tuple[float, float, float, np.ndarray, np.ndarray]]:
    """log M, log R, log eta, the logarithms of the landscape's shapes, and log10 of rms error over the tuned."""
    found = []
    with path.open() as file:
        for row in csv.DictReader(file):
            tuned = float(row["mse"])
            if (row["activation"], row["dimension"]) != (activation, str(dimension)):
                continue
            if not RESOLVED[0] < tuned < RESOLVED[1]:
                continue
            constants = [key for key in row if key[0].isdigit()]
            m = np.log(int(row["neurons"]))
            r = np.log(float(row["radius"])) if activation == "tanh" else 0.0
            errors = np.array([float(row[c]) for c in constants])
            shapes = np.log([float(c) for c in constants]) + m / dimension - r
            excess = 0.5 * np.log10(errors / min(tuned, errors.min()))
            found.append((m, r, np.log(float(row["correlation_length"])), shapes, excess))
    return found


LAWS = {
    "tanh": {
        "C M^(1/d) / R": lambda p, d, m, r, e: p[0] + m / d - r,
        "C M^(1/d) / R^(1/2)": lambda p, d, m, r, e: p[0] + m / d - 0.5 * r,
        "C M^p / R^(1/2) / eta^q": lambda p, d, m, r, e: p[0] + p[1] * m - 0.5 * r - p[2] * e,
    },
    "sin": {
        "C M^(1/d)": lambda p, d, m, r, e: p[0] + m / d,
        "C M^(1/d) / eta^q": lambda p, d, m, r, e: p[0] + m / d - p[2] * e,
    },
}


def fit(law, data, d):
    def excess(p):
        values = []
        for m, r, e, shapes, errors in data:
            x = law(p, d, m, r, e)
            outside = max(shapes[0] - x, x - shapes[-1], 0.0)
            values.append(np.interp(x, shapes, errors) + outside)
        return np.array(values)

    best = None
    for c in np.log([0.04, 0.1, 0.3, 0.9]):
        start = np.array([c, 1 / d if c < -1.5 else 0.2, 0.3])
        simplex = np.vstack([start, start + 0.2 * np.eye(3)])
        found = minimize(
            lambda p: excess(p).mean() + 1e-4 * np.abs(p[1:]).sum(),
            start,
            method="Nelder-Mead",
            options={"initial_simplex": simplex, "maxiter": 3000},
        )
        if best is None or found.fun < best.fun:
            best = found
    return best.x, excess(best.x)


def main(path: Path) -> None:
    print("| activation | d | law | constants | cases | rms error over tuned: median | mean | worst |")
    print("|---|---|---|---|---|---|---|---|")
    for activation, laws in LAWS.items():
        for d in (1, 2, 3, 4):
            data = cases(path, activation, d)
            for name, law in laws.items():
                p, excess = fit(law, data, d)
                constants = f"C = {np.exp(p[0]):.3f}"
                constants += f", p = {p[1]:.2f}" if "M^p" in name else ""
                constants += f", q = {p[2]:.2f}" if "eta" in name else ""
                ratios = [10**v for v in (np.median(excess), excess.mean(), excess.max())]
                shown = " | ".join(f"{v:.1f}" for v in ratios)
                print(f"| {activation} | {d} | {name} | {constants} | {len(data)} | {shown} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
