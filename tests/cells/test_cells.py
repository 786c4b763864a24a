"""Cells that follow a plane domain: geometry, polynomials, solutions with known answers, estimates that hold."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cells.cutting import tiles_of
from transnet.cells.outline import ArcSamples
from transnet.cells.polynomials import CellPolynomials, bubbles, harmonics
from transnet.cells.seeds import Sizes, owners, seeds_for
from transnet.cells.tiles import Tiles

x, y, s = sp.symbols("x y s")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
oval = tn.Region(outer=tn.Curve((1.5 * sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi)))
ring = tn.Disk() - tn.Disk((0.1, -0.15), radius=0.25)
bent = tn.Polygon([(-1, -1), (1, -1), (1, 0.1), (0.1, 0.1), (0.1, 1), (-1, 1)])
slotted = tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Box(x=(-0.05, 0.05), y=(-0.6, 1.5))


def cut(domain: tn.Domain, count: int) -> Tiles:
    corners = tuple(c for c in domain.corners_and_holes[0] if not c.flat)
    points = np.array([c.point for c in corners]).reshape(-1, 2)
    sizes = Sizes(float(np.sqrt(domain.volume / count)), *ArcSamples.of(domain).sizes(points))
    seeds, samples = seeds_for(domain, sizes, points, 400)
    return tiles_of(domain, seeds, corners, samples)


@pytest.mark.parametrize("domain", [oval, ring, bent, slotted, tn.Disk()])
def test_cells_fill_the_domain_and_their_boundaries_close(domain: tn.Domain) -> None:
    tiles = cut(domain, 12)
    _, normals, cells, lengths, weights = tiles.rim_points(12)
    # The divergence theorem in every cell: the normals of its faces and of its rim add up to nothing.
    flow = np.zeros((len(tiles), 2))
    np.add.at(flow, cells, np.einsum("bqc,bq->bc", normals, weights * lengths[:, None]))
    _, across, long, _ = tiles.face_points(4)
    np.add.at(flow, tiles.pairs[:, 0], across * long[:, None])
    np.add.at(flow, tiles.pairs[:, 1], -across * long[:, None])
    assert np.abs(flow).max() < 0.02 * np.sqrt(domain.volume / len(tiles))
    assert lengths.sum() == pytest.approx(sum(a.length for p in domain.parts for a in domain.arcs(p)), rel=1e-2)
    inside = tiles.inside(np.arange(len(tiles)), 60)
    assert domain.contains(inside.reshape(-1, 2)).mean() > 0.99
    assert (owners(inside.reshape(-1, 2), tiles.seeds) == np.repeat(np.arange(len(tiles)), 60)).mean() > 0.99


def test_polynomials_have_the_derivatives_that_they_say() -> None:
    rng = np.random.default_rng(0)
    placed = rng.uniform(-0.7, 0.7, (2, 5, 2))
    step, one = 1e-5, np.ones((2, 5))
    for index, axis in (((1, 0), 0), ((0, 1), 1)):
        shift = step * np.eye(2)[axis]
        ahead, behind = (CellPolynomials(placed + sign * shift, 7, 2) for sign in (1, -1))
        here = CellPolynomials(placed, 7, 2)
        for name in ("bubbles", "harmonics"):
            slope = (getattr(ahead, name)([((0, 0), one)]) - getattr(behind, name)([((0, 0), one)])) / (2 * step)
            assert np.abs(getattr(here, name)([(index, one)]) - slope).max() < 1e-6
    here = CellPolynomials(placed, 7, 2)
    assert np.abs(here.harmonics([((2, 0), one), ((0, 2), one)])).max() < 1e-10
    circle = np.stack([np.cos(np.arange(5.0)), np.sin(np.arange(5.0))], axis=-1)[None]
    assert np.abs(CellPolynomials(circle, 7, 0).bubbles([((0, 0), one[:1])])).max() < 1e-13
    both = np.concatenate([here.bubbles([((0, 0), one)]), here.harmonics([((0, 0), one)])], axis=1)
    assert both.shape[1] == bubbles(7) + harmonics(7) == 36


wavy = sp.exp(sp.sin(2 * x) + y) * sp.cos(3 * y)
LEFT = {
    "variable": lambda w: -sum(sp.diff((1 + x**2 / 2 + sp.exp(y) / 3) * sp.diff(w, c), c) for c in (x, y)) + w,
    "anisotropic": lambda w: (2 + sp.sin(x)) * sp.diff(w, x, 2) + sp.diff(w, x, y) + (1 + y**2) * sp.diff(w, y, 2),
    "convection": lambda w: -tn.laplacian(w, x, y) + 5 * y * sp.diff(w, x) - 5 * x * sp.diff(w, y),
    "Helmholtz": lambda w: tn.laplacian(w, x, y) + (20 + 5 * x) * w,
    "cubic": lambda w: -tn.laplacian(w, x, y) + 2 * w**3,
}


@pytest.mark.parametrize("domain", [oval, ring, bent], ids=["oval", "ring", "bent"])
@pytest.mark.parametrize("left", LEFT)
def test_known_solutions_are_found_to_the_tolerance(domain: tn.Domain, left: str) -> None:
    equation = sp.Eq(LEFT[left](u), LEFT[left](wavy).doit())
    problem = tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, wavy))])
    found = tn.solve(problem, tol=1e-7, method="cells")
    points = domain.interior(500, "random", 1)
    exact = sp.lambdify((x, y), wavy, "numpy")(*points.T)
    error = np.linalg.norm(found(points) - exact) / np.linalg.norm(exact)
    assert error < 1e-7
    assert found.error < 1e-7
    assert error < 10 * found.error


def test_fluxes_and_robin_conditions() -> None:
    exact = sp.sin(2 * x) * sp.cosh(y)
    slope = tn.normal_derivative(u)
    domain = tn.Box(x=(0, 1), y=(0, 1)) - tn.Disk((0.45, 0.5), radius=0.2, name="hole")
    conditions = [
        tn.on("x=0", sp.Eq(u, exact)),
        tn.on("x=1", sp.Eq(slope, sp.diff(exact, x))),
        tn.on("y=0", sp.Eq(slope + 2 * u, -sp.diff(exact, y) + 2 * exact)),
        tn.on("y=1", sp.Eq(u, exact)),
        tn.on("hole", sp.Eq(u, exact)),
    ]
    problem = tn.Problem(
        domain, [sp.Eq(tn.laplacian(u) - x * u, tn.laplacian(exact, x, y).doit() - x * exact)], conditions
    )
    found = tn.solve(problem, tol=1e-7, method="cells")
    points = domain.interior(400, "random", 1)
    truth = np.sin(2 * points[:, 0]) * np.cosh(points[:, 1])
    assert np.abs(found(points) - truth).max() < 2e-7


def test_a_corner_owns_its_functions() -> None:
    # r^(2/3) sin(2 theta / 3) at the inner corner of an L.
    domain = tn.Polygon([(-1, -1), (1, -1), (1, 0), (0, 0), (0, 1), (-1, 1)])

    def power(px: np.ndarray, py: np.ndarray) -> np.ndarray:
        angle = np.mod(np.arctan2(py, px) - np.pi / 2, 2 * np.pi)
        return np.hypot(px, py) ** (2 / 3) * np.sin(2 / 3 * angle)

    g = tn.given("g", power, x, y)
    problem = tn.Problem(domain, [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, g))])
    found = tn.solve(problem, tol=1e-7, method="cells")
    points = domain.interior(500, "random", 1)
    assert np.abs(found(points) - power(*points.T)).max() < 1e-6
    assert found.basis.pieces < 40


def test_a_system_of_two_unknowns() -> None:
    a, b = sp.sin(x + 2 * y), sp.exp(x / 2) * sp.cos(y)
    first = lambda p, q: 2 * sp.diff(p, x, 2) + sp.diff(p, y, 2) + sp.diff(q, x, y) + q  # noqa: E731
    second = lambda p, q: sp.diff(q, x, 2) + 2 * sp.diff(q, y, 2) + sp.diff(p, x, y) - x * p  # noqa: E731
    problem = tn.Problem(
        ring,
        [sp.Eq(first(u, v), first(a, b).doit()), sp.Eq(second(u, v), second(a, b).doit())],
        [tn.on("boundary", sp.Eq(u, a)), tn.on("boundary", sp.Eq(v, b))],
    )
    found = tn.solve(problem, tol=1e-7, method="cells")
    points = ring.interior(400, "random", 1)
    for unknown, exact in ((u, a), (v, b)):
        truth = sp.lambdify((x, y), exact, "numpy")(*points.T)
        assert np.linalg.norm(found.evaluate(unknown, points) - truth) < 1e-7 * np.linalg.norm(truth)


def test_a_solution_in_cells_is_stored_and_read(tmp_path) -> None:
    problem = tn.Problem(bent, [sp.Eq(tn.laplacian(u) - u, x)], [tn.on("boundary", u)])
    found = tn.solve(problem, tol=1e-5, method="cells")
    found.save(tmp_path / "found.npz")
    again = tn.load(tmp_path / "found.npz")
    points = bent.interior(100, "random", 1)
    assert np.array_equal(again(points), found(points))
    slope = (found(points + np.array([1e-5, 0])) - found(points - np.array([1e-5, 0]))) / 2e-5
    assert np.abs(found.evaluate(sp.diff(u, x), points) - slope).max() < 1e-5


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (tn.Problem(ring, [sp.Eq(sp.diff(u, x, 2) - sp.diff(u, y, 2), 0)], [tn.on("boundary", u)]), "not elliptic"),
        (tn.Problem(ring, [sp.Eq(tn.laplacian(u), sp.Abs(x - sp.sin(y) / 3))], [tn.on("boundary", u)]), "not smooth"),
    ],
)
def test_why_a_problem_is_not_for_cells(problem: tn.Problem, said: str) -> None:
    assert said in tn.methods(problem)["cells"].reason
