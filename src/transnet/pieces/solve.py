"""Solving in pieces: cut, reduce, glue, judge, cut further, until the tolerance holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transnet.choose.effort import GOOD, Effort
from transnet.clock import Clock
from transnet.cuts.cut import cut_domain
from transnet.cuts.first_boxes import DETAIL, WITH_POLES, around_spots, first_boxes, halved_towards
from transnet.cuts.plan import Cut, density_of, space_for
from transnet.engines.distributed import Distributed
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces
from transnet.judge.expanded import expanded_solution
from transnet.pieces.characteristics import halved_along_lines
from transnet.pieces.enrich import cell_enrichment
from transnet.pieces.estimate import FALLEN, compared, estimate
from transnet.pieces.jumps import AGAIN, AIM, FELT, Jumps, jumps_of
from transnet.pieces.laws import Laws
from transnet.pieces.layers import graded_boxes
from transnet.pieces.level import CutLevel, solve_level
from transnet.pieces.local import Reduced
from transnet.pieces.messages import messages_of
from transnet.pieces.newton import Elsewhere, State
from transnet.pieces.pilot import Pilot
from transnet.pieces.refine import refined_boxes
from transnet.pieces.whole import solve_whole
from transnet.problem import Problem
from transnet.rows.statements import statements_of
from transnet.rows.unseen import LOOKED_AT, Spot, all_spots, may_be_steep, spots_at
from transnet.solution.diagnostics import Coarser, Status, Step
from transnet.solution.solution import Solution

ENOUGH = 1e-9
"""What a plain solve aims at; in space, where nothing is free, at six digits."""
MOST_CELLS = {1: 3000, 2: 1500, 3: 800, 4: 200}
"""The most cells, by dimension; systems have fewer."""
CARRIED = 1e-3
"""The indicator above which the solution on the first boxes counts as rough along a line of the flow."""
AS_LONG = 3.0
"""By how many times the most cells may be exceeded while each cut halves the error."""
EDGED, HALVED = 240, 1
"""Neurons of a cell if there are edges in space, and how often boxes are halved towards their ends before the first
solve: many small networks are better there than few large ones."""
ALONG_EDGES = 1e-4
"""What a plain solve aims at if edges end in space: there only smaller boxes help."""
LEVELS = 24
"""The most cuts."""
RESOLVED = 1e-2
"""If the indicator is larger nothing is resolved yet, and that it does not fall means nothing."""
COARSER = 0.7
"""Neurons of the smaller networks that a solution is compared with if there is no coarser cut."""


LEAST = 0.02
"""The smallest part of the points with which spots are searched for in a small piece."""
PILOT = 0.5
"""Neurons of the networks with which an iteration begins."""
ITERATED = 0.01
"""How far Newton's iteration goes on one set of cells, in units of what is wanted."""
LOWER = 0.3
"""The next goal for the indicators, in units of the largest, if all are below the last one."""
WANDERS = 6
"""Cuts in a row on which Newton's iteration may not converge; those on which the solution is resolved count twice: a
front whose place is hardly determined wanders on any cut."""
FARTHER = 10.0
"""How many times as far from the solution an iteration may be as it has wandered: fronts of 0.01 and 0.001 were three
and eighteen times as far."""
FEW_MORE = 1.1
"""A cut with fewer cells than this many times the last one is compared with it in few places. Around two bumps of a
system 119 cells after 118 had an estimate of 8e-7 and an error of 3e-5."""
IDLE = 4
"""The number of cuts in which the indicator must have halved."""


@dataclass(frozen=True, eq=False)
class Found:
    """The best solution of a problem in pieces and its estimated error; `smaller` is for comparison."""

    laws: Laws
    level: CutLevel
    error: float
    smaller: FeatureSpace
    iterations: tuple[Step, ...]
    jumps: Jumps
    clock: Clock
    values: Mapping[Any, Any]
    tol: float | None
    drift: float = 0.0
    whole: bool = False
    previous: CutLevel | None = None
    weakest: float = np.inf

    def solution(self) -> Solution:
        """The solution with its messages, one of them if the tolerance is not reached."""
        tol = self.tol
        made = _solution(self.laws.problem, self.values, self.laws, self.level, self.error, self.clock, self.iterations)
        limit = tol
        if tol is None and (self.jumps or self.level.cells.conserving):
            limit = AIM if self.jumps else ALONG_EDGES
        told = messages_of(made, limit, self.weakest, self.drift)
        coarser = None
        if self.previous is not None:
            apart = compared(self.level, self.previous, self.jumps.counted(self.level.cells))
            coarser = Coarser(self.previous.basis, self.previous.coefficients, apart)
        known = replace(made.diagnostics, messages=(*self.jumps.messages, *told), coarser=coarser)
        return replace(made, diagnostics=known)


