"""Scalar conservation laws: places of shocks against closed forms, conservation, the equation between shocks."""

from itertools import pairwise

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
BURGERS = u**2 / 2
GAUSS = np.polynomial.legendre.leggauss(40)


def law(flux, start, along, until, *conditions, begin=0):
    return tn.Problem(
        tn.Interval(x=along) * tn.Interval(t=(begin, until)),
        [sp.Eq(tn.conserved(u, flux), 0)],
        [tn.on("t=min", sp.Eq(u, start)), *conditions],
    )


def mass(solution, time, low, high):
    """The integral of u between its shocks, by Gauss's rule."""
    edges = [low, *(s.place for s in solution.shocks(time)), high]
    total = 0.0
    for a, b in pairwise(edges):
        nodes = np.linspace(a, b, 41)
        for c, d in pairwise(nodes):
            at = 0.5 * (c + d) + 0.5 * (d - c) * GAUSS[0]
            total += 0.5 * (d - c) * GAUSS[1] @ solution(np.column_stack([at, np.full(40, time)]))
    return total


def test_n_wave():
    solution = tn.solve(law(BURGERS, sp.Piecewise((x, sp.Abs(x) < 1), (0, True)), (-4, 4), 4, begin=1))
    left, right = solution.shocks(3.5)
    assert [left.place, right.place] == pytest.approx([-np.sqrt(3.5), np.sqrt(3.5)], abs=1e-12)
    assert right.speed == pytest.approx(0.5 / np.sqrt(3.5), abs=1e-12)
    points = solution.problem.domain.interior(500)
    inside = np.abs(points[:, 0]) < np.sqrt(points[:, 1])
    assert np.abs(solution(points) - np.where(inside, points[:, 0] / points[:, 1], 0)).max() < 1e-12
    assert solution.error < 1e-9


def test_shocks_that_merge():
    start = sp.Piecewise((2, x < 0), (1, x < 1), (0, True))
    solution = tn.solve(law(BURGERS, start, (-1, 4), 2, tn.on("left", sp.Eq(u, 2))))
    assert [s.place for s in solution.shocks(0.5)] == pytest.approx([0.75, 1.25], abs=1e-11)
    assert [s.place for s in solution.shocks(2.0)] == pytest.approx([2.5], abs=1e-11)


def test_flux_that_is_not_convex():
    """Buckley and Leverett: behind the front f' = f/u, so u = 1/sqrt(5), and the front moves with (1 + sqrt 5)/2."""
    flux = u**2 / (u**2 + (1 - u) ** 2 / 4)
    solution = tn.solve(law(flux, 0, (0, 2), 1, tn.on("left", sp.Eq(u, 1))))
    (front,) = solution.shocks(0.8)
    assert front.place == pytest.approx(0.4 * (1 + np.sqrt(5)), abs=1e-11)
    assert front.left == pytest.approx(1 / np.sqrt(5), abs=1e-6)


def test_concave_flux():
    """Traffic: a red light turns green."""
    start = sp.Piecewise((1, x < 0), (0, True))
    solution = tn.solve(law(u * (1 - u), start, (-2, 2), 1))
    places = np.linspace(-0.9, 0.9, 7)
    found = solution(np.column_stack([places, np.ones(7)]))
    assert found == pytest.approx((1 - places) / 2, abs=1e-12)
    assert solution.shocks(1.0) == ()


def test_periodic_values_conserve_and_satisfy_the_equation():
    solution = tn.solve(law(BURGERS, sp.sin(x) + sp.cos(2 * x) + 0.3, (0, 2 * sp.pi), 2, tn.periodic(x)))
    assert mass(solution, 2.0, 0, 2 * np.pi) == pytest.approx(0.6 * np.pi, abs=1e-9)
    points = solution.problem.domain.interior(200)
    residual = solution.evaluate(sp.diff(u, t) + u * sp.diff(u, x), points)
    assert np.abs(residual).max() < 1e-9 * np.abs(solution.evaluate(sp.diff(u, t), points)).max()


def test_values_that_enter_in_time():
    """What enters is f(g): a third of (1 + t)^3/2 - 1/2 for Burgers."""
    solution = tn.solve(law(BURGERS, 0, (0, 5), 1.5, tn.on("left", sp.Eq(u, 1 + t))))
    assert mass(solution, 1.5, 0, 5) == pytest.approx((2.5**3 - 1) / 6, abs=1e-9)


def test_file_and_text(tmp_path):
    solution = tn.solve(law(BURGERS, sp.exp(-(x**2)), (-5, 5), 4))
    again = tn.load(solution.save(tmp_path / "wave"))
    assert again.shocks(3.0)[0].place == pytest.approx(solution.shocks(3.0)[0].place, abs=1e-13)
    assert "conserved(u, u**2/2) = 0" in repr(solution.problem)
    file = tmp_path / "wave.toml"
    file.write_text(
        'coordinates = ["x", "t"]\nunknowns = ["u"]\ndomain = "Interval(x=(-5, 5)) * Interval(t=(0, 4))"\n'
        'equations = ["conserved(u, u**2/2) = 0"]\nconditions = ["u = exp(-x**2) on t=0"]\n'
    )
    read = tn.solve(tn.read_problem(file).problem)
    assert read.shocks(3.0) == solution.shocks(3.0)


WRONG = {
    "nothing enters": (law(BURGERS, 1, (0, 1), 1), "Values enter at the left end"),
    "waves leave": (law(BURGERS, -1, (0, 1), 1, tn.on("left", sp.Eq(u, 0.5))), "do not enter"),
    "neither convex nor monotone": (law(u**3, sp.sin(6 * x), (0, 1), 1), "neither convex nor concave"),
    "a flux of the place": (law(x * u, 1, (0, 1), 1), "formula of u alone"),
    "a slope": (law(BURGERS, 0, (0, 1), 1, tn.on("left", sp.Eq(sp.diff(u, x), 1))), "Give the values"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_statements_are_refused(name):
    problem, words = WRONG[name]
    with pytest.raises(ProblemError, match=words):
        tn.solve(problem)


def test_more_coordinates_and_viscosity_are_refused():
    y = sp.Symbol("y")
    with pytest.raises(ProblemError, match="finite volumes"):
        tn.conserved(tn.unknown("u", x, y, t), x)
    with pytest.raises(ProblemError, match="viscosity"):
        tn.conserved(u, u**2 / 2 - sp.diff(u, x))


def test_parameters():
    k = sp.Symbol("k")
    problem = law(k * u**2, sp.Piecewise((1, x < 0), (0, True)), (-1, 2), 1, tn.on("left", sp.Eq(u, 1)))
    assert tn.solve(problem, parameters={k: 1.5}).shocks(1.0)[0].place == pytest.approx(1.5, abs=1e-11)
    with pytest.raises(ProblemError, match="does not take it"):
        tn.solve(problem, parameters={k: 1.5}, neurons=100)


def test_is_a_method_like_others():
    """It is listed, others say why they do not fit, and the report has a row for each statement."""
    problem = law(BURGERS, sp.Piecewise((1, x < 0), (0, True)), (-1, 2), 1, tn.on("left", sp.Eq(u, 1)))
    found = tn.methods(problem)
    assert found.fitting == ("shocks",)
    assert "shocks jump" in str(found)
    solution = tn.solve(problem, method="shocks")
    assert [r.relative < 1e-12 for r in solution.diagnostics.residuals] == [True, True, True]
    with pytest.raises(ProblemError, match="'neurons' applies to"):
        tn.solve(problem, neurons=100)
    with pytest.raises(ProblemError, match="shocks jump"):
        tn.solve(problem, method="march")
