"""The true error of a solution, in the units in which it is estimated."""

from __future__ import annotations

import numpy as np

import transnet as tn

MOMENTS, SLABS, BRIEF = 6, 200, 0.02
"""Sizes are taken at so many moments of at most so many slabs, and are at least this part of the largest."""


def error_of(solution: tn.Solution, points: np.ndarray, wanted: np.ndarray) -> float:
    """The relative error at points, in the units of the estimates: the root mean square of each unknown over space
    and all times, at least a fiftieth of its largest."""
    truth = wanted.reshape(len(points), -1)
    count = truth.shape[1]  # of a flow the pressure, the last, is not compared: it has any constant
    values = np.asarray(solution(points)).reshape(len(points), -1)[:, :count]
    gap = np.sqrt(np.mean(np.abs(values - truth) ** 2, axis=0))
    return float((gap / sizes_of(solution, points[:: max(1, len(points) // 50)])[:count]).max())


def sizes_of(solution: tn.Solution, points: np.ndarray) -> np.ndarray:
    """The sizes of the unknowns, at the places of points and moments of all slabs."""
    slabs = solution.slabs
    if slabs is None:
        return np.sqrt(np.mean(np.abs(np.asarray(solution(points)).reshape(len(points), -1)) ** 2, axis=0))
    y, w = np.polynomial.legendre.leggauss(MOMENTS)
    axis = next(k for k, c in enumerate(solution.problem.coordinates) if c.name == "t")
    squares, lengths = [], []
    for record in slabs[:: 1 + len(slabs) // SLABS]:
        half = (record.end - record.begin) / 2
        where = np.repeat(points.astype(float), MOMENTS, axis=0)
        where[:, axis] = np.tile(record.begin + half * (1 + y), len(points))
        values = np.abs(np.asarray(solution(where)).reshape(len(points), MOMENTS, -1)) ** 2
        squares.append(values.mean(axis=0))
        lengths.append(np.abs(half) * w)
    each, weights = np.concatenate(squares), np.concatenate(lengths)
    return np.maximum(np.sqrt(weights @ each / weights.sum()), BRIEF * np.sqrt(each.max(axis=0)))
