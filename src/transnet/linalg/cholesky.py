"""The Cholesky factor of a matrix that rounding may have made indefinite."""

from __future__ import annotations

import numpy as np

from transnet.lazy import linalg

SHIFT = 1e-15
"""Added to the diagonal, in units of its largest entry: undetermined directions stay zero."""
GROWS = 10.0
"""The factor by which the shift grows until there is a Cholesky factor: it ends within a decade of the least."""


def lower_factor(matrix: np.ndarray) -> np.ndarray:
    """L with L L' = A, or A + s I with the least shift s for which there is one."""
    if len(matrix) == 0:
        return matrix
    shift, largest = 0.0, float(np.diag(matrix).max())
    while True:
        try:
            shifted = matrix + shift * np.eye(len(matrix)) if shift else matrix
            return linalg.cholesky(shifted, lower=True, check_finite=False)
        except np.linalg.LinAlgError:
            shift = GROWS * shift if shift else SHIFT * largest
