"""Random shapes cut out of random shapes, with values, fluxes and Robin conditions: each right or warned of."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import transnet as tn
from transnet.errors import GeometryError, TransnetWarning

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
COUNT = int(os.environ.get("CUT_OUTS", "12"))
"""How many are solved; `make cut-outs` solves a thousand."""
EXACT = sp.exp(x / 4) * sp.cos(y / 3) + x * y / 10
FURTHER = 10.0
"""How many times as large as its estimate an error may be."""


@st.composite
def shapes(draw: st.DrawFn, middle: tuple[float, float], size: float, name: str) -> tn.Domain:
    """A rectangle, a disk or a triangle around a point."""
    a, b = middle
    kind = draw(st.sampled_from(["rectangle", "disk", "triangle"]))
    if kind == "disk":
        return tn.Disk(center=middle, radius=size, name=name)
    if kind == "rectangle":
        h = size * draw(st.floats(0.2, 1.0))
        return tn.Box(x=(a - size, a + size), y=(b - h, b + h))
    turn = draw(st.floats(0, 2))
    angles = turn + np.array([0.0, 2.1, 4.2])
    return tn.Polygon([(a + size * np.cos(t), b + size * np.sin(t)) for t in angles])


@st.composite
def cut_outs(draw: st.DrawFn) -> tuple[tn.Domain, str]:
    """A shape with one or two others cut out of it, and the kind of the conditions."""
    domain = draw(shapes((0.0, 0.0), draw(st.floats(1.0, 5.0)), "rim"))
    extent = float(np.ptp(domain.bounds, axis=0).min())
    for number in range(draw(st.integers(1, 2))):
        at = tuple(draw(st.floats(-0.3, 0.3)) * extent for _ in range(2))
        domain = domain - draw(shapes(at, draw(st.floats(0.05, 0.25)) * extent, f"hole{number}"))  # type: ignore[arg-type]
    return domain, draw(st.sampled_from(["values", "flux", "robin"]))


@pytest.mark.filterwarnings("ignore::transnet.errors.TransnetWarning")
@settings(max_examples=COUNT, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(cut_outs())
def test_what_is_cut_out_is_right_or_warned_of(case: tuple[tn.Domain, str]) -> None:
    domain, kind = case
    slope = sum(sp.diff(EXACT, c) * n for c, n in zip((x, y), tn.normal(x, y), strict=True))
    part = domain.parts[-1]
    inner = {
        "values": sp.Eq(u, EXACT),
        "flux": sp.Eq(tn.normal_derivative(u), slope),
        "robin": sp.Eq(tn.normal_derivative(u) + u, slope + EXACT),
    }[kind]
    conditions = [tn.on(p, inner if p == part else sp.Eq(u, EXACT)) for p in domain.parts]
    source = sp.diff(EXACT, x, 2) + sp.diff(EXACT, y, 2)
    try:
        problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u), source)], conditions)
    except GeometryError:
        return  # nothing is left, or two things
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TransnetWarning)
        solution = tn.solve(problem, tol=1e-5)
    points = domain.interior(300, "random", 5)
    truth = sp.lambdify((x, y), EXACT)(*points.T)
    error = float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))
    assert error <= FURTHER * max(solution.error, 1e-6) or caught, (domain, kind, error, solution.error)
