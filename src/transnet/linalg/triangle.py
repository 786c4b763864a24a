"""The triangle of rows: it absorbs them, rotates right-hand sides, is solved, and gives the residual.

[A | b] = Q [R | c], and everything that needs care happens on [R | c]. Rows may come all at once, in portions (one
portion and one triangle are in memory, whatever the number of rows), from several workers (two triangles make one), or
as rows that stay and rows that change: the triangle of those that stay is made once and represents them. Householder
reflections throughout: each way is as stable as the QR of all rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from transnet.linalg import lapack
from transnet.linalg.least_squares import Coefficients, Solver, triangle_of, upper
from transnet.linalg.rotation import Rotation
from transnet.threads import for_columns

PANEL = 32
"""Columns that are reflected at once."""
SLOWER = 1.3
"""How much more a floating-point operation of `tpqrt` costs than one of `geqrt` (measured for 200 to 1000 columns)."""


@dataclass(frozen=True, eq=False)
class Triangle:
    """R of some rows.

    Parameters
    ----------
    array : (n, n) array, Fortran order
        R; with fewer rows than columns (m, n); not yet a triangle but the rows themselves if not `reduced`.
    rows : int
        How many rows it stands for.
    rotation : Rotation, optional
        Q^T, if it was kept for further right-hand sides.
    """

    array: np.ndarray
    rows: int
    rotation: Rotation | None = None
    reduced: bool = True

    @classmethod
    def of(cls, matrix: np.ndarray, keep: bool = False) -> Triangle:
        """The triangle of a Fortran-ordered matrix, which is overwritten; `keep` keeps Q as well."""
        m, n = matrix.shape
        if not keep:
            return cls(triangle_of(matrix), m)
        with for_columns(n):
            factored, tau, _, info = lapack.dgeqrf(matrix, lwork=int(lapack.dgeqrf_lwork(m, n)[0]), overwrite_a=1)
        if info != 0:
            raise ValueError(f"LAPACK's dgeqrf failed with info = {info}.")
        return cls(upper(factored[: min(m, n)]), m, Rotation(factored, tau))

    @classmethod
    def of_blocks(cls, blocks: Iterable[np.ndarray], columns: int) -> Triangle:
        """The triangle of rows in Fortran-ordered blocks, each of which is overwritten: a generator may reuse its
        memory."""
        found = cls(np.zeros((columns, columns), order="F"), 0)
        for block in blocks:
            found = found.absorb(block, overwrite=True)
        return found

    @classmethod
    def before(cls, constant: np.ndarray, changing: int) -> Triangle:
        """The triangle of rows that stay, before this many others that change; left as rows if that is less work.

        The Fortran-ordered array of the rows that stay is overwritten.
        """
        m, n = constant.shape
        # Operations of a step with the rows that stay as rows, and as a triangle.
        stacked = 2.0 * (m + changing) * n**2 - 2 / 3 * n**3
        reduced = 2.0 * changing * n**2 if changing >= n else SLOWER * 2.0 * changing * n**2
        return cls.of(constant) if m and reduced < stacked else cls(constant, m, reduced=False)

    def absorb(self, rows: np.ndarray, overwrite: bool = False) -> Triangle:
        """The triangle of these rows and others, Fortran-ordered and overwritten; this one is overwritten only on
        request."""
        m, n = rows.shape
        if not self.reduced:
            whole = rows if self.rows == 0 else np.concatenate([self.array.T, rows.T], axis=1).T
            return Triangle(triangle_of(whole), self.rows + m)
        below, trapezoid = (triangle_of(rows), n) if m >= n else (np.asfortranarray(rows), 0)
        return Triangle(_reflected(self.array, below, trapezoid, overwrite), self.rows + m)

    def joined(self, other: Triangle) -> Triangle:
        """The triangle of the rows of two; neither is overwritten."""
        below = _square(other.array).copy(order="F")
        return Triangle(_reflected(self.array, below, len(below), False), self.rows + other.rows)

    def rotated(self, right: np.ndarray, often: bool = False) -> np.ndarray:
        """Q^T b, the right-hand sides of R x = c: (m, k) -> (n, k); `often` if many follow."""
        assert self.rotation is not None
        return self.rotation(right, often)

    def rest(self, right: np.ndarray, rotated: np.ndarray) -> np.ndarray:
        """The norm of what no x can fit, min |A x - b| = |b - Q Q^T b|: (k,)."""
        assert self.rotation is not None
        return self.rotation.rest(right, rotated)

    def solve(self, solver: Solver, columns: int) -> Coefficients:
        """Solve if this is the triangle [R | c] of [A | b] and A has this many columns."""
        n = columns
        r, right = np.asfortranarray(self.array[:n, :n]), self.array[:n, n:]
        return solver.informed(r, right, float(np.linalg.norm(self.array[n:, n:])), self.rows)


def _square(array: np.ndarray) -> np.ndarray:
    m, n = array.shape
    return array if m == n else np.concatenate([array, np.zeros((n - m, n))])


def _reflected(above: np.ndarray, below: np.ndarray, trapezoid: int, overwrite: bool) -> np.ndarray:
    """R of a triangle above rows, of which the last `trapezoid` are a triangle too; the rows are overwritten."""
    n = above.shape[1]
    with for_columns(n):
        result, _, _, info = lapack.dtpqrt(
            trapezoid,
            min(PANEL, n),
            np.asfortranarray(_square(above)),
            below,
            overwrite_a=int(overwrite),
            overwrite_b=1,
        )
    if info != 0:
        raise ValueError(f"LAPACK's dtpqrt failed with info = {info}.")
    return result
