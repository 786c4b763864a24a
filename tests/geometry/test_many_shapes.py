"""Combinations of many shapes: exact, and in a time that is linear in their number."""

import operator
from functools import reduce

import numpy as np
import pytest

import transnet as tn
from transnet.geometry.ball import Ball


def plate(n):
    """An n by n plate with n^2 holes, no two of which are at one height."""
    shift = np.random.default_rng(1).uniform(-0.05, 0.05, (n, n, 2))
    holes = [tn.Disk(center=np.array([i, j]) + 0.5 + shift[i, j], radius=0.2) for i in range(n) for j in range(n)]
    return reduce(operator.sub, holes, tn.Box(x=(0, n), y=(0, n)))


def cloud(n, d=2):
    rng = np.random.default_rng(3)
    balls = [tn.Ball(center=3 * rng.random(d), radius=0.3 + 0.3 * rng.random()) for _ in range(n)]
    return reduce(operator.or_, balls), balls


def test_a_plate_with_a_hundred_holes_is_exact():
    domain = plate(10)
    area = 100 - 4 * np.pi
    assert domain.parts == ("x=0", "x=10", "y=0", "y=10", "circle")
    assert domain.volume == pytest.approx(area, rel=1e-13)
    assert domain.measure("circle") == pytest.approx(40 * np.pi, rel=1e-13)
    assert [len(found) for found in domain.corners_and_holes] == [4, 100]
    nodes, weights = domain.quadrature(3000)
    assert weights.min() > 0
    assert domain.contains(nodes).all()
    rim = domain.boundary(n=4000, kind="grid")
    # The divergence theorem for (x^3, 0), whose divergence a rule of the plane integrates too.
    flux = sum(arc_flux(domain, part) for part in domain.parts)
    assert weights @ (3 * nodes[:, 0] ** 2) == pytest.approx(flux, rel=1e-10)
    inside = domain.contains(rim.points - 1e-5 * rim.normals)
    assert inside.all()
    assert not domain.contains(rim.points + 1e-5 * rim.normals).any()


def arc_flux(domain, part):
    total = 0.0
    for arc in domain.arcs(part):
        points, normals, weights = arc.quadrature(40)
        total += weights @ (points[:, 0] ** 3 * normals[:, 0])
    return total


@pytest.mark.parametrize("d", [2, 3])
def test_a_union_of_overlapping_balls_is_what_is_in_any_of_them(d):
    domain, balls = cloud(60 if d == 2 else 12, d)
    points = np.random.default_rng(0).uniform(-0.5, 3.5, (4000, d))
    any_ball = np.any([ball.contains(points) for ball in balls], axis=0)
    assert np.array_equal(domain.contains(points), any_ball)
    rim = domain.boundary(n=500)
    gaps = np.array([np.linalg.norm(rim.points - ball.center, axis=1) - ball.radius for ball in balls])
    assert np.abs(gaps.min(axis=0)).max() < 1e-12
    if d == 2:
        box = domain.bounds[0] + tn.geometry.quasi(40_000, d, np.random.default_rng(0)) * np.ptp(domain.bounds, axis=0)
        share = np.mean(np.any([ball.contains(box) for ball in balls], axis=0))
        assert domain.volume == pytest.approx(share * np.prod(np.ptp(domain.bounds, axis=0)), rel=5e-3)


def work(make, monkeypatch):
    """The number of points that disks are asked about."""
    asked = []
    plain = Ball._inside
    monkeypatch.setattr(
        Ball, "_inside", lambda self, points, sign: asked.append(len(points)) or plain(self, points, sign)
    )
    make()
    monkeypatch.undo()
    return sum(asked), len(asked)


def test_the_work_grows_like_the_number_of_holes(monkeypatch):
    few, many = work(lambda: plate(3), monkeypatch), work(lambda: plate(9), monkeypatch)
    assert many[0] <= 20 * few[0]
    assert many[1] <= 20 * few[1]


def test_what_a_point_costs_grows_like_the_number_of_shapes(monkeypatch):
    points = np.random.default_rng(0).uniform(0, 3, (500, 2))
    for n in (10, 60):
        domain, _ = cloud(n)
        assert work(lambda: domain.contains(points), monkeypatch)[1] <= 2 * n + 2 * n  # noqa: B023


