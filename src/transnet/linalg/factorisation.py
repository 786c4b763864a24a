"""A QR factorisation that is kept, so that further right-hand sides cost a product with Q and a back substitution.

Q is kept as the Householder reflectors that `dgeqrf` leaves in the place of the matrix: 8 m n bytes, nothing more, and
applying Q^T by `dormqr` is as stable as the factorisation itself. Several right-hand sides are applied at once, as
matrix products.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import lapack

BATCH = 256
"""Right-hand sides that are rotated at once, so that the memory for many of them stays bounded."""


@dataclass(frozen=True, eq=False)
class Factorisation:
    """A = Q R of a tall matrix.

    Parameters
    ----------
    reflectors : (m, n) array, Fortran order
        R in the upper triangle, the reflectors of Q below it.
    tau : (n,) array
        The factors of the reflectors.
    """

    reflectors: np.ndarray
    tau: np.ndarray

    @property
    def rows(self) -> int:
        return self.reflectors.shape[0]

    @property
    def columns(self) -> int:
        return self.reflectors.shape[1]

    @cached_property
    def triangle(self) -> np.ndarray:
        """R, (min(m, n), n), Fortran order."""
        return np.asfortranarray(np.triu(self.reflectors[: min(self.rows, self.columns)]))

    def rotated(self, right: np.ndarray) -> np.ndarray:
        """Q^T b, whole: (m, k) -> (m, k). Its first n rows are the c of R x = c; the norm of the rest is |Ax - b|."""
        work = int(lapack.dormqr("L", "T", self.reflectors, self.tau, right[:, :1], -1)[1][0])
        parts = []
        for start in range(0, right.shape[1], BATCH):
            part = np.asfortranarray(right[:, start : start + BATCH])
            lwork = max(work, 64 * part.shape[1])
            result, _, info = lapack.dormqr("L", "T", self.reflectors, self.tau, part, lwork)
            if info != 0:
                raise ValueError(f"LAPACK's dormqr failed with info = {info}.")
            parts.append(result)
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


def factorise(matrix: np.ndarray) -> Factorisation:
    """QR of a Fortran-ordered (m, n) matrix, which is overwritten by its reflectors."""
    m, n = matrix.shape
    work, _ = lapack.dgeqrf_lwork(m, n)
    factored, tau, _, info = lapack.dgeqrf(matrix, lwork=int(work), overwrite_a=1)
    if info != 0:
        raise ValueError(f"LAPACK's dgeqrf failed with info = {info}.")
    return Factorisation(factored, tau)
