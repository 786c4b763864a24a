"""From an evolution on any domain to its solution: cells for it, steps in time, and their errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.expansion import Slot
from transnet.choose.effort import Effort
from transnet.clock import Clock
from transnet.errors import AccuracyWarning, Message, ProblemError
from transnet.geometry import Interval, Pieces
from transnet.judge.diagnose import data_messages, held_out_residuals
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.cells import Cell, Cells
from transnet.pieces.cut import cut_domain
from transnet.pieces.estimate import SAFETY
from transnet.pieces.laws import Laws
from transnet.pieces.plan import WAVES, Cut, density_of, space_for
from transnet.pieces.solve import COARSER, solve_pieces
from transnet.problem import Inside, Problem
from transnet.progress import ProgressLine
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.slabs.ask import Ask, kept
from transnet.slabs.disk import disk_for
from transnet.slabs.domain import end_of
from transnet.slabs.events import Event
from transnet.slabs.evolution import Passing
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.records import SlabRecord, Slabs
from transnet.slabs.stages import at_end
from transnet.slabs.track import BRIEF
from transnet.solution.diagnostics import Diagnostics, Residual, Status
from transnet.solution.solution import Solution
from transnet.steps.fits import misfit
from transnet.steps.level import Level, Moment
from transnet.steps.march import Walk, again, march, shortened
from transnet.steps.statement import RATE, Rothe, evaluated
from transnet.steps.tableau import CUBIC, GAMMA, QUADRATIC

AIM = 3e-5
"""What a plain solve aims at."""
ACCEPTABLE = 1e-4
"""An estimated error above this raises a warning when no tolerance was asked for."""
NEURONS = 28
"""Neurons of a cell for each digit that is asked for: with fewer cells are many, with more each is dear."""
PROBE = 100
"""Cells are found for one implicit step of this part of the time."""
FALLS = 0.1
"""By how much the error is smaller than with coarser cells and steps of twice the length: 1/15 for the steps."""
LOOSE, FITS = {False: 20.0, True: 5.0}, 1e-3
"""How many times the tolerance the error of the probe may be, by whether the start fits the boundary conditions to
FITS: if not, the probe's layers are far thinner than those later on."""
SHARE = 0.5
"""The part of the tolerance that the error of one step may have."""
PLACES = 400
"""Points of space at which an expression of the unknowns is looked at that is to end a march."""
HELD_OUT = 60
"""Residuals are looked at on the points of a network of this many columns."""
FEWEST = 0.4
"""The smallest networks of a cell, in units of the usual ones."""


def solve_in_steps(
    rothe: Rothe, tol: float | None, values: Mapping[Any, Any], ask: Ask, progress: Any = None,
    seconds: float | None = None,
) -> Solution:  # fmt: skip
    """March an evolution by Rothe's method; what is to be warned of is in the diagnostics."""
    clock, until = Clock(), None if seconds is None else monotonic() + seconds
    wanted = AIM if tol is None else float(tol)
    numbers = dict(values)
    whole, before = rothe, ask.start
    begun: tuple[Moment, Moment] | None = None
    if before is not None:
        rothe = replace(rothe, start=end_of(rothe, before))
        fine, coarse = _same_levels(rothe, wanted, numbers, before)
        begun = _continued(rothe, before, fine, coarse)
    else:
        fine, coarse = _levels(rothe, wanted, numbers, seconds)
    event = None
    if ask.until is not None:
        everywhere = rothe.elliptic.domain.interior(PLACES, "quasi", 0)
        axis = rothe.problem.coordinates.index(rothe.time)
        event = Event(Passing(rothe.problem, axis), ask.until, tuple(values.values()), everywhere)
    clock.lap("cut")
    name, status = rothe.time.name, "solved"
    line = ProgressLine("time", 1, None if progress is None else bool(progress))

    def watch(walk: Walk, tau: float) -> bool:
        nonlocal status
        line.show(f"{name} = {walk.moments[-1].t:.4g} of {rothe.stop:g}, step {tau:.2g} ")
        if event is not None and (moment := _crossed(event, rothe, fine, walk)) is not None:
            shortened(fine, walk, moment)
            status = "event"
            return True
        if until is not None and monotonic() > until and walk.moments[-1].t != rothe.stop:
            status = "limit reached"
            return True
        return False

    walk = Walk([], np.zeros(0))
    with line:
        try:
            march(fine, SHARE * wanted, watch, walk, _edges(rothe, ask), None if begun is None else begun[0])
        except KeyboardInterrupt:
            if len(walk.moments) < 2:
                raise
            status = "interrupted"
    if len(walk.moments) < 2:
        raise ProblemError("Not even the first step could be solved. Check the initial and boundary conditions.")
    clock.lap("march")
    estimates = _estimates(fine, coarse, walk, None if begun is None else begun[1])
    if before is not None:
        estimates = np.hypot(estimates, before.basis.slabs[-1].estimate)  # type: ignore[attr-defined]
    clock.lap("estimate")
    found = _solution(whole, values, fine, walk, estimates, status, clock, ask, tol)  # type: ignore[arg-type]
    if event is None or status in ("event", "interrupted", "limit reached"):
        return found
    text = f"until={event.text} did not change sign up to {rothe.time} = {walk.moments[-1].t:g}."
    known = replace(found.diagnostics, messages=(*found.diagnostics.messages, Message(AccuracyWarning, text)))
    return replace(found, diagnostics=known)


