"""Points in the unit cube, and how many of them each piece gets.

All random draws in `transnet.geometry` start here, from a `numpy.random.Generator`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from transnet.arrays import check_room, constant
from transnet.calls import shown
from transnet.errors import GeometryError
from transnet.tolerances import HALVINGS

Seed = int | np.random.Generator
KINDS = ("quasi", "random", "grid")
BYTES = 64
"""Of memory for each point that is drawn: its coordinates, and those before they are kept."""
CUBES = 2.5
"""How many times longer than the others a side of a grid's cell may be."""
CLEAR = 0.1
"""How far, in units of their distance, points on a line keep from its ends: there the normal is that of a corner."""
BITS = 62
"""Bits of a number that orders points along a curve through space; at most a third of them per coordinate."""


def generator(seed: Seed) -> np.random.Generator:
    """The generator that `seed` stands for; a generator is passed through, so that draws continue."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise GeometryError(f"A seed is a whole number or a numpy.random.Generator, not {shown(seed)}.") from None


def check_draw(n: int, kind: str) -> int:
    """The number of points as an int, after checking it and the kind of sampling."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise GeometryError(f"There is no sampling of kind {shown(kind)}. Choose one of {', '.join(map(repr, KINDS))}.")
    try:
        whole = not isinstance(n, bool | str | bytes) and float(n).is_integer() and n >= 1
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise GeometryError(f"Cannot draw n = {shown(n)} points: n must be a whole number of at least 1.")
    check_room(n, BYTES, f"A draw of {int(n)} points")
    return int(n)


def additive(start: int, stop: int, shift: np.ndarray) -> np.ndarray:
    """Points `start` to `stop` of Roberts' additive recurrence in dimension `len(shift)`.

    Point i is the fractional part of shift + i (g^-1, ..., g^-d), where g > 1 solves g^(d+1) = g + 1: the golden
    ratio for d = 1. Every stretch of consecutive points is spread evenly, so what passes a filter is as well.
    """
    return np.mod(shift + np.arange(start, stop)[:, None] * _steps(len(shift)), 1.0)


@lru_cache
def _steps(d: int) -> np.ndarray:
    """(g^-1, ..., g^-d)."""
    g = 2.0
    for _ in range(HALVINGS):  # a contraction by more than two
        g = (1.0 + g) ** (1.0 / (d + 1))
    return constant(g ** -np.arange(1.0, d + 1))


def quasi(n: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """n low-discrepancy points in the unit cube [0, 1)^d: Roberts' sequence with a random shift, shape (n, d)."""
    return additive(0, n, rng.random(d))


def unit_points(n: int, d: int, kind: str, rng: np.random.Generator, lengths: ArrayLike | None = None) -> np.ndarray:
    """n points in the unit cube (n, d) of one kind; none of them on an edge of it.

    In one dimension "quasi" means evenly spaced with a random shift, which no sequence can beat. "grid" is the
    midpoint grid whose cells are closest to cubes when the cube has sides `lengths`, or as "quasi" where n has no
    such factors.
    """
    if kind == "random":
        return 1.0 - rng.random((n, d))
    if d == 1:
        # The shift keeps clear of the ends: there the normal would be that of a corner.
        shift = 0.5 if kind == "grid" else rng.uniform(CLEAR, 1 - CLEAR)
        return ((np.arange(n) + shift) / n)[:, None]
    if kind == "grid" and (shape := grid_shape(n, np.ones(d) if lengths is None else np.asarray(lengths, float))):
        axes = np.meshgrid(*((np.arange(m) + 0.5) / m for m in shape), indexing="ij")
        return np.stack([axis.ravel() for axis in axes], axis=-1)
    return quasi(n, d, rng)


def grid_shape(n: int, lengths: np.ndarray) -> tuple[int, ...] | None:
    """Factors of n, one per axis, whose cells are nearly cubes (`CUBES`); None if it has none."""
    best: tuple[float, tuple[int, ...]] = (np.log(CUBES), ())

    def search(rest: int, chosen: tuple[int, ...]) -> None:
        nonlocal best
        if len(chosen) == len(lengths) - 1:
            shape = (*chosen, rest)
            spread = float(np.ptp(np.log(lengths / np.array(shape))))
            if spread < best[0]:
                best = (spread, shape)
            return
        for m in range(1, rest + 1):
            if rest % m == 0:
                search(rest // m, (*chosen, m))

    search(n, ())
    return best[1] or None


def spread(n: int, most: int) -> np.ndarray:
    """At most this many of the numbers from 0 to n - 1, evenly spread and always the same: a sample of points."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(int))


def apportion(n: int, measures: ArrayLike) -> np.ndarray:
    """Split n into whole shares in proportion to `measures`, by largest remainder, each at least 1.

    With fewer points than pieces the points are placed at even steps of the running total instead: some pieces get
    none, but every stretch of them gets its share.
    """
    weights = np.asarray(measures, float)
    if len(weights) == 1:
        return np.array([n])
    share = n * weights / weights.sum()
    if not np.isfinite(share).all():
        raise GeometryError("Parts of this shape have no finite size: a size in it has no value yet.")
    if n < len(weights):
        places = np.searchsorted(np.cumsum(share), np.arange(n) + 0.5)
        return np.bincount(np.minimum(places, len(weights) - 1), minlength=len(weights))
    counts = np.maximum(np.floor(share).astype(int), 1)
    while (missing := n - int(counts.sum())) != 0:
        if missing > 0:
            order = np.argsort(counts - share, kind="stable")[:missing]
            counts[order] += 1
        else:
            counts[np.argmax(np.where(counts > 1, counts - share, -np.inf))] -= 1
    return counts


def curve_order(points: np.ndarray) -> np.ndarray:
    """Indices that sort points along a space-filling (Morton) curve: neighbours in the order are near in space."""
    n, d = points.shape
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    bits = min(BITS // 3, BITS // d)
    cells = ((points - low) / np.where(extent > 0, extent, 1.0) * (2**bits - 1)).astype(np.uint64)
    code = np.zeros(n, dtype=np.uint64)
    for bit in range(bits):
        for axis in range(d):
            code |= ((cells[:, axis] >> np.uint64(bit)) & np.uint64(1)) << np.uint64(bit * d + axis)
    return np.argsort(code, kind="stable")


def thin(points: np.ndarray, n: int) -> np.ndarray:
    """Indices of n of the points, well spread: one from the middle of each of n equal stretches of `curve_order`."""
    order = curve_order(points)
    edges = np.linspace(0, len(order), n + 1).round().astype(int)
    group = np.repeat(np.arange(n), np.diff(edges))
    ordered = points[order]
    means = np.add.reduceat(ordered, edges[:-1], axis=0) / np.diff(edges)[:, None]
    distance = np.linalg.norm(ordered - means[group], axis=1)
    best = np.lexsort((distance, group))  # within each group the point nearest to the group's mean comes first
    return order[best[edges[:-1]]]
