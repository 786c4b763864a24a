"""Conditions that hold on a portion of a face of a body: its planes cut the face, and each portion is a part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sympy.core.relational import Relational

from transnet.blocks.body import Body, OuterFace
from transnet.cells.stated import CellProblem
from transnet.cuts.piecewise import places_of_lines
from transnet.rows.equation import Equation
from transnet.rows.points import where_mask
from transnet.rows.statements import Statement

PLACE = "a condition holds on a portion of the boundary that planes across the axes do not bound"

Rows = dict[str, tuple[tuple[Equation, ...], ...]]


def in_portions(stated: CellProblem, body: Body) -> tuple[Body, Rows] | str:
    """The body cut where conditions begin and end, and its conditions by part, then by material; or why not."""
    problem, conditions = stated.problem, stated.conditions
    if any(each[0].part is None or each[0].averaged for each in conditions):
        return "a condition does not hold on the boundary"
    if any(not s.equation.linear for each in conditions for s in each):
        return "a condition is not linear"
    relations = [r for each in conditions if each[0].where is not None for r in each[0].where.atoms(Relational)]
    edges = [r.lhs - r.rhs for r in relations]
    if any(not e.free_symbols <= set(problem.coordinates) for e in edges):
        return PLACE
    places = places_of_lines(problem, edges)
    if places is None:
        return PLACE
    cut = body.cut([np.unique([*p, *more]) for p, more in zip(body.planes, places, strict=True)])
    stated_on = [(e, problem.domain.resolve(str(e[0].part))) for e in conditions]
    named = {name: [e for e, names in stated_on if name in names] for name in problem.domain.parts}
    rows: dict[str, list[Sequence[Statement]]] = {}
    faces = {}
    for block, own in cut.faces.items():
        faces[block] = tuple(_portion(stated, cut, block, face, named[face.part], rows) for face in own)
    by_material = {
        part: tuple(zip(*(tuple(s.equation for s in each) for each in found), strict=True))
        for part, found in rows.items()
    }
    return Body(cut.planes, cut.material, faces), by_material


def _portion(
    stated: CellProblem, body: Body, block: tuple[int, ...], face: OuterFace, named: Sequence[Sequence[Statement]],
    rows: dict[str, list[Sequence[Statement]]],
) -> OuterFace:  # fmt: skip
    """A face with the name of its portion, which is added to the rows."""
    bounds = body.bounds(block)
    middle = bounds.mean(axis=0)
    middle[face.axis] = bounds[face.end, face.axis]
    coordinates = stated.problem.coordinates
    holds = [e[0].where is None or bool(where_mask(e[0].where, coordinates, middle[None])[0]) for e in named]
    name = f"{face.part} {[k for k, here in enumerate(holds) if here]}" if not all(holds) else face.part
    rows.setdefault(name, [e for e, here in zip(named, holds, strict=True) if here])
    return face._replace(part=name)
