"""Cells for steps in time: those that resolve one implicit step, or those of a march that is continued."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.choose.effort import Effort
from transnet.cuts.cut import cut_domain
from transnet.cuts.plan import WAVES, Cut, density_of, space_for
from transnet.errors import ProblemError
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.laws import Laws
from transnet.pieces.solve import COARSER, solve_pieces
from transnet.problem import Inside, Problem
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.stages import at_end
from transnet.solution.solution import Solution
from transnet.steps.fits import start_misfit
from transnet.steps.in_cells import cell_levels_of
from transnet.steps.level import Moment, StepLevel
from transnet.steps.statement import RATE, Rothe
from transnet.steps.tableau import GAMMA

SHARE = 0.5
"""The part of the tolerance that the error of one step may have."""
NEURONS = 28
"""Neurons of a cell per digit: with fewer there are many cells, with more each is expensive."""
PROBE = {False: 100, True: 10}
"""Cells are found for one implicit step of this part of the time, a longer one for flows with a pressure: their walls
begin with layers that are far thinner than the later ones, and with 100 a channel with a cylinder at a Reynolds number
of 100 was cut into more than 800 boxes where 10 ends with 191."""
LOOSE, FITS = {False: 20.0, True: 5.0}, 1e-3
"""How many times the tolerance the error of the probe may be, by whether the start fits the boundary conditions to
FITS: if not, the probe's layers are far thinner than later ones."""
FEWEST = 0.4
"""The smallest networks of a cell, in units of the usual ones."""


def levels(
    rothe: Rothe, wanted: float, values: dict[Any, Any], seconds: float | None, in_cells: bool = False
) -> tuple[StepLevel, StepLevel]:
    """The cells that resolve one implicit step, and smaller networks in them to compare with."""
    probe = probe_of(rothe)
    tau = (rothe.stop - rothe.start) / PROBE[min(rothe.orders) == 0]
    known = {**{str(k): v for k, v in values.items()}, RATE.name: 1 / (GAMMA * tau), rothe.time.name: rothe.start + tau}
    numbers = {p: known[p.name] for p in probe.parameters}
    if in_cells:
        return cell_levels_of(rothe, probe, numbers, SHARE * wanted, values, SHARE * wanted)
    laws, d, unknowns = Laws(rothe.elliptic), rothe.elliptic.domain.dimension, len(rothe.orders)
    usual = space_for(d, None, unknowns).neurons
    neurons = int(np.clip(-NEURONS * np.log10(wanted) * usual / WAVES[2], FEWEST * usual, usual)) // 2 * 2
    loose = LOOSE[fits(rothe, values)]
    found = solve_pieces(probe, Cut(neurons=neurons), Effort(loose * wanted, seconds), numbers)
    space, cells = space_for(d, neurons, unknowns), found.level.cells
    if cells.vertices is not None or any(len(c.singular) for c in cells.cells):  # a march has no singular functions
        cells = cut_domain(rothe.elliptic.domain, cells.boxes, density_of(space))
    fine = StepLevel(rothe, laws, values, cells, space, SHARE * wanted)
    return fine, smaller(fine)


def smaller(fine: StepLevel) -> StepLevel:
    """Smaller networks in the same cells, with fewer of their points."""
    space = space_for(fine.space.dimension, int(COARSER * fine.space.neurons))
    count = density_of(space).inside
    cells = replace(fine.cells, cells=[replace(c, inside=c.inside[:count]) for c in fine.cells.cells])
    return StepLevel(fine.rothe, fine.laws, fine.values, cells, space, fine.tol)


def fits(rothe: Rothe, values: dict[Any, Any]) -> bool:
    """Whether the initial values fit the boundary conditions."""
    return start_misfit(rothe, values) <= FITS


