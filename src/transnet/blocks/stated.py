"""A linear problem on a body of boxes: weak forms by material, and on each part values or fluxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from transnet.blocks.body import Body, OuterFace
from transnet.blocks.forms import (
    DIMENSION,
    Form,
    Natural,
    Terms,
    natural_of,
    owned,
    terms_at,
    turned_by,
)
from transnet.blocks.portions import in_portions
from transnet.cells.stated import CellProblem
from transnet.measure.sampling import quasi
from transnet.rows.equation import Equation
from transnet.tolerances import SAME

LOOKED_AT = 4
"""Points of a face at which its conditions are compared with the fluxes of the equations."""
NO_FLUXES = "its conditions are neither values of unknowns nor fluxes of its equations"


@dataclass(frozen=True, eq=False)
class BlockProblem:
    """What holds in the blocks of a body and on its parts.

    Parameters
    ----------
    forms : by material
    conditions : by part, then by material
    """

    body: Body
    forms: tuple[Form, ...]
    conditions: dict[str, tuple[tuple[Equation, ...], ...]]
    numbers: tuple[Any, ...]

    @property
    def unknowns(self) -> int:
        return self.forms[0].unknowns

    @cached_property
    def constant(self) -> tuple[bool, ...]:
        """For each material whether its coefficients are constant."""
        places = [np.repeat(_middles(self.body, m)[:1], 2, axis=0) for m in range(len(self.forms))]
        return tuple(all(len(c.zeroth) == 1 for c in f.at(p)) for f, p in zip(self.forms, places, strict=True))

    def values(self, part: str, material: int) -> dict[int, Equation]:
        """The conditions that give the value of an unknown."""
        return {row.slots[0][0]: row for row in self.conditions[part][material] if _gives_value(row)}

    def fluxes(self, part: str, material: int) -> list[Equation]:
        """The other conditions."""
        return [row for row in self.conditions[part][material] if not _gives_value(row)]

    def free(self, part: str, material: int) -> tuple[int, ...]:
        """The unknowns that no condition on a part gives."""
        given = self.values(part, material)
        return tuple(u for u in range(self.unknowns) if u not in given)

    def natural(self, face: OuterFace, material: int, points: np.ndarray) -> Natural | None:
        """What the conditions on an outer face say of fluxes at points of it."""
        normals = np.zeros_like(points)
        sign = normals[:, face.axis] = 2.0 * face.end - 1.0
        rows = [terms_at(row, self.unknowns, points, normals, self.numbers) for row in self.fluxes(face.part, material)]
        return natural_of(rows, self.free(face.part, material), self.forms[material], points, face.axis, sign)

    @cached_property
    def graded(self) -> list[tuple[int, int]]:
        """The planes (axis, number) with an edge at which derivatives are unbounded: an inner one, one of several
        materials, or one where values meet fluxes."""
        body, found = self.body, set()
        for a, b, i, j, around in body.edges():
            inside = [block for block in around if block is not None]
            if not inside:
                continue
            materials = {int(body.material[block]) for block in inside}
            kinds = {
                self.free(face.part, int(body.material[block]))
                for block in inside
                for face in body.faces.get(block, ())
                if (face.axis, block[face.axis] + face.end) in ((a, i), (b, j))
            }
            several = len(materials) > 1 and (len(inside) < len(around) or _around_an_edge(body, inside))
            diagonal = len(inside) == 2 and all(inside[0][axis] != inside[1][axis] for axis in (a, b))
            if len(inside) == 3 or diagonal or len(kinds) > 1 or several:
                found |= {(a, i), (b, j)}
        return sorted(found)

    def planes(self, size: float, layers: int, ratio: float) -> list[np.ndarray]:
        """Planes with blocks no larger than a size, and so many thinner ones at each plane with such an edge."""
        made = []
        for axis, planes in enumerate(self.body.planes):
            marked = {k for a, k in self.graded if a == axis}
            places: list[float] = []
            for k, (low, high) in enumerate(pairwise(planes)):
                count = max(1, int(np.ceil((high - low) / size - SAME)))
                inner = list(np.linspace(low, high, count + 1))
                thin = [ratio ** (m + 1) * (inner[1] - inner[0]) for m in range(layers)]
                both = 0.5 if count == 1 and {k, k + 1} <= marked else 1.0  # room for layers from both sides
                places += inner[:-1]
                places += [low + both * t for t in thin] if k in marked else []
                places += [high - both * t for t in thin] if k + 1 in marked else []
            made.append(np.unique([*places, float(planes[-1])]))
        return made


def _gives_value(row: Equation) -> bool:
    return row.order == 0 and len(row.slots) == 1


def _around_an_edge(body: Body, inside: Sequence[tuple[int, ...]]) -> bool:
    """Whether the interface of the four blocks around an inner edge has a corner there."""
    one, two, three, four = (int(body.material[block]) for block in inside)
    return not ((one == two and three == four) or (one == three and two == four))


def block_problem(stated: CellProblem, body: Body) -> BlockProblem | str:
    """A problem in weak form, or why it has none."""
    problem, numbers = stated.problem, stated.numbers
    count = len(problem.unknowns)
    forms = []
    for material, statements in enumerate(stated.equations):
        equations = [s.equation for s in statements]
        if len(equations) != count or any(not e.linear or e.order != 2 for e in equations):
            return "its equations are not linear and of second order"
        if not np.any(body.material == material):
            return "a material has no block"
        ordered = owned(equations, _middles(body, material), numbers)
        if ordered is None:
            return "an equation is not of second order in an unknown of its own"
        forms.append(Form(tuple(ordered), numbers, np.zeros((count, count, DIMENSION, DIMENSION))))
    portions = in_portions(stated, body)
    if isinstance(portions, str):
        return portions
    body, by_material = portions
    if any(len(row) != count for rows in by_material.values() for row in rows) or not all(by_material.values()):
        return "a part does not have a condition for each unknown"
    found = BlockProblem(body, tuple(forms), by_material, numbers)
    turned = []
    for material, form in enumerate(forms):
        mine = _turned(found, stated, material)
        if mine is None:
            return NO_FLUXES
        turned.append(Form(form.equations, numbers, mine))
    found = BlockProblem(body, tuple(turned), by_material, numbers)
    return found if all(_agree(found, *f) for f in _distinct_faces(body)) else NO_FLUXES


def _middles(body: Body, material: int) -> np.ndarray:
    return np.array([body.bounds(block).mean(axis=0) for block in np.argwhere(body.material == material)])


def _distinct_faces(body: Body) -> Iterator[tuple[OuterFace, int, np.ndarray]]:
    """Outer faces, one for each part, direction and material, with some points of it."""
    seen = set()
    for block, faces in body.faces.items():
        for face in faces:
            material = int(body.material[block])
            if (face, material) not in seen:
                seen.add((face, material))
                low, high = body.bounds(block)
                points = low + quasi(LOOKED_AT, DIMENSION, np.random.default_rng(0)) * (high - low)
                points[:, face.axis] = (low, high)[face.end][face.axis]
                yield face, material, points


def _turned(found: BlockProblem, stated: CellProblem, material: int) -> np.ndarray | None:
    """What conditions and interfaces add to the symmetric part of the coefficients; None if they disagree."""
    form, count = found.forms[material], found.unknowns
    total = np.full((count, count, DIMENSION, DIMENSION), np.nan)

    def agrees(natural: Natural | None, axis: int, sign: float, points: np.ndarray) -> bool:
        extra = None if natural is None else turned_by(form, natural, axis, sign, points)
        if extra is None:
            return False
        both = ~np.isnan(extra) & ~np.isnan(total)
        size = max((float(np.abs(c.second).max()) for c in form.at(points)), default=0.0)
        if np.any(np.abs(extra - total)[both] > SAME**0.5 * size):
            return False
        total[np.isnan(total)] = extra[np.isnan(total)]
        return True

    for face, here, points in _distinct_faces(found.body):
        sign = 2.0 * face.end - 1.0
        if here == material and not agrees(found.natural(face, material, points), face.axis, sign, points):
            return None
    points = _middles(found.body, material)[:1]
    for pair, statements in stated.across.items():
        if material not in pair:
            continue
        side = pair.index(material)
        for axis in range(DIMENSION):
            normals = np.zeros_like(points)
            normals[:, axis] = 1.0
            rows = []
            for s in statements:
                if s.source is not None:
                    return None  # a jump that was stated
                if s.equation.order:
                    c = terms_at(s.equation, 2 * count, points, normals, found.numbers)
                    first = c.first[:, side * count : (side + 1) * count]
                    rows.append(Terms(np.zeros(1), first, np.zeros((1, count)), np.zeros(1)))
            natural = natural_of(rows, range(count), form, points, axis, 1.0)
            if not agrees(natural, axis, 1.0, points):
                return None
    return np.nan_to_num(total)


def _agree(found: BlockProblem, face: OuterFace, material: int, points: np.ndarray) -> bool:
    """Whether conditions on a face are fluxes of the equations."""
    natural = found.natural(face, material, points)
    if natural is None:
        return False
    inside, sign = found.forms[material].at(points), 2.0 * face.end - 1.0
    for place, e in enumerate(natural.free):
        wanted = sign * inside[e].second[:, :, face.axis, :]
        if np.abs(natural.flux[:, place] - wanted).max() > SAME**0.5 * np.abs(inside[e].second).max():
            return False
    return True
