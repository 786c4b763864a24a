"""Evolutions on plane domains: functions of cells in weak form."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq
from scipy.special import jv, yv

import transnet as tn
from transnet.cells.corners import Corners
from transnet.cells.solve import cut_cells, first_sizes
from transnet.cells.stated import CellProblem
from transnet.errors import AccuracyWarning
from transnet.plane.march import cells_from
from transnet.plane.rules import rule_of
from transnet.plane.statement import plane_evolution
from transnet.slabs.track import Settings
from transnet.steps.statement import rothe_of

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
DISK = tn.Disk(radius=1)
HALF = DISK & tn.Box(x=(-2, 2), y=(0, 2))
RING = DISK - tn.Disk(radius=0.4)
CORNER = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
STAR = tn.Polygon(
    [(r * np.cos(a), r * np.sin(a)) for a, r in zip(np.arange(10) * np.pi / 5, [1, 0.5] * 5, strict=True)]
)
WAVE = sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) + sp.diff(u, y, 2))
HEAT = sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + sp.diff(u, y, 2))
LOWEST_OF_THE_CORNER = 9.6397238440219
"""The first eigenvalue of the Laplacian in three unit squares around a corner (Trefethen and Betcke)."""


def during(domain: tn.Domain, end: float) -> tn.Domain:
    return domain * tn.Interval(t=(0, end))


def at(solution: tn.Solution, points: np.ndarray, moment: float) -> np.ndarray:
    return solution(np.column_stack([points, np.full(len(points), moment)]))


def distance(found: np.ndarray, true: np.ndarray) -> float:
    return float(np.linalg.norm(found - true) / np.linalg.norm(true))


def energies(solution: tn.Solution, domain: tn.Domain, moments: list[float]) -> list[float]:
    points, weights = domain.quadrature(3000)
    found = []
    for moment in moments:
        there = np.column_stack([points, np.full(len(points), moment)])
        found.append(float(weights @ sum(solution.value_of(sp.diff(u, s), there) ** 2 for s in (x, y, t))))
    return found


def test_waves_around_a_corner_keep_their_energy():
    """Of a mode that is smooth there, for twelve units of time, eight of its periods."""
    modes = [(sp.sin(sp.pi * x) * sp.sin(k * sp.pi * y), np.pi * np.sqrt(1 + k**2)) for k in (1,)]
    at_start = tn.on("t=0", sp.Eq(u, sum(m for m, _ in modes)), sp.Eq(sp.diff(u, t), 0))
    solution = tn.solve(tn.Problem(during(CORNER, 12.0), [WAVE], [at_start, tn.on("sides", u)]), tol=1e-2)
    assert solution.diagnostics.solver == "slabs"
    first, *later = energies(solution, CORNER, [0.0, 1.0, 6.0, 12.0])
    assert later == pytest.approx([first] * 3, rel=2e-2)  # twice the tolerance, as it is a square
    points = CORNER.interior(100, "quasi", 0)
    true = sum(sp.lambdify((x, y), m)(*points.T) * np.cos(rate * 12.0) for m, rate in modes)
    assert distance(at(solution, points, 12.0), true) < 10 * max(solution.error, 1e-3)


def test_heat_leaves_a_corner_at_its_lowest_rate():
    """From a start that does not fit its walls."""
    problem = tn.Problem(during(CORNER, 1.0), [HEAT], [tn.on("t=0", sp.Eq(u, 1)), tn.on("sides", u)])
    with pytest.warns(AccuracyWarning, match="prescribe different values"):
        solution = tn.solve(problem, tol=1e-2)
    points = CORNER.interior(100, "quasi", 0)
    early, late = (float(np.sum(at(solution, points, m))) for m in (0.9, 1.0))
    assert np.log(early / late) / 0.1 == pytest.approx(LOWEST_OF_THE_CORNER, rel=1e-3)


def test_a_ring_cools_by_its_mode():
    def cross(rate: float) -> float:
        return float(jv(0, 0.4 * rate) * yv(0, rate) - jv(0, rate) * yv(0, 0.4 * rate))

    rate = brentq(cross, 4.0, 6.0)
    mode = tn.given("mode", lambda a, b: jv(0, rate * np.hypot(a, b)) * yv(0, rate)
                    - jv(0, rate) * yv(0, rate * np.hypot(a, b)), x, y)  # fmt: skip
    solution = tn.solve(
        tn.Problem(during(RING, 0.1), [HEAT], [tn.on("t=0", sp.Eq(u, mode)), tn.on("sides", u)]), tol=1e-5
    )
    points = RING.interior(100, "quasi", 0)
    true = at(solution, points, 0.0) * np.exp(-(rate**2) * 0.1)
    assert distance(at(solution, points, 0.1), true) < 1e-4


def test_heat_in_two_materials():
    """A mode of two slabs whose conductivities are ten to one."""
    sides = tn.Pieces(a=tn.Box(x=(0, 1), y=(0, 1)), b=tn.Box(x=(1, 2), y=(0, 1)))
    ratio = np.sqrt(10.0)
    q = brentq(lambda q: ratio * np.cos(q / ratio) * np.sin(q) + np.cos(q) * np.sin(q / ratio), 1.0, 3.0)
    factor = float(np.sin(q / ratio) / np.sin(q))
    mode = tn.by_piece(a=sp.sin(q / ratio * x), b=factor * sp.sin(q * (2 - x)))
    problem = tn.Problem(
        during(sides, 0.5),
        [sp.Eq(sp.diff(u, t), tn.div(tn.by_piece(a=10, b=1) * tn.grad(u)))],
        [tn.on("t=0", sp.Eq(u, mode))] + [tn.on(name, sp.Eq(u, 0)) for name in ("left", "right")]
        + [tn.on(name, sp.Eq(tn.normal_derivative(u), 0)) for name in ("top", "bottom")],
    )  # fmt: skip
    solution = tn.solve(problem, tol=1e-4)
    points = sides.interior(200, "quasi", 0)
    left, right = np.sin(q / ratio * points[:, 0]), factor * np.sin(q * (2 - points[:, 0]))
    true = np.exp(-(q**2) * 0.5) * np.where(points[:, 0] < 1, left, right)
    error = distance(at(solution, points, 0.5), true)
    assert error < 1e-4
    assert error < 10 * solution.error


def test_a_room_has_its_balance():
    """A radiator that is switched on at once, a window that loses heat: what flows in is what there is more."""
    room = tn.Polygon([(0, 0), (4, 0), (4, 3), (2, 3), (2, 2), (0, 2)])
    air = tn.heat(u, k=20, capacity=1)
    warm, lost = sp.Piecewise((10, t > 1), (0, True)), sp.Rational(11, 10) * (u - 5)
    problem = tn.Problem(
        during(room, 3.0),
        air.equations,
        [
            tn.on("edge 0", sp.Eq(air.outflow, -warm)),
            tn.on("edge 1", sp.Eq(air.outflow, lost)),
            *(air.insulated(f"edge {k}") for k in (2, 3, 4, 5)),
            tn.on("t=0", sp.Eq(u, 18)),
        ],
    )
    solution = tn.solve(problem, tol=1e-4)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    for begin, end in ((0.2, 1.0), (1.05, 3.0)):
        moments = begin + (end - begin) * (nodes + 1) / 2
        outward = sum(
            w * (end - begin) / 2 * float(solution.integral(lost, over="edge 1", t=m))
            for m, w in zip(moments, weights, strict=True)
        )
        there = [float(solution.integral(u, t=m)) for m in (begin, end)]
        inward = 40.0 * (end - begin) if begin > 1 else 0.0
        assert there[1] - there[0] == pytest.approx(inward - outward, abs=1e-3 * there[0])


def test_reactions_in_a_star():
    """A nonlinear source and a coefficient that changes in time, against an exact solution."""
    exact = sp.exp(-t) * (1 + x * y / 4 + x**3 / 3) / 2
    equation = sp.diff(u, t) - (1 + t) * (sp.diff(u, x, 2) + sp.diff(u, y, 2)) - u * (1 - u)
    problem = tn.Problem(
        during(STAR, 0.5),
        [sp.Eq(equation, equation.subs(u, exact).doit())],
        [tn.on("t=0", sp.Eq(u, exact)), tn.on("sides", sp.Eq(u, exact))],
    )
    solution = tn.solve(problem, tol=1e-3)
    points = STAR.interior(200, "quasi", 0)
    true = sp.lambdify((x, y, t), exact)(*points.T, 0.5)
    assert distance(at(solution, points, 0.5), true) < 1e-5


def test_a_march_in_cells_is_kept_and_goes_on(tmp_path):
    start, rate = sp.sin(sp.pi * x) * sp.sin(sp.pi * y), 2 * np.pi**2

    def plate(end: float) -> tn.Problem:
        return tn.Problem(during(CORNER, end), [HEAT], [tn.on("t=0", sp.Eq(u, start)), tn.on("sides", u)])

    half = tn.solve(plate(0.05), method="march", tol=1e-3)
    half.save(tmp_path / "half.npz")
    read = tn.load(tmp_path / "half.npz")
    places = np.array([[0.4, 0.2, 0.03], [1.5, 0.4, 0.04]])
    assert np.array_equal(half(places), read(places))
    gone_on = tn.solve(plate(0.1), tol=1e-3, start=read)
    later = np.array([[0.4, 0.2, 0.08], [1.5, 0.4, 0.1]])
    true = np.sin(np.pi * later[:, 0]) * np.sin(np.pi * later[:, 1]) * np.exp(-rate * later[:, 2])
    assert gone_on(later) == pytest.approx(true, abs=1e-3)


@pytest.mark.parametrize("domain", [CORNER, RING, STAR], ids=["corner", "ring", "star"])
def test_rules_of_cells_are_exact(domain):
    plain = tn.unknown("w", x, y)
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(plain), plain)], [tn.on("boundary", plain)])
    stated = CellProblem.of_problem(problem, ())
    tiles, _ = cut_cells(stated, first_sizes(stated), Corners.of(stated, 1e-4))
    rule, (nodes, weights) = rule_of(tiles, 8), domain.quadrature(4000)
    assert rule.weights.sum() == pytest.approx(domain.volume, rel=1e-9)
    for power in ((2, 0), (1, 3), (6, 4)):
        mine, true = (
            w @ np.prod(p ** np.array(power), axis=1) for w, p in ((rule.weights, rule.points), (weights, nodes))
        )
        assert mine == pytest.approx(true, abs=1e-9)


def test_the_weak_form_is_symmetric_and_keeps_what_there_is():
    """Of heat in a corner without losses: A = A^T but for the rule of the functions of the corner, and the constant
    is left as it is."""
    problem = tn.Problem(
        during(CORNER, 1.0), [HEAT], [tn.on("t=0", sp.Eq(u, x)), tn.on("sides", sp.Eq(tn.normal_derivative(u), 0))]
    )
    march = cells_from(plane_evolution(rothe_of(problem)), {}, Settings(1e-3, 4), None)
    stiffness, mass = march.system._steady[1]
    size = abs(stiffness).max()
    assert abs(stiffness - stiffness.T).max() < 3e-5 * size
    assert abs(mass - mass.T).max() < 1e-9
    one = march.space.project(np.ones(len(march.space.grid[0])))
    assert np.abs(stiffness @ one).max() < 1e-5 * size
    assert np.linalg.eigvalsh(stiffness.toarray()).min() > -1e-5 * size
