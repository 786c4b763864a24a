"""A domain that is cut because the user or the domain asks for it: what may be stated on pieces, and the solve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.expansion import Slot
from transnet.choose.effort import ACCEPTABLE, GOOD
from transnet.drive.driver import drive
from transnet.drive.facts import Facts
from transnet.drive.method import LAST_RESORT, Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan
from transnet.drive.select import first_sentence
from transnet.engines.distributed import Distributed
from transnet.engines.engine import engine_of
from transnet.errors import ProblemError
from transnet.geometry import Pieces, Slit
from transnet.iterate.continuation import continued
from transnet.iterate.guess import Guess, Source, source_of
from transnet.iterate.strategies import Newton
from transnet.problem import Condition, Problem
from transnet.problem.elsewhere import Over
from transnet.remedies import Remedy
from transnet.solution.diagnostics import Tried
from transnet.solution.solution import Solution
from transnet.tolerances import BESIDE

if TYPE_CHECKING:
    from transnet.cuts.cells import Cell

CELL = 0.015
"""Seconds of a cell of one unknown: its rows, its reduction and its share of the glue and the estimate."""
CELLS = {1: 10, 2: 40, 3: 100}
"""Cells of a first cut, by dimension."""
LEVELS = 4.0
"""Cuts until a goal."""
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


@dataclass(frozen=True)
class InCells:
    """A small network on each piece of the domain, glued at their faces."""

    name: str = "pieces"
    options: frozenset[str] = frozenset({"pieces", "guess", "continuation", "strategy", "engine"})
    floor: float = 0.2
    whole: bool = True
    """Whether one network for each material is tried first."""

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        from transnet.pieces.jumps import AIM
        from transnet.pieces.solve import ALONG_EDGES

        problem, d = facts.problem, facts.dimension
        seconds = CELL * CELLS.get(d, CELLS[3]) * LEVELS * len(problem.unknowns) ** 2 * (1.0 if facts.linear else 3.0)
        why = f"about {CELLS.get(d, CELLS[3])} cells to begin with"
        aim, acceptable = GOOD, ACCEPTABLE
        if d == 3 and not plan.pieces and plan.method is None and not isinstance(facts.blocks, str):
            return Fit(LAST_RESORT, f"{why}; the body consists of boxes")
        if facts.edged:
            aim = acceptable = ALONG_EDGES
        elif not facts.materials and facts.jumping:
            aim = acceptable = AIM
        if facts.materials or plan.pieces or plan.method is not None:
            try:
                refuse_in_pieces(replace(plan, problem=problem))
            except ProblemError as error:
                return Refusal(first_sentence(error), error)
            return Fit(seconds, why, aim, acceptable)
        if plan.strategy is not None or plan.continuation is not None:
            return Refusal("strategy= and continuation= are for one network, unless pieces= asks for pieces")
        if plan.engine is not None and not isinstance(engine_of(plan.engine), Distributed):
            return Refusal("engine= is not for it")
        if plan.pieces is False:
            return Refusal("pieces=False rules it out")
        if facts.in_cells:
            return Refusal(facts.in_cells)
        if d > 2 and not facts.edged:
            return Refusal("in space one network is better, unless there are materials or inner edges")
        if facts.backward:
            return Refusal("it is a backward heat equation, and no features change that")
        if facts.marches:
            return Fit(LAST_RESORT, f"{why} of space and time together", aim, acceptable)
        return Fit(seconds, why, aim, acceptable)

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.cuts.plan import cut_of
        from transnet.pieces.solve import piece_levels

        plan = replace(plan, problem=facts.problem)
        guess = plan.guess
        if len(plan.stages) > 1:

            def solved(values: Mapping[sp.Symbol, Any], guess: Guess) -> Solution:
                stage = replace(plan, parameters=values, continuation=None, guess=guess, watch=None)
                return drive(stage, (self,), Facts(facts.stated, stage.values, facts.may_cut))

            found = continued(solved, plan.stages, plan.guess)
            yield Judged(found, _words(found), last=True)
            return
        cut = cut_of(plan.pieces, plan.problem.domain)
        start = start_of(plan, guess)
        linear = 1.0 if facts.linear else 3.0
        for level in piece_levels(
            plan.problem, cut, plan.effort, plan.values, start, cluster=cluster_of(plan),
            whole=self.whole and plan.pieces is None and facts.materials,
        ):  # fmt: skip
            found = level.solution()
            each = linear * CELL * len(plan.problem.unknowns) ** 2
            seconds = each * level.level.basis.pieces
            after = each * CELLS.get(facts.dimension, CELLS[3]) if level.whole else seconds
            yield Judged(found, _words(found), seconds, after, sure=not cut.refine, source=level)

    def cause(self, best: Solution, tried: Sequence[Tried]) -> tuple[str, Remedy]:
        """What limits the accuracy, in words."""
        from transnet.pieces.messages import limit_in_pieces

        return limit_in_pieces(best), {}


def _words(found: Solution) -> str:
    return found.basis.summary()


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
