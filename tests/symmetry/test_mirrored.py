"""The parities together are the whole problem: mirrored and plain solves agree, and data need no symmetry."""

from __future__ import annotations

import copy
from itertools import product

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import transnet as tn
from transnet.basis.basis import Basis
from transnet.clock import Clock
from transnet.features.singular import NOTHING, Singular
from transnet.geometry.placement import Placement
from transnet.judge.diagnose import diagnose
from transnet.linalg.least_squares import QR
from transnet.linalg.triangle import Triangle
from transnet.problem import Problem
from transnet.rows.assembly import assemble
from transnet.rows.blocks import Block
from transnet.rows.collocation import collocate
from transnet.rows.nodes import Nodes
from transnet.rows.statements import statements_of
from transnet.symmetry.mirrors import _mirrors_of_domain, domain_mirrors, mirrors_of
from transnet.symmetry.rows import corners
from transnet.symmetry.singular import by_parity_of
from transnet.symmetry.solve import solve_mirrored
from transnet.symmetry.waves import products_of

x, y, z, t = sp.symbols("x y z t")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(-1, 1), y=(0, 3))


def poisson(domain: tn.Domain, f: sp.Expr, g: sp.Expr) -> Problem:
    return tn.Problem(domain, [sp.Eq(tn.laplacian(u) - u, f)], [tn.on("boundary", sp.Eq(u, g))])


def reflected(blocks: list[Block], problem: Problem) -> list[Block]:
    """The points of one corner with all their reflections, for each statement: what a mirrored solve fits."""
    mirrors, placement = mirrors_of(problem), Placement.of(problem.domain)
    flips = np.ones((2 ** len(mirrors.axes), len(placement.scale)))
    flips[:, list(mirrors.axes)] = list(product((1.0, -1.0), repeat=len(mirrors.axes)))
    normals = {id(b.statement): b.normals for b in blocks}
    collected: dict[int, list] = {}
    for corner in corners(blocks, mirrors, placement, ()):
        fitted = corner.points[: corner.fitted]
        block = next(b for b in blocks if b.statement is corner.statement)
        at = [int(np.flatnonzero((block.points == p).all(axis=1))[0]) for p in fitted]
        own = normals[id(corner.statement)]
        for flip in flips:
            points = placement.centre + flip * (fitted - placement.centre)
            turned = None if own is None else flip * own[at]
            number = _statement_at(problem, corner, flip, mirrors)
            collected.setdefault(number, []).append((points, turned))
    made = []
    for number, statement in enumerate(statements_of(problem)):
        parts = collected[number]
        both = np.concatenate([p for p, _ in parts])
        turned = None if parts[0][1] is None else np.concatenate([n for _, n in parts])
        made.append(Block(statement, Nodes(both), turned))
    return made


def _statement_at(problem: Problem, corner, flip: np.ndarray, mirrors) -> int:
    number = [s is corner.statement for s in statements_of(problem)].index(True)
    for axis, images in zip(mirrors.axes, mirrors.images, strict=True):
        if flip[axis] < 0:
            number = images[number]
    return number


def both_ways(problem: Problem, neurons: int = 64, singular: Singular = NOTHING) -> tuple[np.ndarray, np.ndarray]:
    """The values of the mirrored solution and of the plain one on the same rows."""
    mirrors = mirrors_of(problem)
    d = problem.domain.dimension
    space = tn.FeatureSpace.waves(d, neurons, 0.12, mirrors=mirrors.axes).with_singular(singular)
    basis = Basis((space,), Placement.of(problem.domain))
    blocks = collocate(problem, statements_of(problem), basis.columns, foci=basis.foci)
    mirrored, known = solve_mirrored(problem, basis, blocks, QR(), (), Clock())
    whole = reflected(blocks, problem)
    weights = [r.weight for r in known.residuals]
    system = assemble(whole, basis, [b.linearise() for b in whole], weights)
    triangle = Triangle.of(system.matrix)
    found = triangle.solve(QR(), basis.columns)
    points = problem.domain.interior(300, "quasi", 5)
    values = [basis.derivatives(c, points, [(0, (0,) * d)])[0] for c in (mirrored, found.values[:, 0])]
    plain = diagnose(problem, basis, whole, weights, triangle.array, found, (), Clock())
    assert known.amplification == pytest.approx(plain.amplification, rel=0.3)
    assert known.singular_values[:5] == pytest.approx(plain.singular_values[:5], rel=1e-9)
    assert known.rows == plain.rows
    return values[0], values[1]


