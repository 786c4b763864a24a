"""A = Q R of a real or complex matrix with Q kept as reflectors, which are far cheaper to apply than Q is to make."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from transnet.lazy import linalg
from transnet.linalg import lapack

WORK = 64
"""Columns of LAPACK's workspace for each column it works on: its blocks of reflectors are no wider."""


@dataclass(frozen=True, eq=False)
class Reflectors:
    """What LAPACK's `geqrf` leaves: R in the upper triangle, the reflectors of Q below it, and their factors.

    Columns of zeros, such as that of a constant pressure, on which no statement depends, get the coefficient zero.
    """

    stored: np.ndarray
    tau: np.ndarray
    free: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=int))

    @classmethod
    def of(cls, matrix: np.ndarray) -> Reflectors:
        kind = "z" if np.iscomplexobj(matrix) else "d"
        work, _ = getattr(lapack, f"{kind}geqrf_lwork")(*matrix.shape)
        stored, tau, _, info = getattr(lapack, f"{kind}geqrf")(np.asfortranarray(matrix), lwork=int(work.real))
        _refuse("geqrf", info)
        free = np.flatnonzero(np.diagonal(stored) == 0)
        stored[free, free] = 1.0
        return cls(stored, tau, free)

    def turned(self, right: np.ndarray) -> np.ndarray:
        """The first entries of Q^H b: (m, ...) -> (n, ...)."""
        if np.iscomplexobj(right) and not np.iscomplexobj(self.stored):
            return self.turned(right.real.copy()) + 1j * self.turned(right.imag.copy())
        whole = self._applied(right.reshape(len(right), -1), "C" if np.iscomplexobj(self.stored) else "T")
        return whole[: len(self.tau)].reshape(-1, *right.shape[1:])

    def times(self, columns: np.ndarray) -> np.ndarray:
        """Q c: (n, k) -> (m, k)."""
        wide = np.zeros((len(self.stored), columns.shape[1]), order="F")
        wide[: len(columns)] = columns
        return self._applied(wide, "N")

    def formed(self) -> np.ndarray:
        """The first n columns of Q, in new memory."""
        q, _, info = lapack.dorgqr(self.stored, self.tau, lwork=WORK * len(self.tau))
        _refuse("orgqr", info)
        return q

    def solve(self, right: np.ndarray, columns: int) -> np.ndarray:
        """The least-squares solution with the leading columns alone."""
        turned = self.turned(right)[:columns]
        turned[self.free[self.free < columns]] = 0.0
        return linalg.solve_triangular(self.stored[:columns, :columns], turned)

    def _applied(self, columns: np.ndarray, side: str) -> np.ndarray:
        apply = lapack.zunmqr if np.iscomplexobj(self.stored) else lapack.dormqr
        columns = np.asfortranarray(columns, dtype=self.stored.dtype)
        whole, _, info = apply("L", side, self.stored, self.tau, columns, WORK * max(columns.shape[1], 1))
        _refuse("ormqr", info)
        return whole


def _refuse(routine: str, info: int) -> None:
    if info != 0:
        raise ValueError(f"LAPACK's {routine} failed with info = {info}.")