def probe_of(rothe: Rothe) -> Problem:
    """One implicit step from the start as an elliptic problem, linearised there."""
    past: dict[Any, Any] = {}
    for history, initial in zip(rothe.history, rothe.initial, strict=True):
        total: sp.Expr = sp.Integer(0)
        for h, value in zip(history, initial, strict=True):
            total = RATE * total + RATE * value
            past[h] = total
    equations: list[Any] = []
    for piece, expression in rothe.past:
        whole = sp.Eq(_linearised(rothe, expression.xreplace(past).doit()), 0)
        equations.append(whole if piece is None else Inside(piece, whole))
    conditions = [
        c if rothe.linear or c.boundary is None else c.of(lambda e: sp.Eq(_linearised(rothe, e.lhs - e.rhs), 0))
        for c in rothe.elliptic.conditions
    ]
    return Problem(rothe.elliptic.domain, equations, conditions)


def _linearised(rothe: Rothe, expression: sp.Expr) -> sp.Expr:
    """F(u_0) + F'(u_0) (u - u_0) at the initial values u_0; what has none is zero there."""
    if rothe.linear:
        return expression
    begin = {
        u: first[0] if first else sp.Integer(0) for u, first in zip(rothe.elliptic.unknowns, rothe.initial, strict=True)
    }
    atoms = sorted((a for a in expression.atoms(sp.Derivative) if a.expr in begin), key=str) + list(begin)
    now, then = {a: sp.Dummy() for a in atoms}, {a: sp.Dummy() for a in atoms}
    plain = expression.xreplace(now)
    at = {now[a]: then[a] for a in atoms}
    change = sum((sp.diff(plain, now[a]).xreplace(at) * (now[a] - then[a]) for a in atoms), plain.xreplace(at))
    values = {then[a]: a.xreplace(begin).doit() for a in atoms}
    # Expanded first: initial values with kinks then cancel in linear terms of second order.
    return sp.expand(change).xreplace(values).xreplace({now[a]: a for a in atoms})


def same_levels(rothe: Rothe, wanted: float, values: dict[Any, Any], before: Solution) -> tuple[StepLevel, StepLevel]:
    """The cells of a solution that is to be continued, and coarser features on them."""
    basis = before.basis.spaces[-1]  # type: ignore[attr-defined]
    if not isinstance(basis, PiecewiseBasis):
        raise ProblemError("start is a solution in slabs on a box, and this problem is marched in steps in pieces.")
    cells = cut_domain(rothe.elliptic.domain, basis.boxes, density_of(basis.space))
    fine = StepLevel(rothe, Laws(rothe.elliptic), values, cells, basis.space, SHARE * wanted)
    return fine, smaller(fine)


def end_in_both(
    before: Solution, fine: StepLevel, coarse: StepLevel, stops: tuple[float, ...]
) -> tuple[Moment, Moment]:
    """The end of a solution in the features of both levels; at a stop its slope is none of what follows."""
    slabs: SlabBasis = before.basis  # type: ignore[assignment]
    block = slabs.block(before.coefficients, len(slabs.slabs) - 1)
    end, depth = slabs.slabs[-1].end, max(fine.rothe.orders)
    tau = end - slabs.slabs[-1].begin
    state = tuple((2 / tau) ** k * np.tensordot(at_end(len(block) - 1, k), block, axes=1) for k in range(depth + 1))
    first = Moment(end, state[:depth], state[1:] if depth == 1 and end not in stops else None)
    zero = (0,) * fine.space.dimension

    def there(u: int, k: int, points: np.ndarray) -> np.ndarray:
        return fine.basis.derivatives(state[k][u], points, [(0, zero)])[0]

    return first, replace(coarse.start(there), t=end)


def ends_in_cells(before: Solution, fine: StepLevel, coarse: StepLevel) -> tuple[Moment, Moment]:
    """The end of a solution in the polynomials of both levels, whatever its own functions are."""
    slabs: SlabBasis = before.basis  # type: ignore[assignment]
    last, basis = slabs.slabs[-1], slabs.spaces[-1]
    block = slabs.block(before.coefficients, len(slabs.slabs) - 1)

    def there(u: int, k: int, points: np.ndarray) -> np.ndarray:
        state = (2 / (last.end - last.begin)) ** k * np.tensordot(at_end(len(block) - 1, k), block, axes=1)
        return basis.derivatives(state[u], points, [(0, (0, 0))])[0]  # type: ignore[union-attr]

    first, second = (replace(level.start(there), t=last.end) for level in (fine, coarse))
    return first, second
