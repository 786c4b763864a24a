"""How often the truth is within two standard errors: inverse problems with noise, a hundred seeds each.

    python benchmarks/standard_errors.py [seeds]

Prints, for each problem, how many of the seeds have the true value within two standard errors (for Gaussian noise 95 %
of them are expected to) and the mean of the squared error over the squared standard error, which is expected to be one.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import sympy as sp

import transnet as tn

x, t = sp.symbols("x t")
NOISE = 0.01


def rod(rng: np.random.Generator) -> tuple[float, float]:
    """The conductivity of a rod, 3, from twenty values."""
    u, c = tn.unknown("u", x), tn.unknown("c")
    places = np.linspace(0.05, 0.95, 20)
    values = np.sin(np.pi * places) + NOISE * rng.standard_normal(20)
    problem = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(-c * sp.diff(u, x, 2), 3 * sp.pi**2 * sp.sin(sp.pi * x))],
        [tn.on("boundary", sp.Eq(u, 0)), tn.data(u, places, values, noise=NOISE)],
    )
    found = tn.solve(problem)["c"]
    return float(found) - 3.0, float(found.standard_error())


def source(rng: np.random.Generator) -> tuple[float, float]:
    """The strength of a source, 2, and a level, from fifteen values; the strength counts."""
    u, q, level = tn.unknown("u", x), tn.unknown("q"), tn.unknown("level")
    places = np.linspace(0.1, 0.9, 15)
    exact = 2 * (places - places**2) / 2 + 0.5 * places
    problem = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(-sp.diff(u, x, 2), q)],
        [
            tn.on("x=0", sp.Eq(u, 0)),
            tn.on("x=1", sp.Eq(u, level)),
            tn.data(u, places, exact + NOISE * rng.standard_normal(15), noise=NOISE),
        ],
    )
    found = tn.solve(problem)["q"]
    return float(found) - 2.0, float(found.standard_error())


def decay(rng: np.random.Generator) -> tuple[float, float]:
    """The rate of a decay, 1.5, a nonlinear parameter of an evolution, from ten values."""
    u, k = tn.unknown("u", t), tn.unknown("k")
    places = np.linspace(0.1, 1, 10)
    values = np.exp(-1.5 * places) + NOISE * rng.standard_normal(10)
    problem = tn.Problem(
        tn.Interval(t=(0, 1)),
        [sp.Eq(sp.diff(u, t), -k * u)],
        [tn.on("t=0", sp.Eq(u, 1)), tn.data(u, places, values, noise=NOISE)],
    )
    found = tn.solve(problem)["k"]
    return float(found) - 1.5, float(found.standard_error())


def main(seeds: int = 100) -> None:
    for problem in (rod, source, decay):
        begun = time.process_time()
        pairs = np.array([problem(np.random.default_rng(seed)) for seed in range(seeds)])
        ratio = pairs[:, 0] / pairs[:, 1]
        within = int(np.count_nonzero(np.abs(ratio) <= 2))
        print(
            f"{problem.__name__}: {within} of {seeds} within two standard errors, mean square {np.mean(ratio**2):.2f}, "
            f"{time.process_time() - begun:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