def piece_levels(
    problem: Problem,
    cut: Cut,
    effort: Effort,
    values: Mapping[Any, Any],
    guess: State | None = None,
    report: Callable[[Step], None] | None = None,
    cluster: Distributed | None = None,
    whole: bool = False,
) -> Iterator[Found]:
    """Solutions in pieces that get finer where it is needed, as long as that gains something.

    With `whole` one network for each material is tried first.
    """
    clock = Clock()
    laws = Laws(problem)
    numbers = tuple(values.values())
    d = problem.domain.dimension
    wanted = (GOOD if d == 3 else ENOUGH) if effort.tol is None else effort.tol
    singular = cell_enrichment(laws, numbers)
    boxes = first_boxes(problem.domain, cut, WITH_POLES if singular.holes else DETAIL)
    neurons = EDGED if cut.neurons is None and len(singular.ends) else cut.neurons
    space = space_for(d, neurons, len(problem.unknowns))
    smaller = space_for(d, int(COARSER * space.neurons))
    twice = space_for(d, 2 * space.neurons) if d == 1 and cluster is None else None
    jumps = jumps_of(problem, numbers)
    if whole and cut == Cut() and cluster is None and not len(singular.ends):
        known = solve_whole(laws, singular, numbers, boxes, wanted, COARSER, clock)
        if known is not None:
            weakest = known.level.done.factored.glue.weakest
            yield Found(
                laws,
                known.level,
                known.error,
                known.smaller,
                (),
                jumps,
                clock,
                values,
                effort.tol,
                0.0,
                True,
                None,
                weakest,
            )
    if not cut.counts:
        boxes = around_spots(boxes, _spots(laws, numbers))
    if jumps and effort.tol is None:
        wanted = AIM
    elif len(singular.ends) and effort.tol is None:
        wanted = ALONG_EDGES
    if cut.refine:
        boxes = graded_boxes(laws, cut_domain(problem.domain, boxes, density_of(space), laws.periodic), numbers)
    boxes = jumps.graded(boxes)
    if cut.refine:
        boxes = halved_towards(boxes, singular.ends, HALVED)
    most = MOST_CELLS[d] // max(1, len(problem.unknowns) - 1) // (2 if effort.tol is None else 1)
    clock.lap("compile")
    cache: dict[bytes, Reduced] = {}
    steps: list[tuple[float, float]] = []
    previous: CutLevel | None = None
    goal = wanted
    wandering, drift, weakest = 0, 0.0, np.inf
    iterations: tuple[Step, ...] = ()
    if guess is None and not laws.linear:
        small = space_for(d, int(PILOT * space.neurons))
        pilot = Pilot(laws, small, numbers, clock, singular, report)
        guess = pilot.start(boxes)
    for _ in range(LEVELS):
        start = guess if previous is None else Elsewhere(previous.basis, previous.coefficients)
        level = solve_level(
            laws, boxes, space, numbers, cache, clock, start, ITERATED * wanted, report, singular, cluster
        )
        level = replace(level, found=jumps.left_alone(level.cells, level.found))
        iterations += level.done.steps
        if previous is None and level.found.largest <= goal:
            # Nothing to compare with yet: smaller networks on the same cells.
            start = Elsewhere(level.basis, level.coefficients)
            previous = solve_level(
                laws, boxes, smaller, numbers, {}, clock, start, ITERATED * wanted, None, singular, cluster
            )
        error = estimate(previous, level, jumps.counted(level.cells), FELT if jumps else FALLEN)
        if twice is not None and level.found.largest < RESOLVED:
            start = Elsewhere(level.basis, level.coefficients)
            other = solve_level(laws, boxes, twice, numbers, {}, clock, start, ITERATED * wanted, None, singular)
            error = compared(level, other, jumps.counted(level.cells))
        elif steps and previous is not None and len(level.cells.cells) < FEW_MORE * len(previous.cells.cells):
            # The change shows only what the few new cells gained: elsewhere the error is what it was.
            error = max(error, steps[-1][0] * min(level.found.largest / max(steps[-1][1], 1e-300), 1.0))
        error = float(np.fmax(error, level.done.moves))
        wandering = 0 if level.done.converged else wandering + (2 if level.found.largest < RESOLVED else 1)
        drift = 0.0 if level.done.converged else drift + level.done.moves
        steps.append((error, level.found.largest))
        error = max(error, FARTHER * drift)
        # A cut on which rounding hides the weakest direction does not determine it better than the last one did.
        weakest = min(weakest, level.done.factored.glue.weakest)
        yield Found(
            laws, level, error, smaller, iterations, jumps, clock, values, effort.tol, drift, False, previous, weakest
        )
        previous = level
        if not cut.refine or _stalled(steps) or wandering >= WANDERS:
            return
        if level.found.largest <= goal:
            goal = LOWER * level.found.largest
        finer = refined_boxes(level.cells, level.found, goal)
        if laws.linear and finer is not None and len(steps) == 1:
            carrying = halved_along_lines(laws, level, numbers, CARRIED, AS_LONG * most)
            finer = carrying if len(carrying) > len(boxes) else finer
            clock.lap("cut")
        if jumps:
            finer = jumps.graded(boxes if finer is None else finer, AGAIN)
        if finer is None or len(finer) > most * (AS_LONG if _falling(steps) else 1.5):
            return
        boxes = finer


