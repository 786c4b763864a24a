"""Steps in time whose stages are solved in cells: linear evolutions of one unknown on plane domains."""

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y, t = sp.symbols("x y t", real=True)
w = tn.unknown("w", x, y, t)
PLATE = (tn.Box(x=(0, 2), y=(0, 1)) - tn.Disk(center=(0.7, 0.5), radius=0.2)) * tn.Interval(t=(0, 0.3))
EXACT = sp.exp(-t) * sp.sin(x) * sp.cos(y) + x * y * t


def heat(domain: tn.Domain) -> tn.Problem:
    """w_t = k laplacian(w) + advection + source, made so that EXACT solves it, with values or fluxes on the sides."""
    k = 1 + x / 4

    def operator(f: sp.Expr) -> sp.Expr:
        return sp.diff(f, t) - sp.diff(k * sp.diff(f, x), x) - sp.diff(k * sp.diff(f, y), y) + y * sp.diff(f, x)

    flux = tn.normal_derivative(w)
    out = sp.diff(EXACT, x)
    conditions = [tn.on("x=2", flux - out), *(tn.on(part, w - EXACT) for part in ("x=0", "y=0", "y=1", "circle"))]
    start = tn.on("t=0", w - EXACT.subs(t, 0))
    return tn.Problem(domain, [sp.Eq(operator(w), operator(EXACT))], [*conditions, start])


def error(solution: tn.Solution, domain: tn.Domain) -> float:
    points = domain.interior(400, "quasi", 1)
    true = sp.lambdify((x, y, t), EXACT, "numpy")(*points.T)
    return float(np.linalg.norm(solution(points) - true) / np.linalg.norm(true))


def test_a_plate_with_a_hole(tmp_path: Path) -> None:
    solution = tn.solve(heat(PLATE), method="march", tol=3e-5)
    assert "cells" in solution.diagnostics.solver
    assert error(solution, PLATE) < min(10 * solution.error, 1e-4)
    solution.save(tmp_path / "plate.npz")
    points = PLATE.interior(50, "quasi", 2)
    assert np.array_equal(tn.load(tmp_path / "plate.npz")(points), solution(points))


def test_a_march_in_cells_goes_on() -> None:
    shape = tn.Box(x=(0, 2), y=(0, 1)) - tn.Disk(center=(0.7, 0.5), radius=0.2)
    first = tn.solve(heat(shape * tn.Interval(t=(0, 0.2))), method="march", tol=1e-4)
    second = tn.solve(heat(PLATE), start=first, tol=1e-4)
    assert "cells" in second.diagnostics.solver
    assert error(second, PLATE) < 1e-3


def test_the_functions_of_a_reentrant_corner_are_there() -> None:
    """r^(2/3) sin(2 a / 3) cos(t): with polynomials alone the corner of an L-shape costs two digits."""
    shape = tn.Polygon([(0, 0), (0, -1), (1, -1), (1, 1), (-1, 1), (-1, 0)])
    domain = shape * tn.Interval(t=(0, 0.3))
    turned = sp.atan2(-x, y) + sp.pi / 2  # from the edge x = 0, y < 0 on, without a jump in the domain
    shape_of_corner = (x**2 + y**2) ** sp.Rational(1, 3) * sp.sin(2 * (sp.pi - turned) / 3)
    true = sp.cos(t) * shape_of_corner
    sides = [tn.on(part, w - true) for part in domain.parts if not part.startswith("t=")]
    equation = sp.Eq(sp.diff(w, t) - sp.diff(w, x, 2) - sp.diff(w, y, 2), sp.diff(true, t))
    problem = tn.Problem(domain, [equation], [*sides, tn.on("t=0", w - true.subs(t, 0))])
    solution = tn.solve(problem, method="march", tol=1e-4)
    points = domain.interior(300, "quasi", 1)
    exact = sp.lambdify((x, y, t), true, "numpy")(*points.T)
    assert np.linalg.norm(solution(points) - exact) < max(10 * solution.error, 1e-4) * np.linalg.norm(exact)
    assert solution.error < 1e-3


@pytest.mark.parametrize("order", [1, 2])
def test_waves_are_not_for_cells(order: int) -> None:
    disk = tn.Disk(radius=1) * tn.Interval(t=(0, 1))
    equation = sp.Eq(sp.diff(w, t, order), sp.diff(w, x, 2) + sp.diff(w, y, 2))
    start = [tn.on("t=0", w - sp.exp(-9 * (x**2 + y**2)))] + [tn.on("t=0", sp.diff(w, t))] * (order - 1)
    told = str(tn.methods(tn.Problem(disk, [equation], [tn.on("circle", w), *start])))
    assert f"each in {'cells' if order == 1 else 'pieces'}" in told
