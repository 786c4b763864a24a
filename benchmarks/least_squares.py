"""The tables of docs/theory/least-squares.md: `python benchmarks/least_squares.py`. Two minutes."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import sympy as sp

import transnet as tn
from transnet.linalg.least_squares import SVD, PivotedQR

sys.path.insert(0, str(Path(__file__).parent))

from measure import relative_error
from transnet.paper.cases import case

POISSON = case("C1")


def solved(space: tn.FeatureSpace, solver=None, points=None, problem=None) -> tn.Solution:
    return tn.TransNet(space=space, solver=solver or tn.QR(), points=points).solve(problem or POISSON.problem)


def ridges(neurons: int, shape: float) -> tn.FeatureSpace:
    return tn.FeatureSpace.uniform(2, neurons, shape, 1.9)


def line(label: str, solution: tn.Solution) -> str:
    s = solution.diagnostics.singular_values
    halves = [int(np.count_nonzero(s > cut * s[0])) for cut in (1e-4, 1e-8, 1e-12, 2.2e-16)]
    size = np.abs(solution.coefficients).max()
    return (
        f"| {label} | {s[0] / max(s[-1], 1e-300):.0e} | {' | '.join(map(str, halves))} | {size:.0e} | "
        f"{relative_error(POISSON, solution):.1e} |"
    )


def head(*names: str) -> str:
    return "| " + " | ".join(names) + " |\n|" + "---|" * len(names)


def singular_values() -> None:
    header = "| | condition | > 1e-4 | > 1e-8 | > 1e-12 | > eps | largest coefficient | relative error |"
    print("\n### shape of tanh ridges, 500 neurons\n", header, "|" + "---|" * 8, sep="\n")
    for shape in (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0):
        print(line(f"shape {shape}", solved(ridges(500, shape))))
    print("\n### fill of waves, 500 neurons\n", header, "|" + "---|" * 8, sep="\n")
    for fill in (0.03, 0.06, 0.12, 0.24, 0.48):
        print(line(f"fill {fill}", solved(tn.FeatureSpace.waves(2, 500, fill))))
    print("\n### neurons (waves, fill 0.12)\n", header, "|" + "---|" * 8, sep="\n")
    for neurons in (100, 200, 400, 800, 1600):
        print(line(f"{neurons} neurons", solved(tn.FeatureSpace.waves(2, neurons, 0.12))))
    print("\n### interior points per neuron (waves, 500 neurons, fill 0.12)\n", header, "|" + "---|" * 8, sep="\n")
    for ratio in (1.0, 1.2, 1.5, 2.0, 3.0, 6.0):
        solution = solved(tn.FeatureSpace.waves(2, 500, 0.12), points=tn.Points(interior=int(500 * ratio)))
        print(line(f"{ratio} points", solution))


def truncation() -> None:
    spaces = {
        "tanh, shape 2, 1000": ridges(1000, 2.0),
        "waves, fill 0.06, 1000": tn.FeatureSpace.waves(2, 1000, 0.06),
        "waves, fill 0.12, 1000": tn.FeatureSpace.waves(2, 1000, 0.12),
    }
    solvers = {"QR, no cut": tn.QR()}
    solvers |= {f"SVD, cut {cut:.0e}": SVD(cut) for cut in (2.2e-16, 1e-14, 1e-12, 1e-10, 1e-8)}
    solvers |= {f"pivoted QR, cut {cut:.0e}": PivotedQR(cut) for cut in (2.2e-16, 1e-12, 1e-8)}
    solvers |= {f"ridge, mu {mu:.0e}": tn.Ridge(mu) for mu in (1e-16, 1e-14, 1e-12, 1e-10, 1e-8)}
    solvers |= {"ridge, L-curve": tn.Ridge("lcurve"), "ridge, cross-validation": tn.Ridge("gcv")}
    print(
        "\n### truncation and ridge\n",
        "| solver | " + " | ".join(spaces) + " |",
        "|---|" + "---|" * len(spaces),
        sep="\n",
    )
    for name, solver in solvers.items():
        cells = []
        for space in spaces.values():
            solution = solved(space, solver)
            cells.append(f"{relative_error(POISSON, solution):.1e} ({np.abs(solution.coefficients).max():.0e})")
        print(f"| {name} | {' | '.join(cells)} |")


def noise() -> None:
    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    exact = sp.exp(x) * sp.cos(2 * y)
    rng = np.random.default_rng(0)
    at = rng.uniform(-1, 1, (400, 2))
    print(
        "\n### noisy data\n", "| noise | QR | ridge, L-curve | ridge, cross-validation |", "|---|---|---|---|", sep="\n"
    )
    for level in (1e-1, 1e-2, 1e-3, 1e-4):
        values = np.exp(at[:, 0]) * np.cos(2 * at[:, 1])
        problem = tn.Problem(
            tn.Box(x=(-1, 1), y=(-1, 1)),
            [sp.Eq(tn.laplacian(u), -3 * exact)],
            [tn.data(u, at, values + level * rng.standard_normal(400))],
        )
        points = np.random.default_rng(1).uniform(-0.9, 0.9, (2000, 2))
        truth = np.exp(points[:, 0]) * np.cos(2 * points[:, 1])
        cells = []
        for solver in (tn.QR(), tn.Ridge("lcurve"), tn.Ridge("gcv")):
            found = solved(tn.FeatureSpace.waves(2, 300, 0.12), solver, problem=problem)(points)
            cells.append(f"{np.sqrt(np.mean((found - truth) ** 2)):.1e}")
        print(f"| {level:.0e} | {' | '.join(cells)} |")


def sparse() -> None:
    print("\n### the smallest network that meets a tolerance, of 800 neurons\n")
    print(head("tolerance", "Sparse: neurons, error", "Lasso: neurons, error", "first neurons with that error"))
    space = ridges(800, 1.5)
    plain = {m: relative_error(POISSON, solved(ridges(m, 1.5))) for m in (100, 150, 200, 300, 400, 500, 600, 700, 800)}
    for tolerance in (1e-2, 1e-4, 1e-6, 1e-8):
        cells = []
        for solver in (tn.Sparse(tolerance), tn.Lasso(tolerance)):
            solution = solved(space, solver)
            cells.append((solution.neurons, relative_error(POISSON, solution)))
        fresh = next((m for m, e in plain.items() if e <= cells[0][1]), "more")
        print(f"| {tolerance:.0e} | {cells[0][0]}, {cells[0][1]:.1e} | {cells[1][0]}, {cells[1][1]:.1e} | {fresh} |")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    singular_values()
    truncation()
    noise()
    sparse()
