"""The smaller network left by a sparse solve: the neurons that were kept, and their own triangle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from transnet.basis.basis import Basis
from transnet.linalg.least_squares import QR, Coefficients, triangle_of


def reduced(basis: Basis, triangle: np.ndarray, found: Coefficients) -> tuple[Basis, np.ndarray, Coefficients]:
    """The basis with only the neurons kept for each unknown, the triangle of its columns, and the refit on them.

    The constants always stay. The triangle of the kept columns follows from that of all of them, so the rows are not
    needed again.
    """
    assert found.kept is not None
    n = basis.columns
    kept = np.zeros(n, dtype=bool)
    kept[found.kept] = True
    spaces = []
    masks = []
    for k, space in enumerate(basis.spaces):
        mask = kept[basis.slice_of(k)]
        mask[0] = True
        masks.append(mask)
        neurons, singular = mask[space.neuron_columns], space.plane.part(mask[space.singular_columns])
        spaces.append(replace(space, weights=space.weights[neurons], biases=space.biases[neurons], singular=singular))
    smaller = Basis(tuple(spaces), basis.placement)
    order = np.empty(smaller.columns, dtype=int)
    for k, mask in enumerate(masks):
        order[smaller.slice_of(k)] = np.arange(n)[basis.slice_of(k)][mask]
    columns = np.concatenate([order, np.arange(n, triangle.shape[1])])
    small = triangle_of(np.array(triangle[:, columns], order="F"))
    m = smaller.columns
    refit = QR().solve(small[:m, :m], small[:m, m:])
    return smaller, small, Coefficients(refit.values, m, found.solver, found.kept)
