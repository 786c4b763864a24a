"""A solution that was found parity by parity: the stability of the worst, and what smaller networks lack in each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from transnet.judge.stability import Stability, stability_of
from transnet.linalg.nested import nested_solutions
from transnet.linalg.sizes import rms


def worst_of(
    parts: Iterable[tuple[np.ndarray, np.ndarray]], natural: float = 1.0, worst: Stability | None = None
) -> Stability | None:
    """The stability of the parity with the worst one.

    Parameters
    ----------
    parts : pairs of arrays
        [R | c] of each parity, and its features at points inside, (points, columns).
    worst : Stability, optional
        One that is known already.
    """
    for triangle, values in parts:
        n = triangle.shape[1] - 1
        square = np.asfortranarray(triangle[:n, :n])
        here = stability_of(square, [values / np.sqrt(max(len(values), 1))], [slice(None)], natural)
        if worst is None or not here.amplification <= worst.amplification:
            worst = here
    return worst


def lacking_in(
    triangle: np.ndarray, coefficients: np.ndarray, values: np.ndarray, columns: Sequence[int]
) -> np.ndarray | None:
    """The distances of the solutions with leading columns of one parity from that with all; None if one is singular.

    Parameters
    ----------
    triangle : array
        [R | c].
    coefficients : (n,) array
        Those of all columns.
    values : (points, n) array
        The features at points inside.
    columns : sequence of int
        How many of them the smaller networks have; some may have none.
    """
    n = triangle.shape[1] - 1
    solutions = np.zeros((n, len(columns)))
    usable = [k for k, c in enumerate(columns) if c > 0]
    if usable:
        square, right = np.asfortranarray(triangle[:n, :n]), triangle[:n, n:]
        smaller = nested_solutions(square, right, [columns[k] for k in usable])
        if smaller is None:
            return None
        solutions[:, usable] = smaller
    return rms(values @ (solutions - coefficients[:, None]), axis=0)
