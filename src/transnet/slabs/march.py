"""Marching: step after step, with lengths and features of space controlled by the error of each.

A step is accepted if its own error is below the tolerance inside and, at its end, below its share of the tolerance. If
not, the stepper says which is too coarse, time or space.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transnet.arrays import floored
from transnet.slabs.records import SlabRecord
from transnet.slabs.stepper import Stepper, TrialStep
from transnet.slabs.track import ABSENT, LOST, Track
from transnet.tolerances import BESIDE, ROUNDED

FLOOR = 0.5
IDLE = 3
"""An error that falls by less in this many refinements of space is rounding, or a kink that no refinement resolves."""
EASED = 1.5
"""Where the start does not fit a wall, a slab that missed its tolerance leaves so many times what it reached to those
behind it: a packet that is 1e-8 at its walls took a minute, each slab being tried twelve times, and takes seconds."""
FOLLOWS = 0.02
"""A slab need not be better than this part of the error carried to it. Without it a wall that sends a step takes eighty
times as long for the same error; 0.1 is the same (benchmarks/constants.py missed)."""
AS_GOOD = 3.0
"""Of slabs that all missed their tolerance, one whose error is this many times the least is as good."""
SEPARATE = 0.1
"""If the tail in time is smaller than this part of that in space, it alone decides how long a slab may be; from 0.01 to
1 the mean error is 0.8 to 1.1 times this (benchmarks/constants.py slabs)."""


class March:
    """The march of a stepper from its place to the end of the evolution."""

    def __init__(self, stepper: Stepper) -> None:
        self.stepper, self.settings, self.track = stepper, stepper.settings, Track()
        self.stop = stepper.evolution.stop
        self.length = abs(self.stop - stepper.evolution.start)
        self.sign = 1.0 if self.stop >= stepper.evolution.start else -1.0
        self.lengths = stepper.lengths()
        self.before = stepper.place

    def run(self, watch: Callable[[Track, float], bool]) -> None:
        """March to the end, or until `watch` says so; it is called after each step."""
        stepper, settings, lengths = self.stepper, self.settings, self.lengths
        before, idle = np.inf, {"space": 0, "time": 0}
        tried: list[tuple[float, float]] = []  # lengths of steps that were rejected here, and by how much
        forced, eased = False, 1.0
        while self.sign * (self.stop - stepper.t) > ROUNDED * self.length:
            tau = lengths.fitted(stepper.t, self._limit())
            found = stepper.attempt(self.sign * tau)
            shortest = lengths.shortest(stepper.t)
            if found is None:
                if shortest:
                    break
                lengths.fail(not self.track.records)
                continue
            scale = floored(found.sizes, ABSENT)
            own, end = float((found.inside / scale).max()), float((found.end / scale).max())
            tol = max(eased * settings.tol, FOLLOWS * stepper.carried)
            quality = max(own, end / stepper.share(tau)) / tol
            excused = shortest or forced or lengths.graded or (settings.first < BESIDE and not self.track.records)
            if quality > 1.0 and not excused and max(own, end) > LOST:
                in_space, in_time = stepper.tails(found, scale)
                wanted = in_space > in_time and idle["space"] < IDLE
                finer = stepper.finer(found, scale, quality) if settings.edges or wanted else None
                kind, most = ("time", lengths.patience) if finer is None else ("space", IDLE)
                idle[kind] = idle[kind] + 1 if quality > FLOOR * before else 0
                # Without finer features shorter steps only move the error in space from one to many.
                crowded = wanted and finer is None
                if idle[kind] < most and not crowded and (finer is not None or not settings.edges):
                    before = min(before, quality)
                    if finer is not None:
                        stepper.use(finer)
                        tried = []
                    else:
                        tried.append((tau, quality))
                        lengths.reject(quality, idle["time"] > 0)
                    continue
                # Shorter ones did not help: take the longest that is about as good.
                least = min([quality, *(q for _, q in tried)])
                longest = max((length for length, q in tried if q <= AS_GOOD * least), default=0.0)
                if longest > tau and not settings.edges and not lengths.dyadic:
                    lengths.tau, forced = longest, True
                    continue
                self.track.missed.append(stepper.t)
            elif forced:
                self.track.missed.append(stepper.t)
            cut = None if forced or quality > 1.0 or settings.edges else stepper.cut(found, tau)
            if cut is not None:
                lengths.tau = cut
                continue
            if stepper.gap is not None and quality > 1.0:
                eased = max(eased, EASED * quality * tol / settings.tol)
            before, idle, tried, forced = np.inf, {"space": 0, "time": 0}, [], False
            # The error in space neither falls with shorter slabs nor grows with longer ones.
            in_space, in_time = stepper.tails(found, scale)
            self._accept(found, self.sign * tau, own)
            if watch(self.track, stepper.t):
                break
            if settings.edges:
                lengths.tau = self.length
                continue
            lengths.accept(quality, quality if in_time > SEPARATE * in_space else min(quality, in_time / tol))
            stepper.adapt()

    def end_at(self, moment: float) -> None:
        """Solve the last step again so that it ends at a moment within it."""
        self.stepper.place = self.before
        for kept in (track := self.track).records, track.polynomials, track.spaces, track.errors, track.spans:
            kept.pop()
        del track.better[-1:]
        tau = moment - self.stepper.t
        found = self.stepper.attempt(tau)
        assert found is not None
        self._accept(found, tau, float((found.inside / floored(found.sizes, ABSENT)).max()))

    def _limit(self) -> float:
        t, near = self.stepper.t, ROUNDED * self.length
        ends = self.settings.edges or self.settings.stops
        return next((e for e in ends if self.sign * (e - t) > near), self.stop)

    def _accept(self, found: TrialStep, tau: float, own: float) -> None:
        stepper, track, limit = self.stepper, self.track, self._limit()
        self.before, begin = stepper.place, track.records[-1].end if track.records else stepper.t
        end = stepper.t + tau
        end = limit if abs(limit - end) <= ROUNDED * self.length else end
        errors = stepper.accept(found, end, track)
        if end in self.settings.stops:
            stepper.begin_anew()
        track.errors.append(errors)
        estimate = float((errors[0] / floored(found.sizes, ABSENT)).max())
        track.records.append(SlabRecord(begin, end, estimate, own, found.steps, stepper.space.columns))
        track.polynomials.append(found.polynomials)
        track.spaces.append(stepper.space)
        track.spans.append((abs(tau), found.now))
        track.largest = found.sizes
