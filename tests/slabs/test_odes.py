"""Ordinary differential equations, marched: tolerances hold, estimates are honest, events are found, marches go on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, ProblemError
from transnet.slabs.march import March

t = sp.Symbol("t")
u, v, w = (tn.unknown(name, t) for name in "uvw")


def first_order(equations: dict[sp.Expr, sp.Expr], start: dict[sp.Expr, float], end: float) -> tn.Problem:
    """du/dt = f for each unknown."""
    return tn.Problem(
        tn.Interval(t=(0, end)),
        [sp.Eq(sp.diff(a, t), f) for a, f in equations.items()],
        [tn.on("t=0", *(sp.Eq(a, value) for a, value in start.items()))],
    )


def van_der_pol(mu: float, end: float) -> tn.Problem:
    return first_order({u: v, v: mu * (1 - u**2) * v - u}, {u: 2, v: 0}, end)


LORENZ = first_order({u: 10 * (v - u), v: u * (28 - w) - v, w: u * v - sp.Rational(8, 3) * w}, {u: 1, v: 1, w: 1}, 5)
ROBERTSON = first_order(
    {u: -0.04 * u + 1e4 * v * w, v: 0.04 * u - 1e4 * v * w - 3e7 * v**2, w: 3e7 * v**2}, {u: 1, v: 0, w: 0}, 40
)
PENDULUM = tn.Problem(
    tn.Interval(t=(0, 10)),
    [sp.Eq(sp.diff(u, t, 2), -sp.sin(u))],
    [tn.on("t=0", sp.Eq(u, 2), sp.Eq(sp.diff(u, t), 0))],
)


# The values at the end, by SciPy's Radau with a relative tolerance of 1e-12; Robertson's are those of the literature.
STIFF = {
    "van der Pol 5": (van_der_pol(5, 20), [-1.60129687954293, 0.19832667633864]),
    "van der Pol 1000": (van_der_pol(1000, 900), [-1.93644354479580, 0.00070420886015858]),
    "Robertson": (ROBERTSON, [0.7158270688, 9.185534765e-6, 0.2841637457]),
}


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize(("problem", "exact"), STIFF.values(), ids=STIFF)
def test_the_tolerance_holds_for_stiff_problems(problem: tn.Problem, exact: list[float], tol: float) -> None:
    solution = tn.solve(problem, tol=tol)
    end = problem.domain.bounds[1, 0]
    sizes = np.sqrt(np.mean(solution(np.linspace(0, end, 2001)) ** 2, axis=0))
    error = np.abs(solution(end) - exact) / np.maximum(np.abs(exact), sizes)
    assert error.max() < max(10 * tol, 1e-8)
    assert solution.slabs.times[-1] == end


@cache
def lorenz() -> tn.Solution:
    return tn.solve(LORENZ, tol=1e-11)


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_the_estimate_goes_with_the_growth_of_errors(tol: float) -> None:
    """Lorenz's system makes errors larger: what is aimed at is the error at the end."""
    solution, exact = tn.solve(LORENZ, tol=tol), lorenz()
    error = np.abs(solution(5.0) - exact(5.0)).max() / 8
    assert error < 10 * tol
    assert error < 10 * solution.slabs.estimates[-1] + 1e-11
    assert solution.slabs.estimates[-1] < 30 * error + 1e-12


def test_digits_that_end_are_told() -> None:
    """Slabs that are too long for Lorenz's system: what is lost grows, and the estimate says so."""
    with pytest.warns(AccuracyWarning, match="estimated relative error"):
        solution = tn.solve(LORENZ, slabs=25, tol=1e-6)
    error = np.abs(solution(5.0) - lorenz()(5.0)).max() / 8
    assert error > 1e-6
    assert error < 10 * solution.slabs.estimates[-1]


def test_many_short_slabs_keep_the_tolerance() -> None:
    """Each jump of a stiff oscillator takes dozens of short slabs, and none may be careless for that."""
    assert tn.solve(van_der_pol(1000, 3000), tol=1e-4).error < 1e-4


def test_an_event_ends_the_march_and_another_goes_on(tmp_path: Path) -> None:
    whole = tn.solve(PENDULUM)
    solution = tn.solve(PENDULUM, until=u)
    quarter = float(sp.elliptic_k(sp.sin(1) ** 2).evalf(20))
    assert solution.status == "event"
    assert abs(solution.slabs.times[-1] - quarter) < 1e-9
    assert solution.problem.domain.bounds[1, 0] == solution.slabs.times[-1]
    kept = tn.load(solution.save(tmp_path / "quarter.npz"))
    rest = tn.solve(PENDULUM, start=kept)
    times = np.linspace(0, 10, 77)
    assert np.abs(rest(times) - whole(times)).max() < 1e-9


