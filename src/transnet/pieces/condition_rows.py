"""The rows of conditions on the boundary, at points, of data and of mean values, in the cells where they hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from transnet.geometry import Surface
from transnet.pieces.local import RowBlock, conserved_mean
from transnet.pieces.sheet import Labelled, Sheet
from transnet.problem import Condition
from transnet.rows.points import portion
from transnet.tolerances import SAME

MEAN_NODES = 20_000
"""Nodes of a mean value."""


def add_condition(sheet: Sheet, condition: Condition, local: list[Labelled]) -> None:
    """Add the rows of a condition to those of the cells where it holds."""
    problem, cells = sheet.laws.problem, sheet.cells.cells
    places: list[tuple[int, np.ndarray, np.ndarray | None, np.ndarray | None, np.ndarray | None]] = []
    if condition.boundary is not None and not condition.across:
        wanted = {problem.domain.parts.index(p) for p in problem.domain.resolve(condition.boundary)}
        for k, cell in enumerate(cells):
            rims = [s for s in cell.rims if s.owner in wanted]
            ruled = sheet.cells.conserving and condition.where is None and all(s.shares is not None for s in rims)
            # The mean of each face is conserved; elsewhere the points of a cell are one set.
            for together in [[s] for s in rims] if ruled else [rims] if rims else []:
                points, normals = (np.concatenate([getattr(s, x) for s in together]) for x in ("points", "normals"))
                surface = portion(Surface(points, normals), condition.where, problem.coordinates)
                if len(surface.points):
                    places.append((k, surface.points, surface.normals, None, together[0].shares if ruled else None))
    elif condition.at_points is not None:
        points, values = condition.at_points, condition.measured
        owner = sheet.located(points)
        for number in np.unique(owner):
            here = owner == number
            places.append((int(number), points[here], None, None if values is None else values[here], None))
    for material, members in enumerate(sheet.materials):
        inside = set(members)
        mine = [place for place in places if place[0] in inside]
        if not mine:
            continue
        for statement in sheet.laws.condition(condition, material):
            found = sheet.linearised(
                statement.equation,
                [place[0] for place in mine],
                [place[1] for place in mine],
                None if mine[0][2] is None else [place[2] for place in mine],  # type: ignore[misc]
            )
            for (k, points, outward, values, rule), (coefficients, right) in zip(mine, found, strict=True):
                scale = sheet.scales[k]
                slots = statement.equation.slots
                size = scale.size(slots, coefficients) or 1.0
                weight: Any = np.sqrt(scale.stiffness) / (size * np.sqrt(len(points)))
                weight = weight * (statement.weight or 1.0)
                order = max((sum(index) for _, index in slots), default=0)
                weight = weight * sheet.cells.closeness(points, k) ** order
                honest = weight
                if outward is not None and all(sum(index) == 0 for _, index in slots) and scale.drift.any():
                    # An outflow layer that is not resolved must not pollute the solution upstream.
                    flow = outward @ scale.drift
                    out = flow > SAME * np.linalg.norm(scale.drift)
                    if out.any():
                        weight = weight * np.where(out, scale.diffusive, 1.0)
                right = right if values is None else right + values
                mean = conserved_mean(rule, weight) if order and sheet.cells.conserving else None
                block = RowBlock(points, slots, coefficients, weight, right, honest, statement, outward, values, mean)
                local[k].append((statement.label, block))


def mean_row(sheet: Sheet, condition: Condition) -> dict[int, RowBlock]:
    """A mean value: one row over all cells."""
    nodes, weights = sheet.laws.problem.domain.quadrature(MEAN_NODES)
    weights = weights / weights.sum()
    owner = sheet.located(nodes)
    row: dict[int, RowBlock] = {}
    for material, members in enumerate(sheet.materials):
        mine = [k for k in members if np.any(owner == k)]
        if not mine:
            continue
        statement = sheet.laws.condition(condition, material)[0]
        found = sheet.linearised(statement.equation, mine, [nodes[owner == k] for k in mine], None)
        for k, (coefficients, right) in zip(mine, found, strict=True):
            size = sheet.scales[k].size(statement.equation.slots, coefficients) or 1.0
            weight = weights[owner == k] * (statement.weight or 1.0)
            row[k] = RowBlock(nodes[owner == k], statement.equation.slots, coefficients, weight, right, size, statement)
    # One weight for the whole row: that of a typical cell.
    size = float(np.median([b.honest for b in row.values()]))
    energy = float(np.sqrt(np.median([sheet.scales[k].stiffness for k in row])))
    factor = energy / size
    return {k: replace(b, weight=factor * b.weight, honest=factor) for k, b in row.items()}
