"""The factors of a slab's linearisation: of all stages at once, or of each frequency of the stages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.lazy import linalg, sparse_linalg
from transnet.linalg import lapack
from transnet.slabs.stages import Stages


@dataclass(frozen=True, eq=False)
class Dense:
    """The factors of a full square matrix."""

    factors: np.ndarray
    pivots: np.ndarray

    def solve(self, b: np.ndarray) -> np.ndarray:
        return np.asarray(linalg.lu_solve((self.factors, self.pivots), b, check_finite=False))


@dataclass(frozen=True, eq=False)
class Inverse:
    """A factored least-squares problem: x = R^-1 Q^* b, or by sparse factors if it is square."""

    left: np.ndarray | None
    right: Any
    complex: bool

    def __call__(self, b: np.ndarray) -> np.ndarray:
        if self.left is None:
            return np.asarray(self.right.solve(np.ascontiguousarray(b, dtype=complex if self.complex else float)))
        y = self.left @ b
        if self.complex:
            return np.asarray(lapack.ztrtrs(self.right, y.astype(complex, copy=False))[0])
        return np.asarray(lapack.dtrtrs(self.right, y)[0])


def inverse(matrix: Any) -> Inverse:
    """Factor the matrix of a least-squares problem."""
    if not isinstance(matrix, np.ndarray):
        if matrix.shape[0] == matrix.shape[1]:
            try:
                return Inverse(None, sparse_linalg.splu(matrix.tocsc()), np.iscomplexobj(matrix))
            except RuntimeError as error:
                raise np.linalg.LinAlgError(str(error)) from None
        matrix = matrix.toarray()
    if matrix.shape[0] == matrix.shape[1]:
        return Inverse(None, Dense(*linalg.lu_factor(matrix)), np.iscomplexobj(matrix))
    q, r = np.linalg.qr(matrix)
    return Inverse(np.ascontiguousarray(q.conj().T), np.asfortranarray(r), np.iscomplexobj(matrix))


@dataclass(frozen=True, eq=False)
class Factors:
    """The factors of a slab's linearisation: of all stages at once, or of each frequency lambda_i / tau."""

    stages: Stages
    parts: list[Inverse]
    upper: np.ndarray | None
    exact: bool
    iterated = False

    def __call__(self, residual: np.ndarray) -> np.ndarray:
        """The least-squares solution for right-hand sides (stages, rows) or (stages, rows, k)."""
        s = self.stages
        if self.upper is None:
            flat = self.parts[0](residual.reshape(residual.shape[0] * residual.shape[1], *residual.shape[2:]))
            return flat.reshape(s.count, -1, *residual.shape[2:])
        turned = np.tensordot(s.inverse, residual, axes=1)
        total = None
        for i, part in zip(self.upper, self.parts, strict=True):
            single = not part.complex
            w = part(turned[i].real if single else turned[i])
            vector = s.vectors[:, i].real if single else 2 * s.vectors[:, i]
            share = np.multiply.outer(vector, w).real
            total = share if total is None else total + share
        assert total is not None
        return total
