"""Problems in cells whose factorisations are kept: other right-hand sides have the digits of `tn.solve`."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cells.prepared import CellParts
from transnet.errors import ProblemError

x, y, a, b, k = sp.symbols("x y a b k")
u = tn.unknown("u", x, y)
PLATE = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]) - tn.Disk(center=(0.5, 0.5), radius=0.2)
POINTS = PLATE.interior(200)
EXACT = a * sp.sin(2 * x + y) + b * x * y**2


def poisson(exact: sp.Expr = EXACT) -> tn.Problem:
    source = sp.diff(exact, x, 2) + sp.diff(exact, y, 2)
    return tn.Problem(
        PLATE, [sp.Eq(tn.laplacian(u) + x * sp.diff(u, x), source + x * sp.diff(exact, x))],
        [tn.on("boundary", sp.Eq(u, exact))],
    )  # fmt: skip


def exact_at(points: np.ndarray, values: dict) -> np.ndarray:
    return sp.lambdify((x, y), EXACT.subs(values))(*points.T)


@pytest.fixture(scope="module")
def prepared():
    return tn.prepare(poisson(), tol=1e-6)


def in_cells(prepared) -> bool:
    return isinstance(prepared.parts, CellParts)


@pytest.mark.parametrize("values", [{a: 1, b: 1}, {a: -3, b: 0.1}, {a: 1e-7, b: 0}])
def test_the_error_is_below_its_estimate(prepared, values):
    assert in_cells(prepared)
    found = prepared.solve(values)
    right = exact_at(POINTS, values)
    error = np.linalg.norm(found(POINTS) - right) / np.linalg.norm(right)
    assert error <= 3 * found.error < 1e-5
    assert found.error < 1e6 * max(error, 1e-13)
    assert max(r.relative for r in found.diagnostics.residuals) < 1e-4


def test_many_at_once_are_those_one_by_one(prepared):
    table = [{a: 1.0, b: s} for s in np.linspace(-1, 1, 7)]
    many = prepared.solve_many(table)
    for each, values in zip(many, table, strict=True):
        np.testing.assert_allclose(each(POINTS), prepared.solve(values)(POINTS), atol=1e-12)


def test_the_bits_are_the_same_whatever_was_solved_before_and_after_pickling(prepared):
    first = prepared.solve({a: 2.0, b: 3.0})(POINTS)
    prepared.solve({a: -1.0, b: 0.5})
    copy = pickle.loads(pickle.dumps(prepared))
    for again in (prepared, copy):
        np.testing.assert_array_equal(again.solve({a: 2.0, b: 3.0})(POINTS), first)
    kept = pickle.loads(pickle.dumps(prepared.solve({a: 2.0, b: 3.0})))
    np.testing.assert_array_equal(kept(POINTS), first)


def test_right_hand_sides_as_functions_arrays_and_other_formulas(prepared):
    values = {a: 1.0, b: 2.0}
    rim = sp.lambdify((x, y), EXACT.subs(values))
    label = next(name for name in prepared.points if name.startswith("boundary"))
    right = prepared.solve(values)(POINTS)
    for given in (rim, rim(*prepared.points[label].T)):
        np.testing.assert_allclose(prepared.solve(values, values={label: given})(POINTS), right, atol=1e-12)
    other = poisson(a * sp.exp(x) * y + b)
    expected = np.exp(POINTS[:, 0]) * POINTS[:, 1] + 2
    np.testing.assert_allclose(prepared.solve(values, problem=other)(POINTS), expected, atol=1e-6)
    wrong = tn.Problem(PLATE, [sp.Eq(tn.laplacian(u), a * b)], [tn.on("boundary", sp.Eq(u, 0))])
    with pytest.raises(ProblemError, match="its operator or its place differs"):
        prepared.solve(values, problem=wrong)


def test_parameters_of_the_operator_factor_it_again():
    stated = tn.Problem(PLATE, [sp.Eq(tn.laplacian(u) - k * u, a)], [tn.on("boundary", sp.Eq(u, x))])
    kept = tn.prepare(stated, tol=1e-5, parameters={k: 2.0})
    assert in_cells(kept)
    assert kept.operator_parameters == (k,)
    first = kept.solve({a: 1.0, k: 2.0})(POINTS)
    other = kept.solve({a: 1.0, k: 5.0})
    expected = tn.solve(stated, tol=1e-8, parameters={a: 1.0, k: 5.0})(POINTS)
    assert np.abs(other(POINTS) - expected).max() < 1e-4 * np.abs(expected).max()
    np.testing.assert_array_equal(kept.solve({a: 1.0, k: 2.0})(POINTS), first)


def test_two_materials_with_a_jump_that_is_a_parameter():
    core = tn.Disk(center=(0.1, 0.05), radius=0.4)
    domain = tn.Pieces(core=core, shell=tn.Disk(radius=1) - core)
    conductivity = tn.by_piece(core=5, shell=1)
    stated = tn.Problem(
        domain, [sp.Eq(tn.div(conductivity * tn.grad(u)), a * x)],
        [tn.on("circle", sp.Eq(u, y)), tn.on("core|shell", sp.Eq(tn.jump(u), b))],
    )  # fmt: skip
    kept = tn.prepare(stated, tol=1e-6)
    assert in_cells(kept)
    points = domain.interior(100)
    for values in ({a: 3.0, b: -1.0}, {a: 0.0, b: 0.5}):
        expected = tn.solve(stated, tol=1e-8, parameters=values)(points)
        assert np.abs(kept.solve(values)(points) - expected).max() < 1e-5 * np.abs(expected).max()


def test_a_mean_that_is_a_parameter():
    ring = tn.Disk(radius=1) - tn.Disk(center=(0.2, 0), radius=0.3)  # the mean of x y is zero
    n = tn.normal(x, y)
    stated = tn.Problem(
        ring, [sp.Eq(tn.laplacian(u), 0)],
        [tn.on("boundary", sp.Eq(tn.normal_derivative(u), a * (n[0] * y + n[1] * x))), tn.mean(u, b)],
    )  # fmt: skip
    kept = tn.prepare(stated, tol=1e-6)
    points = ring.interior(20)
    for values in ({a: 1.0, b: 1.0}, {a: -2.5, b: 0.0}):
        expected = values[a] * points[:, 0] * points[:, 1] + values[b]
        np.testing.assert_allclose(kept.solve(values)(points), expected, atol=1e-8)


def test_a_hundred_loads_of_a_bracket():
    force, angle = sp.symbols("F theta")
    body = tn.elasticity(tn.vector("u", x, y), E=210e3, nu=0.3, plane="stress")
    names = ["bottom", "tip", "inner", "rib", "top", "wall"]
    part = tn.Polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)], names=names)
    free = [tn.on(p, *(sp.Eq(t, 0) for t in body.traction)) for p in names if p not in ("wall", "tip")]
    load = (force * sp.cos(angle), force * sp.sin(angle))
    held = tn.on("wall", *(sp.Eq(w, 0) for w in body.displacement))
    pulled = tn.on("tip", *(sp.Eq(t, f) for t, f in zip(body.traction, load, strict=True)))
    stated = tn.Problem(part, body.equations, [held, pulled, *free])
    kept = tn.prepare(stated, tol=1e-3)
    assert in_cells(kept)
    loads = [{force: 1.0 + n, angle: 0.1 * n} for n in range(100)]
    found = kept.solve_many(loads)
    assert found.errors.max() < 1e-3
    points = part.interior(50)
    across, up = (kept.solve({force: 1.0, angle: t}) for t in (0.0, np.pi / 2))
    for number in (3, 77):  # what is linear superposes
        f, t = loads[number][force], loads[number][angle]
        for w in body.displacement:
            parts = [s.evaluate(w, points) for s in (across, up)]
            expected = f * (np.cos(t) * parts[0] + np.sin(t) * parts[1])
            np.testing.assert_allclose(found[number].evaluate(w, points), expected, atol=1e-9 * np.abs(expected).max())