def solve_pieces(problem: Problem, cut: Cut, effort: Effort, values: Mapping[Any, Any]) -> Found:
    """The first pieces whose estimate is below the tolerance, or the last ones."""
    for found in piece_levels(problem, cut, effort, values):
        if effort.tol is not None and found.error <= effort.tol:
            break
    return found


def _spots(laws: Laws, numbers: Sequence[Any]) -> list[Spot]:
    """Where loads, coefficients or boundary data are concentrated on a small part of the domain."""
    problem = laws.problem
    if not isinstance(problem.domain, Pieces):
        return all_spots(problem, statements_of(problem), numbers)
    whole = float(np.prod(np.ptp(problem.domain.bounds, axis=0)))
    found = []
    for (_, shape), statements in zip(problem.domain.shapes, laws.equations, strict=True):
        steep = [s.equation for s in statements if may_be_steep(s.equation)]
        if steep:
            count = int(LOOKED_AT[shape.dimension] * max(shape.volume / whole, LEAST))
            at = spots_at(steep, shape.interior(count, "quasi", 0), None, numbers)
            found += [spot._replace(share=spot.share * shape.volume / whole) for spot in at]
    return found


def _stalled(steps: Sequence[tuple[float, float]]) -> bool:
    """Whether the last cuts gained less than a factor of two in the indicator, after the solution was resolved."""
    last = [indicator for _, indicator in steps]
    before, *after = last[-IDLE - 1 :]
    return len(last) > IDLE + 1 and before < RESOLVED and min(after) > 0.5 * before


def _falling(steps: Sequence[tuple[float, float]]) -> bool:
    """Whether the last cut halved the error of a resolved solution; True for the first one."""
    if len(steps) == 1:
        return True
    return steps[-1][0] < 0.5 * steps[-2][0] and steps[-1][1] < RESOLVED


def _solution(
    problem: Problem,
    values: Mapping[Any, Any],
    laws: Laws,
    level: CutLevel,
    error: float,
    clock: Clock,
    steps: tuple[Step, ...] = (),
) -> Solution:
    status: Status = "solved" if laws.linear else "converged" if level.done.converged else "limit reached"
    solver = f"{level.basis.pieces} pieces ({level.done.factored.distinct} different ones) and glue"
    return expanded_solution(
        problem, level.basis, level.coefficients, values, solver=solver, error=error, residuals=level.found.residuals,
        shape=(level.rows, level.basis.columns), points=np.concatenate([c.inside for c in level.cells.cells]),
        seconds=dict(clock.laps), steps=steps, status=status,
    )  # fmt: skip