coefficient = st.floats(-2, 2).map(lambda v: sp.Float(round(v, 3)))


@settings(max_examples=12, deadline=None)
@given(a=coefficient, b=coefficient, c=coefficient, shift=coefficient)
def test_mirrored_and_plain_solves_agree_on_random_data(a, b, c, shift) -> None:
    f = a * sp.exp(x - shift * y) + b * sp.sin(3 * x + y)
    g = c * sp.cos(x * y + shift) + x
    for domain in (SQUARE, tn.Disk(radius=1)):
        first, second = both_ways(poisson(domain, f, g))
        assert first == pytest.approx(second, abs=1e-10 * max(np.abs(second).max(), 1e-3))


RING = tn.Disk(radius=1) - tn.Disk(radius=0.4)
FRAME = tn.Box(x=(-2, 2), y=(-1, 1)) - tn.Box(x=(-1, 1), y=(-0.5, 0.5))
TWO = tn.Box(x=(-2, 2), y=(-1, 1)) - tn.Disk(center=(1, 0), radius=0.4) - tn.Disk(center=(-1, 0), radius=0.4)


@settings(max_examples=2, deadline=None)
@given(a=coefficient, b=coefficient, c=coefficient, shift=coefficient)
def test_so_do_those_with_singular_functions(a, b, c, shift) -> None:
    f = a * sp.exp(x - shift * y) + b * sp.sin(3 * x + y)
    g = c * sp.cos(x * y + shift) + x
    for domain in (RING, FRAME, TWO):
        singular = tn.singularities(domain, poles=5, degree=3.0, bars=2.0, kinds=dict.fromkeys(domain.parts, "value"))
        assert by_parity_of(singular, (0, 1), Placement.of(domain), domain.interior(40)) is not None
        first, second = both_ways(poisson(domain, f, g), singular=singular)
        assert first == pytest.approx(second, abs=1e-10 * max(np.abs(second).max(), 1e-3))


def test_singular_functions_that_reflections_do_not_map_onto_each_other_are_not_combined() -> None:
    one = tn.singularities(tn.Disk(radius=1) - tn.Disk(center=(0.3, 0), radius=0.2), poles=4)
    points = RING.interior(40)
    assert by_parity_of(one, (0, 1), Placement.of(RING), points) is None
    halves = by_parity_of(one, (1,), Placement.of(RING), points)
    assert [len(b) for b in halves.early] == [4, 3]  # the logarithm and three powers are even
    assert [len(b) for b in halves.late] == [1, 1]


def test_a_coordinate_that_is_not_mirrored_has_both_phases() -> None:
    v = tn.unknown("v", x, t)
    exact = sp.exp(-t) * sp.sin(x + 1)
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
    problem = tn.Problem(
        domain,
        [sp.Eq(sp.diff(v, t), sp.diff(v, x, 2))],
        [tn.on("t=0", sp.Eq(v, exact)), tn.on("x=0", sp.Eq(v, exact)), tn.on("x=1", sp.Eq(v, exact))],
    )
    assert mirrors_of(problem).axes == (0,)
    assert mirrors_of(problem).images == ((0, 1, 3, 2),)
    first, second = both_ways(problem)
    assert first == pytest.approx(second, abs=1e-9)


def test_fluxes_change_sides_with_their_normals_and_space_has_eight_parities() -> None:
    exact = sp.exp(x) * sp.sin(y)
    sides = {"left": u, "right": u, "bottom": tn.normal_derivative(u), "top": tn.normal_derivative(u)}
    values = {"left": exact, "right": exact, "bottom": -sp.exp(x), "top": sp.exp(x) * sp.cos(3)}
    problem = tn.Problem(
        SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on(s, sp.Eq(left, values[s])) for s, left in sides.items()]
    )
    first, second = both_ways(problem)
    assert first == pytest.approx(second, abs=1e-9)
    w = tn.unknown("w", x, y, z)
    ball = tn.Problem(tn.Ball(radius=1), [sp.Eq(tn.laplacian(w), sp.exp(x + y) * z)], [tn.on("boundary", sp.Eq(w, x))])
    first, second = both_ways(ball, 120)
    assert first == pytest.approx(second, abs=1e-9)