def _crossed(event: Event, rothe: Rothe, fine: Level, walk: Walk) -> float | None:
    """When an expression changes sign in the last step; None if it does not."""
    k = len(walk.own) - 1
    block = _polynomials(walk, k)
    begin, end = walk.moments[k].t, walk.moments[k + 1].t
    record = SlabRecord(begin, end, 0.0, 0.0, 1, fine.basis.columns)
    axis = rothe.problem.coordinates.index(rothe.time)
    basis = SlabBasis(axis, len(rothe.orders), Slabs((record,)), (fine.basis,), (0,), (len(block) - 1,))
    return event.crossed(basis, block.ravel(), begin, end)


# -- from where another march ended ------------------------------------------------------------------------------------
def _same_levels(rothe: Rothe, wanted: float, values: dict[Any, Any], before: Solution) -> tuple[Level, Level]:
    """The cells of a solution that is to be continued, and coarser features in them."""
    basis = before.basis.spaces[-1]  # type: ignore[attr-defined]
    if not isinstance(basis, PiecewiseBasis):
        raise ProblemError("start is a solution in slabs on a box, and this problem is marched in steps in pieces.")
    laws, d = Laws(rothe.elliptic), rothe.elliptic.domain.dimension

    def level(features: Any) -> Level:
        cells = cut_domain(rothe.elliptic.domain, basis.boxes, density_of(basis.space))
        return Level(rothe, laws, values, cells, features, SHARE * wanted)

    return level(basis.space), level(space_for(d, int(COARSER * basis.space.size)))


def _continued(rothe: Rothe, before: Solution, fine: Level, coarse: Level) -> tuple[Moment, Moment]:
    """The end of a solution in the features of both levels."""
    slabs: SlabBasis = before.basis  # type: ignore[assignment]
    block = slabs.block(before.coefficients, len(slabs.slabs) - 1)
    tau = slabs.slabs[-1].end - slabs.slabs[-1].begin
    state = tuple(
        (2 / tau) ** k * np.tensordot(at_end(len(block) - 1, k), block, axes=1) for k in range(max(rothe.orders) + 1)
    )
    depth = max(rothe.orders)
    first = Moment(rothe.start, state[:depth], state[1:] if depth == 1 else None)
    zero = (0,) * rothe.elliptic.domain.dimension

    def there(u: int, k: int, points: np.ndarray) -> np.ndarray:
        return fine.basis.derivatives(state[k][u], points, [(0, zero)])[0]

    return first, coarse.start(there)


def _edges(rothe: Rothe, ask: Ask) -> tuple[float, ...]:
    if ask.slabs is None:
        return ()
    if isinstance(ask.slabs, int):
        return tuple(np.linspace(rothe.start, rothe.stop, ask.slabs + 1)[1:].tolist())
    return tuple(float(e) for e in ask.slabs)


# -- cells -------------------------------------------------------------------------------------------------------------
def _levels(rothe: Rothe, wanted: float, values: dict[Any, Any], seconds: float | None) -> tuple[Level, Level]:
    """The cells that resolve one implicit step, and coarser ones to compare with."""
    probe = _probe(rothe)
    tau = (rothe.stop - rothe.start) / PROBE
    known = {**{str(k): v for k, v in values.items()}, RATE.name: 1 / (GAMMA * tau), rothe.time.name: rothe.start + tau}
    numbers = {p: known[p.name] for p in probe.parameters}
    seen: list[Solution] = []
    laws, d, unknowns = Laws(rothe.elliptic), rothe.elliptic.domain.dimension, len(rothe.orders)
    usual = space_for(d, None, unknowns).neurons
    neurons = int(np.clip(-NEURONS * np.log10(wanted) * usual / WAVES[2], FEWEST * usual, usual)) // 2 * 2
    guess = None if rothe.linear else _Begun(rothe, values)
    loose = LOOSE[misfit(rothe, values) <= FITS]
    found = solve_pieces(
        probe, Cut(neurons=neurons), Effort(loose * wanted, seconds), numbers, seen.append, guess
    ).solution()
    space = space_for(d, neurons, unknowns)
    boxes = [s.basis.boxes for s in seen]  # type: ignore[attr-defined]
    last = next(k for k, s in enumerate(seen) if s.basis is found.basis) if found in seen else len(seen) - 1

    def level(number: int, features: Any) -> Level:
        cells: Cells = cut_domain(rothe.elliptic.domain, boxes[number], density_of(features))
        return Level(rothe, laws, values, cells, features, SHARE * wanted)

    fine = level(last, space)
    smaller = space_for(d, int(COARSER * space.neurons))
    return fine, level(max(last - 1, 0), smaller)


