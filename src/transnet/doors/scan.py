"""Where among values of unknown numbers there may be a fit of the data.

One number is varied at a time, the others fitted to first order. Between two neighbours a third is needed if their
predictions are further apart than either is from the data, or nearly: only then can there be a fit between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from transnet.doors.look import SAME_MINIMUM, Predicted, Refitted, one_place

DECADES, A_DECADE = 2.0, 2.0
"""Numbers are looked at this many decades below and above what was found, and one, with so many values in each to
begin with."""
PLACES = 16
"""Values along each coordinate to begin with, of a number that may be a place or a time."""
SOLVES = {1: 240, 2: 60, 3: 12}
"""The most values of all numbers that are looked at between those, by dimension. On a line a frequency is seen to
twenty periods."""
SETS = {1: 30, 2: 20, 3: 6}
"""Sets of values at random that are looked at if there are several numbers, by dimension; and as many of places."""
POLISHED = 4
"""The most minima that are followed to their bottom."""
ROUNDS = 2
"""How often one looks around what fits best."""
CLOSEST = 1e-3
"""Neighbours closer than this, relative to their size, have nothing between them."""
LARGE, NEAR_POLE = 3.0, 0.03
"""Where both predictions are this many times larger than the data, there is a pole, and this is close enough."""
APART = 0.5
"""Predictions of neighbours that are further apart than this part of their distance from the data may have a fit
between them. On a straight path it would be twice the distance; waves of other frequencies are as far apart as from the
data."""
STRAIGHT = 0.1
"""Predictions halfway between two values that are off their mean by less than this part of the distance between them
are on a straight path, along which there is no other fit."""
FAILURES = 2
"""After so many values without a prediction one looks no further on their side: one may be a resonance, two in a row
are a viscosity near zero or a wave that is too short, and an iteration that fails is slow."""
FROM_ONE = 1e6
"""Numbers further from one than this factor are in units of their own, and one is not looked at."""


@dataclass(frozen=True, eq=False)
class Scan:
    """What is predicted along one number.

    Parameters
    ----------
    number : int
    values : list of float
        In ascending order.
    places : list of Refitted
        All numbers at each, the others fitted to first order, and how far their predictions are from the data.
    size : float
        The size of the data in the same units.
    straight : set of pairs
        Neighbours between which predictions are known to be on a straight path.
    """

    number: int
    values: list[float]
    places: list[Refitted]
    size: float
    straight: frozenset[tuple[float, float]] = frozenset()

    def gap(self, k: int) -> bool:
        """Whether there may be a fit between a value and the next."""
        a, b = self.values[k : k + 2]
        (_, first, one, _), (_, second, other, _) = self.places[k : k + 2]
        if (a, b) in self.straight or not (np.isfinite(first).all() and np.isfinite(second).all()):
            return False
        near, far = sorted(float(np.linalg.norm(v)) for v in (first, second))
        closest = NEAR_POLE if near > LARGE * self.size and far > LARGE * self.size else CLOSEST
        if abs(b - a) <= closest * max(abs(a), abs(b)):
            return False
        # If predictions turn, so that what the others fit is different, residuals may agree and hide what is between.
        apart = max(float(np.linalg.norm(first - second)), near * _turned(one, other))
        return apart > max(APART * near, SAME_MINIMUM * np.sqrt(len(first)))

    @property
    def heights(self) -> list[float]:
        return [float(np.linalg.norm(v)) if np.isfinite(v).all() else np.inf for _, v, *_ in self.places]

    def minima(self) -> list[tuple[float, np.ndarray]]:
        """Those that are lower than their neighbours by more than the error of predictions, or as low as that error.

        Beyond the ends nothing is known.
        """
        heights = self.heights
        padded = [-np.inf, *heights, -np.inf]
        doubts = [place.error * np.sqrt(len(place.off)) for place in self.places]
        depths = [min(left, right) - here for left, here, right in zip(padded, heights, padded[2:], strict=False)]
        return [
            (here, place.values)
            for place, here, depth, doubt in zip(self.places, heights, depths, doubts, strict=True)
            if np.isfinite(here) and depth >= (0 if here <= doubt else doubt)
        ]

    def looked(self) -> tuple[float, float]:
        """From where to where there is no gap that was not looked into, around the best."""
        known = [k for k, h in enumerate(self.heights) if np.isfinite(h)]
        if not known:
            return (np.nan, np.nan)
        low = high = min(known, key=self.heights.__getitem__)
        while low > 0 and np.isfinite(self.heights[low - 1]) and not self.gap(low - 1):
            low -= 1
        while high < len(self.values) - 1 and np.isfinite(self.heights[high + 1]) and not self.gap(high):
            high += 1
        return self.values[low], self.values[high]


def _turned(one: np.ndarray, other: np.ndarray) -> float:
    """How far directions in which predictions change are from those at another value."""
    turns = [np.linalg.norm(one - sign * other, axis=0) for sign in (1.0, -1.0)]
    return float(np.minimum(*turns).max(initial=0.0))


def _on_the_way(first: Refitted, middle: Refitted, second: Refitted) -> bool:
    """Whether predictions go straight from one value to another, with directions that hardly turn."""
    bent = float(np.linalg.norm(middle.off - 0.5 * (first.off + second.off)))
    turned = max(_turned(first.slopes, middle.slopes), _turned(middle.slopes, second.slopes))
    return bent <= STRAIGHT * float(np.linalg.norm(second.off - first.off)) and turned <= STRAIGHT


def around(look: Predicted, own: np.ndarray) -> tuple[list[np.ndarray], list[Scan]]:
    """The bottoms of the best minima, the best first, and the lines along which one looked."""
    dimension = min(look.problem.domain.dimension, max(SOLVES))
    several = len(own) > 1
    found = _bottoms(look, [own, *(_sets(look, own, SETS[dimension]) if several else [])], POLISHED)
    lines: list[Scan] = []
    for _ in range(ROUNDS):
        centre = found[0] if found and look.better(found[0], own) else own
        lines, left = [], SOLVES[dimension]
        for k in range(len(own)):  # what one number does not need is left for the others
            made, used = line(look, centre, k, left // (len(own) - k))
            lines, left = [*lines, made], left - used
        minima = sorted((m for each in lines for m in each.minima()), key=lambda m: m[0])
        more = _bottoms(look, [place for _, place in minima[: POLISHED + 1]], POLISHED + 1)
        found = sorted([*(f for f in found if not any(one_place(f, m) for m in more)), *more], key=look.misfit)
        if not found or look.misfit(found[0]) <= look.fits or not look.better(found[0], centre):
            break
    return found, lines


def _bottoms(look: Predicted, starts: list[np.ndarray], most: int) -> list[np.ndarray]:
    """The bottoms near the best of some starts, the best first."""
    found: list[np.ndarray] = []
    for start in sorted((s for s in starts if np.isfinite(look.misfit(s))), key=look.misfit)[:most]:
        bottom = look.bottom(start)
        if np.isfinite(look.misfit(bottom)) and not any(one_place(bottom, f) for f in found):
            found.append(bottom)
    return sorted(found, key=look.misfit)


def _sets(look: Predicted, own: np.ndarray, count: int) -> list[np.ndarray]:
    """Random sets of several numbers: of any sign, of the sign that was found, and places in the domain."""
    rng, sizes, n = np.random.default_rng(0), np.where(own == 0, 1.0, np.abs(own)), len(own)
    factors = [10.0 ** rng.uniform(-DECADES / 2, DECADES / 2, n) for _ in range(count)]
    signs = [rng.choice([-1.0, 1.0], n) if k % 2 else np.sign(own + (own == 0)) for k in range(count)]
    low, high = np.array(_spans(look)).reshape(-1, 2).T
    across = [rng.integers(len(low), size=n) for _ in range(count if len(low) else 0)]
    places = [low[k] + (high - low)[k] * rng.random(n) for k in across]
    return [s * sizes * f for s, f in zip(signs, factors, strict=True)] + places


def _spans(look: Predicted) -> list[tuple[float, float]]:
    """From where to where the domain reaches, along each coordinate along which it ends."""
    both = [(float(low), float(high)) for low, high in np.asarray(look.problem.domain.bounds).T]
    return sorted({span for span in both if np.isfinite(span).all()})


def _ladder(look: Predicted, number: int, own: float) -> list[float]:
    """Values of one number to begin with: powers of ten of what was found and of one, and places of the domain."""
    sizes = 10.0 ** np.arange(-DECADES, DECADES + 1e-9, 1.0 / A_DECADE)
    centres = {abs(own) or 1.0, 1.0} if 1 / FROM_ONE < abs(own) < FROM_ONE else {abs(own) or 1.0}
    every = sorted({float(s * c) for s in sizes for c in centres})
    kept = [every[0]]
    for v in every:  # the two ladders interleave
        if v > kept[-1] * 10 ** (0.5 / A_DECADE):
            kept.append(v)
    spans = _spans(look) if look.may_be_place(number) else []
    places = {float(p) for low, high in spans for p in np.linspace(low, high, PLACES + 1)}
    return sorted({own, *kept, *(-v for v in kept), *places})


def _outward(at: Callable[[float], Refitted], values: list[float], own: float) -> dict[float, Refitted]:
    """What is predicted at values on either side of one's own, as far as there are predictions."""
    known = {}
    for side in ([v for v in values if v >= own], [v for v in reversed(values) if v < own]):
        failed = 0
        for v in side:
            known[v] = at(v)
            failed = 0 if np.isfinite(known[v].off).all() else failed + 1
            if failed == FAILURES:
                break
    return known


