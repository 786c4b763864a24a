"""The basis of a solution in cells: every point belongs to the nearest seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, floats, register
from transnet.basis.foci import Focus, foci_of
from transnet.cells.columns import CellColumns
from transnet.cells.polynomials import CellPolynomials, bubbles, harmonics
from transnet.cells.seeds import owners
from transnet.features.singular import Singular
from transnet.tolerances import SAME


@dataclass(frozen=True, eq=False)
class CellBasis:
    """Polynomials, and functions of corners, in each cell; coefficients are ordered by cell."""

    kind: ClassVar[str] = "cells"

    seeds: np.ndarray
    functions: CellColumns

    @property
    def pieces(self) -> int:
        """How many cells there are."""
        return len(self.seeds)

    @property
    def unknowns(self) -> int:
        return self.functions.unknowns

    @property
    def columns(self) -> int:
        return len(self.seeds) * self.functions.each

    @property
    def neurons(self) -> int:
        return self.columns // self.unknowns

    @cached_property
    def foci(self) -> list[Focus]:
        """The corners to which functions of cells belong, once each: integrals have more nodes there."""
        f = self.functions
        found = [focus for k, s in f.singular.items() for focus in foci_of(s, f.centre[k], f.half[k])]
        places = np.array([focus.point for focus in found]).reshape(-1, 2)
        _, first = np.unique(np.round(places / (SAME * f.half.max())), axis=0, return_index=True)
        return [found[k] for k in sorted(first.tolist())]

    def slice_of(self, unknown: int) -> np.ndarray:
        f = self.functions
        nb, nh = bubbles(f.degree), harmonics(f.degree)
        mine = [np.arange(unknown * nb, (unknown + 1) * nb), f.held + np.arange(unknown * nh, (unknown + 1) * nh)]
        each = np.arange(len(self.seeds))[:, None] * f.each
        found = [(each + np.concatenate(mine)[None]).ravel()]
        for cell, tables in f.by_unknown.items():
            if unknown in tables:
                found.append(cell * f.each + f.each - f.width + tables[unknown][0])
        return np.sort(np.concatenate(found))

    def derivatives(
        self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot], owner: np.ndarray | None = None
    ) -> list[np.ndarray]:
        """D^k u_i at points for each slot (i, k)."""
        several = coefficients.shape[1:]
        table = coefficients.reshape(len(self.seeds), self.functions.each, -1)
        result = [np.zeros((len(points), table.shape[2])) for _ in slots]
        if not len(points):
            return [r.reshape(0, *several) for r in result]
        own = owners(points, self.seeds) if owner is None else owner
        order = np.argsort(own, kind="stable")
        for here in np.split(order, np.flatnonzero(np.diff(own[order])) + 1):
            cell = int(own[here[0]])
            found = self._in_cell(cell, points[here], slots, table[cell])
            for value, out in zip(found, result, strict=True):
                out[here] = value
        return [r.reshape(len(points), *several) for r in result]

    def _in_cell(
        self, cell: int, points: np.ndarray, slots: Sequence[Slot], coefficients: np.ndarray
    ) -> list[np.ndarray]:
        f = self.functions
        half = f.half[cell]
        placed = (points - f.centre[cell]) / half
        order = max((max(index) for _, index in slots), default=0)
        known = CellPolynomials(placed[None], f.degree, order)
        one = np.ones((1, len(points)))
        nb, nh = bubbles(f.degree), harmonics(f.degree)
        start = f.each - f.width
        singular = f.by_unknown.get(cell, {})
        found = []
        for u, index in slots:
            terms = [(index, one)]
            value = known.bubbles(terms)[0].T @ coefficients[u * nb : (u + 1) * nb]
            value += known.harmonics(terms)[0].T @ coefficients[f.held + u * nh : f.held + (u + 1) * nh]
            if u in singular:
                numbers, table = singular[u]
                value += table.apply(placed, [(index, one[0])]).T @ coefficients[start + numbers]
            found.append(value / np.prod(half ** np.array(index)))
        return found

    def summary(self) -> str:
        return f"{self.pieces} cells, each with polynomials of degree {self.functions.degree} for each unknown"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        f = self.functions
        arrays[f"{prefix}seeds"] = self.seeds
        arrays[f"{prefix}centre"], arrays[f"{prefix}half"] = f.centre, f.half
        if f.singular:
            arrays[f"{prefix}singular"] = np.concatenate([s.table for s in f.singular.values()])
            arrays[f"{prefix}singulars"] = np.array([[k, len(s)] for k, s in f.singular.items()])
        return {"degree": f.degree, "unknowns": f.unknowns}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> CellBasis:
    seeds, centre, half = (floats(arrays, f"{prefix}{name}") for name in ("seeds", "centre", "half"))
    degree, unknowns = int(data["degree"]), int(data["unknowns"])
    if not seeds.shape == centre.shape == half.shape == (len(seeds), 2) or degree < 2 or unknowns < 1:
        raise ValueError("the sizes of its arrays differ")
    singular: dict[int, Singular] = {}
    if f"{prefix}singular" in arrays:
        table, kept = floats(arrays, f"{prefix}singular"), floats(arrays, f"{prefix}singulars").astype(int)
        if kept.ndim != 2 or kept.min() < 0 or kept[:, 0].max() >= len(seeds) or kept[:, 1].sum() != len(table):
            raise ValueError("the sizes of its arrays differ")
        parts = np.split(table, np.cumsum(kept[:, 1])[:-1])
        singular = {k: Singular(t) for k, t in zip(kept[:, 0].tolist(), parts, strict=True)}
    return CellBasis(seeds, CellColumns(centre, half, degree, unknowns, singular))


register(CellBasis.kind, _read)
