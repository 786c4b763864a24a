"""A fit on the boundary alone, for functions that solve the equation, and its levels.

Half of the points are fitted, the others give the residual. An error is a solution of the equation with that residual
on the boundary, so the estimate is its size times the amplification of the rows: no smaller network is needed for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log10
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.choose.effort import FREE, GOOD
from transnet.clock import Clock
from transnet.drive.method import Judged, Level, dense_seconds
from transnet.drive.plan import Plan
from transnet.judge.diagnose import answer_messages, data_messages
from transnet.judge.stability import natural_amplification, stability_of
from transnet.linalg.least_squares import QR, triangle_of
from transnet.linalg.sizes import rms
from transnet.method.edges import Edge, edges_of, source_left
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.points import inside_of
from transnet.rows.statements import statements_of
from transnet.solution.diagnostics import Diagnostics
from transnet.solution.solution import Solution
from transnet.tolerances import EPS

if TYPE_CHECKING:
    from transnet.method.edges import Solving

MORE = 2.0
"""How many times as many digits the functions of the next try are for. With 1.5 a hole that is not round has a 36th of
the accuracy; 3 is the same (benchmarks/constants.py boundary)."""
FALLS = 0.2
"""The tries continue while each divides the estimated error by as much; if data are not smooth, waves and pieces get
further. From 0.02 to 0.8 errors are the same and times within a tenth (benchmarks/constants.py boundary)."""
SPARE = 1.5
"""Many functions are expensive: those of the next try are for as many digits as are missing and this many more. With 1
heat transfer at 100 holes can take three tries; 3 is as slow as doubling the digits."""
WELL = 100.0
"""The amplification, in units of the natural one, up to which a bound is useful. On fourteen domains with
values, and with values and fluxes, it is below 30."""
BOUNDARY = 0.4
"""The time of a fit on the boundary relative to that of a network with as many columns: it has a third of the rows."""
ROUNDING = 10.0 * EPS
"""The smallest estimate."""
NOTE = "functions that solve the equation, fitted on the boundary alone; the estimate is a bound"

Bases = Callable[[float], "Solving | None"]
"""Gives the functions for so many digits; None if there would be too many."""
Edges = Callable[[Any, Sequence[Any], int], list[Edge]]
"""Gives the conditions on their points for a basis, values of parameters and a seed."""


def boundary_seconds(count: int) -> float:
    """The predicted time of a fit with so many functions: their points are those of the boundary."""
    return BOUNDARY * dense_seconds(count)


def boundary_levels(
    plan: Plan, bases: Bases, well: float = WELL, more: float = MORE, edges: Edges | None = None
) -> Iterator[Level]:
    """Fits with functions for more and more digits, while that helps."""
    clock, points = Clock(), inside_of(plan.problem.domain)
    first, goal = bases(-log10(plan.effort.goal)), plan.effort.goal
    if plan.tol is None and (first is None or boundary_seconds(first.columns) > FREE):
        goal = GOOD  # ten digits would not be nearly free
    digits, last = -log10(goal), 1.0
    while (basis := bases(digits)) is not None:
        found = fitted(plan, basis, points, clock, well, edges)
        if found is None:
            return
        seconds = boundary_seconds(basis.columns)
        missing = log10(max(found.error / goal, 1.0)) + SPARE if seconds > FREE else np.inf
        digits = min(more * digits, digits + missing)
        words = f"{basis.neurons} functions that solve the equation"
        yield Judged(found, words, seconds, more**2 * seconds, sure=True)
        if found.error > FALLS * last:
            return
        last = found.error


def fitted(
    plan: Plan,
    basis: Solving,
    points: np.ndarray,
    clock: Clock,
    well: float = WELL,
    edges_on: Edges | None = None,
) -> Solution | None:
    """The solution by some functions; None if the conditions do not determine it, or their data are wrong."""
    problem, numbers = plan.problem, tuple(plan.values.values())
    statements = statements_of(problem) if edges_on is None else ()
    inside = [s for s in statements if s.source is None]
    if edges_on is None:
        edges = edges_of(problem, basis, statements, numbers, plan.seed)
    else:
        edges = edges_on(basis, numbers, plan.seed)
    clock.lap("assemble")
    n, matrix = basis.columns, np.concatenate([e.fitted for e in edges], axis=1).T
    if len(matrix) <= n:
        return None
    triangle = triangle_of(matrix)
    r, right = np.asfortranarray(triangle[:n, :n]), np.asfortranarray(triangle[:n, n:])
    found = QR().solve(r, right)
    clock.lap("solve")
    blocks = (*(Block(s, Nodes(points)) for s in inside), *(e.block for e in edges))
    if data_messages(problem, [b.statement for b in blocks], numbers):
        return None
    weights = [e.weight for e in edges]
    natural = natural_amplification(basis, blocks[len(inside) :], weights, [e.coefficients for e in edges])  # type: ignore[arg-type]
    features = basis.features(points)
    stable = stability_of(r, [features[0] / np.sqrt(len(points))], [slice(0, n)], natural)
    if not stable.relative <= well:
        return None
    fields = range(len(features[0]) // len(points))
    fixed = basis.fixed(points, [(k, (0,) * points.shape[1]) for k in fields])
    values = features[0] @ found.values
    size = float(rms(values if fixed is None else values + np.concatenate(fixed)[:, None]))
    left = [source_left(basis, s, points, numbers) for s in inside]
    residuals = (*(r for r, _ in left), *(e.residual(found.values[:, 0], size) for e in edges))
    parts = np.array([res.weight * np.sqrt(res.rows) * res.rms for res in residuals[len(inside) :]])
    total = float(rms(parts)) * np.sqrt(len(parts))
    unsolved = sum(u for _, u in left)
    error = max(float(stable.amplification * total + unsolved) / (size or 1.0), ROUNDING)
    messages = answer_messages(problem, stable, error, residuals, basis.foci)
    clock.lap("check")
    diagnostics = Diagnostics(
        residuals=residuals,
        solver=found.solver,
        rows=len(matrix),
        columns=n,
        error=error,
        amplification=stable.amplification,
        seconds=dict(clock.laps),
        triangle=r,
        stated_rank=found.rank,
        messages=tuple(messages),
        notes=(NOTE,),
    )
    return Solution(problem, basis, found.values[:, 0], plan.values, diagnostics, blocks)
