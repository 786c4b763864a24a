"""The error estimate: how much the solution still changes when the network grows.

The leading columns of the triangle are the QR factorisation of a smaller network, so its least-squares solution costs
one back substitution and no factorisation. The difference between the solutions of the first 95 % of the neurons and
of all of them is of the size of the error itself, because each neuron removes about as much of the error as the next;
how fast it falls with the part of the network tells the rest.
"""

from __future__ import annotations

from itertools import accumulate
from math import exp, log

import numpy as np

from transnet.basis.basis import Basis
from transnet.geometry.sampling import spread
from transnet.linalg.nested import nested_solutions

FRACTIONS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Parts of the network whose solutions are compared with that of the whole."""
SAMPLE = 300
SAFETY = 2.0
"""Carried on, the differences are about as often above the error as below; with this factor they seldom are below."""


def nested_differences(
    triangle: np.ndarray, right: np.ndarray, coefficients: np.ndarray, basis: Basis, points: np.ndarray
) -> tuple[tuple[int, float], ...]:
    """For growing parts of the network, the neurons an unknown and the relative L2 distance to the whole solution.

    Parameters
    ----------
    triangle, right : arrays
        R and Q^T b of the whole network.
    coefficients : (columns,) array
        The solution of the whole network.
    points : (k, d) array
        Points of the domain; a few hundred of them are used.

    Returns
    -------
    tuple of (neurons, difference)
        The largest over the unknowns, each relative to its own size where it has one.
    """
    features = basis.features(points[spread(len(points), SAMPLE)])
    whole = [f @ coefficients[basis.slice_of(k)] for k, f in enumerate(features)]
    sizes = np.array([np.sqrt(np.mean(w**2)) for w in whole])
    # An unknown that is zero up to the error of the others has no digits of its own.
    sizes = np.maximum(sizes, 1e-6 * sizes.max(initial=0.0))
    sizes[sizes == 0] = 1.0
    neurons, columns = zip(*map(basis.leading, FRACTIONS), strict=True)
    parts = nested_solutions(triangle, right[:, None], columns)
    if parts is None:
        return ()
    errors = np.max(
        [
            np.sqrt(np.mean((f @ parts[basis.slice_of(k)] - w[:, None]) ** 2, axis=0)) / size
            for k, (f, w, size) in enumerate(zip(features, whole, sizes, strict=True))
        ],
        axis=0,
    )
    return tuple((m, float(e)) for m, e in zip(neurons, errors, strict=True))


def error_estimate(differences: tuple[tuple[int, float], ...], bound: float = 0.0, unsatisfied: float = 0.0) -> float:
    """The estimated relative L2 error.

    Parameters
    ----------
    differences : tuple of (neurons, difference)
        From `nested_differences`. The last four are carried on to the whole network by a straight line in their
        logarithms. One that is larger than those before it comes from a part of the network that is nearly singular,
        and is passed over.
    bound : float
        The weighted residual on held-out points times the amplification, relative to the solution: never smaller than
        the error, and usually a hundred times larger.
    unsatisfied : float
        The largest relative residual of an equation. Where it is not small the network does not solve the equation,
        however little it changes as it grows (a corner whose singularity least squares cannot see does that), and the
        bound counts.
    """
    if not differences:
        return float("nan")
    falling = list(accumulate((value for _, value in differences), min))
    changes = falling[-1]
    if len(falling) > 3 and changes > 0:
        carried_on = _carried_on([n for n, _ in differences[-4:]], [log(value) for value in falling[-4:]])
        changes = min(changes, max(carried_on, 0.1 * changes))
    return max(SAFETY * changes, bound * min(unsatisfied, 1.0) ** 2)


def _carried_on(neurons: list[int], logarithms: list[float]) -> float:
    """The straight line through the logarithms of the differences, at the whole network."""
    centre, level = sum(neurons) / len(neurons), sum(logarithms) / len(logarithms)
    spread = sum((n - centre) ** 2 for n in neurons)
    slope = sum((n - centre) * v for n, v in zip(neurons, logarithms, strict=True)) / spread if spread else 0.0
    return exp(level + slope * (neurons[-1] / FRACTIONS[-1] - centre))