def test_four_hundred_shapes_in_a_row_are_no_deeper_than_two():
    domain = plate(20)
    assert len(domain.corners_and_holes[1]) == 400
    assert domain.resolve("left") == ("x=0",)
    assert len(str(domain)) < 400
    assert domain.volume == pytest.approx(400 - 16 * np.pi, rel=1e-12)


def test_grouping_does_not_change_the_shape():
    a, b, c = tn.Box(x=(0, 2), y=(0, 2)), tn.Disk(center=(1, 1), radius=0.4), tn.Disk(center=(1.3, 1), radius=0.4)
    points = np.random.default_rng(0).uniform(0, 2, (2000, 2))
    for one, other in (((a - b) - c, a - (b | c)), (a | (b | c), (a | b) | c), (a & (b & c), (a & b) & c)):
        assert np.array_equal(one.contains(points), other.contains(points))
        assert one.volume == pytest.approx(other.volume, rel=1e-12)
        assert one.measure() == pytest.approx(other.measure(), rel=1e-10)


def test_an_edge_that_three_shapes_share_is_counted_once():
    left, right = tn.Box(x=(0, 1), y=(0, 1)), tn.Box(x=(1, 2), y=(0, 1))
    whole = left | right
    rest = whole - tn.Box(x=(1, 3), y=(-1, 2))
    assert rest.volume == pytest.approx(1)
    assert rest.measure() == pytest.approx(4)
    assert whole.measure() == pytest.approx(6)
    assert whole.contains([[1.0, 0.5]]).all()
    assert whole._inside(np.array([[1.0, 0.5]]), -1).all()


def test_a_solve_on_a_plate_with_many_holes_ends():
    import sympy as sp

    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    domain = plate(5)
    problem = tn.Problem(
        domain,
        [sp.Eq(tn.laplacian(u), 2 * sp.exp(x / 5) / 25 + 0 * y)],
        [tn.on("boundary", sp.Eq(u, 2 * sp.exp(x / 5)))],
    )
    solution = tn.solve(problem, neurons=150)
    points = domain.interior(200)
    assert np.abs(solution(points) - 2 * np.exp(points[:, 0] / 5)).max() < 1e-4


def disks(n):
    angles = np.arange(n)
    return " & ".join(f"Disk(center=({0.3 * np.cos(a):.6f}, {0.3 * np.sin(a):.6f}))" for a in angles)


def test_an_intersection_of_many_disks_is_exact_and_its_work_does_not_grow_with_the_square(monkeypatch):
    import shapely

    from transnet.language.domains import domain as read_domain

    asked = []
    plain = Ball._inside
    monkeypatch.setattr(Ball, "_inside", lambda self, points, sign: asked.append(1) or plain(self, points, sign))
    counts = []
    for n in (25, 100):
        asked.clear()
        domain = read_domain(disks(n))
        counts.append(len(asked))
    circles = [shapely.Point(0.3 * np.cos(a), 0.3 * np.sin(a)).buffer(1, quad_segs=2000) for a in range(n)]
    assert domain.volume == pytest.approx(shapely.intersection_all(circles).area, rel=1e-6)
    points = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    assert np.array_equal(domain.contains(points), np.all([s.contains(points) for s in domain._chain.shapes], axis=0))
    assert counts[1] < 8 * counts[0]  # 16 for the square


@pytest.mark.parametrize("op", ["|", "&"])
def test_halves_before_wholes_are_the_same_domain(op):
    from transnet.geometry.csg import joined_all

    shapes = [tn.Disk(center=(0.08 * k, 0.02 * k), radius=1, name=f"c{k}") for k in range(20)]
    one_by_one = reduce(operator.or_ if op == "|" else operator.and_, shapes)
    halves = joined_all(op, shapes)
    assert halves.parts == one_by_one.parts
    assert halves.volume == pytest.approx(one_by_one.volume, rel=1e-12)
    for part in halves.parts:
        assert halves.measure(part) == pytest.approx(one_by_one.measure(part), rel=1e-9)
