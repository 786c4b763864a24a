"""Spots: small places where a formula is concentrated, read from it, with points in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from transnet.counts import ALONG
from transnet.formulas import compiled_formula
from transnet.geometry import Surface
from transnet.problem import Problem
from transnet.reading.search import Places, box_of
from transnet.reading.sharp import sharp_parts
from transnet.rows.equation import Equation
from transnet.rows.sharp import formula_of_equation, sharp_places

AROUND = 2.0
"""How many widths of a needle its spot reaches to either side: a Gaussian is 2 % of its height there."""
FALLS, FEWEST = 4.0, 30
"""On a curved boundary a spot is where the logarithm of a needle has fallen by less than this, and has at least so many
of the samples."""
POINT = 1e-5
"""What is smaller, in units of the domain, is a point, like that of a root of the distance, which searches find to
1e-7."""
SMALL = 0.02
"""The largest part of a domain, or of a part of its boundary, that counts as a spot."""


class Spot(NamedTuple):
    """A place where something is concentrated: points in it, their normals on a boundary, its share, and how wide it is
    across."""

    points: np.ndarray
    normals: np.ndarray | None
    share: float
    width: float


def read_spots(
    problem: Problem,
    equation: Equation,
    values: Sequence[Any],
    bounds: np.ndarray,
    holds: Callable[[np.ndarray], np.ndarray],
) -> list[Spot]:
    """The spots of a formula in a box, a face of which may have no thickness; `holds` says which points count."""
    found = []
    for places in sharp_places(problem, equation, values, bounds):
        switch = places.kind in ("jump", "kink")
        ranges = _pocket(places, bounds) if switch else (places.centres, AROUND * places.widths)
        if ranges is None:
            continue
        centres, reach = ranges
        side = np.ptp(bounds, axis=0)[list(places.axes)]
        share = float(min(len(np.unique(np.round(centres / (reach + 1e-300)), axis=0)), len(centres)))
        share *= float(np.prod(np.minimum(2 * reach / side, 1.0), axis=1).mean())
        rng = np.random.default_rng(0)
        points = bounds[0] + np.ptp(bounds, axis=0) * rng.random((ALONG, bounds.shape[1]))
        chosen = rng.integers(len(centres), size=ALONG)
        points[:, list(places.axes)] = centres[chosen] + reach[chosen] * rng.uniform(-1, 1, (ALONG, len(places.axes)))
        points = np.clip(points, *bounds)
        points = points[holds(points)]
        if len(points):
            found.append(Spot(points, None, share, 2.0 * float(reach.min())))
    return found


def _pocket(places: Places, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The middle and half the extent of what jumps enclose, if that is small: a disk, a strip, a short interval."""
    low, high = places.centres.min(axis=0), places.centres.max(axis=0)
    if not np.all(high - low > POINT * np.ptp(bounds, axis=0)[list(places.axes)]):
        return None
    return 0.5 * (low + high)[None], 0.5 * (high - low)[None]


def read_spots_on(problem: Problem, equation: Equation, values: Sequence[Any], surface: Surface) -> list[Spot]:
    """The spots of a formula among samples of a part of the boundary, on which needles need not have a sample."""
    formula, slots = formula_of_equation(problem, equation, values), frozenset(equation.slot_symbols)
    bounds = np.stack([surface.points.min(axis=0), surface.points.max(axis=0)])
    found = []
    for sharp in sharp_parts(formula, box_of(problem.coordinates, bounds), slots):
        if sharp.kind != "peak" or sharp.function.free_symbols - set(problem.coordinates):
            continue
        with np.errstate(all="ignore"):
            size = compiled_formula(problem.coordinates, sharp.function)(*surface.points.T)
        size = np.nan_to_num(np.broadcast_to(size, len(surface.points)), nan=-np.inf)
        near = size > size.max() - FALLS
        near[np.argsort(size)[-FEWEST:]] = True
        if near.mean() < SMALL:
            share = float(near.mean())
            width = share * float(np.ptp(bounds, axis=0).sum())
            found.append(Spot(surface.points[near], surface.normals[near], share, width))
    return found
