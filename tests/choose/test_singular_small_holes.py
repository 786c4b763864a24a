"""Small holes and terms of lower order: the functions that follow these are no solutions, and points must hold them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from scipy import special

import transnet as tn
from transnet.basis.foci import foci_of, rings
from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.errors import Message, UniquenessWarning
from transnet.features.placement import Placement
from transnet.features.singular import Singular
from transnet.method.defaults import default_choice
from transnet.method.network import grown_networks

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
CENTRE = (-0.1, -0.4)
ROOT = np.sqrt(20.0)


def holed(radius: float) -> tn.Domain:
    return tn.Disk() - tn.Disk(center=CENTRE, radius=radius)


def source(radius: float):
    """A source and a dipole off the middle of the hole, and a smooth part: laplace u = 20 u."""

    def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
        dx, dy = px - CENTRE[0] - 0.3 * radius, py - CENTRE[1]
        r = np.hypot(dx, dy)
        return special.k0(ROOT * r) + radius * special.k1(ROOT * r) * dx / r + np.exp(ROOT * (px - 1))

    return exact


def plume(radius: float):
    """A source in a stream: laplace u = 5 u_x."""

    def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
        return np.exp(2.5 * px) * special.k0(2.5 * np.hypot(px - CENTRE[0] - 0.3 * radius, py - CENTRE[1]))

    return exact


EQUATIONS = {"reaction": (tn.laplacian(u) - 20 * u, source), "advection": (tn.laplacian(u) - 5 * u.diff(x), plume)}


@pytest.mark.parametrize("radius", [0.15, 0.05, 0.01])
@pytest.mark.parametrize("which", EQUATIONS)
def test_five_digits_around_a_small_hole(which, radius):
    equation, family = EQUATIONS[which]
    exact, domain = family(radius), holed(radius)
    problem = tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, tn.given("g", exact, x, y)))])
    solution = tn.solve(problem, neurons=400)
    t = np.arange(60.0)
    near = np.array(CENTRE) + radius * (1.02 + t[:, None] / 60) * np.stack([np.cos(t), np.sin(t)], axis=1)
    for points in (domain.interior(1000, "random", 5), near):
        truth = exact(*points.T)
        error = np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth)
        assert error < 5e-5
        assert error < 10 * solution.error
    assert solution.diagnostics.amplification < 1e5


def test_the_whole_way_to_eight_digits():
    exact, domain = source(0.05), holed(0.05)
    problem = tn.Problem(domain, [tn.laplacian(u) - 20 * u], [tn.on("boundary", sp.Eq(u, tn.given("g", exact, x, y)))])
    solution = tn.solve(problem, tol=1e-8)
    points = domain.interior(1000, "random", 5)
    truth = exact(*points.T)
    assert np.linalg.norm(solution(points) - truth) < 5e-8 * np.linalg.norm(truth)


def test_radiation_from_a_small_hole():
    """u + u_n = x on all of the boundary, the equation being that of a potential."""
    problem = tn.Problem(
        holed(0.05),
        [sp.Eq(tn.laplacian(u), -1)],
        [tn.on("boundary", sp.Eq(u + tn.normal_derivative(u), x))],
    )
    small, large = (tn.solve(problem, neurons=n, seed=n) for n in (300, 500))
    points = problem.domain.interior(500, "random", 5)
    np.testing.assert_allclose(small(points), large(points), atol=1e-9)


def test_powers_times_the_logarithm_of_the_distance():
    """z^a conj(z)^j log|z| and its derivatives, the latter against central differences."""
    pairs = [(a, j) for a in (0.0, 1.0, 3.0) for j in (0.0, 1.0, 2.0)]
    table = [[0.1, 0.2, 3, 1, -1, 3, 0, 0, a, 2, j, part, 0] for a, j in pairs for part in (0, 1)]
    functions, points = Singular(np.array(table)), np.array([[0.5, 0.7], [0.2, -0.3]])
    z = (3 + 1j) * (points[:, 0] - 0.1) + (-1 + 3j) * (points[:, 1] - 0.2)
    known = np.array([z**a * np.conj(z) ** j * np.log(np.abs(z)) for a, j in pairs])
    values = functions.apply(points, [((0, 0), 1.0)])
    np.testing.assert_allclose(values[0::2] + 1j * values[1::2], known, rtol=1e-12)
    for axis in (0, 1):
        for lower in ((0, 0), (1, 0), (0, 1), (1, 1)):
            step = 1e-6 * np.eye(2)[axis]
            index = tuple(np.array(lower) + np.eye(2, dtype=int)[axis])
            ahead, behind = (functions.apply(points + side * step, [(lower, 1.0)]) for side in (1, -1))
            found = functions.apply(points, [(index, 1.0)])
            np.testing.assert_allclose((ahead - behind) / 2e-6, found, atol=1e-8 * np.abs(found).max())


def test_such_powers_belong_to_points():
    with pytest.raises(ValueError, match="those of points"):
        Singular(np.array([[0, 0, 1, 0, 0, 1, 0.5, 0, 1.0, 2, 0, 0, 0]]))


@pytest.mark.parametrize(("radius", "bars", "some"), [(0.05, 5.0, True), (0.05, 0.0, False), (0.5, 5.0, False)])
def test_rings_are_for_small_holes_and_functions_that_are_no_solutions(radius, bars, some):
    domain = tn.Disk() - tn.Disk(radius=radius)
    placement = Placement.of(domain)
    foci = foci_of(tn.singularities(domain, bars=bars, poles=8), placement.centre, placement.scale)
    points = rings(domain, foci, 0.05)
    assert (len(points) > 0) == some
    distance = np.linalg.norm(points, axis=1) - radius
    assert (distance > 0).all()
    assert distance.min(initial=0.0 if not some else np.inf) < 0.1 * radius


def test_what_waves_do_not_determine_either_is_told_of():
    domain = tn.Disk() - tn.Disk(center=(0.3, 0), radius=0.3)
    flux = sp.Eq(tn.normal_derivative(u), tn.normal(x, y)[0])
    with pytest.warns(UniquenessWarning, match="constant"):
        tn.solve(tn.Problem(domain, [tn.laplacian(u)], [tn.on("boundary", flux)]))


def test_waves_take_over_where_only_singular_functions_are_undetermined():
    domain = holed(0.4)
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u), -1)], [tn.on("boundary", u)])
    plan = Plan(problem, tol=1e-2)
    assert default_choice(plan)[0].enrichment is not None

    def solve_at(space, previous):
        found = carried_out(Plan(problem, space=space))
        unsure = Message(UniquenessWarning, "The problem does not determine u.")
        messages = (unsure,) if len(space.singular) else ()
        return replace(found, diagnostics=replace(found.diagnostics, messages=messages))

    solution = next(level.found for level in grown_networks(plan, solve_at) if level.found.error < 1e-2)
    assert len(solution.basis.spaces[0].singular) == 0


def test_a_small_hole_of_any_shape():
    """An elliptic one as well: two networks agree as well as they say."""
    s = sp.Symbol("s")
    domain = tn.Region(
        tn.Curve((sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi)),
        tn.Curve((0.12 * sp.cos(s), 0.04 * sp.sin(s)), (s, 0, 2 * sp.pi)),
    )
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u) - 20 * u, 1)], [tn.on("boundary", sp.Eq(u, x))])
    small, large = (tn.solve(problem, neurons=n) for n in (400, 700))
    points = domain.interior(800, "random", 5)
    assert np.linalg.norm(small(points) - large(points)) < 1e-4 * np.linalg.norm(large(points))
