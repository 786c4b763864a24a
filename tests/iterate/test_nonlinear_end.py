"""How an iteration ends, what it tells, and what it refuses."""

from itertools import pairwise

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, ProblemError

x, y = sp.symbols("x y")
u = tn.unknown("u", x)
AT = np.linspace(0, 1, 40)
# A space that is given, so that nothing but the iteration is tried.
WAVES = tn.FeatureSpace.waves(1, 40, 0.15)


def problem(equation, *conditions):
    return tn.Problem(
        domain=tn.Interval(x=(0, 1)),
        equations=[equation],
        conditions=conditions or [tn.on("boundary", sp.Eq(u, 1))],
    )


# ((x + 1)^-2)'' = 6 (x + 1)^-4.
EXACT = (x + 1) ** -2
DECAY = problem(sp.Eq(sp.diff(u, x, 2), 6 * u**2), tn.on("boundary", sp.Eq(u, EXACT)))


def test_each_step_is_told_and_kept():
    told = []
    solution = tn.solve(DECAY, space=WAVES, progress=told.append)
    assert tuple(told) == solution.diagnostics.steps
    assert [s.number for s in told] == list(range(1, len(told) + 1))
    assert told[-1].residual < told[0].residual
    assert "converged after" in solution.report()
    assert np.abs(solution(x=AT) - (AT + 1) ** -2.0).max() < 1e-10


def test_printing_on_request_and_silence_otherwise(capsys):
    tn.solve(DECAY, space=WAVES)
    quiet = capsys.readouterr()
    assert quiet.out == quiet.err == ""
    tn.solve(DECAY, space=WAVES, progress=True)
    stage, *table = capsys.readouterr().err.lstrip().splitlines()
    assert stage.startswith("network, level 1: solving (")
    assert "residual" in table[0]
    assert len(table) >= 3


def test_an_interruption_returns_the_last_iterate():
    def stop(step):
        if step.number == 2:
            raise KeyboardInterrupt

    with pytest.warns(AccuracyWarning, match="interrupted"):
        solution = tn.solve(DECAY, space=WAVES, progress=stop)
    assert solution.status == "interrupted"
    assert len(solution.diagnostics.steps) == 2
    assert np.abs(solution(x=AT) - (AT + 1) ** -2.0).max() < 0.1


def test_an_interruption_of_the_first_small_network_is_the_end():
    def stop(step):
        raise KeyboardInterrupt

    with pytest.warns(AccuracyWarning, match="interrupted"):
        solution = tn.solve(DECAY, progress=stop, pieces=False)
    assert solution.status == "interrupted"
    assert len(solution.diagnostics.steps) == 1
    assert "interrupted" in str(solution.diagnostics.messages[-1])


def test_the_limit_of_steps_is_told():
    with pytest.warns(AccuracyWarning, match="limit reached"):
        solution = tn.solve(DECAY, space=WAVES, strategy=tn.Newton(steps=1))
    assert solution.status == "limit reached"
    assert solution.error >= solution.diagnostics.steps[-1].change


def test_a_problem_without_solution_stalls():
    # Bratu's problem far above its fold.
    with pytest.warns(AccuracyWarning, match="did not converge"):
        solution = tn.solve(problem(sp.Eq(sp.diff(u, x, 2) + 20 * sp.exp(u), 0)), space=WAVES)
    assert solution.status in ("stalled", "limit reached", "diverged")
    assert np.isfinite(solution(x=AT)).all()


def test_picard_that_diverges_keeps_its_best_iterate():
    # u <- 1 + 5 u^3 runs away from 3.
    wild = problem(sp.Eq(u - 5 * tn.lagged(u**3) - 1 + 0 * sp.diff(u, x), 0), tn.on("x=0", sp.diff(u, x)))
    with pytest.warns(AccuracyWarning, match="diverged"):
        solution = tn.solve(wild, space=WAVES, guess=3, strategy=tn.Picard(memory=0))
    assert solution.status == "diverged"
    assert np.isfinite(solution(x=AT)).all()


def test_line_search_shortens_steps_that_go_too_far():
    # Newton for arctan overshoots by more and more from beyond 1.39; the line search does not let it.
    steep = problem(sp.Eq(sp.diff(u, x, 2) / 10, sp.atan(u - 1)), tn.on("boundary", tn.normal_derivative(u)))
    solution = tn.solve(steep, space=WAVES, guess=9)
    assert solution.status == "converged"
    assert np.abs(solution(x=AT) - 1).max() < 1e-8
    residuals = [s.residual for s in solution.diagnostics.steps]
    assert min(s.length for s in solution.diagnostics.steps) < 1
    assert all(b < a for a, b in pairwise(residuals[:-1]))


# -- bad input -------------------------------------------------------------------------------------------------------
def test_a_residual_that_is_not_finite_at_the_start_names_equation_and_point():
    with pytest.raises(ProblemError, match=r"started from zero: .*log\(u - 100\).* at the point \(") as caught:
        tn.solve(problem(sp.Eq(sp.diff(u, x, 2), sp.log(u - 100))), space=WAVES)
    assert "guess" in str(caught.value)
    assert tn.solve(problem(sp.Eq(sp.diff(u, x, 2), sp.log(u))), space=WAVES).status == "converged"


def test_complex_values_are_refused():
    with pytest.raises(ProblemError, match="complex"):
        tn.solve(problem(sp.Eq(sp.diff(u, x, 2), sp.I * u**2)), space=WAVES)


def test_a_formula_that_cannot_be_differentiated_is_named():
    f = sp.Function("f")
    with pytest.raises(ProblemError, match="f"):
        tn.solve(problem(sp.Eq(sp.diff(u, x, 2), f(u))), space=WAVES)


@pytest.mark.parametrize("strategy", [tn.Picard(), tn.Picard(relaxation=0.5)])
def test_picard_needs_its_markers(strategy):
    with pytest.raises(ProblemError, match=r"Mark a factor.*tn.lagged"):
        tn.solve(DECAY, space=WAVES, strategy=strategy)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tn.Newton(steps=0), "at least one step"),
        (lambda: tn.Newton(tol=2), "between 0 and 1"),
        (lambda: tn.Picard(relaxation=3), "relaxation"),
        (lambda: tn.Picard(memory=-1), "memory"),
        (lambda: tn.Descent(memory=0), "at least 1"),
        (lambda: tn.solve(DECAY, space=WAVES, strategy="newton"), "strategy must be"),
    ],
)
def test_strategies_are_checked(make, message):
    with pytest.raises(ProblemError, match=message):
        make()
