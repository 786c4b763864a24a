"""What limits the accuracy of a network, as far as its residuals show, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sp

from transnet.checks.backward import said_of_both_ends, stated_at_both_ends
from transnet.choose.inner import singular_places
from transnet.features.placement import Placement
from transnet.lazy import spatial
from transnet.remedies import Remedy
from transnet.solution.solution import Solution
from transnet.tolerances import SAME

ROUNDING = 1e-13
"""Estimated errors below this, in units of the amplification, are rounding."""
NEAR, CONCENTRATED = 0.25, 0.4
"""If more than this part of the squared residual lies within this distance of one point (the domain is [-1, 1]^d), that
point limits the accuracy."""
BESIDE = 0.1
"""A point this close to the boundary counts as on it."""
INSIDE, RIM = 2_000, 1_000
"""Points at which the residual is evaluated, and points that represent the boundary: spacings of a tenth of `NEAR` in
2D."""


def said_of_place(place: Mapping[sp.Symbol, float]) -> str:
    """What a singular place of an equation means."""
    at = ", ".join(f"{c} = {v:.3g}" for c, v in place.items())
    return (
        f"The equation is singular at {at}: a power of the distance from there is not smooth, and neither is the "
        f"solution. Functions that are singular in the same way are known for one elliptic equation of the plane whose "
        f"leading part measures that distance. More neurons help slowly: subtract the singular part of the solution, "
        f"or cut a small ball out of the domain."
    )


def limit_of(solution: Solution, tried: int = 0, falling: bool = False, helped: bool = True) -> tuple[str, Remedy]:
    """What limits the accuracy, as far as the residuals show, and what to do about it.

    Parameters
    ----------
    tried : int
        The neurons of the largest network tried: more are not proposed if they made it worse.
    falling : bool
        Whether the last network was still much better than the one before: then only its size limits it.
    helped : bool
        Whether it was better than all smaller ones.
    """
    known = solution.diagnostics
    if known.error < ROUNDING * max(known.amplification, 1.0):
        return "Rounding limits it: the problem amplifies the last digits of its data.", {}
    if any(block.statement.equation.places for block in solution.blocks):
        return "The solution has finer structure than the networks resolve.", {"neurons": 2 * solution.neurons}
    foci = [focus.point for focus in getattr(solution.basis, "foci", ())]
    places = singular_places(solution.problem, tuple(solution.parameters.values()))
    places = [
        p
        for p in places
        if not any(np.allclose([*p.values()], f, rtol=0.0, atol=SAME) for f in foci if len(f) == len(p))
    ]
    if places:
        return said_of_place(places[0]), {}
    place, share, distance = _concentration(solution)
    where = ", ".join(f"{c} = {v:.3g}" for c, v in zip(solution.problem.coordinates, place, strict=True))
    if share > CONCENTRATED and not falling:
        kind = "A corner, or a layer at the boundary," if distance < BESIDE else "An edge or a layer inside the domain"
        return (
            f"{kind} near {where} limits it: {100 * share:.0f} % of the squared residual lies close to that point. "
            f"More neurons may not help: where second derivatives are not square integrable, least squares can tend to "
            f"a wrong function. A better answer needs a domain or a formulation that removes it."
        ), {}
    finer = f"The solution has finer structure than the networks resolve (largest residual near {where})."
    last = stated_at_both_ends(solution.problem)
    if last:
        return f"{finer} Or this is the cause: {said_of_both_ends(last)}", {}
    if tried > solution.neurons:
        return f"{finer} Larger networks, of up to {tried} neurons, were no better.", {}
    if not helped:
        return f"{finer} Smaller networks were no worse.", {}
    return finer, {"neurons": 2 * solution.neurons}


def _concentration(solution: Solution) -> tuple[np.ndarray, float, float]:
    """Where the equations hold worst, the share of the squared residual near it, and its distance from the boundary."""
    domain, basis = solution.problem.domain, solution.basis
    points = domain.interior(INSIDE, "quasi", 3)
    total = np.zeros(len(points))
    values = tuple(solution.parameters.values())
    for block in solution.blocks:
        if block.statement.kind == "equation":
            equation = block.statement.equation
            slots = basis.derivatives(solution.coefficients, points, equation.slots)
            residual = equation.residual(points, None, values, slots)
            total += residual**2 / max(float(np.mean(residual**2)), np.finfo(float).tiny)
    placement = Placement.of(domain)
    placed = placement(points)
    worst = int(np.argmax(total))
    near = np.linalg.norm(placed - placed[worst], axis=1) < NEAR
    surface = placement(domain.boundary("boundary", RIM, "quasi", 0).points)
    distance = float(spatial.cKDTree(surface).query(placed[worst])[0])
    return points[worst], float(total[near].sum() / (total.sum() or 1.0)), distance
