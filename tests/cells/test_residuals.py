"""How well statements hold in cells, relative to the size of their terms."""

from __future__ import annotations

import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)


def test_a_value_that_is_stated_to_be_zero_is_compared_with_the_others() -> None:
    plate = tn.Box(x=(0, 2), y=(0, 1)) - tn.Disk(center=(1, 0.5), radius=0.2, name="hole")
    problem = tn.Problem(plate, [sp.Eq(tn.laplacian(u), -sp.exp(x))], [tn.on("boundary", sp.Eq(u, 0))])
    solution = tn.solve(problem, tol=1e-3, method="cells")
    held = [r for r in solution.diagnostics.residuals if r.label.endswith("u = 0")]
    assert held
    assert all(0 < r.relative < 1e-2 for r in held)
