"""Where a part of the boundary changes from values to fluxes, by conditions that hold on only some of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.counts import ALONG
from transnet.geometry.corners import Corner, branch_cut
from transnet.measure.arcs import Arc, Located
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.points import where_mask
from transnet.tolerances import BESIDE, HALVINGS, SAME

VALUE_OR_FLUX = ("value", "flux")


@dataclass(frozen=True, eq=False)
class _Part:
    """The statements on one part: pairs of a kind and the condition that restricts it."""

    stated: tuple[tuple[int, Any], ...]
    coordinates: tuple[Any, ...]

    def labels(self, points: np.ndarray) -> np.ndarray:
        """The number of the kind at each point; -1 if nothing or two things are stated."""
        found = np.full(len(points), -1)
        for kind, where in self.stated:
            holds = where_mask(where, self.coordinates, points)
            found = np.where(holds, np.where((found == -1) | (found == kind), kind, -2), found)
        return np.maximum(found, -1)


def switches(problem: Problem, blocks: Sequence[Block]) -> tuple[Corner, ...]:
    """The points inside a part where values give way to fluxes, as flat corners between parts named by the kinds."""
    stated: dict[str, list[tuple[int, Any]]] = {}
    for block in blocks:
        statement = block.statement
        if statement.part is not None:
            kind = int({sum(index) for _, index in block.slots} != {0})
            for part in problem.domain.resolve(statement.part):
                stated.setdefault(part, []).append((kind, statement.where))
    found = []
    for part, pairs in stated.items():
        if any(where is not None for _, where in pairs) and len({kind for kind, _ in pairs}) > 1:
            here = _Part(tuple(pairs), problem.coordinates)
            found += [c for arc in problem.domain.arcs(part) for c in _on_arc(problem, arc, here)]
    return tuple(found)


def _on_arc(problem: Problem, arc: Arc, part: _Part) -> list[Corner]:
    ends = arc.at(np.array([0.0, arc.length]))[0]
    closed = bool(np.linalg.norm(ends[1] - ends[0]) < SAME * arc.length)

    def at(s: np.ndarray) -> Located:
        return arc.at(np.mod(s, arc.length) if closed else s)

    s = arc.length * np.linspace(BESIDE, 1 + BESIDE if closed else 1 - BESIDE, ALONG)
    labels = part.labels(at(s)[0])
    found = []
    for k in np.flatnonzero((labels[1:] != labels[:-1]) & (labels[1:] >= 0) & (labels[:-1] >= 0)):
        low, high = s[k], s[k + 1]
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            same = part.labels(at(np.array([middle]))[0])[0] == labels[k]
            low, high = (middle, high) if same else (low, middle)
        step = BESIDE * arc.length
        points, normals = at(np.array([low - step, 0.5 * (low + high), high + step]))
        ahead = np.array([-normals[1, 1], normals[1, 0]])  # the domain is on the left
        forward = (points[2] - points[0]) @ ahead > 0
        first, second = (labels[k + 1], labels[k]) if forward else (labels[k], labels[k + 1])
        angle = float(np.arctan2(-ahead[1], -ahead[0]))
        size = float(np.linalg.norm(problem.domain.bounds[1] - problem.domain.bounds[0]))
        cut, free = branch_cut(problem.domain, points[1], angle, np.pi, size)
        curved = float(np.abs(normals[2] - normals[0]).max()) > SAME
        found.append(
            Corner(points[1], (ahead, -ahead), (VALUE_OR_FLUX[first], VALUE_OR_FLUX[second]), cut, free, curved)
        )
    return found
