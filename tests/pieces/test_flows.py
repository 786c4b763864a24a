"""Flows in pieces: what is cut at once, how an iteration begins, and what is carried over from cut to cut."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.clock import Clock
from transnet.cuts.boxes import Boxes
from transnet.cuts.cut import cut_domain
from transnet.cuts.plan import density_of, space_for
from transnet.drive.driver import ambiguous
from transnet.errors import AccuracyWarning, Message, UniquenessWarning
from transnet.pieces.jumps import jumps_of
from transnet.pieces.laws import Laws
from transnet.pieces.newton import iterate

x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
CHANNEL = tn.Box(x=(0, 4), y=(0, 1))
STOKES = [
    sp.Eq(-tn.laplacian(u) + sp.diff(p, x), 0),
    sp.Eq(-tn.laplacian(v) + sp.diff(p, y), 0),
    sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0),
]


def burgers(nu: float) -> tn.Problem:
    """A front between 1 and -1, of the width of nu."""
    w = tn.unknown("w", x)
    equation = sp.Eq(w * sp.diff(w, x) - nu * sp.diff(w, x, 2), 0)
    ends = [tn.on("left", sp.Eq(w, 1)), tn.on("right", sp.Eq(w, -1))]
    return tn.Problem(tn.Interval(x=(-1, 1)), [equation], ends)


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        (CHANNEL, False),
        (CHANNEL - tn.Box(x=(0, 1), y=(0, 0.5)), True),
        (tn.Disk(radius=1) - tn.Disk(center=(0.2, 0), radius=0.5), False),
    ],
)
def test_flows_that_turn_around_corners(domain: tn.Domain, expected: bool) -> None:
    no_slip = [tn.on("boundary", u, v), tn.mean(p)]
    problem = tn.Problem(domain, STOKES, no_slip)
    assert bool(jumps_of(problem, ())) is expected


def test_boxes_are_halved_towards_the_inner_corner_of_a_flow() -> None:
    step = CHANNEL - tn.Box(x=(0, 1), y=(0, 0.5))
    found = jumps_of(tn.Problem(step, STOKES, [tn.on("boundary", u, v), tn.mean(p)]), ())
    assert np.allclose(found.places, [[1, 0.5]])
    assert "around corners at (1, 0.5)" in found.messages[0].text
    assert not jumps_of(tn.Problem(step, [tn.laplacian(u)], [tn.on("boundary", u)]), ())


def test_a_front_whose_place_is_hardly_determined_is_told() -> None:
    """Boundary values determine the place of the front by exp(-1 / nu) only: 2e-22, far below rounding."""
    with pytest.warns(AccuracyWarning, match="the place of an inner layer"):
        solution = tn.solve(burgers(0.02))
    points = np.linspace(-1, 1, 500)
    assert np.sqrt(np.mean((solution(points) + np.tanh(points / 0.04)) ** 2)) < 1.5 * solution.error


@pytest.mark.parametrize(("error", "steps", "expected"), [(0.1, 3, False), (1e-4, 3, True), (0.1, 0, True)])
def test_networks_that_do_not_resolve_a_flow_do_not_tell_whether_it_is_unique(
    error: float, steps: int, expected: bool
) -> None:
    """At a Rayleigh number of 10^5 five hundred neurons said that a pressure with a mean is not determined."""
    said = SimpleNamespace(steps=(None,) * steps, messages=(Message(UniquenessWarning, "p"),))
    problem = tn.Problem(CHANNEL, STOKES, [tn.on("boundary", u, v), tn.mean(p)])
    solution: Any = SimpleNamespace(problem=problem, diagnostics=said, error=error)
    assert ambiguous(solution) is expected


def test_a_share_of_what_is_nonlinear() -> None:
    laws, space = Laws(burgers(0.1)), space_for(1)
    cells = cut_domain(laws.problem.domain, Boxes.grid(np.array([[-1.0], [1.0]]), [8]), density_of(space))
    # With the share s the equation is s w w' = nu w'', that of a fluid with the viscosity nu / s.
    shared = iterate(laws, cells, space, (), {}, None, 1e-10, Clock(), share=0.25)
    thick = iterate(Laws(burgers(0.4)), cells, space, (), {}, None, 1e-10, Clock())
    for a, b, frame, cell in zip(
        shared.coefficients, thick.coefficients, shared.system.frames, cells.cells, strict=True
    ):
        left, right = (frame.values(c, cell.inside, [(0, (0,))])[0] for c in (a, b))
        assert np.allclose(left, right, atol=1e-8)


def test_a_flow_whose_pressure_nothing_fixes_is_told_by_one_network() -> None:
    u, v, p = (tn.unknown(name, x, y) for name in "uvp")
    domain = tn.Box(x=(0, 2), y=(0, 1)) - tn.Disk(center=(0.8, 0.5), radius=0.2)
    equations = [tn.laplacian(u) - sp.diff(p, x), tn.laplacian(v) - sp.diff(p, y), sp.diff(u, x) + sp.diff(v, y)]
    problem = tn.Problem(domain, equations, [tn.on("boundary", sp.Eq(u, x), sp.Eq(v, -y))])
    with pytest.warns(tn.errors.UniquenessWarning, match=r"does not determine p up to a constant.*tn.mean\(p\)"):
        solution = tn.solve(problem)
    assert solution["u"](1.5, 0.5) == pytest.approx(1.5, rel=1e-8)
