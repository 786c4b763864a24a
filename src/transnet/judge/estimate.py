"""The error estimate: how much the solution still changes when the network grows.

The leading columns of the triangle are the QR factorisation of a smaller network, so its least-squares solution costs
one back substitution and no factorisation. The difference between the solutions of the first 95 % of the neurons and of
all of them is of the size of the error itself, because each neuron removes about as much of the error as the next; how
fast the difference falls as the part grows gives the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp, log, sqrt

import numpy as np

from transnet.arrays import NEGLIGIBLE
from transnet.basis.basis import Basis
from transnet.counts import SAMPLE
from transnet.linalg.nested import nested_solutions
from transnet.linalg.sizes import each_rms
from transnet.measure.sampling import spread
from transnet.tolerances import EPS

FRACTIONS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Parts of the network whose solutions are compared with that of the whole."""
VISIBLE = 0.02
"""The relative residual above which a nonlinear equation does not count as solved."""
SAFETY = 2.0
"""Extrapolated, the differences are below the error in 60 of 100 networks, with this factor in 30, and then by a factor
of two at most; the median is 1.7 times the error, and one in ten is more than four times as large
(benchmarks/constants.py judge)."""
CARRIED = 4
"""How many differences are extrapolated to the whole network: with three the estimate may be only a third of the
error."""
FURTHEST = 0.1
"""Extrapolation makes the last difference no smaller than this part of it: a safeguard that no problem of the table
needs."""


def missing_of(
    triangle: np.ndarray, right: np.ndarray, basis: Basis, features: Sequence[np.ndarray], whole: Sequence[np.ndarray]
) -> list[list[np.ndarray]] | None:
    """The differences between the whole solution and those of growing parts of the network, (points, k) for each
    unknown and part.

    Parameters
    ----------
    triangle, right : arrays
        R and Q^T b, (n, k), of the whole network.
    features, whole : sequences of arrays
        For each unknown its features at points, and the values of the whole solution there, (points, k).
    """
    parts = nested_solutions(triangle, right, [basis.leading(fraction)[1] for fraction in FRACTIONS])
    if parts is None:
        return None
    smaller = [f @ parts[basis.slice_of(u)] for u, f in enumerate(features)]
    return [[w - s for s in np.split(p, len(FRACTIONS), axis=1)] for w, p in zip(whole, smaller, strict=True)]


def distances(whole: Sequence[np.ndarray], missing: Sequence[Sequence[np.ndarray]]) -> np.ndarray:
    """The relative L2 distances to the whole, (parts, k): the largest over the unknowns, each relative to its size."""
    sizes = np.array([each_rms(w) for w in whole])
    # An unknown that is zero up to the error of the others has no digits of its own.
    sizes = np.maximum(sizes, NEGLIGIBLE * sizes.max(axis=0))
    sizes[sizes == 0] = 1.0
    return np.max(
        [np.array(list(map(each_rms, lacks))) / size for lacks, size in zip(missing, sizes, strict=True)], axis=0
    )


def nested_error(
    triangle: np.ndarray, right: np.ndarray, coefficients: np.ndarray, basis: Basis, points: np.ndarray
) -> float:
    """The estimated relative error of one solution from smaller networks alone, for steps of an iteration."""
    features = basis.features(points[spread(len(points), SAMPLE)])
    whole = [f @ coefficients[basis.slice_of(u), None] for u, f in enumerate(features)]
    missing = missing_of(triangle, right[:, None], basis, features, whole)
    if missing is None:
        return float("nan")
    neurons = [basis.leading(fraction)[0] for fraction in FRACTIONS]
    return error_estimate(tuple(zip(neurons, map(float, distances(whole, missing)[:, 0]), strict=True)))


def error_estimate(
    differences: tuple[tuple[int, float], ...], bound: float = 0.0, unsatisfied: float = 0.0, linear: bool = True
) -> float:
    """The estimated relative L2 error.

    Parameters
    ----------
    differences : tuple of (neurons, difference)
        The neurons of growing parts of the network, and the distances of their solutions to the whole. The last four
        are extrapolated to the whole network by a straight line through their logarithms. One that is larger than an
        earlier one comes from a part of the network that is nearly singular, and is ignored.
    bound : float
        The weighted residual on held-out points times the amplification, relative to the solution: never smaller than
        the error, and usually a hundred times larger.
    unsatisfied : float
        The largest relative residual of an equation. Where it is not small the network does not solve the equation,
        however little it changes as it grows (as at a corner whose singularity least squares cannot see), and the bound
        counts.
    linear : bool
        Whether the problem is linear. The networks of a nonlinear one are compared on its last linearisation, which may
        be solved perfectly and yet belong to another state: a visible residual then counts in full.
    """
    if not differences:
        return float("nan")
    falling = list(accumulate((value for _, value in differences), min))
    changes = falling[-1]
    if len(falling) >= CARRIED and changes > 0:
        last = slice(-CARRIED, None)
        neurons, logarithms = [n for n, _ in differences[last]], [log(value) for value in falling[last]]
        carried_on = _carried_on(neurons, logarithms)
        # Where the differences fall more and more slowly the line is too steep: take its mean with that of the last
        # two.
        carried_on = sqrt(carried_on * max(carried_on, _carried_on(neurons[-2:], logarithms[-2:])))
        changes = min(changes, max(carried_on, FURTHEST * changes))
    share = min(unsatisfied, 1.0)
    share *= share if linear or share < VISIBLE else 1.0
    return max(SAFETY * changes, bound * share, EPS)


def _carried_on(neurons: list[int], logarithms: list[float]) -> float:
    """The straight line through the logarithms of the differences, extrapolated to the whole network."""
    centre, level = sum(neurons) / len(neurons), sum(logarithms) / len(logarithms)
    spread = sum((n - centre) ** 2 for n in neurons)
    slope = sum((n - centre) * v for n, v in zip(neurons, logarithms, strict=True)) / spread if spread else 0.0
    return exp(level + slope * (neurons[-1] / FRACTIONS[-1] - centre))
