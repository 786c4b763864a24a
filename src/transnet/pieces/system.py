"""The rows of all cells and faces: coefficients from the statements, weights from their sizes; reduced and glued."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from transnet.features.space import FeatureSpace
from transnet.pieces.cells import Cells
from transnet.pieces.glue import Glue, Joint, factor
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, Reduced, RowBlock, likeness, reduce_cell
from transnet.pieces.weights import Scale, scale_of
from transnet.problem import At, Data, Mean, On
from transnet.rows.collocation import where_mask
from transnet.rows.compile import Equation, Slot
from transnet.rows.statements import Statement


@dataclass(frozen=True, eq=False)
class FaceRows:
    """One statement on a face: rows of its two cells."""

    label: str
    first: RowBlock
    second: RowBlock


@dataclass(eq=False)
class System:
    """All rows at one state of the unknowns.

    Parameters
    ----------
    cells : Cells
    space : FeatureSpace
        The features of every cell.
    frames : list of Frame
    scales : list of Scale
    local : list of lists of (label, RowBlock)
        The rows of each cell.
    faces : list of lists of FaceRows
        The rows of each face.
    """

    cells: Cells
    space: FeatureSpace
    frames: list[Frame]
    scales: list[Scale]
    local: list[list[tuple[str, RowBlock]]]
    faces: list[list[FaceRows]]
    means: list[dict[int, RowBlock]] = field(default_factory=list)


Labelled = list[tuple[str, RowBlock]]

MEAN_NODES = 20_000
"""Nodes of a mean value."""

State = Any
"""An iterate at which nonlinear statements are linearised, or None; it has `values(number, cell, points, slots)`."""


def bandwidth(space: FeatureSpace) -> float:
    """The highest frequency of the waves along an axis."""
    return float(np.abs(space.weights).max())


def write_system(laws: Laws, cells: Cells, space: FeatureSpace, numbers: Sequence[Any], state: State = None) -> System:
    """All rows of a problem on cells, linearised at a state."""
    writer = _Writer(laws, cells, space, tuple(numbers), state)
    return writer.write()


@dataclass(eq=False)
class _Writer:
    laws: Laws
    cells: Cells
    space: FeatureSpace
    numbers: tuple[Any, ...]
    state: State
    frames: list[Frame] = field(default_factory=list)
    scales: list[Scale] = field(default_factory=list)
    means: list[dict[int, RowBlock]] = field(default_factory=list)

    def write(self) -> System:
        problem, cells = self.laws.problem, self.cells.cells
        unknowns = len(problem.unknowns)
        kappa = bandwidth(self.space) / np.sqrt(3.0)
        self.frames = [Frame(self.space, c.centre, c.half, np.ones(unknowns)) for c in cells]
        made = []
        materials = [[k for k, c in enumerate(cells) if c.material == m] for m in range(len(self.laws.names))]
        by_cell: list[list[tuple[Statement, tuple[np.ndarray, ...], np.ndarray]]] = [[] for _ in cells]
        for material, mine in enumerate(materials):
            for statement in self.laws.equations[material]:
                found = self.linearised(statement.equation, mine, [cells[k].inside for k in mine], None)
                for k, (coefficients, right) in zip(mine, found, strict=True):
                    by_cell[k].append((statement, coefficients, right))
        local: list[list[tuple[str, RowBlock]]] = []
        for k, cell in enumerate(cells):
            orders = [max(o) for o in self.laws.orders(cell.material)]
            pairs = [(s.equation.slots, c) for s, c, _ in by_cell[k]]
            scale = scale_of(kappa / cell.half, unknowns, pairs, orders)
            self.scales.append(scale)
            self.frames[k] = Frame(self.space, cell.centre, cell.half, scale.unknowns)
            energy = np.sqrt(scale.stiffness)
            blocks = []
            for i, (statement, coefficients, right) in enumerate(by_cell[k]):
                weight = scale.rows[i] * energy / np.sqrt(len(cell.inside))
                block = RowBlock(cell.inside, statement.equation.slots, coefficients, weight, right)
                blocks.append((statement.label, block))
            local.append(blocks)
        for condition in problem.conditions:
            self.add_condition(condition, local, materials)
        made = self.face_rows(materials)
        return System(self.cells, self.space, self.frames, self.scales, local, made, self.means)

    # -- conditions --------------------------------------------------------------------------------------------------
    def add_condition(self, condition: Any, local: list[Labelled], materials: list[list[int]]) -> None:
        problem, cells = self.laws.problem, self.cells.cells
        places: dict[int, tuple[np.ndarray, np.ndarray | None, np.ndarray | None]] = {}
        match condition:
            case On(part=part, where=where) if "|" not in part:
                wanted = {problem.domain.parts.index(p) for p in problem.domain.resolve(part)}
                for k, cell in enumerate(cells):
                    rims = [s for s in cell.rims if s.owner in wanted]
                    if not rims:
                        continue
                    points = np.concatenate([s.points for s in rims])
                    normals = np.concatenate([s.normals for s in rims])
                    if where is not None:
                        chosen = where_mask(where, problem.coordinates, points)
                        points, normals = points[chosen], normals[chosen]
                    if len(points):
                        places[k] = points, normals, None
            case At(points=points) | Data(points=points):
                owner = self.located(points)
                values = condition.values if isinstance(condition, Data) else None
                for number in np.unique(owner):
                    here = owner == number
                    places[int(number)] = points[here], None, None if values is None else values[here]
            case Mean():
                self.add_mean(condition, materials)
                return
            case _:
                return
        for material, members in enumerate(materials):
            mine = [k for k in members if k in places]
            if not mine:
                continue
            for statement in self.laws.condition(condition, material):
                found = self.linearised(
                    statement.equation,
                    mine,
                    [places[k][0] for k in mine],
                    None if places[mine[0]][1] is None else [places[k][1] for k in mine],  # type: ignore[misc]
                )
                for k, (coefficients, right) in zip(mine, found, strict=True):
                    points, outward, values = places[k]
                    scale = self.scales[k]
                    slots = statement.equation.slots
                    size = scale.size(slots, coefficients) or 1.0
                    weight: Any = np.sqrt(scale.stiffness) / (size * np.sqrt(len(points)))
                    weight = weight * (statement.weight or 1.0)
                    honest = float(weight)
                    if outward is not None and all(sum(index) == 0 for _, index in slots) and scale.drift.any():
                        # An outflow layer that is not resolved must not pollute what is upstream.
                        flow = outward @ scale.drift
                        out = flow > 1e-9 * np.linalg.norm(scale.drift)
                        if out.any():
                            weight = weight * np.where(out, scale.diffusive, 1.0)
                    right = right if values is None else right + values
                    local[k].append((statement.label, RowBlock(points, slots, coefficients, weight, right, honest)))

    def add_mean(self, condition: Mean, materials: list[list[int]]) -> None:
        """A mean value: one row over all cells."""
        nodes, weights = self.laws.problem.domain.quadrature(MEAN_NODES)
        weights = weights / weights.sum()
        owner = self.located(nodes)
        row: dict[int, RowBlock] = {}
        for material, members in enumerate(materials):
            mine = [k for k in members if np.any(owner == k)]
            if not mine:
                continue
            statement = self.laws.condition(condition, material)[0]
            found = self.linearised(statement.equation, mine, [nodes[owner == k] for k in mine], None)
            for k, (coefficients, right) in zip(mine, found, strict=True):
                size = self.scales[k].size(statement.equation.slots, coefficients) or 1.0
                weight = weights[owner == k] * (statement.weight or 1.0)
                row[k] = RowBlock(nodes[owner == k], statement.equation.slots, coefficients, weight, right, size)
        # One weight for the whole row: that of a typical cell.
        size = float(np.median([b.honest for b in row.values()]))
        energy = float(np.sqrt(np.median([self.scales[k].stiffness for k in row])))
        factor_ = energy / size
        self.means.append({k: replace(b, weight=factor_ * b.weight, honest=factor_) for k, b in row.items()})

    def located(self, points: np.ndarray) -> np.ndarray:
        from transnet.pieces.basis import PiecewiseBasis

        return PiecewiseBasis.of(self.cells, self.space, 1).locate(points)

    # -- faces -------------------------------------------------------------------------------------------------------
    def face_rows(self, materials: list[list[int]]) -> list[list[FaceRows]]:
        cells, faces = self.cells.cells, self.cells.faces
        made: list[list[FaceRows]] = [[] for _ in faces]
        pairs: dict[tuple[int, int], list[int]] = {}
        for k, face in enumerate(faces):
            if face.axis is not None:
                made[k] = self.inner_face(k)
            else:
                pair = cells[face.first].material, cells[face.second].material
                pairs.setdefault(pair, []).append(k)
        for (a, b), mine in pairs.items():
            for statement in self.laws.interface(a, b):
                found = self.linearised_across(statement.equation, mine)
                for k, (coefficients, right) in zip(mine, found, strict=True):
                    made[k].append(self.interface_rows(k, statement, coefficients, right))
        return made

    def inner_face(self, number: int) -> list[FaceRows]:
        """Inside a material all normal derivatives below the order of the equations are continuous."""
        face = self.cells.faces[number]
        axis = face.axis
        assert axis is not None
        a, b = self.scales[face.first], self.scales[face.second]
        orders = self.laws.orders(self.cells.cells[face.first].material)
        kappa = max(a.kappa[axis], b.kappa[axis])
        energy = (a.stiffness * b.stiffness) ** 0.25
        diffusive = min(a.diffusive, b.diffusive)
        zero = np.zeros(len(face.points))
        images = face.points if face.images is None else face.images
        rows = []
        for u, along in enumerate(orders):
            unit = max(a.unknowns[u], b.unknowns[u])
            for order in range(along[axis]):
                index = tuple(order if j == axis else 0 for j in range(face.points.shape[1]))
                honest = energy * face.share / (unit * kappa**order * np.sqrt(len(face.points)))
                weight = honest * (diffusive if order else 1.0)
                slots: tuple[Slot, ...] = ((u, index),)
                rows.append(
                    FaceRows(
                        "faces between pieces",
                        RowBlock(face.points, slots, (np.array(1.0),), weight, zero, honest),
                        RowBlock(images, slots, (np.array(-1.0),), weight, zero, honest),
                    )
                )
        return rows

    def interface_rows(
        self, number: int, statement: Statement, coefficients: tuple[np.ndarray, ...], right: np.ndarray
    ) -> FaceRows:
        face = self.cells.faces[number]
        count = len(self.laws.problem.unknowns)
        sides = []
        for side in (0, 1):
            chosen = [
                ((u - side * count, index), c)
                for (u, index), c in zip(statement.equation.slots, coefficients, strict=True)
                if side * count <= u < (side + 1) * count
            ]
            sides.append((tuple(s for s, _ in chosen), tuple(c for _, c in chosen)))
        a, b = self.scales[face.first], self.scales[face.second]
        sizes = [s.size(*side) for s, side in zip((a, b), sides, strict=True)]
        sizes = [s if s > 0 else max(sizes) or 1.0 for s in sizes]
        energy = (a.stiffness * b.stiffness) ** 0.25
        weight = energy / np.sqrt(sizes[0] * sizes[1] * len(face.points)) * (statement.weight or 1.0)
        blocks = [RowBlock(face.points, *side, weight, right, weight) for side in sides]
        return FaceRows(statement.label, blocks[0], blocks[1])

    # -- coefficients ------------------------------------------------------------------------------------------------
    def linearised(
        self, equation: Equation, members: list[int], points: list[np.ndarray], normals: list[np.ndarray] | None
    ) -> list[tuple[tuple[np.ndarray, ...], np.ndarray]]:
        """Coefficients and right-hand side of an equation at the points of several cells, all at once."""
        slots = None
        if not equation.linear and self.state is not None:
            parts = [
                self.state.values(k, self.cells.cells[k], p, equation.slots)
                for k, p in zip(members, points, strict=True)
            ]
            slots = [np.concatenate([p[j] for p in parts]) for j in range(len(equation.slots))]
        return self._split(equation, points, normals, slots)

    def linearised_across(
        self, equation: Equation, members: list[int]
    ) -> list[tuple[tuple[np.ndarray, ...], np.ndarray]]:
        """The same for conditions across interfaces."""
        faces = [self.cells.faces[k] for k in members]
        count = len(self.laws.problem.unknowns)
        slots = None
        if not equation.linear and self.state is not None:
            columns = []
            for u, index in equation.slots:
                side = u // count
                owners = [f.second if side else f.first for f in faces]
                columns.append(
                    np.concatenate(
                        [
                            self.state.values(k, self.cells.cells[k], f.points, [(u - side * count, index)])[0]
                            for k, f in zip(owners, faces, strict=True)
                        ]
                    )
                )
            slots = columns
        return self._split(equation, [f.points for f in faces], [f.normals for f in faces], slots)

    def _split(
        self,
        equation: Equation,
        points: list[np.ndarray],
        normals: list[np.ndarray] | None,
        slots: list[np.ndarray] | None,
    ) -> list[tuple[tuple[np.ndarray, ...], np.ndarray]]:
        at = np.concatenate(points)
        n = None if normals is None else np.concatenate(normals)
        coefficients = equation.jacobian(at, n, self.numbers, slots)
        right = -equation.residual(at, n, self.numbers, slots)
        if slots is not None:
            right = right + sum(c * s for c, s in zip(coefficients, slots, strict=True))
        ends = np.cumsum([len(p) for p in points])
        found = []
        for start, stop in zip([0, *ends[:-1]], ends, strict=True):
            mine = tuple(c if np.ndim(c) == 0 else c[start:stop] for c in coefficients)
            found.append((mine, right[start:stop]))
        return found


@dataclass(eq=False)
class Factored:
    """A system whose cells are reduced and glued: it solves for any right-hand sides."""

    system: System
    reduced: list[Reduced]
    glue: Glue
    distinct: int
    mean_fixed: list[dict[int, np.ndarray]]

    def solve(self, system: System) -> list[np.ndarray]:
        """The coefficients of each cell for the right-hand sides of a system with the same matrix."""
        rights = [_right([b for _, b in blocks]) for blocks in system.local]
        kept = [r.project.T @ b for r, b in zip(self.reduced, rights, strict=True)]
        fixed = [r.fixed.T @ b for r, b in zip(self.reduced, rights, strict=True)]
        seen = _by_face(system, [r.fixed_traces @ f for r, f in zip(self.reduced, fixed, strict=True)])
        jumps = []
        for k, rows in enumerate(system.faces):
            g = np.concatenate([r.first.weight * r.first.right for r in rows])
            jumps.append(g - seen[k][0] - seen[k][1])
        means = np.zeros(len(system.means))
        for k, row in enumerate(system.means):
            means[k] = sum(float(np.sum(b.weight * b.right)) for b in row.values())
            means[k] -= sum(float(self.mean_fixed[k][q] @ fixed[q]) for q in row)
        z = self.glue.solve(kept, jumps, means)
        n = system.space.size
        return [
            r.back(x, f) * np.repeat(frame.units, n)
            for r, x, f, frame in zip(self.reduced, z, fixed, self.system.frames, strict=True)
        ]


def _right(blocks: Sequence[RowBlock]) -> np.ndarray:
    return np.concatenate([b.weight * b.right for b in blocks]) if blocks else np.zeros(0)


def _sides_of(system: System, cell: int) -> list[tuple[int, int, RowBlock]]:
    """The row blocks of a cell's faces: face, side and block, in the order of its traces."""
    found = []
    for k in dict.fromkeys(system.cells.cells[cell].faces):
        face = system.cells.faces[k]
        for side, owner in enumerate((face.first, face.second)):
            if owner == cell:
                found += [(k, side, rows.second if side else rows.first) for rows in system.faces[k]]
    return found


