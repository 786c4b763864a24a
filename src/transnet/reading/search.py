"""Where the sharp parts of formulas are: maxima and zeros of functions in a box, found by search from many starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import sympy as sp

from transnet.formulas import compiled_formula
from transnet.reading.intervals import Interval
from transnet.reading.sharp import Kind, Sharp, sharp_parts
from transnet.tolerances import HALVINGS

ALONG = 20_001
"""Points of a line on which brackets are looked for: a hundred switches a unit of time have two hundred each."""
STARTS = {2: 256, 3: 512}
"""Starts of a search in more than one coordinate."""
FIRST_STEP, LAST_STEP = 0.125, 1e-9
"""The first step of a search and the last one, in units of the box."""
MOVES = 200
"""The most moves of a search."""
FALLS = 1.0
"""The fall of the logarithm that is the width of a peak: a Gaussian's own."""
LADDER = np.geomspace(1e-9, 1.0, 91)
"""The distances, in units of the box, at which that fall is looked for."""
POLE = 1e-8
"""A peak narrower than this part of the box is infinite: a power of the distance looks the same however close one
is."""
SAME_PLACE = 1e-7
"""Places closer than this, in units of the box, are one."""
TOUCHES = 1e-9
"""A least size of a function, relative to its largest, that counts as a zero."""
MOST = 2_000
"""The most places of one function; more are an oscillation."""


@dataclass(frozen=True, eq=False)
class Places:
    """Where something sharp is: coordinates of places and widths there, (n, k), along k of the axes; along the others
    it goes all the way. The width of a jump or a kink is zero."""

    kind: Kind
    axes: tuple[int, ...]
    centres: np.ndarray
    widths: np.ndarray


def places_of(sharp: Sharp, coordinates: Sequence[sp.Symbol], bounds: np.ndarray) -> Places | None:
    """The places in a box (2, d) of something that depends on the coordinates alone; None if there are none."""
    wide = bounds[1] > bounds[0]
    axes = tuple(k for k, c in enumerate(coordinates) if c in sharp.function.free_symbols and wide[k])
    fixed = {c: sp.Float(bounds[0, k]) for k, c in enumerate(coordinates) if not wide[k]}
    function = sharp.function.xreplace(fixed) if fixed else sharp.function
    opaque = any(hasattr(type(f), "implementation") for f in function.atoms(sp.Function))  # it can only be sampled
    if not axes or len(axes) > max(STARTS) or opaque or function.free_symbols - set(coordinates):
        return None
    inside = Unit(function, [coordinates[k] for k in axes], bounds[:, list(axes)])
    found = _maxima(inside) if sharp.kind == "peak" else _zeros(inside)
    if not 0 < len(found) <= MOST:
        return None
    widths = np.zeros_like(found)
    if sharp.kind == "peak":
        widths = _fall(inside, found)
        poles = widths.min(axis=1) <= POLE  # a power of the distance, which has no width of its own
        found, widths = found[~poles], widths[~poles]
        if not len(found):
            return None
    elif sharp.kind == "step":
        widths = 1.0 / np.maximum(np.abs(inside.slope(found)), 1.0 / LADDER[-1])
    sides = inside.sides
    return Places(sharp.kind, axes, inside.low + sides * found, sides * widths)


class Unit:
    """A function of some coordinates, on the unit box."""

    def __init__(self, function: sp.Expr, symbols: Sequence[sp.Symbol], bounds: np.ndarray) -> None:
        self.low, self.sides, self.count = bounds[0], bounds[1] - bounds[0], len(symbols)
        self.compiled = compiled_formula(symbols, function)

    def __call__(self, y: np.ndarray) -> np.ndarray:
        """The values at points (n, k) of the unit box; what is not finite is as small as can be."""
        with np.errstate(all="ignore"):
            values = np.asarray(self.compiled(*(self.low + self.sides * y).T), dtype=complex)
        values = np.broadcast_to(values, (len(y),))
        real = np.where(np.abs(values.imag) > 0, np.nan, values.real)
        return np.nan_to_num(real, nan=-np.inf, posinf=np.finfo(float).max, neginf=-np.inf)

    def slope(self, y: np.ndarray, step: float = 1e-7) -> np.ndarray:
        """The gradients at points, by differences, (n, k)."""
        found = np.empty_like(y)
        for axis in range(self.count):
            a, b = y.copy(), y.copy()
            a[:, axis], b[:, axis] = np.maximum(y[:, axis] - step, 0.0), np.minimum(y[:, axis] + step, 1.0)
            with np.errstate(all="ignore"):
                found[:, axis] = (self(b) - self(a)) / (b[:, axis] - a[:, axis])
        return np.nan_to_num(found, posinf=0.0, neginf=0.0)


def _maxima(function: Unit) -> np.ndarray:
    if function.count > 1:
        return _climbed(function, _starts(function.count))
    y = np.linspace(0.0, 1.0, ALONG)
    v = function(y[:, None])
    padded = np.concatenate([[-np.inf], v, [-np.inf]])
    top = np.flatnonzero((v > padded[:-2]) & (v >= padded[2:]) & (v > -np.inf))
    if len(top) > MOST:
        return y[:0, None]
    return _climbed(function, y[top, None], 1.0 / (ALONG - 1))


def _starts(count: int) -> np.ndarray:
    """Points spread over the unit box: an additive recurrence with the powers of a root of x^(k + 1) = x + 1."""
    root = max(np.roots([1.0, *[0.0] * (count - 1), -1.0, -1.0]).real)
    return np.asarray((0.5 + np.arange(1, STARTS[count] + 1)[:, None] / root ** np.arange(1, count + 1)) % 1.0)


