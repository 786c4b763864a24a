"""The least-squares solutions of the leading columns: smaller networks at the cost of one back substitution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.linalg import lapack

from .least_squares import QR, PivotedQR


def nested_solutions(triangle: np.ndarray, right: np.ndarray, columns: Sequence[int]) -> np.ndarray | None:
    """The solutions of the leading columns for each of several numbers of them: (n, k) -> (n, len(columns) k).

    With zeros below its first rows the right-hand side gives the solution of the leading columns alone, so that one
    back substitution gives them all. A part with dependent columns is solved by pivoting, as the whole would be. None
    if a diagonal entry vanishes.
    """
    last = max(columns)
    diagonal = np.abs(np.diag(triangle)[:last])
    if diagonal.min(initial=np.inf) == 0.0:
        return None
    n, k = right.shape
    cut = np.zeros((n, len(columns) * k), order="F")
    for j, count in enumerate(columns):
        cut[:count, j * k : (j + 1) * k] = right[:count]
    if np.abs(np.diag(triangle)).min() > 0.0:
        cut = lapack.dtrtrs(triangle, cut, overwrite_b=1)[0]
    else:
        cut[:last] = lapack.dtrtrs(np.asfortranarray(triangle[:last, :last]), cut[:last])[0]
    largest = QR().growth * np.abs(right).max(initial=0.0) / diagonal.max(initial=1.0)
    for j, count in enumerate(columns):
        mine = cut[:count, j * k : (j + 1) * k]
        if not np.abs(mine).max(initial=0.0) <= largest:
            mine[:] = PivotedQR().solve(np.asfortranarray(triangle[:count, :count]), right[:count]).values
    return cut
