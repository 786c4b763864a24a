"""A = Q R of a real or complex matrix with Q kept as reflectors; its leading columns are factored with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.lazy import linalg
from transnet.linalg import lapack


@dataclass(frozen=True, eq=False)
class Reflectors:
    """What LAPACK's `geqrf` leaves: R in the upper triangle, the reflectors of Q below it.

    Columns of zeros, such as that of a constant pressure, of which nothing is stated, get the coefficient zero.
    """

    stored: np.ndarray
    tau: np.ndarray
    free: np.ndarray

    @classmethod
    def of(cls, matrix: np.ndarray) -> Reflectors:
        kind = "z" if np.iscomplexobj(matrix) else "d"
        work, _ = getattr(lapack, f"{kind}geqrf_lwork")(*matrix.shape)
        stored, tau, _, info = getattr(lapack, f"{kind}geqrf")(np.asfortranarray(matrix), lwork=int(work.real))
        if info != 0:
            raise ValueError(f"LAPACK's geqrf failed with info = {info}.")
        free = np.flatnonzero(np.diagonal(stored) == 0)
        stored[free, free] = 1.0
        return cls(stored, tau, free)

    def rotated(self, right: np.ndarray) -> np.ndarray:
        """Q^H b, the first entries of it: (m, k) -> (n, k)."""
        if np.iscomplexobj(right) and not np.iscomplexobj(self.stored):
            return self.rotated(right.real.copy()) + 1j * self.rotated(right.imag.copy())
        kind, side = ("zunmqr", "C") if np.iscomplexobj(self.stored) else ("dormqr", "T")
        right = np.asfortranarray(right, dtype=self.stored.dtype)
        whole, _, info = getattr(lapack, kind)("L", side, self.stored, self.tau, right, 64 * max(right.shape[1], 1))
        if info != 0:
            raise ValueError(f"LAPACK's {kind} failed with info = {info}.")
        return whole[: self.stored.shape[1]]

    def solve(self, right: np.ndarray, columns: int) -> np.ndarray:
        """The least-squares solution with the leading columns alone."""
        rotated = self.rotated(right)[:columns]
        rotated[self.free[self.free < columns]] = 0.0
        return linalg.solve_triangular(self.stored[:columns, :columns], rotated)