def _by_face(system: System, traces: Sequence[np.ndarray]) -> list[list[np.ndarray]]:
    """What each face sees of its two cells, from what each cell shows to all of its faces."""
    parts: list[list[list[np.ndarray]]] = [[[], []] for _ in system.faces]
    for cell, stacked in enumerate(traces):
        start = 0
        for k, side, block in _sides_of(system, cell):
            parts[k][side].append(stacked[start : start + len(block.points)])
            start += len(block.points)
    return [[np.concatenate(p) for p in sides] for sides in parts]


def factor_system(system: System, cache: dict[bytes, Reduced] | None = None) -> Factored:
    """Reduce every cell, alike ones once, and glue them."""
    cache = {} if cache is None else cache
    reduced = []
    for k, blocks in enumerate(system.local):
        own = [b for _, b in blocks]
        traces = [block for _, _, block in _sides_of(system, k)]
        key = likeness(system.frames[k], [*own, *traces])
        if key not in cache:
            rows = system.frames[k].rows([*own, *traces])
            count = sum(len(b.points) for b in own)
            cache[key] = reduce_cell(rows[:count], rows[count:])
        reduced.append(cache[key])
    seen = _by_face(system, [r.kept_traces for r in reduced])
    joints = [Joint(face.first, face.second, *seen[k]) for k, face in enumerate(system.cells.faces)]
    extent = np.ptp(system.cells.boxes.bounds, axis=0)
    centres = np.array([c.centre for c in system.cells.cells]) / extent
    rows, mean_fixed = _mean_rows(system, reduced)
    glue = factor([r.triangle for r in reduced], joints, centres, rows)
    return Factored(system, reduced, glue, len({id(r) for r in reduced}), mean_fixed)


def _mean_rows(system: System, reduced: Sequence[Reduced]) -> tuple[np.ndarray, list[dict[int, np.ndarray]]]:
    """Mean values as rows over all kept columns, and over the fixed directions of each cell."""
    ends = np.concatenate([[0], np.cumsum([r.triangle.shape[1] for r in reduced])])
    rows = np.zeros((len(system.means), ends[-1]))
    fixed: list[dict[int, np.ndarray]] = []
    for k, row in enumerate(system.means):
        fixed.append({})
        for q, block in row.items():
            whole = system.frames[q].rows([block]).sum(axis=0)
            rows[k, ends[q] : ends[q + 1]], fixed[k][q] = reduced[q].seen(whole)
    return rows, fixed
