"""The basis of a solution in pieces: small networks, each in a cell of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, floats, register
from transnet.basis.foci import Focus, foci_of
from transnet.cuts.boxes import Boxes
from transnet.cuts.cells import Cells
from transnet.cuts.parts import away
from transnet.features.activation import activation
from transnet.features.edge_functions import AnySingular, read_singular
from transnet.features.evaluate import evaluate
from transnet.features.singular import NO_FUNCTIONS, Singular
from transnet.features.space import FeatureSpace
from transnet.geometry import Domain
from transnet.geometry.partition import Pieces
from transnet.language.stored_problem import domain_from_data, domain_to_data
from transnet.lazy import shapely
from transnet.tolerances import DECIMALS


@dataclass(frozen=True, eq=False)
class PiecewiseBasis:
    """One small network for each cell and unknown; columns are ordered by cell, then by unknown.

    Parameters
    ----------
    domain : Domain or None
        Needed to distinguish materials if there are several.
    boxes : Boxes
        The boxes that cut the domain.
    box, material : (m,) arrays
        The box and the material of each cell.
    centre, half : (m, d) arrays
        The region of each cell that is mapped to the cube of its space.
    space : FeatureSpace
        The waves, the same for all cells.
    singular : tuple of Singular, Multipoles or EdgeFunctions
        The singular functions of each cell; empty if no cell has any.
    unknowns : int
    only : int, optional
        The material whose cells are used, wherever points are.
    outlines : mapping from int to (n, 2) array
        The outlines of cells that share their box with others of the same material.
    """

    kind: ClassVar[str] = "pieces"

    domain: Domain | None
    boxes: Boxes
    box: np.ndarray
    material: np.ndarray
    centre: np.ndarray
    half: np.ndarray
    space: FeatureSpace
    unknowns: int
    singular: tuple[AnySingular, ...] = ()
    only: int | None = None
    outlines: Mapping[int, np.ndarray] = field(default_factory=dict)

    @property
    def singular_places(self) -> list[Focus]:
        """The corners and holes of a plane domain to which singular functions of cells belong, each once."""
        made = zip(self.singular, self.centre, self.half, strict=False)
        every = [f for s, c, h in made if isinstance(s, Singular) and len(s) and len(c) == 2 for f in foci_of(s, c, h)]
        return list({tuple(np.round(f.point, DECIMALS)): f for f in every}.values())

    @classmethod
    def of(cls, cells: Cells, space: FeatureSpace, unknowns: int) -> PiecewiseBasis:
        """The basis of cells."""
        made = cells.cells
        return cls(
            cells.domain,
            cells.boxes,
            np.array([c.box for c in made]),
            np.array([c.material for c in made]),
            np.array([c.centre for c in made]),
            np.array([c.half for c in made]),
            space,
            unknowns,
            tuple(c.singular for c in made) if any(len(c.singular) for c in made) else (),
            outlines={k: shapely.get_coordinates(c.outline) for k, c in enumerate(made) if c.outline is not None},
        )

    @property
    def pieces(self) -> int:
        """How many cells there are."""
        return len(self.box)

    @property
    def columns(self) -> int:
        return int(self._starts[-1])

    @property
    def neurons(self) -> int:
        return self.pieces * self.space.neurons

    def slice_of(self, unknown: int) -> np.ndarray:
        sizes = np.diff(self._starts) // self.unknowns
        starts = self._starts[:-1] + unknown * sizes
        return np.concatenate([np.arange(start, start + n) for start, n in zip(starts, sizes, strict=True)])

    def within(self, material: int) -> PiecewiseBasis:
        """The same functions restricted to one material: on an interface they take the values of its side."""
        return replace(self, only=material)

    def space_of(self, cell: int) -> FeatureSpace:
        """The features of a cell."""
        if not self.singular or not len(self.singular[cell]):
            return self.space
        return self.space.with_singular(self.singular[cell])

    @cached_property
    def _starts(self) -> np.ndarray:
        """Where the columns of each cell begin, and where the last ones end."""
        sizes = np.full(self.pieces, self.space.size)
        if self.singular:
            sizes += np.array([len(s) for s in self.singular])
        return np.concatenate([[0], np.cumsum(self.unknowns * sizes)])

    @cached_property
    def _table(self) -> np.ndarray:
        table = np.full((int(self.material.max()) + 1, len(self.boxes)), -1)
        table[self.material, self.box] = np.arange(self.pieces)
        return table

    @cached_property
    def _shared(self) -> dict[int, tuple[np.ndarray, list[shapely.Polygon]]]:
        """The cells of boxes with several of a material, and their outlines, by the one that is in the table."""
        groups: dict[int, list[int]] = {}
        for cell in self.outlines:
            groups.setdefault(int(self._table[self.material[cell], self.box[cell]]), []).append(cell)
        return {k: (np.array(g), [shapely.Polygon(self.outlines[c]) for c in g]) for k, g in groups.items()}

    def locate(self, points: np.ndarray) -> np.ndarray:
        """The cell of each point, or the nearest of its material."""
        box = self.boxes.locate(points)
        material = np.zeros(len(points), dtype=int)
        if isinstance(self.domain, Pieces):
            material = self.domain.nearest(points) if self.only is None else np.full(len(points), self.only)
        found = self._table[material, box]
        for k in np.flatnonzero(found < 0):
            same = np.flatnonzero(self.material == material[k])
            beyond = np.maximum(np.abs(points[k] - self.centre[same]) - self.half[same], 0.0)
            found[k] = same[int(np.argmin(np.linalg.norm(beyond, axis=1)))]
        if self.outlines:
            boxed = found.copy()
            for first, (cells, parts) in self._shared.items():
                here = np.flatnonzero(boxed == first)
                found[here] = cells[np.argmin(away(parts, points[here]), axis=1)] if len(here) else 0
        return found

    def derivatives(
        self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot], owner: np.ndarray | None = None
    ) -> list[np.ndarray]:
        """D^k u_i at points of the domain for each slot (i, k); `owner` gives the cells to use."""
        several = coefficients.shape[1:]
        result = [np.zeros((len(points), *several)) for _ in slots]
        owner = self.locate(points) if owner is None else owner
        order = np.argsort(owner, kind="stable")
        for here in np.split(order, np.flatnonzero(np.diff(owner[order])) + 1) if len(points) else ():
            cell = int(owner[here[0]])
            space = self.space_of(cell)
            n = space.size
            placed = (points[here] - self.centre[cell]) / self.half[cell]
            for u in sorted({u for u, _ in slots}):
                start = int(self._starts[cell]) + u * n
                mine = [(j, index) for j, (v, index) in enumerate(slots) if v == u]
                found = evaluate(space, coefficients[start : start + n], placed, [index for _, index in mine])
                for (j, index), value in zip(mine, found, strict=True):
                    result[j][here] = value / np.prod(self.half[cell] ** np.array(index))
        return result

    def summary(self) -> str:
        return f"{self.pieces} pieces, each with {self.space.neurons} neurons for each unknown"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        arrays[f"{prefix}weights"], arrays[f"{prefix}biases"] = self.space.weights, self.space.biases
        arrays[f"{prefix}low"], arrays[f"{prefix}high"] = self.boxes.low, self.boxes.high
        arrays[f"{prefix}cell"] = np.stack([self.box, self.material], axis=1)
        arrays[f"{prefix}centre"], arrays[f"{prefix}half"] = self.centre, self.half
        if self.singular:
            # Cells may have functions of several kinds, which their widths tell apart: narrower tables end in zeros.
            widths = np.array([s.table.shape[1] for s in self.singular])
            tables = (np.pad(s.table, ((0, 0), (0, int(widths.max()) - s.table.shape[1]))) for s in self.singular)
            arrays[f"{prefix}singular"] = np.concatenate(list(tables))
            arrays[f"{prefix}singulars"] = np.stack([[len(s) for s in self.singular], widths], axis=1)
        if self.outlines:
            arrays[f"{prefix}outline"] = np.concatenate(list(self.outlines.values()))
            arrays[f"{prefix}outlines"] = np.array([[k, len(o)] for k, o in self.outlines.items()])
        domain = domain_to_data(self.domain, arrays) if isinstance(self.domain, Pieces) else None
        return {"unknowns": self.unknowns, "activation": self.space.activation.name, "domain": domain}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> PiecewiseBasis:
    cell = floats(arrays, f"{prefix}cell").astype(int)
    space = FeatureSpace(
        floats(arrays, f"{prefix}weights"), floats(arrays, f"{prefix}biases"), activation(data["activation"]), np.inf
    )
    boxes = Boxes(floats(arrays, f"{prefix}low"), floats(arrays, f"{prefix}high"))
    centre, half = floats(arrays, f"{prefix}centre"), floats(arrays, f"{prefix}half")
    d = space.dimension
    fits = centre.shape == half.shape == (len(cell), d) and boxes.low.shape == boxes.high.shape == (len(boxes), d)
    if not fits or cell.shape != (len(cell), 2) or cell.min() < 0 or cell[:, 0].max() >= len(boxes):
        raise ValueError("the sizes of its arrays differ")
    singular: tuple[AnySingular, ...] = ()
    if f"{prefix}singular" in arrays:
        table, kept = floats(arrays, f"{prefix}singular"), floats(arrays, f"{prefix}singulars").astype(int)
        fits = kept.shape == (len(cell), 2) and kept.min() >= 0 and table.ndim == 2 and len(table) == kept[:, 0].sum()
        if not fits:
            raise ValueError("the sizes of its arrays differ")
        split = np.split(table, np.cumsum(kept[:, 0])[:-1])
        singular = tuple(
            read_singular(t[:, :width]) if len(t) else NO_FUNCTIONS for t, width in zip(split, kept[:, 1], strict=True)
        )
    outlines: dict[int, np.ndarray] = {}
    if f"{prefix}outline" in arrays:
        corners, sizes = floats(arrays, f"{prefix}outline"), floats(arrays, f"{prefix}outlines").astype(int)
        if sizes.ndim != 2 or sizes[:, 1].sum() != len(corners) or sizes[:, 0].max() >= len(cell) or sizes.min() < 0:
            raise ValueError("the sizes of its arrays differ")
        split = np.split(corners, np.cumsum(sizes[:, 1])[:-1])
        outlines = dict(zip(sizes[:, 0].tolist(), split, strict=True))
    domain = None if data["domain"] is None else domain_from_data(data["domain"], arrays)
    return PiecewiseBasis(
        domain, boxes, cell[:, 0], cell[:, 1], centre, half, space, int(data["unknowns"]), singular, outlines=outlines
    )


register(PiecewiseBasis.kind, _read)
