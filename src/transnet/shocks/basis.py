"""An entropy solution as a function: of all characteristics through a point, that with the least or greatest U.

For a convex flux U is the least of its families (Lax and Oleinik), for a concave one the greatest; for any flux and
values that rise along x it is the greatest, and the least if they fall (Hopf).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import sympy as sp

from transnet.basis.expansion import Slot, register
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.language.printer import text_of_expression
from transnet.shocks.data import Cauchy, families_of
from transnet.shocks.family import Characteristics, Flux, s

BLOCK = 2_000_000
"""Characteristics that are looked at together."""
BESIDE = 1e-12
"""Ends belong to the solution inside: they are evaluated this part of the length away."""
GRID, JUMP, LEAST, HALVINGS = 800, 2e-3, 1e-6, 46
"""Intervals in which shocks are looked for, the part of the range by which u changes there, the least jump of a shock,
and steps of the bisection for its place."""


@dataclass(frozen=True)
class Shock:
    """A jump of the solution: its place, its speed, and u on both sides, of a system all unknowns in their order."""

    place: float
    speed: float
    left: Any
    right: Any


@dataclass(frozen=True, eq=False)
class Entropic:
    """u at (x, t) is the value of one characteristic.

    Parameters
    ----------
    data : Cauchy
    families : tuple of Characteristics
    sense : int
        1 where U is the least, -1 where it is the greatest.
    """

    kind: ClassVar[str] = "conserved"
    noun: ClassVar[str] = "characteristics"

    data: Cauchy
    families: tuple[Characteristics, ...]
    sense: int

    columns: ClassVar[int] = 1
    unknowns: ClassVar[int] = 1

    @property
    def neurons(self) -> int:
        return sum(len(family.nodes) for family in self.families)

    def slice_of(self, unknown: int) -> slice:
        return slice(0, 1)

    def feet(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The family of each point, -1 if no characteristic passes through it, and s."""
        low, high = self.data.bounds
        off = BESIDE * (high - low)
        inside = np.column_stack([np.clip(points[:, 0], low + off, high - off), points[:, 1]])
        size = max(1, BLOCK // self.neurons)
        blocks = [self._feet(inside[k : k + size]) for k in range(0, len(points), size)] or [self._feet(inside)]
        which, foot = map(np.concatenate, zip(*blocks, strict=True))
        return which, foot

    def _feet(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        which, foot = np.full(len(points), -1), np.full(len(points), np.nan)
        best = np.full(len(points), np.inf)
        for k, family in enumerate(self.families):
            number, at = family.through(points)
            potential = self.sense * family.potentials(at, points[number, 1])
            order = np.lexsort((potential, number))
            number, at, potential = number[order], at[order], potential[order]
            first = np.concatenate([[True], number[1:] != number[:-1]]) if len(number) else np.zeros(0, bool)
            number, at, potential = number[first], at[first], potential[first]
            better = potential < best[number]
            number = number[better]
            which[number], foot[number], best[number] = k, at[better], potential[better]
        return which, foot

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        points = np.asarray(points, dtype=float)
        which, foot = self.feet(points)
        found = [np.full(len(points), np.nan) for _ in slots]
        for k in np.unique(which[which >= 0]):
            here = which == k
            for values, (_, index) in zip(found, slots, strict=True):
                values[here] = self.families[k].derivative(foot[here], points[here, 1], index)
        return [v[:, None] * coefficients[0] if coefficients.ndim == 2 else v for v in found]

    def at(self, x: np.ndarray, time: float) -> np.ndarray:
        """u at places and a time."""
        return self.derivatives(np.ones(1), np.column_stack([x, np.full(len(x), time)]), [(0, (0, 0))])[0]

    def shocks(self, time: float) -> tuple[Shock, ...]:
        """The shocks at a time, from left to right."""
        grid = np.linspace(*self.data.bounds, GRID + 1)
        values = self.at(grid, time)
        span = np.ptp(values)
        k = np.flatnonzero(np.abs(np.diff(values)) > JUMP * span)
        low, high, left, right = grid[k], grid[k + 1], values[k], values[k + 1]
        for _ in range(HALVINGS if len(k) else 0):
            middle = 0.5 * (low + high)
            value = self.at(middle, time)
            lower = np.abs(value - left) > np.abs(right - value)
            low, high = np.where(lower, low, middle), np.where(lower, middle, high)
            left, right = np.where(lower, left, value), np.where(lower, value, right)
        made = []
        for x, a, b in zip(0.5 * (low + high), left, right, strict=True):
            if abs(b - a) > LEAST * span:
                fa, fb = (float(self.data.flux.at(sp.Float(v))) for v in (a, b))
                made.append(Shock(float(x), (fb - fa) / (b - a), float(a), float(b)))
        return tuple(made)

    def summary(self) -> str:
        return f"{len(self.families)} families of characteristics"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        data = self.data
        return {
            "flux": text_of_expression(data.flux.at(s)),
            "initial": text_of_expression(data.initial),
            "ends": [None if e is None else text_of_expression(e) for e in data.ends],
            "bounds": list(data.bounds),
            "times": [data.begin, data.until],
            "periodic": data.periodic,
            "sense": self.sense,
        }


def _read(stored: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Entropic:
    names = Names({"s": s}, {}, {}, {})

    def read(text: str) -> sp.Expr:
        return formula(text, names).expression

    left, right = (None if e is None else read(e) for e in stored["ends"])
    (low, high), (begin, until) = (map(float, stored[key]) for key in ("bounds", "times"))
    if not (low < high and begin < until):
        raise ValueError("the data of the conservation law do not fit together")
    flux, initial, periodic = Flux(s, read(stored["flux"])), read(stored["initial"]), bool(stored["periodic"])
    data = Cauchy(flux, initial, (left, right), (low, high), begin, until, periodic)
    return Entropic(data, families_of(data), 1 if stored["sense"] > 0 else -1)


register(Entropic.kind, _read)
