"""Steps by collocation at Radau's points with features of space: Radau IIA of high order, a slab of time each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from transnet.arrays import floored
from transnet.problem.complex import complex_pairs
from transnet.slabs.decay import AIMED
from transnet.slabs.degenerate import degenerate
from transnet.slabs.evolution import Evolution, Side
from transnet.slabs.factors import Factors
from transnet.slabs.lengths import Lengths
from transnet.slabs.refine import coarser, finer, tails_of
from transnet.slabs.rough import Rough
from transnet.slabs.slab import JudgedSlab, Solved, beyond_rounding, judge, newton, sizes_of
from transnet.slabs.space import Space
from transnet.slabs.stages import at_end
from transnet.slabs.stepper import TrialStep
from transnet.slabs.switches import Switches
from transnet.slabs.systems import free_of_matrix, system_of
from transnet.slabs.track import ABSENT, LOST, Reached, Settings, Track
from transnet.tolerances import ROUNDED

SHARE = 0.1
"""A slab's end may have this share of the tolerance however short it is: with 0.02 a Brusselator in a square takes
twice as long for a third of the error, and on lines it is the same (benchmarks/constants.py slabs)."""
DROPPED = 0.01
"""Coefficients that are this part of the tolerance are dropped when they are many."""
EXTRAPOLATED = 4
"""Derivatives at the end of a slab from which the next is guessed."""


class Collocation:
    """An evolution at a place, in features of space that can change.

    `gap` is the relative gap between the start and a boundary condition, if it is above the tolerance, and `rough` what
    was smoothed because it is carried along.
    """

    def __init__(
        self, evolution: Evolution, values: Sequence[Any], settings: Settings, place: Reached,
        gap: tuple[float, Side] | None = None, rough: Rough | None = None,
    ) -> None:  # fmt: skip
        place = replace(place, sizes=np.maximum(place.sizes, settings.least))
        self.evolution, self.values, self.place, self.gap, self.rough = evolution, tuple(values), place, gap, rough
        self.pairs = tuple(complex_pairs(evolution.problem).values())
        self.settings, self.stages = settings, settings.stages
        self.length = abs(evolution.stop - evolution.start)
        self.switches = Switches(evolution, self.values)
        self._build(place.space)
        self.carried = self._relative(sizes_of(self.rich, place.error[0]), place.sizes)

    @property
    def t(self) -> float:
        return self.place.t

    @property
    def space(self) -> Space:
        return self.place.space

    @property
    def linear(self) -> bool:
        return self.evolution.linear

    def lengths(self) -> Lengths:
        first = self.length * (1.0 if self.settings.edges else self.settings.first)
        return Lengths(self.length, first, self.stages + 1)

    def share(self, tau: float) -> float:
        return max(tau / self.length, SHARE)

    # -- features of space -------------------------------------------------------------------------------------------
    def _build(self, space: Space) -> None:
        self.system = system_of(self.evolution, space, self.stages, self.values)
        self.rich = system_of(self.evolution, space.richer(), self.stages + 1, self.values)
        self.transfer = space.transfer(self.rich.space)
        self.factors: tuple[float, Factors, Factors] | None = None
        self.last: tuple[float, np.ndarray] | None = None

    def finer(self, found: TrialStep, scale: np.ndarray, quality: float) -> Space | None:
        free, relative = free_of_matrix(self.evolution, self.space, self.values), found.polynomials / scale[:, None]
        largest = max((float(t.max()) for t in tails_of(self.space, relative)), default=0.0)
        return finer(self.space, relative, free, AIMED * largest / quality)

    def use(self, space: Space) -> None:
        """Use other features of space from here on."""
        old, place = self.rich.space, self.place
        self._build(space)
        rich = self.rich.space
        state = place.space.transfer(space)(place.state)
        # What other features do not have of the state is an error, as far as richer ones have it.
        left = place.space.transfer(rich)(place.state) - self.transfer(state)
        error = old.transfer(rich)(place.error) + left
        self.place = replace(place, space=space, state=state, error=error)

    def tails(self, found: TrialStep, scale: np.ndarray) -> tuple[float, float]:
        """The relative size of the last coefficients in space, and of the first missing one in time."""
        sizes = (sizes_of(self.system, found.polynomials) / scale).max(axis=1)
        high, low = max(sizes[-1], 1e-300), max(sizes[-3] if len(sizes) > 2 else sizes[0], 1e-300)
        in_space = max((float(t.max()) for t in tails_of(self.space, found.polynomials / scale[:, None])), default=0.0)
        return in_space, float(high * min(1.0, np.sqrt(high / low)))

    # -- slabs -------------------------------------------------------------------------------------------------------
    def attempt(self, tau: float) -> TrialStep | None:
        found = self._solved(tau)
        if found is None:
            self.factors = self.last = None
            return None
        solved, judged = found
        now = sizes_of(self.system, solved.stages).max(axis=0)
        sizes = np.maximum(self.place.sizes, now)
        for pair in self.pairs:  # the parts of a complex unknown share a size, as either may be zero for a while
            sizes[list(pair)] = sizes[list(pair)].max()
            now[list(pair)] = np.hypot(*now[list(pair)])
        inside, end = (beyond_rounding(self.system, e, sizes, LOST) for e in (judged.inside, judged.end))
        reached = Reached(self.t + tau, self.space, solved.ends, judged.carried, sizes)
        return TrialStep(solved.polynomials, sizes, now, inside, end, solved.steps, (reached, judged))

    def _solved(self, tau: float) -> tuple[Solved, JudgedSlab] | None:
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
        constant = np.zeros((self.stages, self.system.unknowns, self.system.columns))
        constant[:] = self.place.state[0]
        if self.last is None or self.evolution.linear:
            return [constant]
        old, polynomials = self.last
        h = tau / old * self.system.stages.nodes
        total, power = np.zeros_like(constant), np.ones_like(h)
        for order in range(EXTRAPOLATED):
            slope = np.tensordot(at_end(len(polynomials) - 1, order), polynomials, axes=1)
            total += power[:, None, None] * slope * 2.0**order
            power = power * h / (order + 1)
        return [total, constant]

    def accept(self, found: TrialStep, end: float, track: Track) -> np.ndarray:
        reached, judged = found.reached
        self.last = (end - self.t, found.polynomials)
        if self.rough is None and self.gap is None:
            track.better.append((self.rich.space, judged.better))
        self.place = replace(reached, t=end)
        # An unknown without time derivative has only its own error.
        moving = np.array(self.evolution.orders) > 0
        carried = np.where(moving, sizes_of(self.rich, judged.carried[0]), judged.end)
        carried = carried if self.rough is None else np.hypot(carried, self.rough.floor)
        self.carried = self._relative(carried, reached.sizes)
        return np.stack([carried, judged.inside])

    @staticmethod
    def _relative(errors: np.ndarray, sizes: np.ndarray) -> float:
        return float((errors / floored(sizes, ABSENT)).max())

    def adapt(self) -> None:
        """Drop features that no longer count; there are more only where a slab is rejected."""
        assert self.last is not None
        tau, polynomials = self.last
        relative = polynomials / floored(self.place.sizes, ABSENT)[:, None]
        space = coarser(self.space, relative, DROPPED * self.settings.tol * self.share(abs(tau)))
        if space is not None:
            self.use(space)

    def begin_anew(self) -> None:
        """A slab needs no slope."""

    def conclude(self, track: Track) -> None:
        """All errors are known."""

    def cut(self, found: TrialStep, tau: float) -> float | None:
        if not self.switches.parts or tau <= ROUNDED * self.length:
            return None
        t, sign = self.t, np.sign(self.evolution.stop - self.evolution.start)
        moment = self.switches.first(found.polynomials, self.space, t, t + sign * tau)
        return None if moment is None else abs(moment - t)

    # -- words ---------------------------------------------------------------------------------------------------------
    @property
    def words(self) -> str:
        return "slabs"

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of a slab."""
        system = self.system
        rows = system.stages.count * (sum(system.counts) + system.joints.shape[0])
        return rows, system.stages.count * system.unknowns * system.columns

    def cause(self, missed: bool) -> str | None:
        """Why a tolerance was missed, if that is known."""
        if self.gap is not None:
            size, side = self.gap
            return (
                f"The start does not fit '{side.statement.label}': at {side.place:g} they are {size:.1e} apart, "
                f"relative to their size, and no more digits can be reached. Make the domain larger, or make the two "
                f"agree"
            )
        if self.rough is not None:
            return self._roughness(self.rough)
        return degenerate(self.evolution, self.space, self.values) if missed and not self.evolution.linear else None

    def _roughness(self, rough: Rough) -> str:
        """Jumps and kinks that are carried along, by their places."""
        name = self.evolution.problem.coordinates[1 - self.evolution.axis]
        where = [f"the start has a jump or a kink at {name} = {p:.6g}" for p in rough.places[:3]]
        where += [
            f"the start does not fit '{side.statement.label}' at {name} = {side.place:g}" for side in rough.walls[:3]
        ]
        text = "; ".join(where)
        return (
            f"{text[0].upper()}{text[1:]}. The equations carry that along without smoothing it, so it was smoothed "
            f"over a length of {rough.width:.2g}. Most of the error is there; elsewhere it is far smaller"
        )
