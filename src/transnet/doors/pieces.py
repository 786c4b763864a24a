"""A domain that is cut because the user or the domain asks for it: what may be stated on pieces, and the solve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.expansion import Slot
from transnet.doors.plan import Plan
from transnet.engines.distributed import Distributed
from transnet.engines.engine import engine_of
from transnet.errors import ProblemError
from transnet.geometry import Pieces, Slit
from transnet.iterate.continuation import continued
from transnet.iterate.guess import Guess, Source, source_of
from transnet.iterate.strategies import Newton
from transnet.problem import Condition, Problem
from transnet.problem.elsewhere import Over
from transnet.solution.solution import Solution
from transnet.tolerances import BESIDE

if TYPE_CHECKING:
    from transnet.pieces.cells import Cell

RIM, FEW = 4_000, 0.01
"""Points of the boundary at which the pieces on both sides of a period are compared, and the part that may differ:
points within a spacing of the edge of a piece."""


@dataclass(frozen=True, eq=False)
class Guessed:
    """A guess as the start of an iteration in pieces."""

    source: Source

    def values(self, number: int, cell: Cell, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        return self.source(points, slots)


def start_of(plan: Plan, guess: Guess, values: Mapping[sp.Symbol, Any] | None = None) -> Guessed | None:
    """Where an iteration in pieces starts; None if it is to find a start by itself."""
    source = source_of(guess, plan.problem, plan.values if values is None else values)
    return None if source is None or plan.linear else Guessed(source)


def in_pieces(plan: Plan) -> Solution:
    """A small network on each piece of the domain, glued at their faces; stage by stage of a continuation."""
    from transnet.pieces.plan import cut_of
    from transnet.pieces.solve import solve_pieces

    refuse_in_pieces(plan)
    cut = cut_of(plan.pieces, plan.problem.domain)
    with plan.shown() as shown:

        def solved(values: Mapping[sp.Symbol, Any], guess: Guess) -> Solution:
            start = start_of(plan, guess, values)
            found = solve_pieces(
                plan.problem,
                cut,
                plan.effort,
                values,
                shown,
                start,
                cluster=cluster_of(plan),
                whole=plan.pieces is None,
            )
            return found.solution()

        return continued(solved, plan.stages, plan.guess)


def cluster_of(plan: Plan) -> Distributed | None:
    """The cluster on whose workers cells are reduced; another engine is refused."""
    engine = engine_of(plan.engine)
    if engine is None or isinstance(engine, Distributed):
        return engine
    raise ProblemError(
        f"{engine!r} factors the rows of a single network, but this problem is solved in pieces. Leave engine out, or "
        f"give a dask.distributed.Client: its workers then reduce the pieces."
    )


def refuse_in_pieces(plan: Plan) -> None:
    """Raise if something was asked for or stated that pieces do not support."""
    for name in ("neurons", "space", "points", "solver"):
        if getattr(plan, name) is not None:
            raise ProblemError(
                f"'{name}' applies to a single network, but this problem is solved in pieces, each with its own.",
                {"cut": True},
            )
    if plan.strategy is not None and not isinstance(plan.strategy, Newton):
        raise ProblemError(
            f"In pieces a nonlinear problem is solved by Newton's iteration, not by {type(plan.strategy).__name__}. "
            f"Leave out strategy=."
        )
    cluster_of(plan)
    if isinstance(plan.problem.domain, Slit):
        raise ProblemError(
            "A domain with a slit cannot be cut into pieces: cells do not distinguish its sides. Leave out pieces=."
        )
    own = set(plan.problem.unknowns)
    elsewhere = any(e.has(Over, sp.Integral) or e.atoms(AppliedUndef) - own for e in plan.problem._expressions())
    if elsewhere or any(len(u.args) < len(plan.problem.coordinates) for u in own):
        raise ProblemError(
            "A problem in pieces may not have integrals, values at other places, or unknowns of fewer coordinates. "
            "Leave out pieces=, and write coefficients that differ from place to place as formulas."
        )
    strange = [c for c in plan.problem.conditions if not c.in_cells]
    if strange:
        raise ProblemError(
            f"A problem in pieces cannot have conditions of the kind tn.{strange[0].kind}. Leave out "
            f"pieces=, or state what holds on both sides with tn.on."
        )
    for condition in plan.problem.conditions:
        if condition.period is not None:
            _refuse_other_ends(plan.problem, condition)


def _refuse_other_ends(problem: Problem, condition: Condition) -> None:
    """Raise if a periodic condition does not cover all unknowns, or if its two ends belong to different pieces."""
    left = set(problem.unknowns) - set(condition.unknowns or problem.unknowns)
    if left:
        raise ProblemError(
            f"In pieces all unknowns are periodic or none: tn.periodic({condition.period}) leaves out "
            f"{', '.join(sorted(map(str, left)))}. State what holds on both sides of it with tn.on, or leave out "
            f"pieces=."
        )
    domain = problem.domain
    if not isinstance(domain, Pieces):
        return
    axis = problem.coordinates.index(condition.period)
    low, high = domain.bounds[:, axis]
    step = BESIDE * (high - low)
    at = domain.boundary("boundary", RIM, "quasi", 0).points
    at = at[np.abs(at[:, axis] - low) < step]
    first, last = at.copy(), at.copy()
    first[:, axis], last[:, axis] = low + step, high - step
    differ = np.flatnonzero(domain.which(first) != domain.which(last))
    if len(differ) > FEW * len(at):
        place = ", ".join(
            f"{c} = {v:.4g}" for c, v in zip(problem.coordinates, at[differ[0]], strict=True) if c != condition.period
        )
        names = [domain.piece_names[int(domain.which(p[differ[:1]])[0])] for p in (first, last)]
        raise ProblemError(
            f"The pieces are not periodic in {condition.period}: at {place} its lower end is of '{names[0]}' and "
            f"its upper end of '{names[1]}'. Cut the domain elsewhere, so that no interface runs along its ends."
        )
