"""(d) Another right-hand side of a prepared problem against the first solve."""

import numpy as np
import sympy as sp

import transnet as tn
from measure import seconds
from report import Figure, Part

x, y, k = sp.symbols("x y k")
u = tn.unknown("u", x, y)
EXACT = sp.sin(k * x) * sp.cos(3 * y)


def problem(domain: tn.Domain) -> tn.Problem:
    return tn.Problem(
        domain,
        [sp.Eq(tn.laplacian(u), sp.diff(EXACT, x, 2) + sp.diff(EXACT, y, 2))],
        [tn.on("boundary", sp.Eq(u, EXACT))],
    )


def run(quick: bool) -> Part:
    rows, figures = [], []
    for name, domain in (("box", tn.Box(x=(-1, 1), y=(-1, 1))), ("annulus", tn.Disk(radius=1) - tn.Disk(radius=0.5))):
        stated = problem(domain)
        first, solution = seconds(lambda p=stated: tn.solve(p, neurons=1000, parameters={k: 3.0}), 3)
        prepared = tn.prepare(stated, space=solution.basis.spaces)
        for value in np.linspace(1, 2, 10):
            prepared.solve({k: value})
        second, again = seconds(lambda p=prepared: p.solve({k: 3.0}), 15)
        many, _ = seconds(lambda p=prepared: p.solve_many({k: np.linspace(1, 4, 1000)}), 1)
        points = domain.interior(1000, "random", 1)
        error = np.abs(again(points) - np.sin(3 * points[:, 0]) * np.cos(3 * points[:, 1])).max()
        figures.append(Figure(f"(d) {name}: second solve faster than the first", first / second, 50))
        figures.append(Figure(f"(d) {name}: one of 1000 solves faster than the first", first / (many / 1000), 50))
        rows.append((name, first, prepared.seconds, second, many / 1000, first / second, float(error)))
    header = ("domain", "first s", "prepare s", "second s", "one of 1000 s", "ratio", "largest error")
    notes = (
        "1000 neurons, a parameter on the right-hand side: `tn.solve(problem, neurons=1000)` with compiled "
        "equations, then `prepared.solve({k: 3})`, with residuals and estimate."
    )
    return Part("(d) The second solve", header, rows, figures, notes)