@pytest.mark.parametrize(
    ("problem", "axes"),
    [
        (poisson(SQUARE, x, y), (0, 1)),
        (tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) + sp.diff(u, x), 0)], [tn.on("boundary", u)]), (1,)),
        (tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) + x * sp.diff(u, x), 0)], [tn.on("boundary", u)]), (0, 1)),
        (tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) - y * u, 0)], [tn.on("boundary", u)]), (0,)),
        (tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on(s, u) for s in ("left", "right", "top")]), (0,)),
        (tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", u, where=x > 0)]), (1,)),
        (poisson(tn.Disk(radius=1) - tn.Disk(radius=0.2, center=(0.3, 0)), x, y), (1,)),
        (poisson(tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]), x, y), None),
        (tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) + u**3, 0)], [tn.on("boundary", u)]), None),
    ],
)
def test_only_what_is_symmetric_is_mirrored(problem: Problem, axes: tuple[int, ...] | None) -> None:
    found = mirrors_of(problem)
    assert (None if found is None else found.axes) == axes


def test_spaces_tell_whether_they_are_mirrored() -> None:
    assert products_of(tn.FeatureSpace.waves(2, 80, mirrors=(0, 1)), (0, 1)) is not None
    assert products_of(tn.FeatureSpace.waves(2, 80), (0, 1)) is None
    assert products_of(tn.FeatureSpace.waves(2, 80, mirrors=(0,)), (1,)) is None
    with pytest.raises(ValueError, match="groups of 8"):
        tn.FeatureSpace.waves(3, 100, mirrors=(0, 1, 2))
    spread = tn.FeatureSpace.waves(3, 80, mirrors=(1,))
    assert len(np.unique(np.abs(spread.weights), axis=0)) == 20


def test_the_solution_is_an_ordinary_one(tmp_path) -> None:
    exact = sp.exp(x) * sp.sin(y)
    problem = poisson(SQUARE, -exact, exact)
    solution = tn.TransNet(space=tn.FeatureSpace.waves(2, 200, mirrors=(0, 1))).solve(problem)
    points = SQUARE.interior(200, "random", 3)
    values = np.exp(points[:, 0]) * np.sin(points[:, 1])
    assert solution(points) == pytest.approx(values, abs=1e-6)
    assert solution.error < 1e-5
    again = tn.load(solution.save(tmp_path / "mirrored.npz"))
    assert again(points) == pytest.approx(solution(points), abs=1e-13)
    assert solution.evaluate(sp.diff(u, x), points) == pytest.approx(values, abs=1e-4)


@pytest.mark.parametrize(
    "domain",
    [tn.Box(x=(0, 1), y=(2, 5)), tn.Disk(radius=2), tn.Annulus(inner=1, outer=2), tn.Box(x=(0, 1), y=(0, 1), z=(1, 2))],
)
def test_what_is_known_of_plain_shapes_is_what_their_points_tell(domain: tn.Domain) -> None:
    kind = type(domain)
    looked_at = copy.copy(domain)
    other = type("Other", (kind,), {"_inside": lambda self, points, sign: kind._inside(self, points, sign)})
    object.__setattr__(looked_at, "__class__", other)
    assert domain_mirrors(domain) == _mirrors_of_domain(looked_at)


def test_waves_that_cancel_when_they_are_evaluated_are_counted() -> None:
    """In four coordinates the coefficients of 2000 waves in a narrow band are 1e9: six digits are left."""
    coordinates = sp.symbols("x y z w")
    u, (p, q, r, s) = tn.unknown("u", *coordinates), coordinates
    exact = sp.exp(p - q) * sp.sin(r + 2 * s)
    domain = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1), w=(0, 1))
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u) - u, -4 * exact)], [tn.on("boundary", sp.Eq(u, exact))])
    space = tn.FeatureSpace.waves(4, 2016, 0.002, mirrors=(0, 1, 2, 3))
    solution = tn.solve(problem, space=space)
    points = domain.interior(400, "random", 5)
    truth = sp.lambdify(coordinates, exact)(*points.T)
    assert np.linalg.norm(solution(points) - truth) < 3 * solution.error * np.linalg.norm(truth)
