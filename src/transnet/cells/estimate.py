"""How far solutions on the same cells are apart, and what that says of the finer one."""

from __future__ import annotations

import numpy as np

from transnet.cells.level import JUDGED, CellLevel
from transnet.cells.tiles import Tiles
from transnet.judge.estimate import distances

OF_SYSTEMS = 2.5
"""By how much estimates are larger than what is left of the rows predicts for several unknowns: of five elastic plates
one had an error of 1.5 times the estimate with the factor of one unknown."""
SAFETY = 1.5
"""By how much estimates are larger than what is left of the rows predicts."""
LEAST = 0.25
"""The least such fall that is believed where cells of corners have one degree inside: near a resonance of an L-shape an
estimate was 28 times too small."""
MUCH = 0.4
"""The part of what is left of all rows from which on the cell of a corner counts alone: on a pentagon with a swirl
4e-10 was told, and the error was 3e-9."""
NEAR = 0.02
"""The part of the domain's extent around a jump of boundary values that estimates do not cover."""
ROUNDING, TINY = 1e-13, 1e-300
"""The least estimate, and what is divided by instead of zero."""


def cell_estimate(coarse: CellLevel, fine: CellLevel, coarsest: CellLevel | None = None) -> float:
    """The estimated relative error of the finer of two solutions on the same cells.

    The distance between them is the error of the coarser one; what the finer one leaves of the rows, at points of its
    own, says how many times smaller its error is, but no more than the error fell from a still coarser solution.
    """
    apart, falls = cell_distance(coarse, fine), fallen(coarse, fine)
    if coarsest is not None:
        falls = max(falls, apart / max(cell_distance(coarsest, fine), TINY))
    most = SAFETY if coarse.lower else 1.0  # solutions of the same factors share some of their errors
    return max(apart * min(safety_of(fine.columns.unknowns) * falls, most), ROUNDING)


def safety_of(unknowns: int) -> float:
    """By how much estimates are larger than what is left of the rows predicts."""
    return SAFETY if unknowns == 1 else OF_SYSTEMS


def fallen(coarse: CellLevel, fine: CellLevel) -> float:
    """What the finer solution leaves of the rows, in units of what the coarser one leaves; also in each cell of a
    corner in which much of it is left, where the coarser one differs by what cells exchange alone."""
    whole = float(np.linalg.norm(fine.left))
    found = whole / max(float(np.linalg.norm(coarse.left)), TINY)
    if not coarse.lower:
        return found
    much = fine.tiles.open & (fine.left > MUCH * whole)
    least = LEAST if fine.tiles.open.any() else 0.0
    return max(found, least, float((fine.left[much] / np.maximum(coarse.left[much], TINY)).max(initial=0.0)))


def cell_distance(one: CellLevel, other: CellLevel) -> float:
    """The relative L2 distance of two solutions on the same cells, the largest over the unknowns; without what is close
    to jumps of boundary values."""
    if one.judged is other.judged and 0 in (one.number, other.number):
        return max(one.apart, other.apart)
    tiles = one.tiles
    cells = np.arange(len(tiles))
    points = compared_points(tiles)
    slots = [(u, (0, 0)) for u in range(one.columns.unknowns)]
    share = compared_share(tiles, points, one.jumps)
    values = [(v * share).ravel()[:, None] for v in one.values(points, cells, slots)]
    others = [(v * share).ravel()[:, None] for v in other.values(points, cells, slots)]
    return float(distances(values, [[a - b] for a, b in zip(values, others, strict=True)])[0, 0])


def compared_points(tiles: Tiles) -> np.ndarray:
    """The points of all cells at which two solutions are compared: (cells, m, 2)."""
    return tiles.inside(np.arange(len(tiles)), JUDGED, 0.25)


def compared_share(tiles: Tiles, points: np.ndarray, jumps: np.ndarray) -> np.ndarray:
    """The weights of these points; those close to jumps of boundary values do not count."""
    share = np.sqrt(np.prod(tiles.half, axis=1) / np.mean(np.prod(tiles.half, axis=1)))[:, None]
    if not len(jumps):
        return share
    near = NEAR * float(np.ptp(tiles.outline.points, axis=0).max())
    return share * (np.linalg.norm(points[:, :, None] - jumps, axis=3).min(axis=2) > near)
