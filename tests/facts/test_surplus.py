"""More conditions on a part than the equation takes are told before solving; those that belong there are not."""

from __future__ import annotations

import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning
from transnet.facts.surplus import surplus_conditions

x, y, t = sp.symbols("x y t")
u, w = sp.Function("u")(x, y), sp.Function("w")(x, t)
slope = tn.normal_derivative(u)
RING = tn.Disk((0, 0), 1.0) - tn.Disk((0.1, 0), 0.3, name="hole")
SQUARE, BAR = tn.Box(x=(0, 1), y=(0, 1)), tn.Box(x=(0, 1), t=(0, 1))
poisson = sp.Eq(u.diff(x, 2) + u.diff(y, 2), -1)
plate = sp.Eq(u.diff(x, 4) + 2 * u.diff(x, 2, y, 2) + u.diff(y, 4), 1)


def conditions(**on: list[sp.Expr]) -> list[tn.Condition]:
    return [tn.on(part.replace("_", "="), sp.Eq(e, 0)) for part, each in on.items() for e in each]


def test_a_value_on_a_hole_and_a_flux_on_all_of_the_boundary() -> None:
    message = surplus_conditions(tn.Problem(RING, poisson, conditions(hole=[u - 1], boundary=[slope + u])))
    assert message is not None
    told = str(message)
    assert all(words in told for words in ("on 'hole'", "'hole: u - 1 = 0'", "takes one condition"))
    assert told.endswith("on 'circle' instead.")


@pytest.mark.parametrize(
    ("domain", "equation", "stated"),
    [
        (SQUARE, poisson, conditions(left=[slope], boundary=[u])),
        (SQUARE, plate, conditions(boundary=[u, slope], top=[u.diff(y, 2)])),
        (BAR, sp.Eq(w.diff(t), w.diff(x, 2)), conditions(t_0=[w], x_0=[w, w.diff(x)], x_1=[w])),
    ],
)
def test_too_many(domain: tn.Domain, equation: sp.Eq, stated: list[tn.Condition]) -> None:
    assert surplus_conditions(tn.Problem(domain, equation, stated)) is not None


@pytest.mark.parametrize(
    ("domain", "equation", "stated"),
    [
        (RING, poisson, conditions(hole=[u - 1], circle=[slope + u])),
        (RING, poisson, conditions(hole=[u], boundary=[u])),  # the same twice
        (RING, poisson, conditions(hole=[u, slope])),  # to be continued to the circle
        (SQUARE, poisson, [*conditions(boundary=[u]), tn.on("left", sp.Eq(u.diff(y), 0))]),  # follows from u = 0
        (
            SQUARE,
            poisson,
            [
                tn.on("left", sp.Eq(u, 0), where=y > 0.5),
                tn.on("left", sp.Eq(slope, 0), where=y <= 0.5),
                *conditions(right=[u], top=[u], bottom=[u]),
            ],
        ),
        (SQUARE, plate, conditions(boundary=[u, slope])),
        (BAR, sp.Eq(w.diff(t, 2), w.diff(x, 2)), conditions(t_0=[w, w.diff(t)], x_0=[w], x_1=[w])),
    ],
)
def test_not_too_many(domain: tn.Domain, equation: sp.Eq, stated: list[tn.Condition]) -> None:
    assert surplus_conditions(tn.Problem(domain, equation, stated)) is None


def test_it_is_told_before_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transnet.doors.solve.carried_out", lambda _: pytest.fail("solved first"))
    problem = tn.Problem(RING, poisson, conditions(hole=[u - 1], boundary=[slope + u]))
    with pytest.warns(AccuracyWarning, match="too many conditions on 'hole'"), pytest.raises(pytest.fail.Exception):
        tn.solve(problem)
