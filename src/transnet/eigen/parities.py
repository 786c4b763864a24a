"""The pencil of a problem with reflections, parity by parity: smaller pencils with the same spectrum.

An eigenfunction that is even or odd has at a reflected point the rows that it has at the point itself, up to a sign.
So the points need not be reflected, and a quarter of them is enough for a quarter of the functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.eigen.pencil import PART, Pencil
from transnet.features.space import FeatureSpace
from transnet.lazy import sparse
from transnet.problem import Problem
from transnet.symmetry.mirrors import mirrors_of
from transnet.symmetry.singular import by_parity_of
from transnet.symmetry.waves import Products, products_of, wave_mixing

TWO = (0.73, 1.91)
"""Two numbers for the eigenvalue: what holds for both holds for all."""


@dataclass(frozen=True, eq=False)
class Parity:
    """The functions of one parity: `lift` has their coefficients in the basis as columns; the part is for estimates."""

    lift: Any
    part: int

    def of(self, pencil: Pencil) -> Pencil:
        """The pencil for these functions."""
        turned = self.lift.T.tocsr()
        matrices = tuple(np.asarray((turned @ a.T).T, order="F") for a in pencil.matrices)
        return replace(pencil, matrices=matrices, values=(turned @ pencil.values.T).T, part=self.part)


def mirrored_axes_of(problem: Problem, lam: sp.Symbol, parameters: Mapping[sp.Symbol, float]) -> tuple[int, ...]:
    """The coordinates whose reflection leaves the problem unchanged, whatever the eigenvalue."""
    found = [mirrors_of(problem, [value if p == lam else v for p, v in parameters.items()]) for value in TWO]
    if any(m is None for m in found):
        return ()
    first, second = (m.axes for m in found if m is not None)
    return first if first == second else ()


def parities_of(basis: Basis, axes: Sequence[int], points: np.ndarray) -> list[Parity] | None:
    """The parities of a basis of waves in reflected groups; None for any other basis."""
    if not axes or len(basis.spaces) > 1:
        return None
    space = basis.spaces[0]
    products = products_of(space, axes)
    singular = None if products is None else by_parity_of(space.plane, axes, basis.placement, points)
    if products is None or singular is None:
        return None
    found = []
    for k in range(products.parities):
        early, late = (sparse.csr_array(_columns(f[k], space)) for f in (singular.early, singular.late))
        constant = sparse.csr_array(np.eye(1, space.size, 0).T) if k == 0 else sparse.csr_array((space.size, 0))
        waves = _waves(products, space, k)
        lift = sparse.hstack([constant, early, waves, late]).tocsc()
        part = constant.shape[1] + early.shape[1] + int(PART * len(products.base)) * products.phases
        found.append(Parity(lift, part))
    return [p for p in found if p.lift.shape[1]]


def _columns(factors: np.ndarray, space: FeatureSpace) -> np.ndarray:
    """Combinations of singular functions as columns of coefficients of the whole space."""
    result = np.zeros((space.size, len(factors)))
    if len(factors):
        result[space.singular_columns] = factors.T
    return result


def _waves(products: Products, space: FeatureSpace, parity: int) -> Any:
    """The products of one parity as columns of coefficients of the whole space."""
    mine = wave_mixing(len(products.axes), bool(products.rest))[:, parity * products.phases :][:, : products.phases]
    block = sparse.kron(sparse.eye_array(len(products.base)), sparse.csr_array(mine)).tocsr()
    before, after = space.neuron_columns.start, space.size - space.neuron_columns.stop
    zero = [sparse.csr_array((rows, block.shape[1])) for rows in (before, after)]
    return sparse.vstack([zero[0], block, zero[1]])
