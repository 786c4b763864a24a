"""Where an iteration starts, and how a parameter is followed."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, ProblemError

x, y, strength = sp.symbols("x y l")
u = tn.unknown("u", x)
AT = np.linspace(0, 1, 50)

BRATU = tn.Problem(
    domain=tn.Interval(x=(0, 1)),
    equations=[sp.Eq(sp.diff(u, x, 2) + strength * sp.exp(u), 0)],
    conditions=[tn.on("boundary", sp.Eq(u, 0))],
)
GUESS = 5 * sp.sin(sp.pi * x)


def waves(neurons=40):
    """A space that is given, so that nothing but the iteration is tried."""
    return tn.FeatureSpace.waves(1, neurons, 0.15)


def solve(neurons=40, **options):
    return tn.solve(BRATU, space=waves(neurons), parameters={strength: 2.0}, **options)


@pytest.fixture(scope="module")
def upper():
    return solve(guess=GUESS)


@pytest.mark.parametrize(
    "guess",
    [
        {u: GUESS},
        {"u": GUESS},
        lambda at: 5 * np.sin(np.pi * at),
        5 * sp.sin(sp.pi * x) * strength / 2,
        tn.given("bump", lambda at: 5 * np.sin(np.pi * at), x),
    ],
)
def test_every_kind_of_guess_leads_to_its_branch(guess, upper):
    assert np.abs(solve(guess=guess)(x=AT) - upper(x=AT)).max() < 1e-5
    assert upper(x=0.5) > 2.8


def test_a_solution_with_other_neurons_is_a_guess(upper):
    again = solve(neurons=55, guess=upper)
    assert again(x=0.5) > 2.8
    assert len(again.diagnostics.steps) < len(upper.diagnostics.steps)


def test_a_solution_on_the_same_neurons_is_where_it_was(upper):
    again = solve(guess=upper)
    assert again.diagnostics.steps[0].change < 1e-3


def test_a_short_first_step_from_a_formula_stays_in_the_network():
    # Newton's step for arctan overshoots from far away. A part of the way from a formula has no output weights unless
    # the formula is projected.
    problem = tn.Problem(
        domain=tn.Interval(x=(0, 1)),
        equations=[sp.Eq(sp.diff(u, x, 2) / 10, sp.atan(u - 1))],
        conditions=[tn.on("boundary", tn.normal_derivative(u))],
    )
    solution = tn.solve(problem, space=waves(30), guess=9 + sp.cos(sp.pi * x))
    assert solution.status == "converged"
    assert solution.diagnostics.steps[0].length < 1
    assert np.abs(solution(x=AT) - 1).max() < 1e-8


def test_continuation_follows_the_lower_branch_and_starts_later_stages_from_earlier_ones():
    solution = tn.solve(BRATU, space=waves(), continuation={strength: [1.0, 2.0, 3.0]})
    direct = tn.solve(BRATU, space=waves(), parameters={strength: 3.0})
    assert solution.parameters[strength] == 3.0
    assert np.abs(solution(x=AT) - direct(x=AT)).max() < 1e-9
    assert solution.diagnostics.steps[0].change < 0.7 < direct.diagnostics.steps[0].change


def test_continuation_with_growing_networks():
    solution = tn.solve(BRATU, tol=1e-8, continuation={strength: [1.0, 2.0]})
    assert solution.error <= 1e-8
    assert solution.parameters[strength] == 2.0


def test_continuation_past_the_fold_ends_with_a_warning_and_the_last_iterate():
    # There is no solution above 3.5138.
    with pytest.warns(AccuracyWarning, match="Continuation ended"):
        solution = tn.solve(BRATU, space=waves(), continuation={strength: [2.0, 8.0]})
    assert solution.status in ("stalled", "diverged", "limit reached")
    assert np.isfinite(solution(x=AT)).all()


@pytest.mark.parametrize(
    ("continuation", "message"),
    [
        ({sp.Symbol("k"): [1, 2]}, "lacks that symbol"),
        ({strength: []}, "list of finite values"),
        ({strength: [1.0, np.nan]}, "list of finite values"),
    ],
)
def test_continuation_that_makes_no_sense_is_refused(continuation, message):
    with pytest.raises(ProblemError, match=message):
        tn.solve(BRATU, neurons=40, continuation=continuation)


@pytest.mark.parametrize(
    ("guess", "message"),
    [
        ({"w": 1}, "not an unknown"),
        (x * y, "neither a coordinate nor"),
        ("sin(", "must be a number"),
        (lambda: 0, "could not be evaluated"),
        (lambda at: np.full_like(at, np.nan), "not finite at"),
        (lambda at: at[:3], "could not be evaluated"),
    ],
)
def test_a_guess_that_makes_no_sense_is_refused(guess, message):
    with pytest.raises(ProblemError, match=message):
        solve(guess=guess)


def test_a_guess_for_several_unknowns_must_say_for_which():
    v = tn.unknown("v", x)
    problem = tn.Problem(
        domain=tn.Interval(x=(0, 1)),
        equations=[sp.diff(u, x, 2) - u * v - 1, sp.diff(v, x, 2) - u**2 - 1],
        conditions=[tn.on("boundary", u, v)],
    )
    with pytest.raises(ProblemError, match="must say which"):
        tn.solve(problem, neurons=30, guess=sp.sin(x))
    assert tn.solve(problem, neurons=30, guess={v: sp.sin(x)}).status == "converged"


def test_an_equation_without_a_value_at_zero_starts_elsewhere() -> None:
    u = tn.unknown("u", x, y)
    size = sp.sqrt(sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2)
    inner = tn.on("x=0", sp.Eq(u, 0))
    outer = tn.on("x=1", sp.Eq(u, 1))
    sides = [tn.on(part, sp.Eq(sp.diff(u, y), 0)) for part in ("y=0", "y=1")]
    equation = sp.Eq(tn.div(tn.grad(u) / sp.sqrt(size)) + sp.exp(x) / 4, 0)  # the p-Laplacian of p = 3/2
    problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [equation], [inner, outer, *sides])
    solution = tn.solve(problem, space=tn.FeatureSpace.waves(2, 120, 0.15))
    assert solution.status == "converged"
    assert any("no value at zero" in note for note in solution.diagnostics.notes)
    # u'^(1/2) = a - e^x / 4 with u(1) = 1.
    a = max(np.roots([1, (1 - np.e) / 2, (np.e**2 - 1) / 32 - 1]))
    truth = a**2 / 2 - a * (np.exp(0.5) - 1) / 2 + (np.e - 1) / 32
    assert solution(0.5, 0.3) == pytest.approx(truth, rel=1e-6)
