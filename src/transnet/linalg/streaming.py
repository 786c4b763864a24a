"""QR of a matrix that is never there: its rows arrive in blocks, and one triangle remembers them all.

[R; B] = Q R' with B the next block: the rows seen so far have the triangle R', and neither they nor Q are needed again.
Memory is one block and one triangle, whatever the number of rows. The same step joins the triangles of two workers, so
a tree of them is the factorisation on a cluster. Householder reflections throughout: as stable as the QR of all rows.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.linalg import lapack

from transnet.linalg.least_squares import upper
from transnet.threads import for_columns

PANEL = 64
"""Columns that are reflected at once."""


def absorb(triangle: np.ndarray, block: np.ndarray) -> np.ndarray:
    """The triangle of [R; B]; both are overwritten.

    Parameters
    ----------
    triangle : (n, n) array, Fortran order
        R.
    block : (m, n) array, Fortran order
        B, rows that come after.
    """
    return _reflect(triangle, block, 0)


def merge(triangle: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The triangle of two triangles, one above the other; the zeros of both are made use of."""
    return _reflect(np.array(triangle, order="F"), np.array(other, order="F"), triangle.shape[1])


def _reflect(triangle: np.ndarray, block: np.ndarray, trapezoid: int) -> np.ndarray:
    n = triangle.shape[1]
    with for_columns(n):
        result, _, _, info = lapack.dtpqrt(
            trapezoid, min(PANEL, n), triangle, np.asfortranarray(block), overwrite_a=1, overwrite_b=1
        )
    if info != 0:
        raise ValueError(f"LAPACK's dtpqrt failed with info = {info}.")
    return result


def triangle_of_blocks(blocks: Iterable[np.ndarray], columns: int) -> np.ndarray:
    """R of the matrix whose rows arrive in blocks: (columns, columns), upper triangular.

    Parameters
    ----------
    blocks : iterable of (m_i, columns) arrays, Fortran order
        Each is overwritten, so a generator may hand out the same memory again.
    """
    triangle = np.zeros((columns, columns), order="F")
    for block in blocks:
        triangle = absorb(triangle, block)
    return upper(triangle)
