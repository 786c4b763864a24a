"""Q^T of a stored QR factorisation, so that further right-hand sides cost a product and a back substitution.

Q is kept as the Householder reflectors that `dgeqrf` leaves in place of the matrix, and Q^T is applied by `dormqr`. For
many right-hand sides the first n columns of Q replace the reflectors: that costs about as much as the factorisation
did, and halves the cost of every right-hand side. The caller says which; it does not depend on how often it was asked,
so the bits do not depend on what was solved before. Both are as stable as the factorisation itself, and 8 m n bytes
are all that is kept.
"""

from __future__ import annotations

import numpy as np

from transnet.counts import RIGHTS
from transnet.linalg.reflectors import Reflectors
from transnet.remember import Guard
from transnet.threads import for_columns

_reflecting = Guard()
"""LAPACK writes ones into the diagonal of the reflectors while it applies them and puts the entries back afterwards, so
only one thread at a time may read them. Q itself is only read."""


class Rotation:
    """Q^T of a matrix (m, n); several threads may use it at once.

    Parameters
    ----------
    reflectors : (m, n) array, Fortran order
        The reflectors of Q below the diagonal.
    tau : (n,) array
        Their factors.
    """

    def __init__(self, reflectors: np.ndarray, tau: np.ndarray) -> None:
        self.rows, self.columns = reflectors.shape
        # The reflectors or Q itself. Replaced as a whole: a reader has one or the other.
        self._kept: Reflectors | np.ndarray = Reflectors(reflectors, tau)

    def __call__(self, right: np.ndarray, often: bool = False) -> np.ndarray:
        """Q^T b: (m, k) -> (n, k); `often` if many right-hand sides follow."""
        if often and self.rows >= self.columns:
            self._formed()
        parts = [self._rotate(right[:, start : start + RIGHTS]) for start in range(0, right.shape[1], RIGHTS)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    def rest(self, right: np.ndarray, rotated: np.ndarray) -> np.ndarray:
        """The norm of b - Q Q^T b: (k,)."""
        if self.rows < self.columns:
            return np.zeros(right.shape[1])
        return np.linalg.norm(right - self._formed() @ rotated, axis=0)

    def _rotate(self, right: np.ndarray) -> np.ndarray:
        if isinstance(kept := self._kept, np.ndarray):
            return kept.T @ right
        with _reflecting:
            return kept.turned(right)

    def _formed(self) -> np.ndarray:
        """Q, formed in new memory by the first who asks: others may be reading Q or the reflectors."""
        with _reflecting:
            if isinstance(self._kept, Reflectors):
                with for_columns(self.columns):
                    self._kept = self._kept.formed()
            return self._kept
