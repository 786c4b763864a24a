"""Warnings: what a solve says when its answer should not be trusted, and its silence when it should."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.checks.flux import flux_gap
from transnet.errors import AccuracyWarning, TransnetWarning, UniquenessWarning
from transnet.rows.statements import statements_of

x, y, z, t = sp.symbols("x y z t")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
w, q, s = tn.unknown("w", x, t), tn.unknown("q", x), tn.unknown("s", x, y, z)
drum = tn.unknown("d", x, y, t)
Eq, diff, pi, flux = sp.Eq, sp.diff, sp.pi, tn.normal_derivative
square, disk = tn.Box(x=(0, 1), y=(0, 1)), tn.Disk()
line, time = tn.Interval(x=(0, 1)), tn.Interval(t=(0, 1))
poisson, heat = Eq(tn.laplacian(u), 0), Eq(diff(w, t), diff(w, x, 2))
k = tn.given("k", lambda a, b: 1 + a**2, x, y)
SPACES = {
    1: tn.FeatureSpace.spectral(1, 40, 6.0),
    2: tn.FeatureSpace.spectral(2, 250, 3.5),
    3: tn.FeatureSpace.spectral(3, 300, 1.5),
}


def sides(unknown: sp.Expr, *names: str, value: object = 0) -> list:
    return [tn.on(name, Eq(unknown, value)) for name in names]


def stokes() -> list:
    return [-tn.laplacian(u) + diff(p, x), -tn.laplacian(v) + diff(p, y), diff(u, x) + diff(v, y)]


def messages(problem: tn.Problem) -> list[tuple[type, str]]:
    """What a solve warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tn.solve(problem, space=SPACES[problem.domain.dimension])
    return [(m.category, str(m.message)) for m in caught if issubclass(m.category, TransnetWarning)]


UNDETERMINED = {
    "pure Neumann": (tn.Problem(disk, [poisson], [tn.on("boundary", Eq(flux(u), x))]),
                     r"does not determine u up to a constant.*tn\.mean"),
    "pure Neumann, tiny": (tn.Problem(tn.Disk(radius=1e-4), [poisson], [tn.on("boundary", Eq(flux(u), x))]),
                           "u up to a constant"),
    "periodic without a mean": (tn.Problem(square, [Eq(tn.laplacian(u), sp.sin(2 * pi * x))],
                                           [tn.periodic(x), tn.periodic(y)]), "u up to a constant"),
    "pressure without a mean": (tn.Problem(disk, stokes(), [tn.on("boundary", Eq(u, y), Eq(v, -x))]),
                                "does not determine p up to a constant"),
    "a side without a condition": (tn.Problem(square, [poisson], sides(u, "left", "right", "top")),
                                   r"does not determine u: nothing is stated on 'y=0', but .* order 2"),
    "no conditions at all": (tn.Problem(square, [poisson]), r"on 'x=0', 'x=1', 'y=0', 'y=1'"),
    "no initial value": (tn.Problem(line * time, [heat], sides(w, "x=0", "x=1")), "on 't=0'"),
    "no initial derivative": (tn.Problem(line * time, [Eq(diff(w, t, 2), diff(w, x, 2))],
                                         sides(w, "t=0", "x=0", "x=1")),
                              r"order 2 in t and needs as many conditions on 't=0', .* only one.*start at rest"),
    "a plate that is only held": (tn.Problem(disk, [tn.biharmonic(u)], sides(u, "boundary")), "does not determine u"),
    "linear KdV, one end": (tn.Problem(line * time, [diff(w, t) + diff(w, x, 3)], sides(w, "t=0", "x=0", "x=1")),
                            "does not determine w"),
    "an eigenvalue": (tn.Problem(square, [tn.laplacian(u) + 2 * pi**2 * u - 1], sides(u, "boundary")),
                      "homogeneous problem has a solution of its own"),
    "one end of an interval": (tn.Problem(line, [diff(q, x, 2) - 1], sides(q, "x=0")), "on .x=0. and .x=1. together"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNDETERMINED)
def test_a_problem_without_a_unique_solution_is_named(name: str) -> None:
    problem, text = UNDETERMINED[name]
    with pytest.warns(UniquenessWarning, match=text):
        tn.solve(problem, space=SPACES[problem.domain.dimension])


JUMPS = {
    "a corner": (tn.Problem(square, [poisson], sides(u, "left", "right", "bottom") + sides(u, "top", value=1)),
                 r"'left: u = 0' gives 0 and 'top: u = 1' gives 1 near x = 0, y = 1, a jump of 1\."),
    "a corner far away and flat": (
        tn.Problem(tn.Box(x=(1e6, 1e6 + 1e3), y=(0, 1e-3)), [poisson],
                   sides(u, "left", "right", "bottom") + sides(u, "top", value=1)), r"near x = 1e\+06, y = 0.001"),
    "an initial value": (tn.Problem(line * time, [heat], [*sides(w, "sides"), *sides(w, "t=0", value=2)]),
                         r"near x = (0|1), t = 0, a jump of 2\."),
    "along a circle": (tn.Problem(disk, [poisson], [tn.on("boundary", u, where=x > 0),
                                                    tn.on("boundary", Eq(u, 3), where=x <= 0)]), "a jump of 3"),
    "in space": (tn.Problem(tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)), [tn.laplacian(s)],
                            sides(s, "left", "right", "front", "back", "bottom") + sides(s, "top", value=1)),
                 r"z = 1, a jump of 1"),
    "of a multiple": (tn.Problem(square, [poisson], [tn.on("left", Eq(2 * u, 4)), *sides(u, "right", "bottom", "top")]),
                      "a jump of 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", JUMPS)
