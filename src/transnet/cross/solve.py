"""One solve in many coordinates with given products: a least-squares problem for each parity, and its judgement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.clock import Clock
from transnet.counts import SAMPLE
from transnet.cross.basis import Cross
from transnet.cross.mirrors import mirrors_of
from transnet.cross.parities import lacking_in, worst_of
from transnet.cross.rows import Orbit, at_reflections, by_parity, on_corner
from transnet.features.placement import Placement
from transnet.judge.diagnose import answer_messages, data_messages
from transnet.judge.estimate import FRACTIONS, error_estimate
from transnet.judge.stability import Stability
from transnet.linalg.least_squares import Solver, triangle_of
from transnet.linalg.sizes import rms
from transnet.problem import Problem
from transnet.rows.collocation import Points, collocate
from transnet.rows.statements import statements_of
from transnet.solution.diagnostics import Diagnostics, Residual
from transnet.solution.solution import Solution

ROWS, EDGES = 2.5, 1.5
"""Points inside, and on the boundary, per product of the largest parity."""
CONDITION = 10.0
"""How much more conditions count than equations whose rows have the same norm."""
FROM_EQUATIONS = 0.03
"""The error per unit of the relative residual of an equation; 0.01 to 0.1 was observed."""
EMPTY = 1e-13
"""A parity whose right-hand side is this small a part of the whole has the solution zero."""
SOME = 60
"""More points, however few the products: a handful of points may miss a parity."""


@dataclass(frozen=True, eq=False)
class Part:
    """The least-squares problem of one parity.

    Parameters
    ----------
    which : array
        Its products among all.
    triangle : array
        [R | c].
    values : (points, n) array
        Its products at held-out points inside.
    """

    which: np.ndarray
    basis: Cross
    coefficients: np.ndarray
    triangle: np.ndarray
    values: np.ndarray


def solve_cross(
    problem: Problem,
    degrees: np.ndarray,
    bandwidth: np.ndarray,
    solver: Solver,
    parameters: dict[sp.Symbol, Any],
    seed: int,
    points: Points | None = None,
) -> Solution:
    """The solution with given products, and what is known about it."""
    clock, numbers = Clock(), tuple(parameters.values())
    placement = Placement.of(problem.domain)
    basis = Cross(degrees, bandwidth, placement)
    mirrors = mirrors_of(problem, numbers)
    axes = [] if mirrors is None else list(mirrors.axes)
    classes = (degrees[:, axes] % 2) @ (1 << np.arange(len(axes))[::-1])
    largest = int(np.bincount(classes).max())
    wanted = points or Points(interior=int(ROWS * largest) + SOME, boundary=int(EDGES * largest) + SOME)
    blocks = collocate(problem, statements_of(problem), largest, wanted, seed)
    made = on_corner(blocks, mirrors, placement, numbers)
    rights = [by_parity(-c.free) for c in made]
    scale = [float(rms(np.concatenate([r.ravel() for r in rights]))) or 1.0] * len(made)
    clock.lap("points")
    found = []
    for number in range(2 ** len(axes)):
        which = np.flatnonzero(classes == number)
        mine = [r[number] for r in rights]
        if len(which) and any(np.abs(b).max(initial=0.0) > EMPTY * s for b, s in zip(mine, scale, strict=True)):
            found.append((number, _part(basis, which, largest, made, mine, solver)))
    clock.lap("solve")
    coefficients = np.zeros(len(degrees))
    for _, part in found:
        coefficients[part.which] = part.coefficients
    known = _judged(problem, basis, blocks, made, rights, found, coefficients, numbers, clock)
    return Solution(problem, basis, coefficients, parameters, known, tuple(blocks))


def _share(corner: Orbit, columns: int, largest: int) -> int:
    """How many of the fitted points a parity with this many columns uses."""
    if corner.fold is not None or corner.fitted < SOME:
        return corner.fitted
    return min(corner.fitted, int(np.ceil(corner.fitted * columns / largest)) + SOME // 2)


def _part(
    basis: Cross, which: np.ndarray, largest: int, made: Sequence[Orbit], rights: Sequence[np.ndarray], solver: Solver
) -> Part:
    part = basis.part(which)
    n = len(which)
    rows = []
    for corner, right in zip(made, rights, strict=True):
        count = _share(corner, n, largest)
        out = _written(part, corner, slice(0, count))
        right = right if corner.fold is not None else right[:count]
        norm = float(np.sqrt(np.mean(np.einsum("ij,ij->j", out, out)))) or 1.0
        weight = corner.statement.weight
        if weight is None:
            weight = 1.0 if corner.statement.kind == "equation" else CONDITION
        weight /= norm * np.sqrt(out.shape[1])
        rows.append(np.concatenate([out, right[None]]) * weight)
    triangle = triangle_of(np.concatenate(rows, axis=1).T)
    solved = solver.solve(np.asfortranarray(triangle[:n, :n]), triangle[:n, n:])
    inside = made[0]
    held = inside.points[inside.fitted :]
    values = part.tree.products(part.tables(basis.placement(held), (0,) * basis.degrees.shape[1]))
    return Part(which, part, solved.values[:, 0], triangle, values.T)


def _written(part: Cross, corner: Orbit, here: slice) -> np.ndarray:
    points = corner.points if corner.fold is not None else corner.points[here]
    coefficients = [c if np.ndim(c) == 0 or corner.fold is not None else c[here] for c in corner.coefficients]
    out = np.empty((part.columns, len(points)))
    part.write(out, points, corner.statement.equation.slots, coefficients)
    return out if corner.fold is None else out @ corner.fold.T


def _judged(
    problem: Problem,
    basis: Cross,
    blocks: Sequence[Any],
    made: Sequence[Orbit],
    rights: Sequence[np.ndarray],
    found: Sequence[tuple[int, Part]],
    coefficients: np.ndarray,
    numbers: tuple[Any, ...],
    clock: Clock,
) -> Diagnostics:
    slots = dict.fromkeys(slot for s in made for slot in s.statement.equation.slots)
    inside = made[0].points[made[0].fitted :][:SAMPLE]
    sizes = dict.fromkeys(slots, 0.0)
    for _, part in found:
        for slot, value in zip(slots, part.basis.derivatives(part.coefficients, inside, list(slots)), strict=True):
            sizes[slot] += float(np.mean(value**2))
    residuals = [r for c, b in zip(made, rights, strict=True) for r in _residuals(c, b, found, sizes, blocks)]
    kinds = [blocks[n].statement.kind for c in made for n in dict.fromkeys(c.images)]
    size = float(np.sqrt(sum(np.mean((p.values @ p.coefficients) ** 2) for _, p in found)))
    nested = _nested(basis, found, size or 1.0)
    largest = sorted((p for _, p in found), key=lambda p: -len(p.which))[:4]
    stable = worst_of((p.triangle, p.values[:400]) for p in largest) or Stability(1.0, np.ones(1), np.zeros(1))
    weighted = float(np.hypot.reduce([r.relative for r in residuals]))
    error = error_estimate(nested, weighted, max(r.relative for r in residuals))
    conditions = [r.relative for s, r in zip(kinds, residuals, strict=True) if s != "equation"]
    # Products that are left out may all be needed at once, which a leading part of them does not show; conditions do.
    # On ten smooth functions in five to eight coordinates their residual was 1.1 to 2 times the error.
    error = max(error, *conditions, FROM_EQUATIONS * max(r.relative for r in residuals))
    told = data_messages(problem, [b.statement for b in blocks], numbers)
    messages = [*told, *answer_messages(problem, stable, error, residuals)]
    clock.lap("check")
    return Diagnostics(
        residuals=tuple(residuals),
        solver="QR, parity by parity" if len(found) > 1 else "QR",
        rows=sum(r.rows for r in residuals),
        columns=basis.columns,
        error=error,
        amplification=stable.amplification,
        nested=nested,
        seconds=clock.laps,
        stated_rank=sum(len(p.which) for _, p in found),
        messages=tuple(messages),
    )


def _nested(basis: Cross, found: Sequence[tuple[int, Part]], size: float) -> tuple[tuple[int, float], ...]:
    """The distances of the solutions with leading parts of the products from that with all."""
    counts = [int(f * basis.columns) for f in FRACTIONS]
    total = np.zeros(len(counts))
    for _, part in found:
        columns = np.searchsorted(part.which, counts).tolist()
        here = lacking_in(part.triangle, part.coefficients, part.values, columns)
        if here is None:
            return ()
        total = np.hypot(total, here)
    return tuple((c, float(s) / size) for c, s in zip(counts, total, strict=True))


def _residuals(
    corner: Orbit,
    rights: np.ndarray,
    found: Sequence[tuple[int, Part]],
    sizes: Mapping[Any, float],
    blocks: Sequence[Any],
) -> list[Residual]:
    """The residuals of the statements of a corner at all reflections of points that were not fitted.

    They are relative to the right-hand side, or to the largest term of the statement inside.
    """
    held = slice(corner.fitted, None) if corner.fitted < len(corner.points) else slice(None)
    values = -rights if corner.fold is not None else -rights[:, held]
    values = values.copy()
    scale = float(np.sqrt((values**2).sum(axis=0).mean()))
    for slot, c in zip(corner.statement.equation.slots, corner.coefficients, strict=True):
        scale = max(scale, float(rms(c)) * np.sqrt(sizes[slot]))
    scale = scale or 1.0
    for number, part in found:
        values[number] += part.coefficients @ _written(part.basis, corner, held)
    whole = float(np.sqrt((values**2).sum(axis=0).mean()))
    largest = float(np.abs(at_reflections(values[:, :200])).max(initial=0.0))
    labels = [blocks[n].statement.label for n in dict.fromkeys(corner.images)]
    return [Residual(label, len(corner.points), 1.0, whole, largest, whole / scale) for label in labels]
