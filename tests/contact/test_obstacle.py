"""Obstacles with closed forms: on a line, under a membrane, from above, from both sides, and what cannot be meant."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq

import transnet as tn
from transnet.contact.statement import contact_of
from transnet.drive.plan import Plan
from transnet.errors import TransnetError, TransnetWarning

x, y, a = sp.symbols("x y a")
u, v = tn.unknown("u", x, y), tn.unknown("v", x)
disk = tn.Disk(radius=1)
HALF = sp.Rational(1, 2)


def test_a_string_over_a_parabola():
    problem = tn.Problem(
        tn.Interval(x=(-1, 1)),
        [sp.Eq(sp.diff(v, x, 2), 0)],
        [tn.on("boundary", sp.Eq(v, 0)), tn.obstacle(v >= a - x**2)],
    )
    solution = tn.solve(problem, parameters={a: 0.5})
    edge = 1 - np.sqrt(0.5)
    at = np.linspace(-1, 1, 501)
    exact = np.where(np.abs(at) < edge, 0.5 - at**2, 2 * edge * (1 - np.abs(at)))
    assert np.abs(solution(x=at) - exact).max() < 1e-12
    assert np.allclose([float(c[0, 0]) for c in solution.contact.curves], [-edge, edge], atol=1e-8)
    # The slope is continuous, and the second derivative jumps at the edge.
    assert np.allclose(solution.evaluate(sp.diff(v, x), x=np.array([edge - 1e-9, edge + 1e-9])), -2 * edge, atol=1e-7)
    assert np.allclose(solution.evaluate(sp.diff(v, x, 2), x=np.array([0.9 * edge, 1.1 * edge])), [-2, 0], atol=1e-9)


@pytest.fixture(scope="module")
def membrane():
    problem = tn.Problem(
        disk, [sp.Eq(-tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, 0)), tn.obstacle(u >= HALF - x**2 - y**2)]
    )
    return tn.solve(problem)


EDGE = brentq(lambda r: -2 * r * r * np.log(r) - 0.5 + r * r, 0.05, 0.7)


def radial(points):
    r = np.hypot(*points.T)
    return np.where(r < EDGE, 0.5 - r**2, -2 * EDGE**2 * np.log(r))


def test_a_membrane_over_a_ball_to_eight_digits(membrane):
    points = disk.interior(1000)
    error = np.abs(membrane(points) - radial(points)).max() / 0.5
    assert error < 1e-8
    assert error < 3 * membrane.error  # the estimate holds
    assert np.allclose(np.hypot(*membrane.contact.curves[0].T), EDGE, atol=1e-5)


def test_results_and_files_follow(membrane, tmp_path):
    e = EDGE
    exact = np.pi * (e**2 / 2 - e**4 / 2) + np.pi * e**2 * (1 - e**2 + 2 * e**2 * np.log(e))
    total = membrane.integral(u)
    assert abs(total.value - exact) < max(total.error, 1e-9)
    membrane.save(tmp_path / "membrane.npz")
    again, points = tn.load(tmp_path / "membrane.npz"), disk.interior(200)
    assert np.array_equal(again(points), membrane(points))
    assert "u >=" in str(again.problem)
    assert np.array_equal(again.contact.contains(points), np.hypot(*points.T) < EDGE)


def test_plastic_torsion_of_a_round_bar():
    """|grad u| <= 1 is u <= distance to the boundary; the plastic ring touches the whole boundary."""
    load = 4
    problem = tn.Problem(
        disk, [tn.laplacian(u) + load], [tn.on("boundary", sp.Eq(u, 0)), tn.obstacle(u <= 1 - sp.sqrt(x**2 + y**2))]
    )
    solution, core = tn.solve(problem), 2 / load
    points = disk.interior(1000)
    r = np.hypot(*points.T)
    exact = np.where(r > core, 1 - r, 1 - core + load / 4 * (core**2 - r**2))
    assert np.abs(solution(points) - exact).max() < 1e-8
    assert not solution.contact.contains(np.zeros((1, 2)))[0]


def test_a_perpetual_option():
    """0.045 S^2 V'' + 0.05 S V' - 0.05 V = 0 and V >= 1 - S: convection, reaction, and contact at one end."""
    gamma = 0.05 / 0.045
    edge = gamma / (1 + gamma)
    factor = (1 - edge) * edge**gamma
    price = 0.045 * x**2 * sp.diff(v, x, 2) + 0.05 * x * sp.diff(v, x) - 0.05 * v
    ends = [tn.on("left", sp.Eq(v, 0.9)), tn.on("right", sp.Eq(v, factor * 4.0**-gamma))]
    solution = tn.solve(tn.Problem(tn.Interval(x=(0.1, 4)), [price], [*ends, tn.obstacle(v >= 1 - x)]))
    at = np.linspace(0.1, 4, 300)
    assert np.abs(solution(x=at) - np.where(at < edge, 1 - at, factor * at**-gamma)).max() < 1e-8


