"""Steps of a diagonally implicit method, each stage an elliptic problem in pieces, for the march of `slabs.march`.

Beside every march goes one with smaller networks in the same cells and steps of twice the length: the distance of both
is the error. Between moments an unknown is a cubic with their values and slopes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from transnet.arrays import floored
from transnet.cells.basis import CellBasis
from transnet.counts import ALONG
from transnet.geometry import Pieces
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.estimate import OF_CHANGE
from transnet.pieces.solve import MOST_CELLS
from transnet.slabs.lengths import Dyadic, Lengths
from transnet.slabs.stages import legendre_table
from transnet.slabs.stepper import Scheme, TrialStep
from transnet.slabs.stops import forcing_of, stops_of
from transnet.slabs.track import Settings, Track
from transnet.solution.solution import Solution
from transnet.steps.cells import LOOSE, SHARE, end_in_both, ends_in_cells, fits, levels, same_levels, smaller
from transnet.steps.level import Moment, StepLevel
from transnet.steps.resolved import carried, on_boxes, unresolved
from transnet.steps.statement import Rothe, stated_in_time
from transnet.steps.tableau import CUBIC, ORDER, QUADRATIC
from transnet.tolerances import BESIDE, ROUNDED

AIM, ACCEPTABLE = 3e-5, 1e-4
"""What a plain solve aims at, and above which it warns."""
FALLS = 0.1
"""How much smaller the error is than with smaller networks and steps of twice the length: 1/15 for the steps."""
LEGS = 12
"""Sets of cells, one after the other, that a march takes at most."""


def esdirk_scheme(rothe: Rothe, values: tuple[Any, ...], in_cells: bool = False) -> Scheme:
    """Steps with an elliptic problem for each stage, in cells or in pieces."""
    places = rothe.elliptic.domain.interior(ALONG, "quasi", 0)
    stated = stated_in_time(rothe)
    stops = stops_of(rothe, stated, values)
    least = BESIDE * forcing_of(rothe, stated, values, stops)
    return Scheme(partial(implicit_from, in_cells), AIM, ACCEPTABLE, 1, stops, least, places)


def implicit_from(
    in_cells: bool, rothe: Rothe, values: Mapping[Any, Any], settings: Settings, start: Solution | None
) -> DiagonallyImplicit:
    """The beginning of a march, or the end of a solution."""
    if start is None:
        fine, coarse = levels(rothe, settings.tol, dict(values), settings.seconds, in_cells)
        begun, known = (fine.start(), coarse.start()), 0.0
    elif in_cells:
        fine, coarse = levels(rothe, settings.tol, dict(values), settings.seconds, in_cells)
        begun, known = ends_in_cells(start, fine, coarse), start.basis.slabs[-1].estimate  # type: ignore[attr-defined]
    else:
        fine, coarse = same_levels(rothe, settings.tol, dict(values), start)
        begun, known = end_in_both(start, fine, coarse, settings.stops), start.basis.slabs[-1].estimate  # type: ignore[attr-defined]
    return DiagonallyImplicit(rothe, settings, fine, coarse, *begun, known)


@dataclass(frozen=True, eq=False)
class Walked:
    """The position of a march.

    Parameters
    ----------
    now : Moment
    before : tuple of Moment
        The moments before, on the same cells.
    coarse : Moment
        Where the march with smaller networks is.
    waiting : float
        The length of the last step, if that march waits for another to take both at once; else 0.
    error : array
        The error as far as it is known, by unknown.
    sizes : array
        The largest sizes so far.
    """

    now: Moment
    before: tuple[Moment, ...]
    coarse: Moment
    waiting: float
    error: np.ndarray
    sizes: np.ndarray


class DiagonallyImplicit:
    """An evolution at a place, on cells that can change."""

    carried, gap = 0.0, None

    def __init__(
        self, rothe: Rothe, settings: Settings, fine: StepLevel, coarse: StepLevel, now: Moment, behind: Moment,
        known: float,
    ) -> None:  # fmt: skip
        self.evolution, self.fine, self.coarse = rothe, fine, coarse
        # Where the start does not fit, or may not, layers that decay are not resolved.
        self.smooth = not isinstance(rothe.elliptic.domain, Pieces) and fits(rothe, fine.values)
        self.limit = settings.tol * (SHARE if self.smooth else LOOSE[False])
        self.settings = replace(settings, tol=SHARE * settings.tol)
        sizes = np.maximum(fine.looked_at(now.state[0]), settings.least)
        self.origin, self.known, self.legs = now.t, known * sizes, 1
        self.place = Walked(now, (), behind, 0.0, self.known, sizes)

    @property
    def t(self) -> float:
        return self.place.now.t

    @property
    def space(self) -> PiecewiseBasis | CellBasis:
        return self.fine.basis

    @property
    def linear(self) -> bool:
        return self.evolution.linear

    def lengths(self) -> Lengths:
        length = self.evolution.stop - self.evolution.start
        self._lengths = Lengths(length, length, ORDER) if self.settings.edges else Dyadic(length, ORDER)
        return self._lengths

    def share(self, tau: float) -> float:
        return 1.0

    # -- steps ---------------------------------------------------------------------------------------------------------
    def attempt(self, tau: float) -> TrialStep | None:
        fine, place, before = self.fine, self.place, self.fine.newton_steps
        moment, gap = fine.step(place.now, tau)
        error = fine.looked_at(gap)
        if not np.isfinite(error).all():
            return None
        now = fine.looked_at(moment.state[0])
        steps = max(1, fine.newton_steps - before)
        made = polynomials((*place.before, place.now, moment), len(place.before), fine.moving)
        return TrialStep(made, np.maximum(place.sizes, now), now, error, error, steps, moment)

    def accept(self, found: TrialStep, end: float, track: Track) -> np.ndarray:
        place, tau = self.place, end - self.t
        moment = replace(found.reached, t=end)
        coarse, waiting, error = place.coarse, place.waiting, place.error
        if waiting and abs(waiting - tau) <= ROUNDED * tau:
            coarse = self.coarse.step(coarse, 2 * waiting)[0]
            error = self._distance(moment, coarse)
            track.errors[-1][0] = 0.5 * (place.error + error)
            waiting = 0.0
        else:
            if waiting:
                coarse = self.coarse.step(coarse, waiting)[0]
                error = track.errors[-1][0] = self._distance(place.now, coarse)
            waiting = tau if self._first_of_two(tau, end) else 0.0
            if not waiting:
                coarse = self.coarse.step(coarse, tau)[0]
                error = self._distance(moment, coarse)
        inside = np.zeros_like(error)
        if place.before:
            inside, earlier = self._between(place.before[-1], place.now, moment)
            track.errors[-1][1] = np.minimum(track.errors[-1][1], earlier) if len(place.before) > 1 else earlier
            if not self.fine.moving.all():  # what has no slope is known better with another moment
                every = (*place.before, place.now, moment)
                track.polynomials[-1] = polynomials(every, len(place.before) - 1, self.fine.moving)
        self.place = Walked(moment, (*place.before, place.now)[-2:], coarse, waiting, error, found.sizes)
        return np.stack([error, inside])

    def _first_of_two(self, tau: float, end: float) -> bool:
        """Whether another step of this length may follow, with which this one is one of twice the length."""
        pairs = (self.t - self.origin) / (2 * tau)
        last = self._lengths.end if isinstance(self._lengths, Dyadic) else self.evolution.stop
        return abs(pairs - round(pairs)) < BESIDE and abs(last - end) > BESIDE * tau

    def conclude(self, track: Track) -> None:
        place = self.place
        if place.waiting:
            coarse = self.coarse.step(place.coarse, place.waiting)[0]
            error = track.errors[-1][0] = self._distance(place.now, coarse)
            self.place = replace(place, coarse=coarse, waiting=0.0, error=error)

    def begin_anew(self) -> None:
        place = self.place
        now, coarse = (replace(m, slopes=None) for m in (place.now, place.coarse))
        self.origin, self.place = now.t, replace(place, now=now, coarse=coarse, before=())

    def cut(self, found: TrialStep, tau: float) -> float | None:
        return None

    # -- cells ---------------------------------------------------------------------------------------------------------
    def tails(self, found: TrialStep, scale: np.ndarray) -> tuple[float, float]:
        return 0.0, 1.0

    def finer(self, found: TrialStep, scale: np.ndarray, quality: float) -> None:
        return None

    def use(self, space: Any) -> None:
        """Cells are cut behind steps that were taken."""

    def adapt(self) -> None:
        """Finer cells, where they no longer resolve the solution and there are not too many yet."""
        fine, place = self.fine, self.place
        if fine.taken is None or fine.fixed or place.waiting or not self._lengths.settled or self.legs >= LEGS:
            return
        share = float((fine.looked_at(place.now.state[0]) / floored(place.sizes)).max())
        boxes = unresolved(fine, fine.taken, share, self.limit)
        if boxes is None or len(boxes) > MOST_CELLS[fine.space.dimension] // max(1, fine.unknowns - 1):
            return
        fresh = on_boxes(fine, boxes)
        coarse = smaller(fresh)
        now, behind = carried(fine, fresh, place.now), carried(self.coarse, coarse, place.coarse)
        self.place = replace(place, now=now, coarse=behind, before=())
        self.fine, self.coarse, self.legs = fresh, coarse, self.legs + 1

    # -- errors --------------------------------------------------------------------------------------------------------
    def _distance(self, moment: Moment, behind: Moment) -> np.ndarray:
        """The error of a moment, from smaller networks with steps of twice the length."""
        points, shares = self.fine.compared
        slots = [(0, (0,) * points.shape[1])]
        here, there = (
            level.basis.derivatives(at.state[0].T, points, slots)[0]
            for level, at in ((self.fine, moment), (self.coarse, behind))
        )
        gap = np.sqrt(shares @ (here - there) ** 2)
        return np.asarray(np.hypot(OF_CHANGE * FALLS * gap, self.known))

    def _between(self, first: Moment, middle: Moment, last: Moment) -> tuple[np.ndarray, np.ndarray]:
        """The errors of the cubics behind and before a moment, by how far one over both steps passes from it."""
        nothing = np.zeros(len(self.evolution.orders))
        if first.slope is None or last.slope is None:
            return nothing, nothing
        a, b = middle.t - first.t, last.t - middle.t
        h, s = a + b, a / (a + b)
        passed = (1 + 2 * s) * (1 - s) ** 2 * first.state[0] + s**2 * (3 - 2 * s) * last.state[0]
        passed = passed + h * s * (1 - s) * ((1 - s) * first.slope - s * last.slope)
        fourth = np.where(self.fine.moving, self.fine.looked_at(passed - middle.state[0]), 0.0) / (a * b) ** 2
        return fourth * (b / 2) ** 4, fourth * (a / 2) ** 4

    # -- words ---------------------------------------------------------------------------------------------------------
    @property
    def words(self) -> str:
        return f"steps in time, {self.fine.count} {self.fine.basis.kind}"

    @property
    def shape(self) -> tuple[int, int]:
        return self.fine.rows, self.fine.basis.columns * len(self.evolution.orders)

    def cause(self, missed: bool) -> str | None:
        if self.smooth:
            return None
        return "The usual causes are a start that does not fit the boundary conditions, and corners"


def polynomials(moments: tuple[Moment, ...], number: int, moving: np.ndarray) -> np.ndarray:
    """The unknowns between a moment and the next: (degree + 1, unknowns, columns)."""
    a, b = moments[number], moments[number + 1]
    half = 0.5 * (b.t - a.t)
    assert b.slope is not None
    if a.slope is None:
        made = np.tensordot(QUADRATIC, np.stack([a.state[0], b.state[0], half * b.slope]), axes=1)
    else:
        made = np.tensordot(CUBIC, np.stack([a.state[0], b.state[0], half * a.slope, half * b.slope]), axes=1)
    if not moving.all():
        # Unknowns without a slope: a polynomial through the nearest moments at which they are known, not the start.
        middle = a.t + half
        known = sorted((m for m in moments if m.slopes is not None), key=lambda m: abs(m.t - middle))[: len(made)]
        local = np.array([(m.t - middle) / half for m in known])
        values = np.stack([m.state[0][~moving] for m in known])
        made[:, ~moving] = 0.0
        inverse = np.linalg.inv(legendre_table(local, len(known) - 1, 0))
        made[: len(known), ~moving] = np.tensordot(inverse, values, axes=1)
    return np.asarray(made)
