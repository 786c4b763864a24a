"""One hidden layer against two and three at equal columns: the table of `docs/theory/layers.md`.

    python benchmarks/layers.py
    python benchmarks/layers.py activations     # waves against other activations where waves converge slowly

For each problem and depth a few shapes and gains are tried, and the one with the smallest estimated error is taken: no
exact solution is used for the choice. Errors are relative L2, seconds are CPU seconds of one solve with the winner.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator

import numpy as np
import sympy as sp

import transnet as tn
from transnet.paper.cases import case

x, y = sp.symbols("x y")
COLUMNS = {1: 300, 2: 300, 3: 500}
SHAPES = (0.3, 0.6, 1.2, 2.4)
GAINS = (0.25, 0.5, 1.0)


def problems() -> Iterator[tuple[str, tn.Problem, dict[str, sp.Expr]]]:
    for name in ("C1", "C2", "C3", "C4", "C7", "C9"):
        chosen = case(name)
        yield name, chosen.problem, dict(chosen.exact)
    u, square = tn.unknown("u", x, y), tn.Box(x=(0, 1), y=(0, 1))
    for name, exact in (
        ("oscillatory: sin(12 x + 5 y)", sp.sin(12 * x + 5 * y)),
        ("steep: tanh((x + y - 1) / 0.1)", sp.tanh((x + y - 1) / sp.Float(0.1))),
        ("a bump: exp(-60 r^2)", sp.exp(-60 * ((x - 0.4) ** 2 + (y - 0.6) ** 2))),
    ):
        right = sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y))
        yield name, tn.Problem(square, [right], [tn.on("boundary", sp.Eq(u, exact))]), {"u": exact}


def spaces(dimension: int, layers: int) -> Iterator[tn.FeatureSpace]:
    neurons = COLUMNS[dimension]
    if layers < 0:
        # As long as two layers take.
        yield from (tn.FeatureSpace.uniform(dimension, 2 * neurons, shape) for shape in (*SHAPES, 4.0))
    elif layers == 0:
        yield from (tn.FeatureSpace.waves(dimension, neurons, fill) for fill in (0.03, 0.06, 0.12, 0.25))
    elif layers == 1:
        yield from (tn.FeatureSpace.uniform(dimension, neurons, shape) for shape in (*SHAPES, 4.0))
    else:
        for shape in SHAPES[:3]:
            yield from (tn.FeatureSpace.deep(dimension, neurons, layers, shape=shape, gain=g) for g in GAINS)


def error_of(solution: tn.Solution, exact: dict[str, sp.Expr]) -> float:
    points = solution.problem.domain.interior(2000, "quasi", 5)
    worst = 0.0
    for name, expression in exact.items():
        truth = np.broadcast_to(sp.lambdify(solution.problem.coordinates, expression, "numpy")(*points.T), len(points))
        worst = max(worst, float(np.linalg.norm(solution[name].at(points) - truth) / np.linalg.norm(truth)))
    return worst


def fronts() -> Iterator[tuple[str, tn.Problem, dict[str, sp.Expr]]]:
    """Problems to which waves converge slowly, on the unit interval, square and cube."""
    z = sp.Symbol("z")
    for name, coordinates, exact in (
        ("tanh((x - 0.4) / 0.02)", (x,), sp.tanh((x - 0.4) / 0.02)),
        ("tanh((x + y - 1) / 0.1)", (x, y), sp.tanh((x + y - 1) / 0.1)),
        ("tanh((x + y - 1) / 0.05)", (x, y), sp.tanh((x + y - 1) / 0.05)),
        ("tanh((r - 0.7) / 0.05)", (x, y), sp.tanh((sp.sqrt(x**2 + y**2) - 0.7) / 0.05)),
        ("arctan(60 (r - 0.7))", (x, y), sp.atan(60 * (sp.sqrt((x + 0.1) ** 2 + (y + 0.1) ** 2) - 0.7))),
        ("tanh((x + y + z - 1.5) / 0.1)", (x, y, z), sp.tanh((x + y + z - 1.5) / 0.1)),
        ("exp(-60 r^2)", (x, y, z), sp.exp(-60 * ((x - 0.4) ** 2 + (y - 0.5) ** 2 + (z - 0.6) ** 2))),
    ):
        u, cube = tn.unknown("u", *coordinates), {c.name: (0, 1) for c in coordinates}
        domain = tn.Interval(**cube) if len(cube) == 1 else tn.Box(**cube)
        right = sp.Eq(tn.laplacian(u), tn.laplacian(exact, *coordinates))
        yield name, tn.Problem(domain, [right], [tn.on("boundary", sp.Eq(u, exact))]), {"u": exact}


def residual_of(solution: tn.Solution) -> float:
    """The weighted residual at points that were not fitted, by which spaces are compared."""
    return float(np.hypot.reduce([r.relative for r in solution.diagnostics.residuals]))


def activations() -> None:
    """At equal columns the residual chooses the bandwidth or the shape of each kind; the true errors are compared."""
    columns = {1: 100, 2: 400, 3: 800}
    print("| solution | columns | waves | tanh | Gauss |")
    print("|---|---|---|---|---|")
    for name, problem, exact in fronts():
        d = problem.domain.dimension
        n, radius = columns[d], 1.35 * np.sqrt(d)
        kinds = [
            [tn.FeatureSpace.waves(d, n, fill) for fill in (0.06, 0.12, 0.25, 0.35)],
            *(
                [tn.FeatureSpace.uniform(d, n, shape, radius, activation=kind) for shape in (1, 2, 4, 8, 16)]
                for kind in ("tanh", "gauss")
            ),
        ]
        found = []
        for several in kinds:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                best = min((tn.solve(problem, space=space) for space in several), key=residual_of)
            found.append(f"{error_of(best, exact):.0e}")
        print(f"| {name} | {n} | {' | '.join(found)} |", flush=True)


def main() -> None:
    if "activations" in sys.argv[1:]:
        activations()
        return
    print("| problem | waves | one layer | two layers | three layers | one layer, twice the columns | seconds |")
    print("|---|---|---|---|---|---|---|")
    for name, problem, exact in problems():
        found, seconds = [], []
        for layers in (0, 1, 2, 3, -1):
            best = None
            for space in spaces(problem.domain.dimension, layers):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    start = time.process_time()
                    solution = tn.solve(problem, space=space)
                    taken = time.process_time() - start
                if best is None or solution.error < best[0].error:
                    best = solution, taken
            assert best is not None
            found.append(f"{error_of(best[0], exact):.0e}")
            seconds.append(f"{best[1]:.2f}")
        print(f"| {name} | {' | '.join(found)} | {', '.join(seconds)} |", flush=True)


if __name__ == "__main__":
    main()