def test_slabs_by_hand_and_kept(tmp_path: Path) -> None:
    even = tn.solve(PENDULUM, slabs=40)
    assert np.allclose(even.slabs.times, np.linspace(0, 10, 41))
    uneven = tn.solve(PENDULUM, slabs=[1, 2, 3.5, 5, 6, 7, 8, 9])
    assert {1, 2, 3.5, 10} <= set(uneven.slabs.times)
    assert abs(even(9.5) - uneven(9.5)) < 1e-6
    few = tn.solve(PENDULUM, slabs=40, keep=[3.1, 7.1])
    assert len(few.slabs) == 3
    assert few(3.1) == even(3.1)
    with pytest.raises(ProblemError, match="was not kept"):
        few(5.0)
    replace(few, stored_points=np.array([[5.0]])).save(tmp_path / "few.npz")  # not one of the kept times
    assert tn.load(tmp_path / "few.npz")(3.1) == few(3.1)


def test_a_long_run_goes_to_a_file_slab_by_slab(tmp_path: Path) -> None:
    """Marched again with a smaller tolerance, gone on from, and read by NumPy: always the slabs of the solution."""
    plain = tn.solve(LORENZ, tol=1e-6)
    solution = tn.solve(LORENZ, tol=1e-6, to=tmp_path / "run")
    assert isinstance(solution.coefficients, np.memmap)
    assert np.array_equal(np.load(tmp_path / "run.npy"), plain.coefficients)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.npy", "run.npz"]
    half = tn.solve(PENDULUM, until=u, to=tmp_path / "half.npy")
    whole = tn.solve(PENDULUM, start=half, to=tmp_path / "whole.npy")
    times = np.linspace(0, 10, 55)
    assert np.abs(whole(times) - tn.solve(PENDULUM)(times)).max() < 1e-9
    assert len(tn.solve(PENDULUM, keep=3, to=tmp_path / "thin.npy").coefficients) < len(whole.coefficients) / 2
    with pytest.raises(ProblemError, match="cannot be written"):
        tn.solve(PENDULUM, to=tmp_path / "nowhere" / "run.npy")


def test_an_interrupted_march_gives_what_is_there_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    accept = March._accept

    def interrupted(self: March, *arguments: object) -> None:
        accept(self, *arguments)  # type: ignore[arg-type]
        if len(self.track.records) == 4:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(March, "_accept", interrupted)
        with pytest.warns(AccuracyWarning, match="and not at 10: it was interrupted.*start=solution"):
            part = tn.solve(PENDULUM)
    assert part.status == "interrupted"
    assert "march             interrupted at" in part.report()
    assert len(part.slabs) == 4
    assert part.problem.domain.bounds[1, 0] == part.slabs.times[-1] < 10
    rest, times = tn.solve(PENDULUM, start=part), np.linspace(0, 10, 41)
    assert rest.status == "converged"
    assert np.abs(rest(times) - tn.solve(PENDULUM)(times)).max() < 1e-9


def test_a_time_limit_ends_a_march() -> None:
    with pytest.warns(AccuracyWarning, match="and not at 10: its seconds were over"):
        part = tn.solve(PENDULUM, seconds=1e-9)
    assert part.status == "limit reached"
    assert "march             limit reached at" in part.report()
    assert len(part.slabs) == 1


def test_a_march_into_a_pole_says_where_it_ended() -> None:
    """w' = w^2 from 1 is 1/(1 - t)."""
    problem = tn.Problem(tn.Interval(t=(0, 2)), [sp.Eq(sp.diff(u, t), u**2)], [tn.on("t=0", sp.Eq(u, 1))])
    near = pytest.warns(AccuracyWarning, match="estimated relative error")  # where it is 1e6 no digit is left
    with near, pytest.warns(AccuracyWarning, match="and not at 2: no step"):
        part = tn.solve(problem)
    assert part.status == "stalled"
    assert 0.9 < part.slabs[-1].end <= 1
    assert "march             stalled at" in part.report()


def test_backwards_and_on_disk(tmp_path: Path) -> None:
    last = tn.Problem(tn.Interval(t=(0, 2)), [sp.Eq(sp.diff(u, t), u)], [tn.on("t=2", sp.Eq(u, 1))])
    solution = tn.solve(last, to=tmp_path / "slabs.npy")
    times = np.linspace(0, 2, 9)
    assert np.abs(solution(times) - np.exp(times - 2)).max() < 1e-9


