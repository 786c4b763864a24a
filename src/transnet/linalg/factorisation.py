"""A QR factorisation that is kept, so that further right-hand sides cost a product with Q and a back substitution.

Q is first kept as the Householder reflectors that `dgeqrf` leaves in the place of the matrix, and Q^T is applied by
`dormqr`. Once a few right-hand sides were rotated the first n columns of Q take the place of the reflectors: that costs
about as much as the factorisation did, and halves the cost of every further right-hand side. Both are as stable as the
factorisation itself, and 8 m n bytes are all that is kept.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from transnet.linalg.least_squares import upper
from transnet.threads import for_columns

BATCH = 256
"""Right-hand sides that are rotated at once, so that the memory for many of them stays bounded."""
PATIENCE = 4
"""Calls after which Q is formed."""


class Factorisation:
    """A = Q R of a tall matrix, (m, n) with m >= n.

    Parameters
    ----------
    reflectors : (m, n) array, Fortran order
        R in the upper triangle, the reflectors of Q below it; overwritten by Q later on.
    tau : (n,) array
        The factors of the reflectors.

    Attributes
    ----------
    triangle : (n, n) array, Fortran order
        R.
    """

    def __init__(self, reflectors: np.ndarray, tau: np.ndarray) -> None:
        self.rows, self.columns = reflectors.shape
        self.triangle = upper(reflectors[: min(reflectors.shape)])
        self._stored, self._tau, self._calls, self._formed = reflectors, tau, 0, False

    def rotated(self, right: np.ndarray) -> np.ndarray:
        """Q^T b, the right-hand sides of R x = c: (m, k) -> (n, k)."""
        self._calls += 1
        if self._calls > PATIENCE and not self._formed and self.rows >= self.columns:
            self._form()
        parts = [self._rotate(right[:, start : start + BATCH]) for start in range(0, right.shape[1], BATCH)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    def rest(self, right: np.ndarray, rotated: np.ndarray) -> np.ndarray:
        """The norm of what no x can fit, min |A x - b| = |b - Q Q^T b|: (k,)."""
        if not self._formed and self.rows >= self.columns:
            self._form()
        return np.linalg.norm(right - self._stored @ rotated, axis=0)

    def _rotate(self, right: np.ndarray) -> np.ndarray:
        if self._formed:
            return self._stored.T @ right
        work = int(lapack.dormqr("L", "T", self._stored, self._tau, right[:, :1], -1)[1][0])
        whole, _, info = lapack.dormqr(
            "L", "T", self._stored, self._tau, np.asfortranarray(right), max(work, 64 * right.shape[1])
        )
        if info != 0:
            raise ValueError(f"LAPACK's dormqr failed with info = {info}.")
        return whole[: self.columns]

    def _form(self) -> None:
        with for_columns(self.columns):
            q, _, info = lapack.dorgqr(self._stored, self._tau, lwork=64 * self.columns, overwrite_a=1)
        if info != 0:
            raise ValueError(f"LAPACK's dorgqr failed with info = {info}.")
        self._stored, self._formed = q, True


def factorise(matrix: np.ndarray) -> Factorisation:
    """QR of a Fortran-ordered (m, n) matrix, which is overwritten by its reflectors."""
    m, n = matrix.shape
    work, _ = lapack.dgeqrf_lwork(m, n)
    with for_columns(n):
        factored, tau, _, info = lapack.dgeqrf(matrix, lwork=int(work), overwrite_a=1)
    if info != 0:
        raise ValueError(f"LAPACK's dgeqrf failed with info = {info}.")
    return Factorisation(factored, tau)