def _climbed(function: Unit, y: np.ndarray, step: float = FIRST_STEP) -> np.ndarray:
    """Local maxima from starts, by steps along and across the axes that are halved where none of them climbs."""
    ways = np.array([w for w in product((-1.0, 0.0, 1.0), repeat=function.count) if any(w)])
    steps, values = np.full(len(y), step), function(y)
    for _ in range(MOVES):
        active = np.flatnonzero(steps > LAST_STEP)
        if not len(active):
            break
        tried = np.clip(y[active, None] + steps[active, None, None] * ways, 0.0, 1.0)
        there = function(tried.reshape(-1, function.count)).reshape(len(active), -1)
        best = np.argmax(there, axis=1)
        rows = np.arange(len(active))
        better = there[rows, best] > values[active]
        y[active[better]] = tried[rows, best][better]
        values[active[better]] = there[rows, best][better]
        steps[active[~better]] *= 0.5
    return _distinct(y[np.isfinite(values)])


def _distinct(y: np.ndarray) -> np.ndarray:
    """The points without those that are the same up to the accuracy of a search."""
    _, first = np.unique(np.round(y / SAME_PLACE), axis=0, return_index=True)
    return y[np.sort(first)]


def _zeros(function: Unit) -> np.ndarray:
    if function.count > 1:
        return _projected(function, _starts(function.count))
    y = np.linspace(0.0, 1.0, ALONG)
    v = function(y[:, None])
    finite = np.isfinite(v)
    change = np.flatnonzero((np.sign(v[:-1]) * np.sign(v[1:]) < 0) & finite[:-1] & finite[1:])
    exact = y[(v == 0) & (np.abs(np.roll(v, 1)) > 0)]
    a, b, at_a = y[change], y[change + 1], v[change]
    for _ in range(HALVINGS):
        middle = 0.5 * (a + b)
        at = function(middle[:, None])
        first = np.sign(at) * np.sign(at_a) <= 0
        a, b, at_a = np.where(first, a, middle), np.where(first, middle, b), np.where(first, at_a, at)
    size = np.abs(v)
    low = np.flatnonzero((size[1:-1] < size[:-2]) & (size[1:-1] <= size[2:]) & (v[:-2] * v[2:] > 0) & finite[1:-1]) + 1
    if 0 < len(low) <= MOST:  # where it touches zero without crossing it
        least = _climbed(_Less(function), y[low, None], 1.0 / (ALONG - 1))
        touching = least[np.abs(function(least)) <= TOUCHES * size[finite].max(), 0]
    else:
        touching = y[:0]
    found = np.unique(np.concatenate([0.5 * (a + b), exact, touching]))
    return found[:, None]


class _Less(Unit):
    """Minus the size of a function, which is largest where it is nearest to zero."""

    def __init__(self, function: Unit) -> None:
        self.low, self.sides, self.count, self.of = function.low, function.sides, function.count, function

    def __call__(self, y: np.ndarray) -> np.ndarray:
        return -np.abs(self.of(y))


def _projected(function: Unit, y: np.ndarray) -> np.ndarray:
    """Zeros near the starts, by Newton's steps along the gradient; only those that arrive."""
    scale = np.abs(function(y)[np.isfinite(function(y))]).max(initial=0.0)
    for _ in range(HALVINGS):
        value, slope = function(y), function.slope(y)
        square = (slope**2).sum(axis=1)
        step = -np.where(square > 0, np.nan_to_num(value, neginf=0.0) / np.where(square > 0, square, 1.0), 0.0)
        step = step[:, None] * slope
        length = np.linalg.norm(step, axis=1, keepdims=True)
        y = np.clip(y + step * np.minimum(1.0, 0.25 / np.maximum(length, LAST_STEP)), 0.0, 1.0)
    return y[np.abs(function(y)) <= TOUCHES * scale]


def _fall(function: Unit, y: np.ndarray) -> np.ndarray:
    """How far from maxima a function has fallen, along each axis and the shorter way, (n, k)."""
    top = function(y)
    found = np.ones_like(y)
    for axis in range(function.count):
        for sign in (-1.0, 1.0):
            moved = np.repeat(y[:, None, :], len(LADDER), axis=1)
            moved[:, :, axis] += sign * LADDER
            outside = (moved[:, :, axis] < 0) | (moved[:, :, axis] > 1)
            there = function(np.clip(moved, 0.0, 1.0).reshape(-1, function.count)).reshape(len(y), -1)
            fallen = (there < top[:, None] - FALLS) & ~outside
            first = np.where(fallen.any(axis=1), LADDER[np.argmax(fallen, axis=1)], 1.0)
            found[:, axis] = np.minimum(found[:, axis], first)
    return found


def read_places(
    expression: sp.Expr,
    coordinates: Sequence[sp.Symbol],
    bounds: np.ndarray,
    state: frozenset[sp.Symbol] = frozenset(),
) -> list[Places]:
    """The places in a box of all that is sharp in a formula and depends on the coordinates alone."""
    return all_places(sharp_parts(expression, box_of(coordinates, bounds), state), coordinates, bounds)


def all_places(parts: Sequence[Sharp], coordinates: Sequence[sp.Symbol], bounds: np.ndarray) -> list[Places]:
    """The places of all that depends on the coordinates alone."""
    found = (places_of(s, coordinates, bounds) for s in parts)
    return [p for p in found if p is not None]


def box_of(coordinates: Sequence[sp.Symbol], bounds: np.ndarray) -> Mapping[sp.Symbol, Interval]:
    """The bounds of each coordinate."""
    return {c: (float(a), float(b)) for c, a, b in zip(coordinates, *bounds, strict=True)}
