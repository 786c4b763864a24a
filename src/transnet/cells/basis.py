"""The basis of a solution in cells: every point belongs to the nearest seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, floats, register
from transnet.basis.foci import Focus, foci_of
from transnet.cells.charts import CellCharts
from transnet.cells.columns import CellColumns, ColumnGroup
from transnet.cells.near import NearFunctions
from transnet.cells.polynomials import CellPolynomials
from transnet.cells.seeds import owners
from transnet.features.singular import Singular
from transnet.geometry import Domain
from transnet.geometry.partition import Pieces
from transnet.language.stored_problem import domain_from_data, domain_to_data
from transnet.tolerances import SAME


@dataclass(frozen=True, eq=False)
class CellBasis:
    """Polynomials, and functions of corners and holes, in each cell."""

    kind: ClassVar[str] = "cells"

    seeds: np.ndarray
    functions: CellColumns
    domain: Domain | None = None
    only: int | None = None

    @property
    def pieces(self) -> int:
        """How many cells there are."""
        return len(self.seeds)

    @property
    def unknowns(self) -> int:
        return self.functions.unknowns

    @property
    def columns(self) -> int:
        return self.functions.count

    @property
    def neurons(self) -> int:
        return self.columns // self.unknowns

    @cached_property
    def foci(self) -> list[Focus]:
        """The corners to which functions of cells belong, once each: integrals have more nodes there."""
        f = self.functions
        found = [focus for s in f.singular.tables.values() for focus in foci_of(s, np.zeros(2), np.ones(2))]
        places = np.array([focus.point for focus in found]).reshape(-1, 2)
        _, first = np.unique(np.round(places / (SAME * np.ptp(self.seeds))), axis=0, return_index=True)
        return [found[k] for k in sorted(first.tolist())]

    def slice_of(self, unknown: int) -> np.ndarray:
        f = self.functions
        found, start = [], 0
        for g in f.groups:
            each = start + np.arange(len(g.cells))[:, None] * g.each
            found.append((each + g.numbers(unknown)[None]).ravel())
            sets, corners = f.singular.pairs(g.cells)
            numbers = f.singular.slots.of(unknown, g.cells[sets], corners) if len(sets) else None
            if numbers is not None:
                found.append((each[sets] + g.each - g.width + numbers)[numbers >= 0])
            start += len(g.cells) * g.each
        return np.sort(np.concatenate(found))

    def constant(self, unknown: int) -> np.ndarray:
        """The coefficients of an unknown that is one."""
        f = self.functions
        found = [np.zeros((len(g.cells), g.each)) for g in f.groups]
        for table, g in zip(found, f.groups, strict=True):
            table[:, g.constant(unknown)] = 1.0
        return np.concatenate([table.ravel() for table in found])

    def within(self, material: int) -> CellBasis:
        """The same functions restricted to one material: on an interface they take the values of its side."""
        return replace(self, only=material)

    def locate(self, points: np.ndarray) -> np.ndarray:
        """The cell of each point: the nearest of its material."""
        if not isinstance(self.domain, Pieces):
            return owners(points, self.seeds)
        which = self.domain.nearest(points) if self.only is None else np.full(len(points), self.only)
        found = np.zeros(len(points), dtype=int)
        for k in np.unique(which):
            cells, here = np.flatnonzero(self.functions.material == k), which == k
            found[here] = cells[owners(points[here], self.seeds[cells])]
        return found

    def derivatives(
        self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot], owner: np.ndarray | None = None
    ) -> list[np.ndarray]:
        """D^k u_i at points for each slot (i, k)."""
        several = coefficients.shape[1:]
        tables = self.functions.tables(coefficients.reshape(len(coefficients), -1))
        result = [np.zeros((len(points), tables[0].shape[2])) for _ in slots]
        if not len(points):
            return [r.reshape(0, *several) for r in result]
        own = self.locate(points) if owner is None else owner
        order = np.argsort(own, kind="stable")
        for here in np.split(order, np.flatnonzero(np.diff(own[order])) + 1):
            group, place = self.functions.place[:, own[here[0]]].tolist()
            found = _in_cell(self.functions.groups[group], place, points[here], slots, tables[group][place])
            for value, out in zip(found, result, strict=True):
                out[here] = value
        return [r.reshape(len(points), *several) for r in result]

    def summary(self) -> str:
        return f"{self.pieces} cells, each with polynomials of degree {self.functions.degree} for each unknown"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        f = self.functions
        arrays[f"{prefix}seeds"] = self.seeds
        charts = f.charts
        arrays[f"{prefix}centre"], arrays[f"{prefix}half"] = charts.centre, charts.half
        around = np.flatnonzero(np.isfinite(charts.focus))
        if len(around):
            both = np.array([charts.focus[around], charts.ahead[around]])
            arrays[f"{prefix}around"] = np.concatenate([around[None], both.real, both.imag])
        tables = f.singular.tables
        if tables:
            arrays[f"{prefix}singular"] = np.concatenate([s.table for s in tables.values()])
            arrays[f"{prefix}singulars"] = np.array([[k, len(s)] for k, s in tables.items()])
        arrays[f"{prefix}material"] = f.material
        domain = domain_to_data(self.domain, arrays) if isinstance(self.domain, Pieces) else None
        return {"degree": f.degree, "orders": list(f.orders), "domain": domain}


def _in_cell(
    group: ColumnGroup, cell: int, points: np.ndarray, slots: Sequence[Slot], coefficients: np.ndarray
) -> list[np.ndarray]:
    """The derivatives of functions with coefficients (columns, c) at points of one cell: (n, c) each."""
    charts = group.charts.take(np.array([cell]))
    order = max((sum(index) for _, index in slots), default=0)
    known = CellPolynomials(charts.placed(points[None]), group.degree, order)
    found = []
    for u, index in slots:
        numbers, lower = group.numbers(u), 2 - group.orders[u]
        value = charts.values(known, coefficients[numbers].T[:, None], points[None], [index], lower)[0][:, 0].T
        if group.width:
            alpha = coefficients[group.each - group.width :]
            value = value + group.singular.summed(int(group.cells[cell]), points, index, u, alpha)
        found.append(value)
    return found


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> CellBasis:
    seeds, centre, half = (floats(arrays, f"{prefix}{name}") for name in ("seeds", "centre", "half"))
    # Files of earlier versions have unknowns of second order only.
    degree, orders = int(data["degree"]), tuple(map(int, data.get("orders") or [2] * int(data["unknowns"])))
    if not seeds.shape == centre.shape == half.shape == (len(seeds), 2) or degree < 3 or not set(orders) <= {1, 2}:
        raise ValueError("the sizes of its arrays differ")
    singular: dict[int, Singular] = {}
    if f"{prefix}singular" in arrays:
        table, kept = floats(arrays, f"{prefix}singular"), floats(arrays, f"{prefix}singulars").astype(int)
        if kept.ndim != 2 or kept.min() < 0 or kept[:, 0].max() >= len(seeds) or kept[:, 1].sum() != len(table):
            raise ValueError("the sizes of its arrays differ")
        parts = np.split(table, np.cumsum(kept[:, 1])[:-1])
        singular = {k: Singular(t) for k, t in zip(kept[:, 0].tolist(), parts, strict=True)}
    around = np.full((2, len(seeds)), np.nan, dtype=complex)
    if f"{prefix}around" in arrays:
        which, *parts = floats(arrays, f"{prefix}around")
        if which.min() < 0 or which.max() >= len(seeds) or len(parts) != 4:
            raise ValueError("the sizes of its arrays differ")
        around[:, which.astype(int)] = np.array(parts[:2]) + 1j * np.array(parts[2:])
    charts = CellCharts(centre, half, *around)
    material = floats(arrays, f"{prefix}material").astype(int)
    if len(material) not in (0, len(seeds)):
        raise ValueError("the sizes of its arrays differ")
    domain = None if data["domain"] is None else domain_from_data(data["domain"], arrays)
    return CellBasis(seeds, CellColumns(charts, degree, orders, NearFunctions(singular), material), domain)


register(CellBasis.kind, _read)