def test_values_that_jump_where_conditions_meet(name: str) -> None:
    problem, text = JUMPS[name]
    found = [m for category, m in messages(problem) if category is AccuracyWarning]
    assert any(re.search(text, m) for m in found), found


half = sp.Rational(1, 2)
GAPS = {
    "a source without outflow": (tn.Problem(disk, [Eq(tn.laplacian(u), 1)], [tn.on("boundary", flux(u)), tn.mean(u)]),
                                 r"integrates to 3\.14159 over the domain but the flux to 0 .* a gap of 3\.14\."),
    "a wrong sign": (tn.Problem(disk, [Eq(-tn.laplacian(u), 1)], [tn.on("boundary", Eq(flux(u), half)), tn.mean(u)]),
                     r"a gap of 6\.28\."),
    "a variable coefficient": (tn.Problem(square, [Eq(tn.div((1 + x) * tn.grad(u)), 1)],
                                          [tn.on("boundary", flux(u)), tn.mean(u)]), r"a gap of 1\."),
    "a given coefficient": (tn.Problem(square, [Eq(tn.div(k * tn.grad(u)), 3)],
                                       [tn.on("boundary", flux(u)), tn.mean(u)]), r"a gap of 3\."),
    "plain derivatives": (tn.Problem(square, [Eq(tn.laplacian(u), 1)],
                                     [tn.on("left", diff(u, x)), tn.on("right", diff(u, x)), tn.on("top", diff(u, y)),
                                      tn.on("bottom", diff(u, y)), tn.mean(u)]), r"a gap of 1\."),
    "an interval": (tn.Problem(tn.Interval(x=(0, 2)), [diff(q, x, 2) - 1], [tn.on("boundary", flux(q)), tn.mean(q)]),
                    r"a gap of 2\."),
    "all around periodic": (tn.Problem(square, [Eq(tn.laplacian(u), 1)], [tn.periodic(x), tn.periodic(y), tn.mean(u)]),
                            r"a gap of 1\."),
    "a value at a point": (tn.Problem(square, [Eq(tn.laplacian(u), 1)],
                                      [tn.on("boundary", flux(u)), tn.at([(0, 0)], u)]), r"a gap of 1\."),
}  # fmt: skip


@pytest.mark.parametrize("name", GAPS)
def test_incompatible_neumann_data_are_given_as_a_number(name: str) -> None:
    problem, text = GAPS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AccuracyWarning)
        with pytest.warns(UniquenessWarning, match=text):
            tn.solve(problem, space=SPACES[problem.domain.dimension])


