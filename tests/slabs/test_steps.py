"""Evolutions on domains that are no boxes: an elliptic problem in pieces for each stage of a step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from scipy.special import j0, j1, jn_zeros

import transnet as tn
from transnet.errors import AccuracyWarning, ProblemError
from transnet.slabs.ask import Ask
from transnet.slabs.solve import marches
from transnet.solution.solution import Solution
from transnet.steps.cells import levels, probe_of
from transnet.steps.fits import start_misfit
from transnet.steps.implicit import esdirk_scheme
from transnet.steps.resolved import carried, on_boxes, unresolved
from transnet.steps.statement import Rothe, rothe_of
from transnet.steps.tableau import FIRST, USUAL

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
diff, Eq = sp.diff, sp.Eq
COLD = tn.Problem(
    tn.Disk(radius=1) * tn.Interval(t=(0, 0.5)),
    [Eq(diff(u, t), tn.laplacian(u))],
    [tn.on("t=0", Eq(u, 0)), tn.on("sides", Eq(u, 1))],
)


def in_steps(rothe: Rothe, tol: float, ask: Ask) -> Solution:
    return next(marches(rothe, esdirk_scheme(rothe, ()), tol, {}, ask))


def test_a_cold_disk_is_heated(tmp_path: Path) -> None:
    """The start jumps at the rim: the series of Bessel's functions is met later on, and the estimate holds."""
    with pytest.warns(AccuracyWarning, match="prescribe different values"):
        solution = tn.solve(COLD, tol=1e-3)
    places = COLD.domain.first.interior(200, "quasi", 0)
    zeros = jn_zeros(0, 60)
    profile = 2 / (zeros * j1(zeros)) * j0(np.multiply.outer(np.hypot(*places.T), zeros))
    for time in (0.2, 0.37, 0.5):
        points = np.column_stack([places, np.full(len(places), time)])
        error = np.sqrt(np.mean((solution(points) - 1 + profile @ np.exp(-(zeros**2) * time)) ** 2))
        assert error < 1e-3
    assert error < solution.slabs.estimates[-1] < 100 * error
    again = tn.load(solution.save(tmp_path / "cold.npz"))
    assert np.array_equal(again(points), solution(points))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"slabs": [0.3, 0.1]}, "out of order"),
        ({"slabs": [0.1, 0.7]}, "not between 0 and 0.5"),
        ({"slabs": 0}, "at least 1"),
        ({"keep": [0.7]}, "not between 0 and 0.5"),
    ],
)
def test_times_that_steps_cannot_take_are_refused(asked, words) -> None:
    with pytest.raises(ProblemError, match=words):
        in_steps(rothe_of(COLD), 1e-3, Ask(**asked))


@pytest.mark.parametrize("method", [FIRST, USUAL], ids=["first", "usual"])
def test_the_methods_have_their_orders_and_damp(method) -> None:
    a, b, c = method.stages, method.stages[-1], method.nodes
    assert np.allclose([b.sum(), b @ c, b @ c**2, b @ a @ c], [1, 1 / 2, 1 / 3, 1 / 6], atol=1e-14)
    assert np.allclose([b @ c**3, b @ (c * (a @ c)), b @ a @ c**2, b @ a @ a @ c], [1 / 4, 1 / 8, 1 / 12, 1 / 24])
    e = method.estimate
    assert np.allclose([e.sum(), e @ c, e @ c**2, e @ a @ c], 0, atol=1e-14)
    assert abs(1 - 1e9 * b @ np.linalg.solve(np.eye(len(c)) + 1e9 * a, np.ones(len(c)))) < 1e-6


@pytest.mark.parametrize(
    ("equation", "conditions", "words"),
    [
        (Eq(diff(u, t), tn.laplacian(u)), (Eq(diff(u, t), 1),), "derivative in t"),
        (Eq(diff(u, t, 3), tn.laplacian(u)), (Eq(u, 1),), "order 3"),
    ],
)
def test_what_is_not_for_steps_says_why(equation: sp.Eq, conditions: tuple[sp.Eq, ...], words: str) -> None:
    problem = tn.Problem(COLD.domain, [equation], [tn.on("t=0", Eq(u, 0)), tn.on("sides", *conditions)])
    found = rothe_of(problem)
    assert isinstance(found, str)
    assert words in found


def test_steps_stop_at_an_event_go_on_and_are_written_to_a_file(tmp_path: Path) -> None:
    with pytest.warns(AccuracyWarning, match="prescribe different values"):
        first = tn.solve(COLD, tol=3e-3, until=u.subs({x: 0, y: 0}) - sp.Rational(1, 2))
    end = first.slabs.times[-1]
    zeros = jn_zeros(0, 60)

    def middle(time: float) -> float:
        return float(1 - (2 / (zeros * j1(zeros))) @ np.exp(-(zeros**2) * time))

    assert first.status == "event"
    assert abs(middle(end) - 0.5) < 1e-3
    whole = tn.solve(COLD, tol=3e-3, start=first, to=tmp_path / "cold")
    assert isinstance(whole.coefficients, np.memmap)
    assert whole.slabs.times[-1] == 0.5
    points = np.array([[0.0, 0.0, 0.1], [0.0, 0.0, 0.4]])
    assert np.abs(whole(points) - [middle(0.1), middle(0.4)]).max() < 1e-3


