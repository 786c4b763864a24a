"""Where the statements are imposed: collocation points for every equation and every condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import sympy as sp

from transnet.basis.foci import Focus, rings
from transnet.errors import ProblemError
from transnet.problem import Problem
from transnet.problem.condition import Placed
from transnet.rows.blocks import Block
from transnet.rows.nodes import Away, Nodes
from transnet.rows.places import MOST_ALONG
from transnet.rows.points import Drawing, Points
from transnet.rows.statements import Statement
from transnet.rows.unseen import unseen, unseen_on

ROWS_PER_COLUMN = 2.0
"""Interior rows for each column of the matrix, by default.

Measured on six of the paper's cases with waves and tanh ridges of 300 and 700 neurons: the error with 2 rows per column
is 1.14 times that with 4 (the geometric mean; 1.7 at the worst), with 1.5 rows 1.5 times (5.7), with 1.2 rows 2.4
times (18).
"""
MORE_ROWS = 20
"""Additional interior rows, for networks so small that conditions take most of their columns."""
FEW = 40
"""Points along each coordinate of an equation that depends on only some of them, such as a mean at each time."""
NODES = 24
"""Nodes of an integral in addition to those for the features, of which a wave has two."""


def collocate(
    problem: Problem,
    statements: Sequence[Statement],
    columns: int,
    points: Points | None = None,
    seed: int | np.random.Generator = 0,
    foci: Sequence[Focus] = (),
    crude: bool = False,
) -> list[Block]:
    """Choose the points of every statement.

    Parameters
    ----------
    columns : int
        The number of unknown coefficients, which determines the numbers of points that `points` leaves open.
    foci : sequence of Focus
        Where features are singular: boundary points become denser towards these, unless their number is given.
    crude : bool
        Whether a few digits are enough for mean values.
    """
    wanted = points or Points()
    if isinstance(wanted.boundary, Mapping):
        for part in wanted.boundary:
            problem.domain.resolve(part)
    equations = max(sum(s.kind == "equation" for s in statements), 1)
    draw = Drawing(problem, wanted, seed, columns, foci, crude)
    inside = draw.inside(int(np.ceil(ROWS_PER_COLUMN * columns / equations)) + MORE_ROWS)
    spacing = draw.spacing
    if foci and wanted.interior is None:
        inside = np.concatenate([inside, rings(problem.domain, foci, spacing.h * float(spacing.scale.min()))])
    if wanted.interior is None:
        inside = np.concatenate([inside, unseen(problem, statements, inside)])
    samples: dict[int, Placed] = {}
    blocks = []
    for statement in statements:
        source = statement.source
        if source is None:
            blocks.append(Block(statement, Nodes(_few(problem, statement, inside))))
            continue
        if id(source) not in samples:  # several equations of one condition share its points
            samples[id(source)] = source.placed(problem, draw)
            if source.boundary is not None and wanted.boundary is None:
                samples[id(source)] = unseen_on(problem, statements, source, samples[id(source)])
        at = samples[id(source)]
        away = () if at.images is None else (Away(at.images, np.full((len(at.images), 1), at.factor)),)
        blocks.append(Block(statement, Nodes(at.points, away, at.weights), at.normals, at.values))
    return [placed_elsewhere(problem, b, columns) for b in blocks]


def _few(problem: Problem, statement: Statement, inside: np.ndarray) -> np.ndarray:
    """The interior points, or some of them for an equation that does not depend on all coordinates."""
    equation = statement.equation
    if not equation.places or any(p is None for p in equation.places):
        return inside
    varies = set().union(*(p.varies(problem.coordinates) for p in equation.places))
    varies |= equation.expression.free_symbols & set(problem.coordinates)
    return inside if len(varies) == len(problem.coordinates) else inside[: FEW ** len(varies)]


def placed_elsewhere(problem: Problem, block: Block, columns: int) -> Block:
    """The block with the places of slots that are evaluated elsewhere."""
    places = block.statement.equation.places
    if not places:
        return block
    d, size = problem.domain.dimension, columns / len(problem.unknowns)
    count = int(min(NODES + (0.5 * size if d == 1 else 2.0 * size ** (1 / d)), MOST_ALONG))
    remote = [p and p.away(problem.coordinates, block.points, count) for p in places]
    for place, away in zip(places, remote, strict=True):
        if place is None or block.statement.equation.expression.has(sp.Piecewise, sp.Heaviside):
            continue
        outside = ~problem.domain.nearly_contains(away.points)
        if outside.any():
            where = ", ".join(f"{c:g}" for c in away.points[outside][0])
            raise ProblemError(
                f"The equation '{block.statement.equation.text}' evaluates an unknown at ({where}), outside the "
                f"domain {problem.domain}. Where it is known there, write sympy.Piecewise((known, t < 1), (u(t - 1), "
                f"True))."
            )
    return replace(block, nodes=replace(block.nodes, remote=tuple(remote)))