def test_between_two_obstacles_on_a_line():
    """v'' = -40 x between -1/2 and 1/2: contact with both, and symmetric."""
    problem = tn.Problem(
        tn.Interval(x=(-1, 1)),
        [sp.Eq(-sp.diff(v, x, 2), 40 * x)],
        [tn.on("boundary", sp.Eq(v, 0)), tn.obstacle(v <= HALF), tn.obstacle(v >= -HALF)],
    )
    solution, at = tn.solve(problem), np.linspace(0, 1, 200)
    values = solution(x=at)
    assert values.max() < 0.5 + 1e-9
    assert np.allclose(solution(x=-at), -values, atol=1e-8)
    # Near the middle v = c x - 20/3 x^3 with v = 1/2 and v' = 0 at the edge: 40/3 e^3 = 1/2.
    edge = (1.5 / 40) ** (1 / 3)
    inner = at[at < edge]
    assert np.allclose(solution(x=inner), 20 * edge**2 * inner - 20 / 3 * inner**3, atol=1e-8)


def test_an_obstacle_that_is_not_touched_changes_nothing():
    problem = tn.Problem(disk, [tn.laplacian(u) + 4], [tn.on("boundary", sp.Eq(u, 0)), tn.obstacle(u >= -1)])
    points = disk.interior(200)
    assert np.abs(tn.solve(problem)(points) - (1 - (points**2).sum(axis=1))).max() < 1e-9


def stated(*conditions, equation=None, domain=disk):
    return tn.Problem(domain, [tn.laplacian(u) if equation is None else equation], list(conditions))


RIM = tn.on("boundary", sp.Eq(u, 0))
WRONG = {
    "an obstacle above the values on the boundary": (lambda: stated(RIM, tn.obstacle(u >= 1 - x / 2)), "is above the"),
    "two obstacles without a gap": (
        lambda: stated(RIM, tn.obstacle(u >= -1), tn.obstacle(u <= x - HALF)),
        "leave no gap",
    ),
    "a bound of the slope": (lambda: stated(RIM, tn.obstacle(sp.diff(u, x) <= 1)), "the unknown itself"),
    "an equation that is not elliptic": (
        lambda: stated(RIM, tn.obstacle(u >= -1), equation=sp.diff(u, x, 2) - sp.diff(u, y, 2)),
        "elliptic",
    ),
    "an equation of fourth order": (lambda: stated(RIM, tn.obstacle(u >= -1), equation=tn.biharmonic(u)), "of order 4"),
    "contact that ends on the boundary": (
        lambda: stated(
            tn.on("left", sp.Eq(sp.diff(u, x), 0)),
            *(tn.on(part, sp.Eq(u, 0)) for part in ("right", "top", "bottom")),
            tn.obstacle(u >= HALF - x**2 - 4 * y**2),
            domain=tn.Box(x=(0, 1), y=(-1, 1)),
        ),
        "reaches the boundary",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_solved_is_refused(name):
    problem, text = WRONG[name]
    with pytest.raises(TransnetError, match=text):
        tn.solve(problem())


def test_what_is_no_inequality_is_refused():
    with pytest.raises(TransnetError, match="takes an inequality"):
        tn.obstacle(sp.Eq(u, 0))
    with pytest.raises(TransnetError, match="contains no unknown"):
        tn.obstacle(x >= 0)
    with pytest.raises(TransnetError, match="condition of its own"):
        tn.on("boundary", u >= 0, sp.Eq(u, 1))
    for door in (tn.methods, tn.prepare):
        with pytest.raises(TransnetError, match=r"Only tn.solve finds it"):
            door(stated(RIM, tn.obstacle(u >= -1)))


def test_options_of_a_single_solve_are_refused_and_a_time_limit_is_kept():
    problem = stated(RIM, tn.obstacle(u >= HALF - x**2 - y**2))
    with pytest.raises(TransnetError, match="for a single solve"):
        tn.solve(problem, neurons=100)
    with pytest.warns(TransnetWarning):  # whatever was found by then, with its estimate
        solution = tn.solve(problem, tol=1e-12, seconds=1e-3)
    points = disk.interior(200)
    assert np.abs(solution(points) - radial(points)).max() < solution.error


def test_the_gap_opens_as_the_equation_says():
    """d_nn (u - psi) = f - L psi over a_nn, for an equation with coefficients, against the radial solution."""
    contact = contact_of(Plan(stated(RIM, tn.obstacle(u >= HALF - x**2 - y**2))))
    points = EDGE * np.array([[1.0, 0.0], [0.6, 0.8]])
    assert np.allclose(contact.opening(contact.barriers[0])(points, points / EDGE), 4.0)
