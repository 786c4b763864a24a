"""Where a slab has to end because its own solution meets something sharp: a switch or a needle in the values of
unknowns.

w' = 1/(1 + 1000 exp(-((w - 5)/1e-3)^2)) is delayed at w = 5, which a long slab steps over without a trace in its
stages. Its formula is read; the exponent is followed along the slab, and if it peaks there the slab is cut around that
moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.counts import LOOKS
from transnet.formulas import array_modules, compiled_formula
from transnet.reading.sharp import Sharp
from transnet.rows.equation import Equation
from transnet.rows.sharp import sharp_in_state
from transnet.slabs.events import CLOSER
from transnet.slabs.evolution import Evolution
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.records import SlabRecord, Slabs
from transnet.slabs.space import Space
from transnet.slabs.stops import WIDTHS_AROUND
from transnet.tolerances import SAME

SEEN = 0.25
"""A needle that lasts at least this part of a slab is seen by its stages."""
MARGIN = {"jump": SAME, "kink": 1e-8}
"""A switch this near to an end of a slab, in units of all time, is left to the control of its error: slabs of 1e-14,
from which a velocity has no digits, would be made on either side of it. Of a kink, over contacts of stiffness 1e2 to
1e6, 1e-8 is best: 1e-4 misses what a stiff contact does in that time (6e-5 off), with 1e-10 slabs get too short
(1e-7)."""
FALL = 1.0
"""The fall of a logarithm that is the width of a needle."""


class Switches:
    """What is sharp in the values of the unknowns of an evolution without space."""

    def __init__(self, evolution: Evolution, values: Sequence[Any]) -> None:
        self.evolution = evolution
        self.parts: list[tuple[Sharp, Equation, Any]] = []
        if len(evolution.bounds[0]):
            return
        problem = evolution.problem
        for equation in (s.equation for s in evolution.equations):
            for sharp in sharp_in_state(problem, equation, values, problem.domain.bounds):
                if sharp.function.free_symbols <= {*problem.coordinates, *equation.slot_symbols}:
                    symbols = [*problem.coordinates, *equation.slot_symbols]
                    compiled = compiled_formula(symbols, sharp.function, array_modules([sharp.function]))
                    self.parts.append((sharp, equation, compiled))

    def first(self, polynomials: np.ndarray, space: Space, begin: float, end: float) -> float | None:
        """The first moment at which a slab with these polynomials should have ended; None if it is whole."""
        found = [self._moment(part, polynomials, space, begin, end) for part in self.parts]
        moments = [m for m in found if m is not None and SAME < (m - begin) / (end - begin) < 1 - SAME]
        return min(moments, key=lambda m: abs(m - begin), default=None)

    def _moment(
        self, part: tuple[Sharp, Equation, Any], polynomials: np.ndarray, space: Space, begin: float, end: float
    ) -> float | None:
        sharp, equation, compiled = part
        record = SlabRecord(begin, end, 0.0, 0.0, 0, space.columns)
        basis = SlabBasis(
            self.evolution.axis, len(self.evolution.orders), Slabs((record,)), (space,), (0,), (len(polynomials) - 1,)
        )

        def at(times: np.ndarray) -> np.ndarray:
            slots = basis.derivatives(polynomials.ravel(), times[:, None], equation.slots)
            with np.errstate(all="ignore"):
                return np.nan_to_num(np.broadcast_to(np.asarray(compiled(times, *slots), dtype=float), times.shape))

        times = np.linspace(begin, end, LOOKS)
        values = at(times)
        if sharp.kind == "peak":
            return _around_peak(at, times, values)
        change = np.flatnonzero(values[:-1] * values[1:] < 0)
        if not len(change):
            return None
        a, b = times[change[0]], times[change[0] + 1]
        for _ in range(CLOSER):
            near = np.linspace(a, b, LOOKS)
            k = int(np.argmax(np.sign(at(near)) != np.sign(at(near[:1]))))
            a, b = near[k - 1], near[k]
        if sharp.kind != "step":
            whole = abs(self.evolution.stop - self.evolution.start)
            return float(a) if min(abs(a - begin), abs(end - b)) > MARGIN[sharp.kind] * whole else None
        slope = abs(float(np.diff(at(np.array([a, b])))[0]) / (b - a)) if b != a else 0.0
        return _zone(float(a), np.copysign(1.0 / slope, end - begin), begin, end) if slope > 0 else None


def _around_peak(at: Any, times: np.ndarray, values: np.ndarray) -> float | None:
    """The beginning, or from within the end, of the time around the highest value, if it is short."""
    begin, end = float(times[0]), float(times[-1])
    top = int(np.argmax(values))
    a, b = times[max(top - 1, 0)], times[min(top + 1, len(times) - 1)]
    for _ in range(CLOSER):
        near = np.linspace(a, b, LOOKS)
        k = int(np.argmax(at(near)))
        a, b = near[max(k - 1, 0)], near[min(k + 1, LOOKS - 1)]
    centre = 0.5 * (a + b)
    if not SAME < (centre - begin) / (end - begin) < 1 - SAME:
        return None
    steps = (end - begin) * np.geomspace(SAME, 1.0, 2 * LOOKS)
    fallen = at(np.clip(centre + steps, min(begin, end), max(begin, end))) < float(at(np.array([centre]))[0]) - FALL
    return _zone(centre, float(steps[np.argmax(fallen)]), begin, end) if fallen.any() else None


def _zone(centre: float, width: float, begin: float, end: float) -> float | None:
    """Where a slab has to end because of something of this width in time; None if its stages see it."""
    if abs(width) * WIDTHS_AROUND > SEEN * abs(end - begin):
        return None
    before, behind = centre - WIDTHS_AROUND * width, centre + WIDTHS_AROUND * width
    ahead = (before - begin) / (end - begin) > SAME
    return before if ahead else behind
