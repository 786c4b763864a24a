"""Solving in pieces: cut, reduce, glue, look, cut further, until the tolerance holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transnet.choose.effort import GOOD, Effort
from transnet.clock import Clock
from transnet.engines.distributed import Distributed
from transnet.errors import AccuracyWarning, EstimateWarning, Message, UniquenessWarning
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.boxes import Boxes
from transnet.pieces.cells import Cells
from transnet.pieces.cut import cut_domain
from transnet.pieces.enrich import NOTHING, Enrichment, enrich, enrichment_of
from transnet.pieces.frequency import free_waves
from transnet.pieces.indicate import Indicated, indicate
from transnet.pieces.jumps import AGAIN, AIM, FELT, Jumps, jumps_of
from transnet.pieces.laws import Laws
from transnet.pieces.layers import graded
from transnet.pieces.local import Reduced
from transnet.pieces.newton import Elsewhere, Iterated, State, iterate
from transnet.pieces.pilot import Pilot
from transnet.pieces.plan import (
    DETAIL,
    WITH_POLES,
    Cut,
    around_spots,
    density_of,
    first_boxes,
    phase_of,
    refined,
    space_for,
)
from transnet.problem import Problem
from transnet.rows.statements import statements_of
from transnet.rows.unseen import all_spots
from transnet.solution.diagnostics import Diagnostics, Status, Step, Tried
from transnet.solution.solution import Solution

ENOUGH = 1e-9
"""What a plain solve aims at."""
FREE = 30_000
"""Columns beyond which a plain solve is content with six digits."""
ACCEPTABLE = 1e-5
"""An estimated error above this is warned of when no tolerance was asked for."""
MOST = {1: 3000, 2: 1500, 3: 800, 4: 200}
"""The most cells, by dimension; systems have fewer."""
LEVELS = 24
"""The most times that boxes are cut."""
SAFETY = 2.0
"""Of the change from a coarser cut times what the indicator has fallen by: on thirteen cuts around fronts, spikes and
poles the error was 0.1 to 1 times this."""
FALLEN = 0.01
"""The least that the indicator is believed to have fallen by: it may have seen less than there is."""
SEEN = 0.1
"""The error was 0.01 to 20 times the largest indicator; this part of a mean over the cells is its usual size."""
ROUNDING = 5e-12
"""No estimate is smaller: two solutions may agree by chance in what rounding leaves, 1e-12 in most cells."""
SCATTER = 3.0
"""An estimate that is below a tolerance by less than this factor is confirmed by a second cut: one in a hundred is
below a third of the error."""
RESOLVED = 1e-2
"""A larger indicator says that nothing is resolved yet, and that it does not fall says nothing."""
UNDETERMINED = 1e-22
"""A direction of the glue that is held no more firmly than this is not determined: a contrast of 10^6 leaves 3e-16, and
rounding 2e-29 where nothing holds a constant."""
COARSER = 0.7
"""Neurons of the smaller networks that a solution is compared with where there is no coarser cut."""


PILOT = 0.5
"""Neurons of the networks with which an iteration begins."""


@dataclass(frozen=True, eq=False)
class Level:
    """A solution on one set of cells."""

    cells: Cells
    space: FeatureSpace
    coefficients: np.ndarray
    basis: PiecewiseBasis
    found: Indicated
    rows: int
    done: Iterated

    def values(self, points: np.ndarray) -> list[np.ndarray]:
        zero = (0,) * points.shape[1]
        return self.basis.derivatives(self.coefficients, points, [(u, zero) for u in range(self.basis.unknowns)])


@dataclass(frozen=True, eq=False)
class Found:
    """The best solution of a problem in pieces and its estimated error; `smaller` is what it can be compared with."""

    laws: Laws
    level: Level
    error: float
    smaller: FeatureSpace
    steps: tuple[Tried, ...]
    iterations: tuple[Step, ...]
    jumps: Jumps
    clock: Clock

    def solution(self, values: Mapping[Any, Any], tol: float | None) -> Solution:
        """The solution with its messages."""
        made = _solution(self.laws.problem, values, self.laws, self.level, self.error, self.clock, self.iterations)
        told = messages_of(made, AIM if self.jumps and tol is None else tol, self.level.done.factored.glue.weakest)
        known = replace(made.diagnostics, messages=(*self.jumps.messages, *told))
        return replace(made, diagnostics=known, history=self.steps)


def solve_pieces(
    problem: Problem,
    cut: Cut,
    effort: Effort,
    values: Mapping[Any, Any],
    watch: Callable[[Solution], None] | None = None,
    guess: State | None = None,
    report: Callable[[Step], None] | None = None,
    cluster: Distributed | None = None,
) -> Solution:
    """Solve a problem in pieces; a message tells where the tolerance is not reached."""
    return found_in_pieces(problem, cut, effort, values, watch, guess, report, cluster).solution(values, effort.tol)


def found_in_pieces(
    problem: Problem,
    cut: Cut,
    effort: Effort,
    values: Mapping[Any, Any],
    watch: Callable[[Solution], None] | None = None,
    guess: State | None = None,
    report: Callable[[Step], None] | None = None,
    cluster: Distributed | None = None,
) -> Found:
    """Cut the domain until the tolerance holds or nothing more is gained."""
    clock = Clock()
    laws = Laws(problem)
    numbers = tuple(values.values())
    d = problem.domain.dimension
    wanted = ENOUGH if effort.tol is None else effort.tol
    wavy = d == 2 and laws.linear and not isinstance(problem.domain, Pieces)
    highest = free_waves(problem, numbers) if wavy else None
    singular = enrichment_of(laws, numbers)
    boxes = first_boxes(problem.domain, cut, highest, WITH_POLES if singular.holes else DETAIL)
    phase = phase_of(boxes, highest)
    space = space_for(d, cut.neurons, len(problem.unknowns), phase)
    smaller = space_for(d, int(COARSER * space.neurons), phase=phase)
    if not cut.counts and not isinstance(problem.domain, Pieces):
        boxes = around_spots(boxes, all_spots(problem, statements_of(problem), numbers))
    if cut.refine:
        boxes = graded(laws, cut_domain(problem.domain, boxes, density_of(space), laws.periodic), numbers)
    jumps = jumps_of(problem, numbers)
    if jumps and effort.tol is None:
        wanted = AIM
    boxes = jumps.graded(boxes)
    most = MOST[d] // max(1, len(problem.unknowns) - 1) // (2 if effort.tol is None else 1)
    clock.lap("compile")
    cache: dict[bytes, Reduced] = {}
    steps: list[Tried] = []
    best: tuple[float, Level] | None = None
    previous: Level | None = None
    goal = wanted
    below = False
    iterations: tuple[Step, ...] = ()
    if guess is None and not laws.linear:
        small = space_for(d, int(PILOT * space.neurons), phase=phase)
        pilot = Pilot(laws, small, numbers, clock, singular, report)
        if cut.refine and not cut.counts:
            boxes = pilot.resolving(boxes, space, most)
        guess = pilot.start(boxes)
    for _ in range(LEVELS):
        start = guess if previous is None else Elsewhere(previous.basis, previous.coefficients)
        level = solve_level(
            laws, boxes, space, numbers, cache, clock, start, 0.01 * wanted, report, singular, cluster, previous
        )
        level = replace(level, found=jumps.left_alone(level.cells, level.found))
        iterations += level.done.steps
        if previous is None and level.found.largest <= goal:
            # Nothing to compare with yet: smaller networks on the same cells.
            start = Elsewhere(level.basis, level.coefficients)
            previous = solve_level(
                laws, boxes, smaller, numbers, {}, clock, start, 0.01 * wanted, None, singular, cluster
            )
        error = estimate(previous, level, jumps.counted(level.cells), FELT if jumps else FALLEN)
        if not level.done.converged:
            error = float(np.fmax(error, level.done.steps[-1].change))
        previous = level
        spent = sum(clock.laps.values())
        steps.append(
            Tried(
                level.basis.neurons,
                error,
                spent - sum(s.seconds for s in steps),
                level.basis.pieces,
                level.found.largest,
            )
        )
        if best is None or not error >= best[0]:
            best = error, level
        if watch is not None:
            watch(_solution(problem, values, laws, level, error, clock))
        before, below = below, error <= wanted
        if (below and (before or SCATTER * error <= wanted)) or not cut.refine or _stalled(steps):
            break
        if effort.tol is None and error <= GOOD and level.basis.columns > FREE:
            break
        if level.found.largest <= goal:
            goal = 0.3 * level.found.largest
        finer = refined(level.cells, level.found, goal)
        if jumps:
            finer = jumps.graded(boxes if finer is None else finer, AGAIN)
        if finer is None or len(finer) > most * 1.5:
            break
        if effort.over(steps[-1].seconds, (len(finer) / max(len(boxes), 1)) ** 0.4):
            break
        boxes = finer
    assert best is not None
    return Found(laws, best[1], best[0], smaller, tuple(steps), iterations, jumps, clock)


def solve_level(
    laws: Laws,
    boxes: Boxes,
    space: FeatureSpace,
    numbers: Sequence[Any],
    cache: dict[bytes, Reduced],
    clock: Clock,
    start: State | None = None,
    accuracy: float = 1e-10,
    report: Callable[[Step], None] | None = None,
    singular: Enrichment = NOTHING,
    cluster: Distributed | None = None,
    previous: Level | None = None,
) -> Level:
    """Solve on one set of boxes; on a coarser cut it was solved by `previous`."""
    cells = cut_domain(laws.problem.domain, boxes, density_of(space, singular.vertices), laws.periodic)
    enrich(cells, singular)
    clock.lap("cut")
    earlier = previous.done.factored if previous is not None and previous.space is space else None
    done = iterate(laws, cells, space, numbers, cache, start, accuracy, clock, report, cluster, earlier)
    found = indicate(laws, done.system, done.coefficients, numbers)
    clock.lap("estimate")
    return made_level(cells, found, done, len(laws.problem.unknowns))


def made_level(cells: Cells, found: Indicated, done: Iterated, unknowns: int) -> Level:
    """What is known of the solution on one set of cells."""
    rows = sum(len(b.points) for blocks in done.system.local for _, b in blocks)
    rows += sum(len(r.first.points) for face in done.system.faces for r in face)
    space = done.system.space
    basis = PiecewiseBasis.of(cells, space, unknowns)
    return Level(cells, space, np.concatenate(done.coefficients), basis, found, rows, done)


def estimate(previous: Level | None, level: Level, counted: np.ndarray | None = None, least: float = FALLEN) -> float:
    """The estimated relative L2 error: the change from the coarser solution, as far as the indicator has fallen.

    `counted` says of each cell whether it counts, `least` how much of the change is left at least.
    """
    counted = np.ones(len(level.cells.cells), dtype=bool) if counted is None else counted
    if previous is None:
        return max(level.found.largest, 1e-16) * 100
    points, weights = sample_of(level.cells, counted)
    change = change_between(previous.values(points), level.values(points), weights)
    seen = mean_of(level.cells, np.where(counted, level.found.cells, 0.0))
    before = mean_of(previous.cells, previous.found.cells)
    return float(carried_on(change, (previous.found.largest, before), (level.found.largest, seen), least))


def change_between(old: Sequence[np.ndarray], new: Sequence[np.ndarray], weights: np.ndarray) -> Any:
    """The relative change of the unknowns from old to new values, (n,) or (n, k) each: that of the worst unknown."""
    sizes = np.array([np.sqrt(weights @ b**2) for b in new])
    changes = np.array([np.sqrt(weights @ (b - a) ** 2) for a, b in zip(old, new, strict=True)])
    largest = sizes.max(axis=0)
    return np.max(changes / np.maximum(sizes, 1e-6 * np.where(largest > 0, largest, 1e6)), axis=0)


def carried_on(change: Any, before: tuple[Any, Any], now: tuple[Any, Any], least: float = FALLEN) -> Any:
    """The estimate from a change and the largest and the mean indicator before and now."""
    fallen = np.maximum(now[0] / np.maximum(before[0], 1e-300), now[1] / np.maximum(before[1], 1e-300))
    return np.maximum(np.maximum(SAFETY * change * np.clip(fallen, least, 1.0), SEEN * now[1]), ROUNDING)


def mean_of(cells: Cells, indicator: np.ndarray) -> Any:
    """A mean of an indicator (m,) or (m, k): tiny cells at a corner may violate what holds there and spoil little."""
    volume = np.array([float(np.prod(c.half)) for c in cells.cells])
    return np.sqrt(np.sqrt(volume / volume.sum()) @ indicator**2)


def sample_of(cells: Cells, counted: np.ndarray, each: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """A few points of every cell, with weights by volume."""
    points, weights = [], []
    for cell in (c for c, counts in zip(cells.cells, counted, strict=True) if counts):
        mine = cell.fresh[:each] if len(cell.fresh) >= 3 else cell.inside[:each]
        points.append(mine)
        weights.append(np.full(len(mine), np.prod(cell.half) / len(mine)))
    w = np.concatenate(weights)
    return np.concatenate(points), w / w.sum()


def _stalled(steps: Sequence[Tried]) -> bool:
    """Whether four more cuts brought less than a factor of two, after the solution was resolved."""
    last = [s.indicator for s in steps]
    return len(last) > 5 and last[-5] < RESOLVED and min(last[-4:]) > 0.5 * last[-5]


def _solution(
    problem: Problem,
    values: Mapping[Any, Any],
    laws: Laws,
    level: Level,
    error: float,
    clock: Clock,
    steps: tuple[Step, ...] = (),
) -> Solution:
    status: Status = "solved" if laws.linear else "converged" if level.done.converged else "limit reached"
    known = Diagnostics(
        residuals=level.found.residuals,
        solver=f"{level.basis.pieces} pieces ({level.done.factored.distinct} different ones) and glue",
        rows=level.rows,
        columns=level.basis.columns,
        error=error,
        amplification=float("nan"),
        nested=(),
        seconds=dict(clock.laps),
        stated_rank=level.basis.columns,
        steps=steps,
        status=status,
    )
    points = np.concatenate([c.inside for c in level.cells.cells])
    return Solution(problem, level.basis, level.coefficients, dict(values), known, stored_points=points)


def messages_of(solution: Solution, tol: float | None, weakest: float) -> tuple[Message, ...]:
    """What is to be told: that the tolerance is not reached."""
    limit = ACCEPTABLE if tol is None else tol
    if weakest < UNDETERMINED:
        text = (
            "Nothing determines the solution completely: some combination of the unknowns can be added to it without "
            "violating anything, most likely a constant. The usual cause is a condition that is missing: state values "
            "on a part of the boundary, or a mean value, tn.mean(u)."
        )
        return (Message(UniquenessWarning, text),)
    if solution.status == "limit reached":
        last = solution.diagnostics.steps[-1]
        text = (
            f"Newton's iteration did not converge in the {last.number} steps on the last of the cuts, into "
            f"{solution.basis.summary()}; its last relative change was {last.change:.1e}."
        )
        return (Message(AccuracyWarning, text, {"iterate": True}),)
    if solution.error <= limit:
        return ()
    worst = max(solution.diagnostics.residuals, key=lambda r: r.relative)
    missed = f"The tolerance {tol:.1e} was not reached. " if tol is not None else ""
    text = (
        f"{missed}The {solution.basis.summary()} have an estimated relative error of {solution.error:.1e}. "
        f"What is satisfied least is '{worst.label}'. Likely causes are a corner, a layer or data that need more "
        f"pieces (pieces=tn.Cut(...) with more boxes), or conditions that contradict each other."
    )
    return (Message(EstimateWarning, text),)
