"""From an evolution problem to its solution in slabs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np
import sympy as sp

from transnet.clock import Clock
from transnet.errors import AccuracyWarning, Message, ProblemError
from transnet.geometry import Pieces
from transnet.judge.expanded import expanded_solution, judge_expansion
from transnet.progress import ProgressLine
from transnet.slabs.ask import Ask, kept, slab_ends
from transnet.slabs.disk import SlabFile, disk_for, finished
from transnet.slabs.domain import end_of, ended
from transnet.slabs.events import Event
from transnet.slabs.evolution import Passing
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.march import March
from transnet.slabs.prepare import stages_for
from transnet.slabs.records import Slabs
from transnet.slabs.stepper import Scheme
from transnet.slabs.track import Settings, Track, relative_to
from transnet.solution.diagnostics import Coarser, Status
from transnet.solution.solution import Solution
from transnet.tolerances import EPS, PRECISION

TIGHTER, TIGHTENED = 0.2, (1e-6, 0.3)
"""A march that missed its goal is repeated with the tolerance that would have led to this part of it, reduced by a
factor between these."""
GROWN = 1e3
"""If the error at the end is this many times that of a typical slab, the problem amplifies errors."""
MOST_KEPT = 2_000_000
"""Numbers of a second solution that are kept for the errors of results: 16 MB."""


EARLY = {
    "interrupted": "it was interrupted.",
    "limit reached": "its seconds were over.",
    "stalled": "no step, however short, could be solved from there. The usual cause is a solution that becomes "
    "infinite or loses its derivatives then. Solve up to an earlier time.",
}
"""Why a march ended early, by its status."""


class NoSlab(ProblemError):
    """Not even the first slab could be solved."""


def marches(
    evolution: Passing,
    scheme: Scheme,
    tol: float | None,
    values: Mapping[sp.Symbol, Any],
    ask: Ask,
    progress: Any = None,
    seconds: float | None = None,
) -> Iterator[Solution]:
    """Marches of an evolution with tolerances that get smaller; messages are in the diagnostics."""
    clock, until = Clock(), None if seconds is None else monotonic() + seconds
    wanted = scheme.aim if tol is None else float(tol)
    limit = scheme.acceptable if tol is None else wanted
    event = None if ask.until is None else Event(evolution, ask.until, tuple(values.values()), scheme.places)
    keep = kept(ask, evolution.start, evolution.stop)
    begin = evolution.start if ask.start is None else end_of(evolution, ask.start)
    edges = slab_ends(ask, begin, evolution.stop)
    local, smallest = wanted, np.inf
    clock.lap("compile")
    for attempt in range(scheme.marches):
        stops, least = () if edges else scheme.stops, scheme.least
        settings = Settings(local, stages_for(local), edges, stops=stops, seconds=seconds, least=least)
        march = March(scheme.begin(evolution, values, settings, ask.start))
        disk = None if ask.to is None else disk_for(ask.to, attempt, ask.start)
        status = _run(march, event, keep, progress, until, disk, (values, ask))
        clock.lap("march")
        if not march.track.records:
            raise NoSlab(_nothing(evolution, march))
        relative_to(march.track)
        error, earlier = error_of(march.track), smallest
        if error < smallest:
            smallest = error
            track = march.track if ask.start is None else _joined(ask.start, march.track)
            solution = _solution(evolution, values, track, status, march, clock, ask, disk)
            smaller = TIGHTER * local if scheme.marches == 1 and not edges else None
            cause = _cause(march, track)
            told = _messages(evolution, solution, limit, error, status, event, cause, attempt > 0, smaller)
            known = replace(solution.diagnostics, messages=(*solution.diagnostics.messages, *told))
            solution = replace(solution, diagnostics=known)
            if ask.to is not None:
                finished(solution, ask.to)
            yield solution
        elif disk is not None:
            disk.forget()
        done = status in ("interrupted", "limit reached") or bool(edges) or local <= PRECISION
        hopeless = march.track.missed or march.stepper.cause(False) is not None
        if done or hopeless or error > 0.5 * earlier:
            return
        local = max(local * float(np.clip(TIGHTER * limit / error, *TIGHTENED)), PRECISION)


def _run(
    march: March, event: Event | None, keep: Any, progress: Any, until: float | None, disk: SlabFile | None,
    stated: tuple[Mapping[sp.Symbol, Any], Ask],
) -> Status:  # fmt: skip
    """March until the end, the event or an interruption."""
    evolution = march.stepper.evolution
    line = ProgressLine("time", 1, None if progress is None else bool(progress))
    status: Status = "solved" if march.stepper.linear else "converged"

    def watch(track: Track, t: float) -> bool:
        nonlocal status
        record = track.records[-1]
        line.show(
            f"{evolution.time.name} = {record.end:.4g} of {evolution.stop:g}, step "
            f"{abs(record.end - record.begin):.2g}, estimated error {record.estimate:.1e} "
        )
        if len(track.records) > 1:
            before = track.records[-2]
            if not keep(track.count - 1, before.begin, before.end):
                del track.records[-2], track.polynomials[-2], track.spaces[-2], track.errors[-2], track.better[-2:-1]
            elif disk is not None:
                track.polynomials[-2] = disk.put(track.polynomials[-2])
                disk.note(lambda: _so_far(evolution, track, disk, *stated))
        if event is not None:
            last = Track([record], track.polynomials[-1:], track.spaces[-1:])
            basis, coefficients = basis_of(evolution, last), last.polynomials[0].ravel()
            moment = event.crossed(basis, coefficients, record.begin, record.end)
            if moment is not None:
                march.end_at(moment)
                status = "event"
                return True
        track.count += 1
        if until is not None and monotonic() > until and t != evolution.stop:
            status = "limit reached"
            return True
        return False

    with line:
        try:
            march.run(watch)
        except KeyboardInterrupt:
            if not march.track.records:
                raise
            status = "interrupted"
    if status in ("solved", "converged") and march.stepper.t != evolution.stop:
        status = "stalled"
    march.stepper.conclude(march.track)
    if disk is not None and march.track.records:
        march.track.polynomials[-1] = disk.put(march.track.polynomials[-1])
    return status


def _so_far(evolution: Passing, track: Track, disk: SlabFile, values: Mapping[sp.Symbol, Any], ask: Ask) -> Solution:
    """The slabs that have been written to a file; the last one has not."""
    done = Track(track.records[:-1], track.polynomials[:-1], track.spaces[:-1])
    done = done if ask.start is None else _joined(ask.start, done)
    problem, basis = ended(evolution, done.records[-1].end), basis_of(evolution, done)
    error = error_of(done)
    return expanded_solution(problem, basis, disk.all(), values, solver="slabs", error=error, status="interrupted")


def error_of(track: Track) -> float:
    """The root mean square over time of the estimated relative errors, or the one at the end if it is larger."""
    lengths = np.array([abs(r.end - r.begin) for r in track.records])
    squares = np.array([r.estimate**2 + r.own**2 for r in track.records])
    found = max(float(np.sqrt(lengths @ squares / lengths.sum())), track.records[-1].estimate)
    return found if np.isfinite(found) else np.inf


def basis_of(evolution: Passing, track: Track) -> SlabBasis:
    """The basis of what has been marched."""
    spaces = list(dict.fromkeys(track.spaces))
    which = tuple(spaces.index(s) for s in track.spaces)
    degrees = tuple(len(p) - 1 for p in track.polynomials)
    slabs = Slabs(tuple(track.records))
    return SlabBasis(evolution.axis, len(evolution.orders), slabs, tuple(spaces), which, degrees)


def _solution(
    evolution: Passing, values: Mapping[sp.Symbol, Any], track: Track, status: Status, march: March, clock: Clock,
    ask: Ask, disk: SlabFile | None,
) -> Solution:  # fmt: skip
    basis, problem = basis_of(evolution, track), ended(evolution, track.records[-1].end)
    coefficients = np.concatenate([p.ravel() for p in track.polynomials]) if disk is None else disk.close(ask.to)
    numbers = tuple(values.values())
    whole = ask.keep is None and not isinstance(problem.domain, Pieces)
    residuals, messages = judge_expansion(problem, basis, coefficients, numbers) if whole else ((), ())
    clock.lap("check")
    return expanded_solution(
        problem, basis, coefficients, values, solver=march.stepper.words, error=error_of(track), residuals=residuals,
        shape=march.stepper.shape, seconds=clock.laps, status=status,
        messages=messages if ask.start is None else (),  # of a solution that is continued they were told
        coarser=_better(evolution, track) if disk is None else None,
    )  # fmt: skip


def _better(evolution: Passing, track: Track) -> Coarser | None:
    """The march without its estimated error, from which results have theirs; None if it would take much memory."""
    if len(track.better) != len(track.records) or sum(p.size for _, p in track.better) > MOST_KEPT:
        return None
    spaces, polynomials = zip(*track.better, strict=True)
    basis = basis_of(evolution, Track(track.records, list(polynomials), list(spaces)))
    return Coarser(basis, np.concatenate([p.ravel() for p in polynomials]), error_of(track))


def _messages(
    evolution: Passing, solution: Solution, limit: float, error: float, status: Status, event: Event | None,
    cause: str | None, repeated: bool, smaller: float | None,
) -> list[Message]:  # fmt: skip
    name = evolution.time
    found: list[Message] = []
    slabs: Slabs = solution.basis.slabs  # type: ignore[attr-defined]
    end, early = slabs[-1].end, EARLY.get(status)
    if event is not None and status != "event":
        found.append(Message(AccuracyWarning, f"until={event.text} did not change sign up to {name} = {end:g}."))
    if early is not None and end != evolution.stop:
        text = f"The march ended at {name} = {end:g} and not at {evolution.stop:g}: {early}"
        found.append(Message(AccuracyWarning, text, {} if status == "stalled" else {"onward": True}))
    if not error <= limit:
        bad = next((r for r in slabs if not max(r.estimate, r.own) <= limit), slabs[-1])
        grows = slabs[-1].estimate > GROWN * max(float(np.median(slabs.own)), EPS)
        if cause is None and grows:
            cause = "The problem amplifies small errors, which limits the digits that can be reached"
        if cause is None and repeated:
            cause = "Shorter slabs did not help: rounding limits the digits there, or the solution is not smooth enough"
        cause = cause or "Somewhere in space or time the solution is not smooth enough"
        found.append(
            Message(
                AccuracyWarning,
                f"The estimated relative error is {error:.1e}, above {limit:g}, which it passes at {name} = "
                f"{bad.begin:.4g}. "
                f"{cause}. solution.slabs has the estimate at all times.",
                {} if smaller is None else {"shorter": smaller},
            )
        )
    return found


def _cause(march: March, track: Track) -> str | None:
    """Why steps missed their tolerance, if that is known."""
    told = march.stepper.cause(bool(track.missed))
    if told is None and track.missed:
        return (
            f"From {march.stepper.evolution.time} = {track.missed[0]:.4g} on no refinement brought the error of a slab "
            f"down: the solution has a jump or a kink there, or the start does not fit the boundary conditions"
        )
    return told


def _joined(start: Solution, track: Track) -> Track:
    """The slabs of the earlier solution and the new ones."""
    basis: SlabBasis = start.basis  # type: ignore[assignment]
    polynomials = [basis.block(start.coefficients, k) for k in range(len(basis.slabs))]
    spaces: list[Any] = [basis.spaces[k] for k in basis.which]
    return Track([*basis.slabs, *track.records], polynomials + track.polynomials, spaces + track.spaces, track.missed)


def _nothing(evolution: Passing, march: March) -> str:
    return (
        f"No step could be solved from {evolution.time} = {march.stepper.t:g}. The usual causes are too few or "
        f"contradictory boundary conditions, or equations that are undefined at the initial values. Check both."
    )