def line(look: Predicted, own: np.ndarray, number: int, most: int) -> tuple[Scan, int]:
    """What is predicted along one number, with at most so many values between those of the ladder, and how many."""

    def at(value: float) -> Refitted:
        here = own.copy()
        here[number] = value
        return look.refitted(here, number)

    values = _ladder(look, number, float(own[number]))
    probe = abs(float(own[number])) or 1.0
    one, other = at(probe).off, at(-probe).off
    if np.allclose(one, other, rtol=0, atol=SAME_MINIMUM):  # only the square counts
        values = [v for v in values if (v >= 0) == (own[number] >= 0)]
    begun = _outward(at, values, float(own[number]))
    known = dict(begun)
    size = float(np.linalg.norm(look.measured))

    straight: set[tuple[float, float]] = set()

    def made() -> Scan:
        order = sorted(known)
        return Scan(number, order, [known[v] for v in order], size, frozenset(straight))

    for _ in range(most):
        found = made()
        gaps = [pair for k, pair in enumerate(pairwise(found.values)) if found.gap(k)]
        if not gaps:
            break
        a, b = min(gaps, key=lambda pair: max(map(abs, pair)))
        middle = 0.5 * (a + b)
        known[middle] = at(middle)
        if _on_the_way(known[a], known[middle], known[b]):
            straight |= {(a, middle), (middle, b)}
    return made(), len(known) - len(begun)
