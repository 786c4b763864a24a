"""A prepared problem as a linear operator of SciPy: right-hand sides in, values of the solution out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.prepared.parameters import table_of

if TYPE_CHECKING:
    from transnet.prepared.prepared import Prepared


def linear_operator(prepared: Prepared, points: Any, parameters: Mapping[Any, Any] | None = None) -> Any:
    """G with G f = u at points: see `Prepared.linear_operator`."""
    from scipy.sparse.linalg import LinearOperator

    given = {label: len(at) for label, at in prepared.points.items()}
    edges = np.cumsum([0, *given.values()])
    table = table_of(prepared.problem, [parameters or {}])

    def solved(rights: np.ndarray) -> np.ndarray:
        """The values (n, k) for right-hand sides (rows, k)."""
        parts = zip(given, edges, edges[1:], strict=False)
        values = {label: rights[low:high].T for label, low, high in parts}
        found = np.asarray(prepared.at_once(table, values)(points))
        return found.reshape(len(found), -1).T

    columns = solved(np.zeros((edges[-1], 1))).shape[0]
    kept: list[np.ndarray] = []

    def adjoint(weights: np.ndarray) -> np.ndarray:
        """Its transpose, by the matrix itself: there are few rows, and all are solved for at once."""
        if not kept:
            kept.append(solved(np.eye(edges[-1])))
        return kept[0].T @ weights

    return LinearOperator(
        (columns, int(edges[-1])), dtype=float, matmat=solved, rmatmat=adjoint,
        matvec=lambda right: solved(np.reshape(right, (-1, 1)))[:, 0], rmatvec=lambda w: adjoint(np.ravel(w)),
    )  # fmt: skip
