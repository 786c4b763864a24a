"""How the error falls with the number of neurons, for analytic solutions and for less smooth ones.

Each solution is fitted (least squares of the function itself) and solved for (Poisson's equation with its boundary
values) in tanh spaces whose shape follows the law; the relative L2 error is the median over three draws of neurons.
Writes convergence.csv, and convergence.png where matplotlib is installed, and prints the fitted rates.
Run: python benchmarks/convergence.py docs/theory (about five minutes)
"""

from __future__ import annotations

import csv
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sympy as sp

import transnet as tn
from transnet.features.scaling import tanh_shape
from transnet.linalg.least_squares import QR, triangle_of

x, y, z = sp.symbols("x y z")
SIZES = {1: (8, 12, 16, 24, 32, 48, 64, 96, 128), 2: (25, 50, 100, 200, 400, 800), 3: (50, 100, 200, 400, 800)}
ELL = tn.Polygon([(-1, -1), (1, -1), (1, 0), (0, 0), (0, 1), (-1, 1)])
# The reflex corner is at the origin. Counted from the bisector of the domain, the angle runs from -3 pi/4 to 3 pi/4 and
# has no jump inside; r^(2/3) cos(2 angle / 3) is harmonic and vanishes on both edges of the corner.
CORNER = (x**2 + y**2) ** sp.Rational(1, 3) * sp.cos(2 * sp.atan2(x - y, -x - y) / 3)


@dataclass(frozen=True)
class Case:
    name: str
    domain: tn.Domain
    exact: sp.Expr
    smoothness: str
    source: sp.Expr | None = None

    @property
    def coordinates(self) -> tuple[sp.Symbol, ...]:
        return (x, y, z)[: self.domain.dimension]

    def problem(self) -> tn.Problem:
        u = tn.unknown("u", *self.coordinates)
        source = sum(sp.diff(self.exact, c, 2) for c in self.coordinates) if self.source is None else self.source
        return tn.Problem(
            domain=self.domain,
            equations=[sp.Eq(tn.laplacian(u), source)],
            conditions=[tn.on("boundary", sp.Eq(u, self.exact))],
        )


SQUARE, CUBE = tn.Box(x=(-1, 1), y=(-1, 1)), tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1))
CASES = (
    Case("1D entire: sin 4x", tn.Interval(x=(-1, 1)), sp.sin(4 * x), "analytic"),
    Case("1D Runge: 1/(1+9x^2)", tn.Interval(x=(-1, 1)), 1 / (1 + 9 * x**2), "analytic"),
    Case("1D |x|^3", tn.Interval(x=(-1, 1)), sp.Abs(x) ** 3, "algebraic", 6 * sp.Abs(x)),
    Case("2D entire: sin 3x cos 2y", SQUARE, sp.sin(3 * x) * sp.cos(2 * y), "analytic"),
    Case("2D Runge: 1/(1+2r^2)", SQUARE, 1 / (1 + 2 * (x**2 + y**2)), "analytic"),
    Case("2D |x|^3", SQUARE, sp.Abs(x) ** 3, "algebraic", 6 * sp.Abs(x)),
    Case("2D corner: r^(2/3)", ELL, CORNER, "algebraic", sp.Integer(0)),
    Case("3D entire: sin 2x cos y e^z", CUBE, sp.sin(2 * x) * sp.cos(y) * sp.exp(z), "analytic"),
)


def space_of(dimension: int, neurons: int, seed: int) -> tn.FeatureSpace:
    radius = 1.35 * dimension**0.5
    return tn.FeatureSpace.uniform(dimension, neurons, tanh_shape(dimension, neurons, radius), radius, seed=seed)


def errors(case: Case, neurons: int, seed: int) -> tuple[float, float]:
    """The relative L2 errors of the fit and of the solution."""
    exact = sp.lambdify(case.coordinates, case.exact, "numpy")
    space = space_of(case.domain.dimension, neurons, seed)
    test = case.domain.interior(3000, "random", 99)
    truth = np.asarray(exact(*test.T))
    fitted = case.domain.interior(6 * neurons + 60, "quasi", seed)
    triangle = triangle_of(np.asfortranarray(np.column_stack([space(fitted), exact(*fitted.T)])))
    alpha = QR().solve(triangle[: space.size, : space.size], triangle[: space.size, space.size :]).values[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the corner is meant to be hard
        # Many points: what is not in the space must not be overfitted, or the rate of the sampling is what is seen.
        points = tn.Points(interior=10 * neurons, boundary=4 * neurons if case.domain.dimension > 1 else None)
        solution = tn.TransNet(space=space, points=points, seed=seed).solve(case.problem())
    size = np.sqrt(np.mean(truth**2))
    return tuple(float(np.sqrt(np.mean((v - truth) ** 2)) / size) for v in (space(test) @ alpha, solution(test)))


def rate(case: Case, neurons: np.ndarray, error: np.ndarray) -> str:
    """The fitted constant of exp(-c M^(1/d)), or the exponent k / d of M^(-k/d)."""
    d = case.domain.dimension
    if case.smoothness == "algebraic":
        slope = np.polyfit(np.log(neurons), np.log(error), 1)[0]
        return f"M^({slope:.2f}), k = {-slope * d:.1f}"
    falling = error > 1e-12  # below, rounding is what is seen
    slope = np.polyfit(neurons[falling] ** (1 / d), np.log(error[falling]), 1)[0]
    return f"exp({slope:.2f} M^(1/{d}))"


def main(folder: Path) -> None:
    table: dict[str, np.ndarray] = {}
    with (folder / "convergence.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "dimension", "neurons", "fit", "solve"])
        for case in CASES:
            rows = []
            for m in SIZES[case.domain.dimension]:
                median = np.median([errors(case, m, seed) for seed in range(3)], axis=0)
                rows.append((m, *median))
                writer.writerow([case.name, case.domain.dimension, m, *(f"{v:.3e}" for v in median)])
                file.flush()
            table[case.name] = np.array(rows)
            m = table[case.name][:, 0]
            fit, solve = (rate(case, m, table[case.name][:, i]) for i in (1, 2))
            print(f"| {case.name} | {fit} | {solve} |", flush=True)
    plot(table, folder / "convergence.png")


def plot(table: dict[str, np.ndarray], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), constrained_layout=True)
    for case in CASES:
        m, fit, solve = table[case.name].T
        left = case.smoothness == "analytic"
        where = m ** (1 / case.domain.dimension) if left else m
        line = axes[0 if left else 1].plot(where, solve, "o-", label=case.name)[0]
        axes[0 if left else 1].plot(where, fit, "x:", color=line.get_color())
    axes[0].set(yscale="log", xlabel="M^(1/d)", ylabel="relative L2 error", title="analytic: exp(-c M^(1/d))")
    axes[1].set(yscale="log", xscale="log", xlabel="M", title="less smooth: M^(-k/d)")
    for a in axes:
        a.legend(fontsize=8)
        a.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
