"""Two conditions with the same left side and different right sides on common points contradict each other."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy import Eq

import transnet as tn
from transnet.checks.contradictions import contradictions
from transnet.checks.places import conflicts
from transnet.errors import UniquenessWarning
from transnet.rows.statements import statements_of

x, y, a = sp.symbols("x y a")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
w = tn.unknown("w", x)
box = tn.Box(x=(0, 1), y=(0, 1))


def told(*conditions: tn.problem.Condition, domain: tn.Domain = box, parameters: tuple[float, ...] = ()) -> list[str]:
    equations = [tn.laplacian(u), tn.laplacian(v)] if domain is box else [sp.diff(w, x, 2)]
    problem = tn.Problem(domain, equations, conditions)
    return list(map(str, contradictions(problem, statements_of(problem), parameters)))


CONTRADICT = {
    "values": (tn.on("x=0", Eq(u, 0)), tn.on("x=0", Eq(u, 1))),
    "in one condition": (tn.on("x=0", Eq(u, 0), Eq(u, 1)),),
    "a part of the whole": (tn.on("boundary", Eq(u, 0)), tn.on("left", Eq(u, y))),
    "scaled": (tn.on("x=0", Eq(2 * u, 2)), tn.on("x=0", Eq(-u, 1))),
    "fluxes": (tn.on("x=0", Eq(tn.normal_derivative(u), 0)), tn.on("x=0", Eq(sp.diff(u, x), 3))),
    "Robin": (tn.on("x=0", Eq(u + sp.diff(u, x), 0)), tn.on("x=0", Eq(u + sp.diff(u, x), y))),
    "overlapping pieces": (tn.on("x=0", Eq(u, 0), where=y < 0.6), tn.on("x=0", Eq(u, 1), where=y > 0.4)),
}
AGREE = {
    "the same twice": (tn.on("x=0", Eq(u, y)), tn.on("x=0", Eq(3 * u, 3 * y))),
    "Cauchy data": (tn.on("x=0", Eq(u, 0)), tn.on("x=0", Eq(sp.diff(u, x), 1))),
    "two unknowns": (tn.on("x=0", Eq(u, 0)), tn.on("x=0", Eq(v, 1))),
    "pieces": (tn.on("x=0", Eq(u, 0), where=y < 0.5), tn.on("x=0", Eq(u, 1), where=y > 0.5)),
    "other parts": (tn.on("x=0", Eq(u, 0)), tn.on("x=1", Eq(u, 1))),
    "equal there": (tn.on("boundary", Eq(u, x)), tn.on("x=0", Eq(u, x**2))),
    "another operator": (tn.on("x=0", Eq(u + sp.diff(u, x), 0)), tn.on("x=0", Eq(u - sp.diff(u, x), 1))),
}


@pytest.mark.parametrize("case", CONTRADICT)
def test_contradictions_are_told(case: str) -> None:
    (message,) = told(*CONTRADICT[case])
    assert "contradict each other on 'x=0'" in message
    assert "Remove one of them" in message


@pytest.mark.parametrize("case", AGREE)
def test_what_can_hold_together_is_not(case: str) -> None:
    assert told(*AGREE[case]) == []


def test_ends_and_parameters() -> None:
    pair = (tn.on("x=0", Eq(w, 0)), tn.on("x=0", Eq(w, a)), tn.on("x=1", w))
    interval = tn.Interval(x=(0, 1))
    assert told(*pair, domain=interval, parameters=(0.0,)) == []
    assert "differ by 2 at x = 0" in told(*pair, domain=interval, parameters=(2.0,))[0]


def test_a_solve_says_it_once_and_not_as_a_jump() -> None:
    problem = tn.Problem(box, [tn.laplacian(u)], [tn.on("boundary", Eq(u, 0)), tn.on("boundary", Eq(u, 1))])
    assert conflicts(problem, statements_of(problem), ()) == []
    with pytest.warns(UniquenessWarning, match="contradict each other") as caught:  # and the error is unknown
        tn.solve(problem, neurons=80)
    assert sum("contradict each other" in str(c.message) for c in caught) == 1
