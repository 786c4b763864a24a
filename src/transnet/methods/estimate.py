"""The error estimate: how much the solution still changes when the network grows.

The leading columns of the triangle are the QR factorisation of a smaller network, so its least-squares solution costs
one back substitution and no factorisation. The difference between the solutions of the first 90 % of the neurons and
of all of them is of the size of the error itself, because each neuron removes about as much of the error as the next.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from transnet.discretise.assembly import Layout

FRACTIONS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Parts of the network whose solutions are compared with that of the whole."""
SAMPLE = 300


def nested_differences(
    triangle: np.ndarray, right: np.ndarray, coefficients: np.ndarray, layout: Layout, points: np.ndarray
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
    chosen = points[np.unique(np.linspace(0, len(points) - 1, min(len(points), SAMPLE)).astype(int))]
    placed = layout.placement(chosen)
    made: dict[int, np.ndarray] = {}
    features = [made.setdefault(id(s), s(placed)) for s in layout.spaces]
    whole = [f @ coefficients[layout.slice_of(k)] for k, f in enumerate(features)]
    sizes = np.array([np.sqrt(np.mean(w**2)) for w in whole])
    # An unknown that is zero up to the error of the others has no digits of its own.
    sizes = np.maximum(sizes, 1e-6 * sizes.max(initial=0.0))
    sizes[sizes == 0] = 1.0
    found = []
    unknowns = len(layout.spaces)
    for fraction in FRACTIONS:
        # An even number of neurons, because sines come in pairs that belong together, and the constant.
        neurons = 2 * int(0.5 * fraction * (len(coefficients) // unknowns))
        columns = (neurons + 1) * unknowns
        part = np.zeros_like(coefficients)
        diagonal = np.abs(np.diag(triangle)[:columns])
        if diagonal.min() == 0.0:
            continue
        part[:columns] = lapack.dtrtrs(triangle[:columns, :columns], right[:columns, None])[0][:, 0]
        differences = [
            np.sqrt(np.mean((f @ part[layout.slice_of(k)] - w) ** 2)) / size
            for k, (f, w, size) in enumerate(zip(features, whole, sizes, strict=True))
        ]
        found.append((neurons, float(np.max(differences))))
    return tuple(found)


def error_estimate(differences: tuple[tuple[int, float], ...], bound: float = 0.0, unsatisfied: float = 0.0) -> float:
    """The estimated relative L2 error.

    Parameters
    ----------
    differences : tuple of (neurons, difference)
        From `nested_differences`. A difference larger than one before it comes from a part of the network that is
        nearly singular, and is passed over; of the last two the geometric mean is taken.
    bound : float
        The weighted residual on held-out points times the amplification, relative to the solution: never smaller than
        the error, and usually a hundred times larger.
    unsatisfied : float
        The largest relative residual of an equation. Where it is not small the network does not solve the equation,
        however little it changes as it grows (a corner whose singularity least squares cannot see does that), and the
        bound counts.
    """
    falling = np.minimum.accumulate([value for _, value in differences]) if differences else np.array([np.nan])
    changes = float(np.sqrt(falling[-1] * falling[-2])) if len(falling) > 1 else float(falling[-1])
    return max(changes, bound * min(unsatisfied, 1.0) ** 2)
