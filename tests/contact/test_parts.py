"""Touching on a part of the boundary: the gap opens like r^(3/2), and its end is found."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import TransnetError

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
box = tn.Box(x=(-1, 1), y=(0, 1))
END = 0.05 * np.pi
opening = ((x - END) ** 2 + y**2) ** sp.Rational(3, 4) * sp.cos(sp.Rational(3, 2) * sp.atan2(y, x - END))
SIDES = [tn.on(part, sp.Eq(u, opening)) for part in ("left", "right", "top")]


def error(solution):
    points = box.interior(500)
    return np.abs(solution(points) - sp.lambdify((x, y), opening)(*points.T)).max()


@pytest.mark.parametrize(
    "touching",
    [tn.on("bottom", u >= 0), tn.on("bottom", 2 * u >= 0, -sp.diff(u, y) >= 0)],
    ids=["the natural force", "a stated one"],
)
def test_signorini_against_its_closed_form(touching):
    """Re (z - e)^(3/2): zero to the left of e, without flux to the right of it."""
    solution = tn.solve(tn.Problem(box, [tn.laplacian(u)], [*SIDES, touching]))
    assert error(solution) < 1e-9
    assert f"(-1, {END:.6f}"[:10] in " ".join(solution.diagnostics.notes)


def test_both_inequalities_hold_where_the_contact_has_two_ends():
    source = 8 * sp.exp(-8 * (x - sp.Rational(1, 5)) ** 2)
    walls = [tn.on(part, sp.Eq(u, sp.Rational(1, 2))) for part in ("left", "right", "top")]
    solution = tn.solve(
        tn.Problem(box, [sp.Eq(tn.laplacian(u), source)], [*walls, tn.on("bottom", u >= -x / 10)]), tol=1e-7
    )
    at = np.linspace(-0.99, 0.99, 400)
    gap = solution.evaluate(u + x / 10, x=at, y=0.0)
    force = -solution.evaluate(sp.diff(u, y), x=at, y=0.0)
    assert gap.min() > -1e-6
    assert force.min() > -1e-2  # it has a root at each end of the contact
    assert np.abs(gap * force).max() < 1e-5
    assert (gap > 1e-4).any()
    assert (force > 1e-2).any()


def test_a_load_that_lifts_leaves_no_contact():
    problem = tn.Problem(
        box,
        [sp.Eq(-tn.laplacian(u), 1)],
        [tn.on("bottom", u >= 0), *(tn.on(p, sp.Eq(u, 1)) for p in ("left", "right", "top"))],
    )
    solution = tn.solve(problem)
    assert "no contact" in " ".join(solution.diagnostics.notes)
    assert np.abs(solution.evaluate(sp.diff(u, y), x=np.linspace(-0.9, 0.9, 20), y=0.0)).max() < 1e-6


def test_what_cannot_be_solved_is_refused():
    rim = tn.Problem(tn.Disk(radius=1), [tn.laplacian(u) - 1], [tn.on("boundary", u >= 0)])
    with pytest.raises(TransnetError, match="is curved"):
        tn.solve(rim)
    slope = tn.Problem(box, [tn.laplacian(u)], [*SIDES, tn.on("bottom", sp.diff(u, x) >= 0)])
    with pytest.raises(TransnetError, match="State it too"):
        tn.solve(slope)
    with pytest.raises(TransnetError, match="3 inequalities"):
        tn.on("bottom", u >= 0, u <= 1, u >= -1)