@dataclass(frozen=True, eq=False)
class _Begun:
    """The initial values as a state from which Newton's iteration for the cells starts."""

    rothe: Rothe
    known: dict[Any, Any]

    def values(self, number: int, cell: Cell, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        found = []
        for u, index in slots:
            formula = self.rothe.initial[u][0]
            for axis, order in zip(self.rothe.elliptic.coordinates, index, strict=True):
                formula = sp.diff(formula, axis, order) if order else formula
            found.append(evaluated(self.rothe, self.known, formula, points))
        return found


def _probe(rothe: Rothe) -> Problem:
    """One implicit step from the start as an elliptic problem."""
    past: dict[Any, Any] = {}
    for history, initial in zip(rothe.history, rothe.initial, strict=True):
        total: sp.Expr = sp.Integer(0)
        for h, value in zip(history, initial, strict=True):
            total = RATE * total + RATE * value
            past[h] = total
    equations: list[Any] = []
    for piece, expression in rothe.past:
        whole = sp.Eq(expression.xreplace(past).doit(), 0)
        equations.append(whole if piece is None else Inside(piece, whole))
    return Problem(rothe.elliptic.domain, equations, rothe.elliptic.conditions)


# -- errors ------------------------------------------------------------------------------------------------------------
def _estimates(fine: Level, coarse: Level, walk: Walk, begin: Moment | None = None) -> np.ndarray:
    """The relative error at each moment, by coarser cells with steps of twice the length."""
    times = np.array([m.t for m in walk.moments])
    wide = again(coarse, times, begin)
    points = np.concatenate([c.inside[:4] for c in fine.cells.cells])
    volumes = np.repeat(fine.volumes, [len(c.inside[:4]) for c in fine.cells.cells])
    sizes = _sizes(fine, walk)
    zero = (0,) * points.shape[1]
    numbers = sorted(wide)

    def at(level: Level, moments: list[Moment]) -> np.ndarray:
        every = np.stack([m.state[0] for m in moments], axis=-1)
        return np.stack([level.basis.derivatives(c, points, [(0, zero)])[0] for c in every])

    gap = at(fine, [walk.moments[k] for k in numbers]) - at(coarse, [wide[k] for k in numbers])
    relative = np.sqrt(np.einsum("unk,n->uk", gap**2, volumes / volumes.sum())) / sizes[:, None]
    return np.asarray(SAFETY * FALLS * np.interp(times, times[numbers], relative.max(axis=0)))


def _sizes(fine: Level, walk: Walk) -> np.ndarray:
    """The root mean squares of the unknowns over space and all times."""
    lengths = np.diff([m.t for m in walk.moments])
    squares = np.array([fine.looked_at(m.state[0]) ** 2 for m in walk.moments[1:]])
    sizes = np.maximum(np.sqrt(lengths @ squares / lengths.sum()), BRIEF * walk.sizes)
    return np.where(sizes > 0, sizes, sizes.max() or 1.0)


def _between(fine: Level, walk: Walk) -> np.ndarray:
    """The relative error of the cubic inside each step, by how far one over two steps passes from where they meet."""
    times, moments = np.array([m.t for m in walk.moments]), walk.moments
    sides = np.full((2, len(times) - 1), np.inf)  # where the solution settles the later of both is nearer
    sizes = _sizes(fine, walk)
    for k in range(1, len(times) - 1):
        first, last = moments[k - 1], moments[k + 1]
        if first.slope is None or last.slope is None:
            continue
        a, b = times[k] - times[k - 1], times[k + 1] - times[k]
        h = a + b
        s = a / h
        passed = (1 + 2 * s) * (1 - s) ** 2 * first.state[0] + s**2 * (3 - 2 * s) * last.state[0]
        passed = passed + h * s * (1 - s) * ((1 - s) * first.slope - s * last.slope)
        fourth = float((fine.looked_at(passed - moments[k].state[0]) / sizes).max()) / (a * b) ** 2
        sides[0, k - 1], sides[1, k] = fourth * (a / 2) ** 4, fourth * (b / 2) ** 4
    found = sides.min(axis=0)
    return np.where(np.isfinite(found), found, 0.0)


# -- the solution ------------------------------------------------------------------------------------------------------
def _polynomials(walk: Walk, k: int) -> np.ndarray:
    """The unknowns between two moments: (degree + 1, unknowns, columns)."""
    a, b = walk.moments[k], walk.moments[k + 1]
    half = 0.5 * (b.t - a.t)
    assert b.slope is not None
    if a.slope is None:
        return np.tensordot(QUADRATIC, np.stack([a.state[0], b.state[0], half * b.slope]), axes=1)
    data = np.stack([a.state[0], b.state[0], half * a.slope, half * b.slope])
    return np.tensordot(CUBIC, data, axes=1)


def _solution(
    rothe: Rothe, values: Mapping[Any, Any], fine: Level, walk: Walk, estimates: np.ndarray, status: Status,
    clock: Clock, ask: Ask, tol: float | None,
) -> Solution:  # fmt: skip
    keep = kept(ask, rothe.start, rothe.stop)
    records, blocks = [], []
    for k, own in enumerate(_between(fine, walk).tolist()):
        begin, end = walk.moments[k].t, walk.moments[k + 1].t
        if keep(k, begin, end) or k == len(walk.own) - 1:
            newton = walk.newton[k]
            records.append(SlabRecord(begin, end, float(estimates[k + 1]), own, newton, fine.basis.columns))
            blocks.append(_polynomials(walk, k))
    axis = rothe.problem.coordinates.index(rothe.time)
    if ask.start is not None:
        old: SlabBasis = ask.start.basis  # type: ignore[assignment]
        blocks = [*(old.block(ask.start.coefficients, k) for k in range(len(old.slabs))), *blocks]
        records = [*old.slabs, *records]
    basis = SlabBasis(
        axis, len(rothe.orders), Slabs(tuple(records)), (fine.basis,), (0,) * len(records),
        tuple(len(b) - 1 for b in blocks),
    )  # fmt: skip
    coefficients = np.concatenate([b.ravel() for b in blocks])
    if ask.to is not None:
        disk = disk_for(ask.to, 0, None)
        disk.put(coefficients)
        coefficients = disk.close(ask.to)
    lengths = np.array([r.end - r.begin for r in records])
    squares = np.array([r.estimate**2 + r.own**2 for r in records])
    error = max(float(np.sqrt(lengths @ squares / lengths.sum())), records[-1].estimate)
    residuals: tuple[Residual, ...] = ()
    wrong: list[Message] = []
    every = ask.keep is None and ask.start is None
    if every and status == "solved" and not isinstance(rothe.problem.domain, Pieces):
        drawn = collocate(rothe.problem, statements_of(rothe.problem, lagged=False), HELD_OUT, None, 0)
        numbers, ones = tuple(values.values()), [1.0] * len(drawn)
        wrong = list(data_messages(rothe.problem, drawn, numbers))
        residuals = held_out_residuals(rothe.problem, basis, coefficients, numbers, ones, drawn)  # type: ignore[arg-type]
    clock.lap("check")
    known = Diagnostics(
        residuals=residuals,
        solver=f"steps in time, {fine.count} pieces",
        rows=sum(len(c.inside) for c in fine.cells.cells),
        columns=fine.basis.columns * len(rothe.orders),
        error=error,
        amplification=float("nan"),
        nested=(),
        seconds=clock.laps,
        stated_rank=fine.basis.columns * len(rothe.orders),
        messages=(*wrong, *_messages(rothe, basis, error, tol)),
        status=status,
    )
    return Solution(_ended(rothe, walk.moments[-1].t), basis, coefficients, dict(values), known)


def _ended(rothe: Rothe, end: float) -> Problem:
    """The problem up to the time that was reached."""
    problem = rothe.problem
    if end == rothe.stop:
        return problem
    domain = rothe.elliptic.domain * Interval(**{rothe.time.name: (rothe.start, end)})
    return Problem(domain, problem.equations, problem.conditions)


def _messages(rothe: Rothe, basis: SlabBasis, error: float, tol: float | None) -> list[Message]:
    limit = ACCEPTABLE if tol is None else tol
    if error <= limit:
        return []
    slabs = basis.slabs
    worst = max(slabs, key=lambda r: r.estimate)
    text = (
        f"The estimated relative error is {error:.1e}, above {limit:g}. It is largest at {rothe.time.name} = "
        f"{worst.end:.4g} ({worst.estimate:.1e}), and {slabs[-1].estimate:.1e} at the end. The usual causes are a "
        f"start that does not fit the boundary conditions, and corners. solution.slabs has the estimate at all times."
    )
    return [Message(AccuracyWarning, text)]
