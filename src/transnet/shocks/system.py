"""Systems of conservation laws with two states at the beginning: a solution of x/t, wave by wave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import sympy as sp

from transnet.basis.expansion import Slot, floats, register
from transnet.errors import ProblemError
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.language.printer import text_of_expression
from transnet.shocks.basis import Shock
from transnet.shocks.waves import Hyperbolic, Wave

LEAST = 1e-9
"""Waves that change the state by less than this part are none."""


@dataclass(frozen=True, eq=False)
class SelfSimilar:
    """u(x, t) = w((x - x0)/(t - t0)).

    Parameters
    ----------
    law : Hyperbolic
    origin : (2,) array
        x0 and t0.
    sides : (2, n) array
        The states at the beginning.
    strengths : (n,) array
    """

    kind: ClassVar[str] = "riemann"
    noun: ClassVar[str] = "waves"
    columns: ClassVar[int] = 1

    law: Hyperbolic
    origin: np.ndarray
    sides: np.ndarray
    strengths: np.ndarray

    @cached_property
    def waves(self) -> list[Wave]:
        """From left to right; the last ends in the stated side, not in what rounding makes of it."""
        return self.law.waves(self.sides[0], self.strengths.tolist())

    @property
    def admissible(self) -> bool:
        """Whether waves follow each other in order, and each shock has waves of its kind running into it (Lax)."""
        ordered = all(a.high <= b.low for a, b in pairwise(self.waves))
        kept = True
        for k, w in enumerate(self.waves):
            before, after = (float(self.law.speeds(u)[k]) for u in (w.before, w.after))
            slack = LEAST * max(abs(before), abs(after), abs(w.low))
            kept &= w.fan is not None or before + slack >= w.low >= after - slack
        return ordered and kept

    @property
    def unknowns(self) -> int:
        return len(self.law.unknowns)

    @property
    def neurons(self) -> int:
        return len(self.waves)

    def slice_of(self, unknown: int) -> slice:
        return slice(0, 1)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        if max((sum(index) for _, index in slots), default=0) > 1:
            raise ProblemError("Of the solution of a system with shocks values and first derivatives are known.")
        x, time = (np.asarray(points, dtype=float) - self.origin).T
        with np.errstate(divide="ignore", invalid="ignore"):
            speed = np.where(time > 0, x / time, np.where(x < 0, -np.inf, np.inf))
        values = np.repeat(self.sides[0][:, None], len(points), axis=1)
        slopes = np.zeros_like(values)
        for k, wave in enumerate(self.waves):
            values[:, speed > wave.high] = wave.after[:, None]
            within = (speed > wave.low) & (speed <= wave.high)
            if wave.fan is not None and within.any():
                values[:, within] = wave.fan(speed[within])
                slopes[:, within] = np.stack([self._slope(u, k) for u in values[:, within].T], axis=1) / time[within]
        found = [
            values[i] if not sum(index) else slopes[i] * (1.0 if index[0] else -np.nan_to_num(speed))
            for i, index in slots
        ]
        return [v[:, None] * coefficients[0] if coefficients.ndim == 2 else v.copy() for v in found]

    def _slope(self, u: np.ndarray, k: int) -> np.ndarray:
        r, rate = self.law.direction(u, k)
        return r / rate

    def shocks(self, time: float) -> tuple[Shock, ...]:
        """Shocks and contacts at a time, from left to right; their sides are states."""
        later = time - self.origin[1]
        scale = LEAST * np.abs(self.sides).max()
        return tuple(
            Shock(float(self.origin[0] + later * w.low), w.low, tuple(w.before.tolist()), tuple(w.after.tolist()))
            for w in self.waves
            if w.fan is None and np.abs(w.after - w.before).max() > scale
        )

    def summary(self) -> str:
        return f"{len(self.waves)} waves from one place"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        for name in ("origin", "sides", "strengths"):
            arrays[prefix + name] = getattr(self, name)
        return {
            "unknowns": [u.name for u in self.law.unknowns],
            "fluxes": [text_of_expression(f) for f in self.law.fluxes],
        }


def _read(stored: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> SelfSimilar:
    unknowns = {str(n): sp.Symbol(str(n), real=True) for n in stored["unknowns"]}
    names = Names(unknowns, {}, {}, {})
    law = Hyperbolic(tuple(unknowns.values()), tuple(formula(f, names).expression for f in stored["fluxes"]))
    origin, sides, strengths = (floats(arrays, prefix + name) for name in ("origin", "sides", "strengths"))
    n = len(unknowns)
    if len(law.fluxes) != n or origin.shape != (2,) or sides.shape != (2, n) or strengths.shape != (n,):
        raise ValueError("the waves of the system do not fit together")
    return SelfSimilar(law, origin, sides, strengths)


register(SelfSimilar.kind, _read)
