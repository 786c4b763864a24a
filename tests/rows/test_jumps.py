"""A coefficient that jumps under a second derivative is refused, because the condition of the flux was lost."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy import Eq

import transnet as tn
from transnet.errors import ProblemError
from transnet.rows.statements import statements_of

x, y, t, a = sp.symbols("x y t a")
u = tn.unknown("u", x, y)
v = tn.unknown("v", x, t)
box = tn.Box(x=(0, 1), y=(0, 1))
bar = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
step = sp.Piecewise((1, x < sp.Rational(1, 2)), (10, True))
inclusion = sp.Piecewise((5, (x - 0.4) ** 2 + (y - 0.6) ** 2 < 0.04), (1, True))
sampled = tn.given("k", lambda x, y: np.where(x + y < 1, 1.0, 3.0), x, y)


def problem(operator: sp.Expr, domain: tn.Domain = box) -> tn.Problem:
    return tn.Problem(domain, [Eq(operator, 1)], [tn.on("boundary", u if domain is box else v)])


LOST = {
    "a bimaterial": tn.div(step * tn.grad(u)),
    "written with diff": sp.diff(step * sp.diff(u, x), x) + sp.diff(step * sp.diff(u, y), y),
    "an inclusion": tn.div(inclusion * tn.grad(u)),
    "code": tn.div(sampled * tn.grad(u)),
    "floor": sp.floor(2 * y) * sp.diff(u, y, 2) + tn.laplacian(u),
    "a parameter": tn.div(sp.Piecewise((1, x < 0.4), (a, True)) * tn.grad(u)),
    "a plate": sp.diff(step * sp.diff(u, x, 2), x, 2),
    "nonlinear": tn.div(step * (1 + u**2) * tn.grad(u)),
}
KEPT = {
    "a Piecewise without a jump": tn.div(sp.Piecewise((1, x < 0.5), (0.5 + x, True)) * tn.grad(u)),
    "a jump outside the domain": tn.div(sp.Piecewise((1, x < 2), (10, True)) * tn.grad(u)),
    "a jump along another coordinate": step * sp.diff(u, y, 2) + sp.diff(u, x, 2),
    "a term without derivatives": tn.laplacian(u) - step * u,
    "a smooth given function": tn.div(tn.given("k", lambda x, y: 1 + x * y, x, y) * tn.grad(u)),
    "steep": tn.div((2 + sp.tanh(100 * (x - 0.5))) * tn.grad(u)),
}


@pytest.mark.parametrize("case", LOST)
def test_a_lost_flux_is_refused(case: str) -> None:
    with pytest.raises(ProblemError, match=r"jumps.*flux.*tn\.Pieces"):
        statements_of(problem(LOST[case]))


def test_the_message_has_place_and_values() -> None:
    with pytest.raises(ProblemError, match=r"from 1 to 10 near x = 0\.5, y = ") as caught:
        statements_of(problem(LOST["a bimaterial"]))
    assert "u_xx" in str(caught.value)


@pytest.mark.parametrize("case", KEPT)
def test_what_loses_nothing_is_kept(case: str) -> None:
    assert statements_of(problem(KEPT[case]))


def test_a_conductivity_that_jumps_in_time_or_a_density_in_space() -> None:
    for operator in (
        sp.diff(v, t) - sp.Piecewise((1, t < 0.5), (2, True)) * sp.diff(v, x, 2),
        step * sp.diff(v, t, 2) - sp.diff(v, x, 2),
    ):
        assert statements_of(problem(operator, bar))
    with pytest.raises(ProblemError, match="jumps"):
        statements_of(problem(sp.diff(v, t) - step * sp.diff(v, x, 2), bar))


def test_the_remedy_finds_the_right_flux() -> None:
    """(k w')' = 0, w = 0 and 1 at the ends: the flux is 1 / (0.5 / 1 + 0.5 / 10) on both sides."""
    w, q = tn.unknown("w", x), tn.unknown("q", x)
    stated = tn.Problem(
        tn.Interval(x=(0, 1)),
        [Eq(sp.diff(w, x), q / step), Eq(sp.diff(q, x), 0)],
        [tn.on("x=0", w), tn.on("x=1", Eq(w, 1))],
    )
    with pytest.warns(tn.errors.AccuracyWarning):
        solution = tn.solve(stated, neurons=40)
    at = np.linspace(0, 1, 200)
    flux = 1 / 0.55
    truth = np.where(at < 0.5, flux * at, 1 - flux * (1 - at) / 10)
    assert np.abs(solution["q"](at) - flux).max() < 0.05 * flux
    assert np.abs(solution["w"](at) - truth).max() < 0.03
