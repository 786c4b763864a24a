"""Functions that solve the equation: their coefficients are fitted to the conditions, on the boundary alone.

Half of the points are fitted, the others give the residual. An error is a solution of the equation with that residual
on the boundary, so the estimate is its size times the amplification of the rows: no smaller network is needed for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

import numpy as np

from transnet.basis.basis import Basis
from transnet.choose.effort import FREE, GOOD
from transnet.choose.harmonic import LARGEST, Harmonic, may_be_harmonic
from transnet.clock import Clock
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal, dense_seconds
from transnet.drive.plan import Plan
from transnet.facts.conditions import missing_conditions
from transnet.features.activation import sin
from transnet.features.singular import Singular
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement
from transnet.judge.diagnose import answer_messages, data_messages
from transnet.judge.stability import natural_amplification, stability_of
from transnet.linalg.least_squares import EPS, QR, triangle_of
from transnet.linalg.sizes import rms
from transnet.method.edges import edges_of, source_left
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.statements import statements_of
from transnet.solution.diagnostics import Diagnostics
from transnet.solution.solution import Solution
from transnet.symmetry.mirrors import inside_of

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


@dataclass(frozen=True)
class Trefftz:
    """Functions that solve the equation; only the conditions on the boundary are fitted."""

    name: str = "trefftz"
    options: frozenset[str] = frozenset({"guess"})
    floor: float = 0.0

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        problem = facts.stated
        if plan.pieces is False or not may_be_harmonic(problem) or not plan.linear:
            return Refusal("its functions are known for one linear equation of the plane with constant coefficients")
        law = facts.harmonic
        if law is None:
            return Refusal("no particular solution for the source is known, or the conditions are not values or fluxes")
        if missing_conditions(problem):
            return Refusal("a part of the boundary has no condition")
        functions = law.functions(-log10(plan.effort.goal))
        count = LARGEST if functions is None else len(functions)
        return Fit(boundary_seconds(count), f"{count} functions that solve the equation, fitted on the boundary")

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        clock, law, points = Clock(), facts.harmonic, inside_of(facts.stated.domain)
        assert law is not None
        first, goal = law.functions(-log10(plan.effort.goal)), plan.effort.goal
        if plan.tol is None and (first is None or boundary_seconds(len(first)) > FREE):
            goal = GOOD  # ten digits would not be nearly free
        digits, last = -log10(goal), 1.0
        while (functions := law.functions(digits)) is not None:
            found = _fitted(plan, law, functions, points, clock)
            if found is None:
                return
            count = len(functions)
            missing = log10(max(found.error / goal, 1.0)) + SPARE if boundary_seconds(count) > FREE else np.inf
            digits = min(MORE * digits, digits + missing)
            seconds = boundary_seconds(count)
            yield Judged(found, f"{count} functions that solve the equation", seconds, MORE**2 * seconds, sure=True)
            if found.error > FALLS * last:
                return
            last = found.error


def boundary_seconds(count: int) -> float:
    """The predicted time of a fit with so many functions: their points are those of the boundary."""
    return BOUNDARY * dense_seconds(count)


def _fitted(plan: Plan, law: Harmonic, functions: Singular, points: np.ndarray, clock: Clock) -> Solution | None:
    """The solution by some functions; None if the conditions do not determine it, or their data are wrong."""
    problem, numbers, statements = plan.problem, tuple(plan.values.values()), statements_of(plan.problem)
    space = FeatureSpace(np.empty((0, 2)), np.empty(0), sin, 1.0, functions)
    basis = Basis((space,), Placement.of(problem.domain), law.known)
    edges = edges_of(problem, basis, statements, numbers, plan.seed)
    clock.lap("assemble")
    n, matrix = basis.columns, np.concatenate([e.fitted for e in edges], axis=1).T
    if len(matrix) <= n:
        return None
    triangle = triangle_of(matrix)
    r, right = np.asfortranarray(triangle[:n, :n]), np.asfortranarray(triangle[:n, n:])
    found = QR().solve(r, right)
    clock.lap("solve")
    blocks = (Block(statements[0], Nodes(points)), *(e.block for e in edges))
    if data_messages(problem, blocks, numbers):
        return None
    weights = [e.weight for e in edges]
    natural = natural_amplification(basis, blocks[1:], weights, [e.coefficients for e in edges])
    features = basis.features(points)
    stable = stability_of(r, [features[0] / np.sqrt(len(points))], [slice(0, n)], natural)
    if not stable.relative <= WELL:
        return None
    fitted = features[0] @ found.values
    values = fitted if law.known is None else fitted + law.known.derivative(points, (0, 0))[:, None]
    size = float(rms(values))
    inside, unsolved = source_left(basis, statements[0], points, numbers)
    residuals = (inside, *(e.residual(found.values[:, 0], size) for e in edges))
    parts = np.array([res.weight * np.sqrt(res.rows) * res.rms for res in residuals[1:]])
    left = float(rms(parts)) * np.sqrt(len(parts))
    error = max(float(stable.amplification * left + unsolved) / (size or 1.0), ROUNDING)
    messages = answer_messages(problem, stable, error, residuals, basis.foci)
    clock.lap("check")
    diagnostics = Diagnostics(
        residuals=residuals,
        solver=found.solver,
        rows=len(matrix),
        columns=n,
        error=error,
        amplification=stable.amplification,
        nested=(),  # close to corners the error of a part says little about that of the whole
        seconds=dict(clock.laps),
        triangle=r,
        stated_rank=found.rank,
        messages=tuple(messages),
        notes=(NOTE,),
    )
    return Solution(problem, basis, found.values[:, 0], plan.values, diagnostics, blocks)


NOTE = "functions that solve the equation, fitted on the boundary alone; the estimate is a bound"