steep = sp.exp(5 * x) * sp.sin(5 * y)
SOUND = {
    "corners that agree": tn.Problem(square, [poisson], [tn.on("left", Eq(u, y)), tn.on("right", Eq(u, 1 + y)),
                                                         tn.on("bottom", Eq(u, x)), tn.on("top", Eq(u, 1 + x))]),
    "values that agree on the rim of a curved side": tn.Problem(
        disk * time, [Eq(tn.laplacian(drum), -4 + 2 * t)],
        [tn.on("t=0", Eq(drum, tn.given("bowl", lambda a, b: 1 - a**2 - b**2, x, y))), *sides(drum, "circle"),
         tn.on("t=1", Eq(drum, (1 - x**2 - y**2) / 2))]),
    "steep corners that agree": tn.Problem(square, [poisson], [
        tn.on("left", Eq(u, steep.subs(x, 0))), tn.on("right", Eq(u, steep.subs(x, 1))), tn.on("bottom", u),
        tn.on("top", Eq(u, steep.subs(y, 1)))]),
    "zeros up to rounding": tn.Problem(line * time, [heat], [tn.on("t=0", Eq(w, sp.sin(pi * x))), tn.on("sides", w)]),
    "a circle in two pieces": tn.Problem(disk, [poisson], [tn.on("boundary", Eq(u, x), where=x > 0),
                                                           tn.on("boundary", Eq(u, x + y - y), where=x <= 0)]),
    "a thin ring": tn.Problem(tn.Annulus(inner=0.97, outer=1), [poisson],
                              [tn.on("inner", u), tn.on("outer", Eq(u, 1))]),
    "values and fluxes meet": tn.Problem(square, [poisson], [*sides(u, "left", value=1), *sides(u, "right", value=2),
                                                             tn.on("top", flux(u)), tn.on("bottom", flux(u))]),
    "balanced fluxes": tn.Problem(disk, [Eq(-tn.laplacian(u), 1)], [tn.on("boundary", Eq(-3 * flux(u), 3 * half)),
                                                                    tn.mean(u)]),
    "balanced given fluxes": tn.Problem(square, [Eq(tn.div(k * tn.grad(u)), 1)], [
        tn.on("right", Eq(flux(u), half)), tn.on("left", flux(u)), tn.on("top", flux(u)), tn.on("bottom", flux(u)),
        tn.mean(u)]),
    "a reaction": tn.Problem(square, [Eq(tn.laplacian(u) - u, 1)], [tn.on("boundary", flux(u))]),
    "a weak reaction": tn.Problem(square, [Eq(tn.laplacian(u) - u / 100, 1)], [tn.on("boundary", flux(u))]),
    "advection": tn.Problem(line * time, [diff(w, t) + diff(w, x)], [tn.on("t=0", Eq(w, sp.sin(x))),
                                                                      tn.on("x=0", Eq(w, -sp.sin(t)))]),
    "a plate of a kilometre": tn.Problem(tn.Disk(radius=1e3), [tn.biharmonic(u) - 1], [tn.on("boundary", u, flux(u))]),
    "a plate of a millimetre": tn.Problem(tn.Disk(radius=1e-3), [tn.biharmonic(u) - 1],
                                          [tn.on("boundary", u, flux(u))]),
    "no derivative at all": tn.Problem(square, [Eq(u, sp.sin(x))]),
    "a zero solution": tn.Problem(square, [poisson], sides(u, "boundary")),
    "large coefficients": tn.Problem(square, [1e9 * tn.laplacian(u) - 1e9], sides(u, "boundary")),
    "small diffusion": tn.Problem(line * time, [diff(w, t) - diff(w, x, 2) / 10_000],
                                  [tn.on("t=0", w), tn.on("sides", w)]),
    "a stiff ordinary equation": tn.Problem(line, [diff(q, x) + 20 * q - 20], [tn.on("x=0", q)]),
    "a given function with an edge": tn.Problem(square, [poisson], [
        tn.on("left", Eq(u, tn.given("g", lambda a: np.where((a < 0) | (a > 1), np.nan, a), y))),
        tn.on("right", Eq(u, y)), tn.on("bottom", u), tn.on("top", Eq(u, 1))]),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_problem_is_solved_in_silence(name: str) -> None:
    assert messages(SOUND[name]) == []


def test_a_network_that_is_too_small_says_so() -> None:
    wavy = Eq(u, sp.sin(25 * x) * sp.cos(20 * y))
    problem = tn.Problem(square, [Eq(tn.laplacian(u), -1025 * wavy.rhs)], [tn.on("boundary", wavy)])
    with pytest.warns(AccuracyWarning, match=r"estimated relative error is .* Use more neurons"):
        found = tn.solve(problem, space=tn.FeatureSpace.spectral(2, 60, 4.0))
    assert "warning: The estimated relative error" in found.report()


@pytest.mark.parametrize(("radius", "centre"), [(0.03, (0, 0)), (0.005, (0.3, 0.2))])
def test_fluxes_out_of_a_small_hole_balance(radius: float, centre: tuple[float, float]) -> None:
    """All of the flux through the unit circle comes out of the hole; the mean value is known."""
    e = sp.log((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / 2
    outflow = tn.normal(x, y)[0] * sp.diff(e, x) + tn.normal(x, y)[1] * sp.diff(e, y)
    domain = tn.Disk() - tn.Disk(center=centre, radius=radius)
    conditions = [tn.on("boundary", sp.Eq(tn.normal_derivative(u), outflow)), tn.mean(u)]
    solution = tn.solve(tn.Problem(domain, [sp.Eq(tn.laplacian(u), 0)], conditions), neurons=200)
    inside = np.pi * radius**2 * (np.log(radius) - 0.5)
    mean = (np.pi * (sum(c * c for c in centre) - 1) / 2 - inside) / (np.pi * (1 - radius**2))
    points = domain.interior(200)
    exact = np.log(np.linalg.norm(points - np.array(centre), axis=1)) - mean
    np.testing.assert_allclose(solution(points), exact, atol=1e-9)


def test_a_singular_flux_at_a_corner_balances() -> None:
    """r^(2/3) cos(2/3 phi) around the inner corner: its flux is infinite there, and integrable."""
    corner = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)])
    e = (x**2 + y**2) ** sp.Rational(1, 3) * sp.cos(sp.Rational(2, 3) * sp.atan2(-x - y, y - x))
    outflow = tn.normal(x, y)[0] * sp.diff(e, x) + tn.normal(x, y)[1] * sp.diff(e, y)
    conditions = [tn.on("boundary", sp.Eq(tn.normal_derivative(u), outflow)), tn.mean(u)]
    problem = tn.Problem(corner, [sp.Eq(tn.laplacian(u), 0)], conditions)
    assert flux_gap(problem, statements_of(problem), ()) is None


def test_a_missing_condition_at_the_outflow_is_the_cause_that_is_named() -> None:
    carried = Eq(-tn.laplacian(u) / 10 + diff(u, x), 1)
    found = messages(tn.Problem(square, [carried], [tn.on(part, u) for part in ("left", "bottom", "top")]))
    assert any("nothing is stated on 'x=1'" in m for _, m in found), found
