"""All eigenvalues of polynomials at once: equations tested with the functions that satisfy the conditions.

A search by iteration may miss a value; here there are as many values as functions, so that those before the last one
wanted are counted. The overlap of left and right eigenvectors is small for an operator that is far from normal, whose
values follow the slightest errors: it says how far rounding moves each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from transnet.eigen.pencil import Pencil
from transnet.eigen.products import Products
from transnet.lazy import linalg
from transnet.tolerances import EPS

SATISFIED = 1e-9
"""A function satisfies conditions whose residual is this part of the largest: as for slabs."""
SYMMETRIC = 1e-9
"""The asymmetry of matrices of a selfadjoint problem, relative to their largest entries: that of rounding is 1e-12."""
DENSE = {True: 1_700, False: 500}
"""The most functions, of a selfadjoint problem and of others: both take two seconds."""


@dataclass(frozen=True, eq=False)
class Everything:
    """All finite eigenvalues of a basis.

    Parameters
    ----------
    coefficients : callable
        The coefficients of the functions with these numbers, (columns, k).
    rounding : array
        How far a value moves if all entries of the matrices are rounded.
    """

    values: np.ndarray
    coefficients: Callable[[np.ndarray], np.ndarray]
    rounding: np.ndarray


def all_values(pencil: Pencil, shift: complex, columns: int) -> Everything | None:
    """The eigenvalues of the first columns; None if they are not linear in the eigenvalue, if it occurs in conditions,
    or if there are too many."""
    basis = pencil.basis
    if not isinstance(basis, Products) or len(pencil.matrices) != 2 or pencil.is_complex:
        return None
    begins = np.cumsum([0, *(b.rows for b in pencil.blocks)])
    rows = [slice(a, b) for a, b in pairwise(begins)]
    walls = [r for b, r in zip(pencil.blocks, rows, strict=True) if b.normals is not None]
    if any(pencil.matrices[1][r].any() for r in walls):
        return None
    norms = basis.norms[:columns]
    conditions = [basis.joints(columns), *(pencil.matrices[0][r, :columns] for r in walls)]
    free = _satisfying(np.concatenate([c / norms for c in conditions]))
    if free.shape[1] > max(DENSE.values()):
        return None
    a, b = np.zeros((2, free.shape[1], free.shape[1]))
    for owner, weight, r in zip(basis.owners, pencil.weights, rows, strict=False):
        tests = (basis.tests(owner, columns) @ free).T / weight
        a += tests @ ((pencil.matrices[0][r, :columns] / norms) @ free)
        b -= tests @ ((pencil.matrices[1][r, :columns] / norms) @ free)
    symmetric = all(np.abs(m - m.T).max() <= SYMMETRIC * np.abs(m).max() for m in (a, b))
    if free.shape[1] > DENSE[symmetric]:
        return None
    values, left, right = _pairs(a, b, float(np.real(shift)), symmetric)
    kept = np.isfinite(values)
    values, left, right = values[kept], left[:, kept], right[:, kept]
    overlap = np.abs(np.einsum("ij,ij->j", left.conj(), b @ right))
    with np.errstate(divide="ignore"):
        rounding = EPS * np.einsum("ij,ij->j", np.abs(left), np.abs(a) @ np.abs(right)) / overlap

    def coefficients(numbers: np.ndarray) -> np.ndarray:
        whole = np.zeros((basis.columns, len(numbers)), dtype=right.dtype)
        whole[:columns] = (free @ right[:, numbers]) / norms[:, None]
        return whole

    return Everything(values, coefficients, rounding)


def _satisfying(conditions: np.ndarray) -> np.ndarray:
    """An orthonormal basis of what satisfies homogeneous conditions."""
    if not len(conditions):
        return np.eye(conditions.shape[1])
    sizes = np.linalg.norm(conditions, axis=1, keepdims=True)
    q, r, _ = linalg.qr((conditions / np.where(sizes > 0, sizes, 1.0)).T, pivoting=True)
    sizes = np.abs(np.diag(r))
    return np.asarray(q[:, int(np.sum(sizes > SATISFIED * sizes[0])) :])


def _pairs(a: np.ndarray, b: np.ndarray, shift: float, symmetric: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The values of a x = lam b x with left and right vectors."""
    if symmetric:
        try:
            values, right = linalg.eigh((a + a.T) / 2, (b + b.T) / 2)
            return values, right, right
        except np.linalg.LinAlgError:
            pass  # b is not positive
    mu, left, right = linalg.eig(linalg.solve(a - shift * b, b), left=True, right=True)
    left = linalg.solve((a - shift * b).T, left)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(np.abs(mu) > EPS * np.abs(mu).max(), shift + 1.0 / mu, np.inf)
    return values, left, right
