"""Domains that move by a given law: exact solutions, derivatives in the laboratory, results, files."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import TransnetError
from transnet.motion.affine import Motion

x, y, t, a = sp.symbols("x y t a")
u, v = tn.unknown("u", x, t), tn.unknown("v", x, y, t)
hour = tn.Interval(t=(0, 1))


def difference(solution, exact, expression=None):
    points = solution.problem.domain.interior(300)
    made = solution(points) if expression is None else solution.evaluate(expression, points)
    values = sp.lambdify([c.name for c in solution.problem.coordinates], exact)
    return np.abs(made - values(*points.T)).max()


@pytest.fixture(scope="module")
def growing():
    exact = sp.exp(-t) * sp.sin(x) + x * t
    sides = [tn.on("left", sp.Eq(u, exact)), tn.on("right", sp.Eq(sp.diff(u, x), sp.diff(exact, x)))]
    problem = tn.Problem(
        tn.Interval(x=(0, 1 + a * t)) * hour,
        [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + x)],
        [tn.on("t=0", sp.Eq(u, exact)), *sides],
    )
    return tn.solve(problem, parameters={a: 1}), exact


def test_heat_in_a_rod_that_grows(growing):
    solution, exact = growing
    assert difference(solution, exact) < 1e-10
    assert difference(solution, sp.diff(exact, t), sp.diff(u, t)) < 1e-8  # at a place at rest, not on the rod
    assert difference(solution, sp.diff(exact, x, 2), sp.diff(u, x, 2)) < 1e-8
    assert max(np.abs(r).max() for r in solution.residual_values().values()) < 1e-8


def test_results_pictures_and_files_of_a_rod_that_grows(growing, tmp_path):
    solution, exact = growing
    domain = solution.problem.domain
    assert np.isclose(domain.volume, 1.5)
    assert np.allclose(domain.bounds, [[0, 0], [2, 1]])
    assert list(domain.contains([(1.5, 0.6), (1.5, 0.4)])) == [True, False]
    total = float(sp.integrate(sp.integrate(exact, (x, 0, 1 + t)), (t, 0, 1)))
    assert np.isclose(solution.integral(u).value, total, rtol=1e-9)
    solution.plot().save(tmp_path / "rod.png")
    solution.save(tmp_path / "rod.npz")
    points = domain.interior(50)
    assert np.array_equal(tn.load(tmp_path / "rod.npz")(points), solution(points))


CASES = {
    "a disk that grows": (tn.Disk(radius=1 + t / 2), np.pi * (1.5**3 - 1) / 1.5),
    "a square that turns": (tn.moving(tn.Box(x=(-1, 1), y=(-1, 1)), (1 - y, x)), 4.0),
    "a box that is stretched": (tn.Box(x=(0, 1 + t), y=(-1, 1 - t / 4)), 2 * 1.5 - 0.25 / 2 - 0.25 / 3),
}


@pytest.mark.parametrize("name", CASES)
def test_heat_in_the_plane(name):
    """With a flux: the normals are those of the moving shape."""
    shape, volume = CASES[name]
    exact = sp.exp(-t) * (x**2 + y) + x * y / 2
    source = sp.diff(exact, t) - sp.diff(exact, x, 2) - sp.diff(exact, y, 2)
    nx, ny = tn.normal(x, y)
    flux = nx * sp.diff(exact, x) + ny * sp.diff(exact, y)
    problem = tn.Problem(
        shape * hour,
        [sp.Eq(sp.diff(v, t), tn.laplacian(v) + source)],
        [tn.on("t=0", sp.Eq(v, exact)), tn.on("sides", sp.Eq(tn.normal_derivative(v, x, y) + v, flux + exact))],
    )
    solution = tn.solve(problem)
    assert difference(solution, exact) < 1e-6
    assert np.isclose(solution.problem.domain.volume, volume, rtol=1e-6)


def test_the_chain_rule_against_a_formula():
    """U(y, t) with x = (1 + t) y: derivatives at rest of a known function."""
    motion = Motion((x,), t, sp.Matrix([[1 + t]]), sp.Matrix([t**2]))
    known = sp.sin(2 * x) * sp.exp(t)
    pulled = motion.pulled(sp.diff(u, t) + 3 * sp.diff(u, x, 2) - x * u)
    here = known.subs(x, (1 + t) * x + t**2, simultaneous=True)
    there = (sp.diff(known, t) + 3 * sp.diff(known, x, 2) - x * known).subs(x, (1 + t) * x + t**2, simultaneous=True)
    assert sp.simplify(pulled.subs(u, here).doit() - there) == 0


WRONG = {
    "two circles that move apart": (
        lambda: tn.Problem((tn.Disk(radius=2 + t) - tn.Disk(radius=1)) * hour, [sp.diff(v, t) - tn.laplacian(v)]),
        "that move together",
    ),
    "a part of a part": (
        lambda: tn.Problem(
            tn.Interval(x=(0, 1 + t)) * hour, [sp.diff(u, t) - u], [tn.on("t=0", sp.Eq(u, 1), where=x > 0)]
        ),
        "whole parts",
    ),
    "an integral": (
        lambda: tn.Problem(tn.Interval(x=(0, 1 + t)) * hour, [sp.diff(u, t) - sp.Integral(u, (x, 0, 1))]),
        "Integrals of an unknown",
    ),
}


def test_options_that_would_mean_another_place_are_refused(growing):
    with pytest.raises(TransnetError, match="until= is not for domains that move"):
        tn.solve(tn.Problem(tn.Interval(x=(0, 1 + t)) * hour, [sp.diff(u, t) - u]), until=u.subs(x, 0.5) - 1)


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_solved_is_refused(name):
    problem, text = WRONG[name]
    with pytest.raises(TransnetError, match=text):
        tn.solve(problem())


def test_a_velocity_that_is_not_linear_is_refused():
    with pytest.raises(TransnetError, match="not linear"):
        tn.moving(tn.Disk(radius=1), (x**2, 0))
    with pytest.raises(TransnetError, match="components"):
        tn.moving(tn.Disk(radius=1), (x,))
    problem = tn.Problem(tn.Interval(x=(0, 1 + t)) * hour, [sp.diff(u, t) - u])
    for door in (tn.methods, tn.prepare):
        with pytest.raises(TransnetError, match="a domain at rest"):
            door(problem)