def test_reactions_and_coefficients_in_time_take_newton_steps() -> None:
    """A coefficient that changes in time and a nonlinear source, against an exact solution."""
    exact = sp.exp(-t) * (1 + x * y / 4) / 2
    here = {u: exact}
    equation = diff(u, t) - (1 + t) * tn.laplacian(u) - u * (1 - u)
    problem = tn.Problem(
        COLD.domain,
        [Eq(equation, equation.subs(here).doit())],
        [tn.on("t=0", Eq(u, exact)), tn.on("sides", Eq(u, exact))],
    )
    rothe = rothe_of(problem)
    assert not rothe.linear
    solution = in_steps(rothe, 1e-3, Ask())
    points = problem.domain.interior(300, "quasi", 0)
    points[:, 2] = 0.5
    true = sp.lambdify((x, y, t), exact)(*points.T)
    error = np.linalg.norm(solution(points) - true) / np.linalg.norm(true)
    assert error < 1e-4
    assert error < 10 * solution.error


def test_a_start_that_does_not_fit_the_walls_of_a_box_is_marched_in_steps() -> None:
    box = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 0.1))
    cold = [tn.on("t=0", Eq(u, 1)), tn.on("sides", Eq(u, 0))]
    problem = tn.Problem(box, [Eq(diff(u, t), tn.laplacian(u))], cold)
    assert start_misfit(rothe_of(problem), {}) == pytest.approx(1.0)
    smooth = tn.Problem(box, problem.equations, [tn.on("t=0", Eq(u, sp.sin(sp.pi * x) * sp.sin(sp.pi * y))), cold[1]])
    assert start_misfit(rothe_of(smooth), {}) < 1e-12
    height = sp.Symbol("height")  # which only the start has
    high = tn.Problem(smooth.domain, smooth.equations, [tn.on("t=0", sp.Eq(u, height)), *smooth.conditions[1:]])
    assert start_misfit(rothe_of(high), {height: 2.0}) == pytest.approx(1.0)


def test_a_flow_in_a_disk_has_its_pressure_but_for_a_constant() -> None:
    """Stokes' equations: the pressure has no time derivative and no start, and only its mean is left to choose."""
    v, p = (tn.unknown(name, x, y, t) for name in "vp")
    exact = {u: sp.exp(-t) * y * (x**2 + y**2), v: -sp.exp(-t) * x * (x**2 + y**2), p: sp.exp(-t) * x * y}
    stated = [diff(u, t) - tn.laplacian(u) + diff(p, x), diff(v, t) - tn.laplacian(v) + diff(p, y)]
    problem = tn.Problem(
        tn.Disk(radius=1) * tn.Interval(t=(0, 0.1)),
        [*(Eq(e, e.subs(exact).doit()) for e in stated), Eq(diff(u, x) + diff(v, y), 0)],
        [tn.on(part, Eq(u, exact[u]), Eq(v, exact[v])) for part in ("t=0", "sides")],
    )
    rothe = rothe_of(problem)
    assert rothe.orders == tuple(0 if w == p else 1 for w in problem.unknowns)
    solution = in_steps(rothe, 1e-2, Ask(slabs=2))
    points = problem.domain.interior(200, "quasi", 0)
    for w in (u, v, p):
        true = sp.lambdify((x, y, t), exact[w])(*points.T)
        assert np.sqrt(np.mean((solution[w.func.__name__](points) - true) ** 2)) < 1e-3


