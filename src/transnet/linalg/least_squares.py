"""Dense least squares for tall matrices that are numerically rank-deficient, without normal equations.

The kernel: Householder QR of [A | b] leaves a triangle [R | c] of the size of the columns, and everything that needs
care (rank, truncation, regularisation) happens on that triangle. Solvers are values with one verb,
`solve(triangle, right)`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.linalg import lapack
from transnet.threads import for_columns
from transnet.tolerances import EPS

PANELS = ((600, 32), (1_500, 64), (np.inf, 128))
"""The width of the panels that are factored at once, by the largest number of columns that it is used for
(measured)."""
WIDTH = 64
"""Columns that are copied at once."""


@dataclass(frozen=True, eq=False)
class Coefficients:
    """The result of a solve on the triangle.

    Parameters
    ----------
    values : (n, k) array
        One column of coefficients for each right-hand side.
    rank : int or None
        The numerical rank used; None if the solver did not determine it.
    kept : array of int, optional
        The columns that a sparse solver kept, if it removed some; the other coefficients are zero.
    """

    values: np.ndarray
    rank: int | None
    solver: str
    kept: np.ndarray | None = None


@runtime_checkable
class Solver(Protocol):
    """Solves min |R x - c| for an upper triangular R. To write your own, subclass it and define `solve`.

    Attributes
    ----------
    wants_rest : bool
        Whether `informed` uses its extra arguments.
    """

    wants_rest: ClassVar[bool] = False

    @abstractmethod
    def solve(self, triangle: np.ndarray, right: np.ndarray) -> Coefficients:
        """The coefficients for R, (n, n), and c, (n, k)."""

    def informed(self, triangle: np.ndarray, right: np.ndarray, rest: float, rows: int) -> Coefficients:
        """The same, given the number of rows and the norm `rest` of the part of b that no x can fit."""
        return self.solve(triangle, right)


def reflect(matrix: np.ndarray) -> np.ndarray:
    """Householder QR of a Fortran-ordered matrix in place: R is the upper triangle of the result.

    LAPACK's `dgeqrt` factors its panels recursively, so that products of matrices do the work in small problems too;
    `dgeqrf` takes 1.6 times as long for 100 columns, 1.2 times for 300, and as long for 1000.
    """
    m, n = matrix.shape
    panel = next(width for limit, width in PANELS if n <= limit)
    with for_columns(n):
        factored, _, info = lapack.dgeqrt(min(panel, m, n), matrix, overwrite_a=1)
    if info != 0:
        raise ValueError(f"LAPACK's dgeqrt failed with info = {info}.")
    return factored


def triangle_of(matrix: np.ndarray) -> np.ndarray:
    """R of the QR factorisation of a Fortran-ordered (m, n) matrix, which is overwritten: (min(m, n), n)."""
    return upper(reflect(matrix)[: min(matrix.shape)])


def misfit(matrix: np.ndarray) -> float:
    """The norm of the residual when the other columns are fitted to the last; the matrix is overwritten."""
    m, n = matrix.shape
    return abs(float(reflect(matrix)[n - 1, n - 1])) if m >= n else 0.0


def upper(square: np.ndarray) -> np.ndarray:
    """The upper triangle in Fortran order, which LAPACK takes without a copy."""
    rows, columns = square.shape
    result = np.zeros((rows, columns), order="F")
    for first in range(0, columns, WIDTH):
        last = min(first + WIDTH, columns)
        result[:last, first:last] = square[:last, first:last]
        result[first:last, first:last] = np.triu(square[first:last, first:last])
    return result


def singular_values(triangle: np.ndarray) -> np.ndarray:
    """The singular values of R, largest first."""
    with for_columns(len(triangle)):
        return np.linalg.svd(triangle, compute_uv=False)


def refuse_tolerance(tolerance: Any) -> None:
    """Raise if a cut is not a part of the largest entry."""
    if not (isinstance(tolerance, Real) and 0 <= float(tolerance) < 1):
        raise ProblemError(
            f"The tolerance is the part of the largest entry below which the rest is cut: a number from 0 to 1, not "
            f"{shown(tolerance)}."
        )


@explained
@dataclass(frozen=True)
class QR(Solver):
    """Back substitution on R, with no truncation: the most accurate while no diagonal entry vanishes.

    The columns may be dependent to rounding; the small diagonal entries are then noise, and so are the components of
    the solution along them, which hardly affect the function. If a diagonal entry is so small that these components
    would swamp the rest, `PivotedQR` takes over.
    """

    growth: float = 1e13

    def __post_init__(self) -> None:
        if not (isinstance(self.growth, Real) and self.growth > 0):
            raise ProblemError(f"The growth that QR allows must be a positive number, not {shown(self.growth)}.")

    def solve(self, triangle: np.ndarray, right: np.ndarray) -> Coefficients:
        diagonal = np.abs(np.diag(triangle))
        if diagonal.min(initial=np.inf) > 0 and triangle.shape[0] == triangle.shape[1]:
            values, info = lapack.dtrtrs(triangle, right)
            reference = np.abs(right).max(initial=0.0) / max(diagonal.max(initial=0.0), np.finfo(float).tiny)
            if info == 0 and np.isfinite(values).all() and np.abs(values).max(initial=0.0) <= self.growth * reference:
                return Coefficients(values, None, "QR")
        return PivotedQR().solve(triangle, right)


@explained
@dataclass(frozen=True)
class PivotedQR(Solver):
    """QR with column pivoting of R, cut where the diagonal falls below `tol` times its largest entry."""

    tol: float = EPS

    def __post_init__(self) -> None:
        refuse_tolerance(self.tol)

    def solve(self, triangle: np.ndarray, right: np.ndarray) -> Coefficients:
        n = triangle.shape[1]
        with for_columns(n):
            factored, pivots, tau, _, _ = lapack.dgeqp3(triangle)
        diagonal = np.abs(np.diag(factored))
        rank = int(np.count_nonzero(diagonal > self.tol * diagonal.max(initial=0.0)))
        work = lapack.dormqr("L", "T", factored, tau, right, -1)[1]
        rotated = lapack.dormqr("L", "T", factored, tau, right, int(work[0]))[0]
        values = np.zeros((n, right.shape[1]))
        if rank:
            values[pivots[:rank] - 1] = lapack.dtrtrs(factored[:rank, :rank], rotated[:rank])[0]
        return Coefficients(values, rank, "PivotedQR")


@explained
@dataclass(frozen=True)
class SVD(Solver):
    """The singular value decomposition of R, cut at `tol` times the largest: the shortest solution."""

    tol: float = EPS

    def __post_init__(self) -> None:
        refuse_tolerance(self.tol)

    def solve(self, triangle: np.ndarray, right: np.ndarray) -> Coefficients:
        with for_columns(len(triangle)):
            u, s, vt = np.linalg.svd(triangle, full_matrices=False)
        rank = int(np.count_nonzero(s > self.tol * s.max(initial=0.0)))
        values = vt[:rank].T @ ((u[:, :rank].T @ right) / s[:rank, None])
        return Coefficients(values, rank, "SVD")