PERIODIC = tn.Problem(tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(u, t), -u + sp.sin(t))], [tn.periodic(t)])
ENDS = tn.Problem(
    tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(u, t, 2), -u)], [tn.on("t=0", sp.Eq(u, 0)), tn.on("t=1", sp.Eq(u, 1))]
)
HALF = tn.Problem(tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(u, t, 2), -u)], [tn.on("t=0", sp.Eq(u, 0))])
WRONG = {
    "no initial condition": (
        tn.Problem(tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(u, t), -u)]), {"slabs": 3}, "no condition at either end"),
    "half of the initial conditions": (HALF, {"slabs": 3}, "derivative of order 1"),
    "conditions at both ends": (ENDS, {"slabs": 3}, "both ends"),
    "periodic in time": (PERIODIC, {"slabs": 3}, "periodic in t"),
    "times out of order": (PENDULUM, {"slabs": [3, 1]}, "out of order"),
    "times outside": (PENDULUM, {"slabs": [3, 11]}, "not between 0 and 10"),
    "no slabs": (PENDULUM, {"slabs": 0}, "at least 1"),
    "slabs that are none": (PENDULUM, {"slabs": "many"}, "a number of slabs or a list"),
    "another kind of start": (PENDULUM, {"start": 3}, "a solution in time slabs"),
    "an event without unknowns": (PENDULUM, {"until": t - 1}, "not an expression of the unknowns"),
    "a network": (PENDULUM, {"slabs": 3, "neurons": 10}, "does not take it"),
    "keep at no time": (PENDULUM, {"keep": [20.0]}, "not between 0 and 10"),
}  # fmt: skip


@pytest.mark.parametrize(("problem", "asked", "words"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_marched_is_told(problem: tn.Problem, asked: dict, words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        tn.solve(problem, **asked)


def test_a_start_of_another_problem_and_an_event_that_does_not_happen() -> None:
    short = tn.Problem(tn.Interval(t=(0, 1)), HALF.equations, [tn.on("t=0", sp.Eq(u, 2), sp.Eq(sp.diff(u, t), 0))])
    with pytest.raises(ProblemError, match="another problem"):
        tn.solve(PENDULUM, start=tn.solve(short))
    with pytest.warns(AccuracyWarning, match="did not change sign"):
        tn.solve(PENDULUM, until=u - 5)


def test_a_problem_file_says_slabs_and_until(tmp_path: Path) -> None:
    file = tmp_path / "pendulum.toml"
    file.write_text(
        'coordinates = ["t"]\nunknowns = ["u"]\ndomain = "Interval(t=(0, 10))"\nequations = "u_tt = -sin(u)"\n'
        'conditions = ["u = 2 on t=0", "u_t = 0 on t=0"]\n[solve]\nslabs = [1, 2, 3]\nuntil = "u"\n'
    )
    stated = tn.read_problem(file)
    solution = tn.solve(stated.problem, **stated.settings)
    assert solution.status == "event"
    assert {1, 2} < set(solution.slabs.times)


def test_an_unknown_that_follows_from_the_others_may_begin_at_zero() -> None:
    """Robertson's third concentration by conservation: 1e-9 at first, with the rounding of 1."""
    a, b, c = (tn.unknown(name, t) for name in "abc")
    equations = [
        sp.Eq(sp.diff(a, t), -0.04 * a + 1e4 * b * c),
        sp.Eq(sp.diff(b, t), 0.04 * a - 1e4 * b * c - 3e7 * b**2),
        sp.Eq(a + b + c, 1),
    ]
    start = tn.on("t=0", sp.Eq(a, 1), sp.Eq(b, 0))
    solution = tn.solve(tn.Problem(tn.Interval(t=(0, 40)), equations, [start]))
    assert solution.slabs is not None
    assert abs(solution["a"](40.0) - 0.7158270688) < 1e-9


def test_a_jump_in_the_equation_needs_no_slope() -> None:
    """sign(u) has the derivative zero wherever it is evaluated: dry friction, until it comes to rest."""
    v = tn.unknown("v", t)
    problem = tn.Problem(
        tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(v, t), -sp.sign(v) * (1 + v**2))], [tn.on("t=0", sp.Eq(v, sp.tan(1.4)))]
    )
    assert np.allclose(tn.solve(problem)(np.array([[1.0]])), np.tan(0.4), rtol=1e-9)