def test_a_march_that_was_killed_is_read_and_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is in the files as soon as the next has been taken, in steps and in slabs."""
    v = tn.unknown("v", x, t)
    line = tn.Problem(
        tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 5)),
        [Eq(diff(v, t, 2), diff(v, x, 2))],
        [tn.on("t=0", Eq(v, sp.sin(sp.pi * x)), Eq(diff(v, t), 0)), tn.on("sides", Eq(v, 0))],
    )

    class Killed(Exception):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("transnet.slabs.disk.SELDOM", 0.0)  # after each step, however long writing takes
        patch.setattr("transnet.slabs.solve._solution", killed)
        with pytest.raises(Killed):
            tn.solve(line, to=tmp_path / "line")
        with pytest.raises(Killed):
            tn.solve(COLD, tol=1e-2, to=tmp_path / "disk")
    half = tn.load(tmp_path / "line.npz")
    assert half.status == "interrupted"
    assert 0 < half.slabs.times[-1] < 5
    whole = tn.solve(line, start=half, to=tmp_path / "line")
    assert abs(whole(0.3, 5.0) + np.sin(0.3 * np.pi)) < 1e-8
    assert np.array_equal(tn.load(tmp_path / "line.npz").coefficients, np.load(tmp_path / "line.npy"))
    disk = tn.load(tmp_path / "disk.npz")
    assert 0.1 < disk.slabs.times[-1] < 0.5
    assert 0 < disk(0.0, 0.0, disk.slabs.times[-1]) < 1


def test_cells_are_cut_where_they_no_longer_resolve_the_solution() -> None:
    """A hump that was not there at the start: boxes are cut around it, and the march goes on with the same function."""
    problem = tn.Problem(
        tn.Disk(radius=1) * tn.Interval(t=(0, 1)),
        [Eq(diff(u, t), tn.laplacian(u) / 10)],
        [tn.on("t=0", Eq(u, 1 + x)), tn.on("sides", Eq(u, 1 + x))],
    )
    level, _ = levels(rothe_of(problem), 1e-2, {}, None)
    step = 1 / 256
    after, _ = level.step(level.start(), step)
    assert unresolved(level, level.taken, 1.0, 1e-2) is None

    def hump(_: int, __: int, points: np.ndarray) -> np.ndarray:
        return np.exp(-200 * ((points[:, 0] - 0.3) ** 2 + points[:, 1] ** 2))

    after, _ = level.step(level.start(hump), step)
    finer = unresolved(level, level.taken, 1.0, 1e-4)
    near = np.all((finer.low < [0.4, 0.1]) & (finer.high > [0.2, -0.1]), axis=1)
    assert finer.widths[near].max() < finer.widths[~near].max()
    moved = carried(level, fine := on_boxes(level, finer), after)
    points = problem.domain.first.interior(200, "quasi", 0)
    before = level.basis.derivatives(after.state[0][0], points, [(0, (0, 0))])[0]
    gap = fine.basis.derivatives(moved.state[0][0], points, [(0, (0, 0))])[0] - before
    assert np.abs(gap).max() < 1e-2 * np.ptp(before)
    assert moved.slopes is not None


def test_a_coefficient_that_jumps_in_time_ends_a_step() -> None:
    """Each mode of Bessel decays at its own rate before and after; the estimate holds."""
    conductivity = sp.Piecewise((1, t < 0.3), (10, True))
    problem = tn.Problem(
        tn.Disk(radius=1) * tn.Interval(t=(0, 0.5)),
        [Eq(diff(u, t), conductivity * tn.laplacian(u) / 10)],
        [tn.on("t=0", Eq(u, 1 - x**2 - y**2)), tn.on("circle", Eq(u, 0))],
    )
    rothe = rothe_of(problem)
    assert not isinstance(rothe, str)
    assert esdirk_scheme(rothe, ()).stops == pytest.approx([0.3], rel=1e-5)
    solution = tn.solve(problem, tol=1e-3)
    assert any(abs(time - 0.3) < 1e-5 for time in solution.slabs.times)
    zeros = jn_zeros(0, 12)
    for time, aged in ((0.25, 0.025), (0.5, 0.03 + 0.2)):
        exact = float(8 / (zeros**3 * j1(zeros)) @ np.exp(-(zeros**2) * aged))
        assert abs(solution(0.0, 0.0, time) - exact) < 3e-4
    assert solution.error < 1e-3


def test_cells_of_a_flow_come_from_a_linear_problem() -> None:
    """F(u_0) + F'(u_0) (u - u_0): convection by the initial velocity, and of it."""
    v, w, p = (tn.unknown(name, x, y, t) for name in "vwp")
    flow = tn.Problem(
        (tn.Box(x=(0, 2), y=(0, 1)) - tn.Disk(center=(0.5, 0.5), radius=0.1)) * tn.Interval(t=(0, 1)),
        [
            Eq(diff(v, t) + v * diff(v, x) + w * diff(v, y) + diff(p, x), tn.laplacian(v)),
            Eq(diff(w, t) + v * diff(w, x) + w * diff(w, y) + diff(p, y), tn.laplacian(w)),
            diff(v, x) + diff(w, y),
        ],
        [tn.on("t=0", Eq(v, y), Eq(w, 0)), tn.on("sides", Eq(v, y), Eq(w, 0))],
    )
    rothe = rothe_of(flow)
    assert not isinstance(rothe, str)
    assert not rothe.linear
    probe = probe_of(rothe)
    a, b = (unknown for unknown in probe.unknowns if unknown.func.__name__ in "vw")
    slope, steep = sp.symbols("slope steep")
    first = probe.equations[0].lhs.doit()
    assert sp.diff(first.subs(diff(a, x), slope), slope) == y  # u_0 carries
    assert sp.diff(first.subs(diff(a, y), steep).subs(b, slope), slope) == 1  # w carries what u_0 changes by
