"""Least squares in which some rows stay and others change: the rows that stay are factored once.

[A_0; A_1] with a triangle R_0 of A_0 at hand has the same triangle as [R_0; A_1]. Stacking a triangle costs nothing
extra with LAPACK's `tpqrt`, which knows that R_0 is one.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from transnet.linalg.least_squares import triangle_of
from transnet.threads import for_columns

BLOCK = 32
SLOWER = 1.3
"""How much more a floating-point operation of `tpqrt` costs than one of `geqrf`."""


class Stack:
    """Rows [A | b] that stay; `triangle` gives the triangle of them and of the rows that change.

    Parameters
    ----------
    constant : (m, n) array
        The rows that stay, Fortran-ordered; overwritten.
    changing : int
        How many rows will change.
    """

    def __init__(self, constant: np.ndarray, changing: int) -> None:
        m, n = constant.shape
        # Operations of a step with the rows that stay as rows, and as a triangle.
        stacked = 2.0 * (m + changing) * n**2 - 2 / 3 * n**3
        reduced = 2.0 * changing * n**2 if changing >= n else SLOWER * 2.0 * changing * n**2
        self.rows: np.ndarray | None = None
        self.reduced: np.ndarray | None = None
        if m and reduced < stacked:
            self.reduced = np.zeros((n, n), order="F")
            triangle = triangle_of(constant)
            self.reduced[: len(triangle)] = triangle
        elif m:
            self.rows = constant

    def triangle(self, changing: np.ndarray) -> np.ndarray:
        """R of all rows, (n, n); the Fortran-ordered array of the rows that change is overwritten."""
        m, n = changing.shape
        if self.reduced is None:
            whole = changing if self.rows is None else np.concatenate([self.rows.T, changing.T], axis=1).T
            return triangle_of(whole)
        if m >= n:
            changing = np.asfortranarray(triangle_of(changing))
        pentagonal = n if m >= n else 0
        with for_columns(n):
            factored, _, _, info = lapack.dtpqrt(pentagonal, min(BLOCK, n), self.reduced, changing, overwrite_b=1)
        if info != 0:
            raise ValueError(f"LAPACK's dtpqrt failed with info = {info}.")
        return np.triu(factored)
