"""Marching: slab after slab, with lengths and features of space controlled by the error of each.

A slab is accepted if its own error is below the tolerance inside and, at its end, below its share of the tolerance in
proportion to its length. If not, the last coefficients show which is too coarse, time or space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from transnet.arrays import floored
from transnet.problem.complex import complex_pairs
from transnet.slabs.evolution import Evolution, Side
from transnet.slabs.factors import Factors
from transnet.slabs.records import SlabRecord
from transnet.slabs.refine import finer, tails_of
from transnet.slabs.rough import Rough
from transnet.slabs.slab import JudgedSlab, Solved, beyond_rounding, judge, newton, sizes_of
from transnet.slabs.space import Space
from transnet.slabs.stages import at_end
from transnet.slabs.switches import Switches
from transnet.slabs.systems import free_of_matrix, system_of
from transnet.slabs.track import ABSENT, Reached, Settings, Track
from transnet.tolerances import BESIDE, ROUNDED, SAME

SHORTEST = 1e-13
"""The shortest slab, in units of the time reached or of the whole time, whichever is larger."""
SHARE = 0.02
"""A slab's end may have this share of the tolerance however short it is; from 0.005 to 0.1 errors and times are the
same within a tenth (benchmarks/constants.py slabs)."""
GROWTH = 1.8
"""A slab that could be longer by less keeps its length, so that its factors are used again: with 1.1 six digits take a
quarter longer and have 1.8 times the error, with 1.35 a tenth and 1.2 times, with 2.4 it is the same
(benchmarks/constants.py slabs)."""
FLOOR = 0.5
IDLE = {"space": 3, "time": 12}
"""An error that falls by less in this many refinements is rounding, or a kink that no refinement resolves. A layer in
time may be that many times shorter than the first slab tried."""
EASED = 1.5
"""Where the start does not fit a wall, a slab that missed its tolerance leaves so many times what it reached to those
behind it: a packet that is 1e-8 at its walls took a minute, each slab being tried twelve times, and takes seconds."""
LOST = 3e-14
"""Errors below are rounding."""
FOLLOWS = 0.02
"""A slab need not be better than this part of the error carried to it. Without it a wall that sends a step takes eighty
times as long for the same error; 0.1 is the same (benchmarks/constants.py missed)."""
AS_GOOD = 3.0
"""Of slabs that all missed their tolerance, one whose error is this many times the least is as good."""
SAFETY = 0.9
"""The next slab is shorter by this factor than the one expected to have exactly the wanted error: the usual factor of
step control. With 0.8 the error is 0.75 times as large and the time 1.05 times, with 1.0 1.25 and 0.94 times
(benchmarks/constants.py slabs)."""
SHORTER, SHORTER_AGAIN, LONGER = (0.2, 0.8), (0.2, 0.4), 2.5
"""How much shorter an inaccurate slab becomes, at most and at least, the first time and later; how much longer a slab
may become: with 1.5 six digits take a third longer, with 4 the error is twice as large for the same time
(benchmarks/constants.py slabs)."""
FAILED, FAILED_FIRST = 0.3, 0.1
"""How much shorter a slab becomes if the iteration fails, and the first one, whose length is untested."""
SEPARATE = 0.1
"""If the tail in time is smaller than this part of that in space, it alone decides how long a slab may be; from 0.01 to
1 the mean error is 0.8 to 1.1 times this (benchmarks/constants.py slabs)."""
EXACT = 1e-10
"""The least part of the tolerance assumed for an error when the next length is chosen."""


class March:
    """The march of an evolution from a place to its end.

    `gap` is the relative gap between the start and a boundary condition, if it is above the tolerance, and `rough` what
    was smoothed because it is carried along.
    """

    def __init__(
        self, evolution: Evolution, values: Sequence[Any], settings: Settings, place: Reached,
        gap: tuple[float, Side] | None = None, rough: Rough | None = None,
    ) -> None:  # fmt: skip
        self.gap, self.rough = gap, rough
        self.pairs = tuple(complex_pairs(evolution.problem).values())
        self.evolution, self.values, self.settings, self.place = evolution, tuple(values), settings, place
        self.track = Track()
        self.switches = Switches(evolution, self.values)
        self.before: Reached | None = None
        self.length = abs(evolution.stop - evolution.start)
        self.sign = 1.0 if evolution.stop >= evolution.start else -1.0
        self._use(place.space)
        self.carried = float((sizes_of(self.rich, place.error[0]) / floored(place.sizes, ABSENT)).max())

    # -- features of space -------------------------------------------------------------------------------------------
    def _use(self, space: Space) -> None:
        """Use other features of space from here on."""
        old, place = getattr(self, "rich", None), self.place
        self.system = system_of(self.evolution, space, self.settings.stages, self.values)
        rich = space.richer()
        self.rich = system_of(self.evolution, rich, self.settings.stages + 1, self.values)
        if old is not None:
            place.error = old.space.transfer(rich)(place.error)
            place.state = place.space.transfer(space)(place.state)
        place.space = space
        self.transfer = space.transfer(rich)
        self.factors: tuple[float, Factors, Factors] | None = None
        self.last: tuple[float, np.ndarray] | None = None

    def refined(self, coefficients: np.ndarray, scale: np.ndarray) -> Space | None:
        """A space that resolves more where the last coefficients (..., unknowns, columns) are largest; None if there is
        none."""
        free = free_of_matrix(self.evolution, self.place.space, self.values)
        return finer(self.place.space, coefficients / scale[:, None], free)

    # -- slabs -------------------------------------------------------------------------------------------------------
    def run(self, watch: Callable[[Track, Reached], bool]) -> Track:
        """March to the end, or until `watch` says so; it is called after each slab."""
        stop, settings = self.evolution.stop, self.settings
        tau = self.length if settings.edges else self.length * settings.first
        before, idle = np.inf, dict.fromkeys(IDLE, 0)
        order = settings.stages + 1
        tried: list[tuple[float, float]] = []  # lengths of slabs that were rejected here, and by how much
        forced, eased = False, 1.0
        while self.sign * (stop - self.place.t) > ROUNDED * self.length:
            left = abs(self._limit() - self.place.t)
            tau = left / np.ceil(left / tau - SAME)
            if self.factors is not None and abs(self.factors[0] - self.sign * tau) <= ROUNDED * tau:
                tau = abs(self.factors[0])
            found = self._attempt(self.sign * tau)
            shortest = tau <= SHORTEST * max(abs(self.place.t), self.length)
            if found is None:
                if shortest:
                    break
                self.factors, self.last = None, None
                tau *= FAILED if self.track.records else FAILED_FIRST
                continue
            solved, judged = found
            sizes = self._sizes(solved)
            scale = floored(sizes, ABSENT)
            inside, ends = (beyond_rounding(self.system, e, sizes, LOST) for e in (judged.inside, judged.end))
            own, end = float((inside / scale).max()), float((ends / scale).max())
            share = max(tau / self.length, SHARE)
            tol = max(eased * settings.tol, FOLLOWS * self.carried)
            quality = max(own, end / share) / tol
            jump = settings.first < BESIDE and not self.track.records
            if quality > 1.0 and not shortest and not jump and not forced and max(own, end) > LOST:
                in_space, in_time = self._tails(solved, scale)
                wanted = in_space > in_time and idle["space"] < IDLE["space"]
                finer_space = self.refined(solved.polynomials, scale) if settings.edges or wanted else None
                kind = "time" if finer_space is None else "space"
                idle[kind] = idle[kind] + 1 if quality > FLOOR * before else 0
                if idle[kind] < IDLE[kind] and (finer_space is not None or not settings.edges):
                    before = min(before, quality)
                    if finer_space is not None:
                        self._use(finer_space)
                        tried = []
                    else:
                        self.factors = None
                        tried.append((tau, quality))
                        tau *= float(
                            np.clip(SAFETY * quality ** (-1.0 / order), *(SHORTER_AGAIN if idle["time"] else SHORTER))
                        )
                    continue
                # Shorter ones did not help: take the longest that is about as good.
                least = min([quality, *(q for _, q in tried)])
                longest = max((length for length, q in tried if q <= AS_GOOD * least), default=0.0)
                if longest > tau and not settings.edges:
                    tau, forced, self.factors = longest, True, None
                    continue
                self.track.missed.append(self.place.t)
            elif forced:
                self.track.missed.append(self.place.t)
            cut = None if forced or quality > 1.0 else self._cut(solved, tau)
            if cut is not None:
                tau, self.factors = cut, None
                continue
            if self.gap is not None and quality > 1.0:
                eased = max(eased, EASED * quality * tol / settings.tol)
            before, idle, tried, forced = np.inf, dict.fromkeys(IDLE, 0), [], False
            self._accept(solved, judged, self.sign * tau, own, sizes)
            if watch(self.track, self.place):
                break
            if settings.edges:
                tau = self.length
                continue
            # The error in space neither falls with shorter slabs nor grows with longer ones.
            in_space, in_time = self._tails(solved, scale)
            limit = quality if in_time > SEPARATE * in_space else min(quality, in_time / tol)
            wish = SAFETY * max(limit, EXACT) ** (-1.0 / order)
            if wish > GROWTH:
                tau *= min(wish, LONGER)
        return self.track

    def _cut(self, solved: Solved, tau: float) -> float | None:
        """The length of the slab up to where its solution meets something sharp; None if it does not."""
        if not self.switches.parts or self.settings.edges or tau <= SHORTEST * self.length / SEPARATE:
            return None
        t = self.place.t
        moment = self.switches.first(solved.polynomials, self.place.space, t, t + self.sign * tau)
        return None if moment is None else abs(moment - t)

    def end_at(self, moment: float) -> None:
        """Solve the last slab again so that it ends at a moment within it."""
        assert self.before is not None
        self.place = self.before
        self.factors, self.last = None, None
        track = self.track
        for kept in (track.records, track.polynomials, track.spaces, track.errors, track.spans):
            kept.pop()
        found = self._attempt(moment - self.place.t)
        assert found is not None
        sizes = self._sizes(found[0])
        self._accept(*found, moment - self.place.t, float((found[1].inside / floored(sizes, ABSENT)).max()), sizes)

    def _sizes(self, solved: Solved) -> np.ndarray:
        """The largest sizes so far; the parts of a complex unknown share one, as either may be zero for a while."""
        sizes = np.maximum(self.place.sizes, sizes_of(self.system, solved.stages).max(axis=0))
        for pair in self.pairs:
            sizes[list(pair)] = sizes[list(pair)].max()
        return sizes

    def _limit(self) -> float:
        t, near = self.place.t, ROUNDED * self.length
        ends = self.settings.edges or self.settings.stops
        return next((e for e in ends if self.sign * (e - t) > near), self.evolution.stop)

    def _attempt(self, tau: float) -> tuple[Solved, JudgedSlab] | None:
        place, kept = self.place, self.factors
        same = kept is not None and kept[0] == tau and not (self.system.renewed and not kept[1].exact)
        factors = kept[1] if same and kept is not None else None
        if factors is not None and self.system.renewed and not self.evolution.linear:
            factors = None
        solved = None
        for guess in self._guesses(tau):
            solved = newton(self.system, place.state, place.t, tau, guess, factors, self.settings.tol, place.sizes)
            if solved is not None:
                break
            factors = None
        if solved is None:
            return None
        same_rich = same and kept is not None and solved.factors is kept[1]
        judged = judge(
            self.rich, self.transfer, place.state, solved, place.t, tau, place.error,
            kept[2] if same_rich and kept is not None else None,
        )  # fmt: skip
        if judged is None:
            return None
        self.factors = (tau, solved.factors, judged.factors)
        return solved, judged

    def _guesses(self, tau: float) -> list[np.ndarray]:
        """Where Newton's steps begin: the last slab extrapolated, and the start itself."""
        n, place = self.settings.stages, self.place
        constant = np.zeros((n, self.system.unknowns, self.system.columns))
        constant[:] = place.state[0]
        if self.last is None:
            return [constant]
        old, polynomials = self.last
        if self.evolution.linear:
            return [constant]
        h = tau / old * self.system.stages.nodes
        total, power = np.zeros_like(constant), np.ones_like(h)
        for order in range(4):
            slope = np.tensordot(at_end(len(polynomials) - 1, order), polynomials, axes=1)
            total += power[:, None, None] * slope * 2.0**order
            power = power * h / (order + 1)
        return [total, constant]

    def _tails(self, solved: Solved, scale: np.ndarray) -> tuple[float, float]:
        """The relative size of the last coefficients in space, and of the first missing one in time."""
        sizes = (sizes_of(self.system, solved.polynomials) / scale).max(axis=1)
        high, low = max(sizes[-1], 1e-300), max(sizes[-3] if len(sizes) > 2 else sizes[0], 1e-300)
        in_space = max(
            (float(t.max()) for t in tails_of(self.place.space, solved.polynomials / scale[:, None])), default=0.0
        )
        return in_space, float(high * min(1.0, np.sqrt(high / low)))

    def _accept(self, solved: Solved, judged: JudgedSlab, tau: float, own: float, sizes: np.ndarray) -> None:
        place = self.place
        self.before = replace(place)
        place.t, place.state, place.error, place.sizes = place.t + tau, solved.ends, judged.carried, sizes
        if abs(self._limit() - place.t) <= ROUNDED * self.length:
            place.t = self._limit()
        moving = np.array(self.evolution.orders) > 0
        carried = np.where(moving, sizes_of(self.rich, judged.carried[0]), judged.end)
        if self.rough is not None:
            carried = np.hypot(carried, self.rough.floor)
        estimate = self.carried = float((carried / floored(sizes, ABSENT)).max())
        self.track.errors.append(np.stack([carried, judged.inside]))
        self.last = (tau, solved.polynomials)
        begin = self.track.records[-1].end if self.track.records else place.t - tau
        self.track.records.append(SlabRecord(begin, place.t, estimate, own, solved.steps, self.system.columns))
        self.track.polynomials.append(solved.polynomials)
        self.track.spaces.append(place.space)
        now = sizes_of(self.system, solved.stages).max(axis=0)
        for pair in self.pairs:
            now[list(pair)] = np.hypot(*now[list(pair)])
        self.track.spans.append((abs(tau), now))
