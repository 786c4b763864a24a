"""Functions that solve the equation: their coefficients are fitted to the conditions, on the boundary alone.

Half of the points are fitted, the others give the residual. An error is a solution of the equation with that residual
on the boundary, so the estimate is its size times the amplification of the rows: no smaller network is needed for it.
"""

from __future__ import annotations

from math import log10

import numpy as np

from transnet.basis.basis import Basis
from transnet.choose.effort import ENOUGH, FREE, GOOD
from transnet.choose.harmonic import Harmonic, harmonic_of, may_be_harmonic
from transnet.clock import Clock
from transnet.doors.edges import edges_of, source_left
from transnet.doors.plan import Plan
from transnet.errors import TransnetError
from transnet.facts.conditions import missing_conditions
from transnet.features.activation import sin
from transnet.features.singular import Singular
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement
from transnet.judge.diagnose import answer_messages, data_messages
from transnet.judge.stability import natural_amplification, stability_of
from transnet.linalg.least_squares import EPS, QR, triangle_of
from transnet.linalg.sizes import rms
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.statements import statements_of
from transnet.solution.diagnostics import Diagnostics, Tried
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
SAID = (
    "neurons", "space", "points", "solver", "engine", "continuation", "strategy", "pieces",
    "slabs", "start", "until", "keep", "to",
)  # fmt: skip
"""Options for networks, or for time."""
ROUNDING = 10.0 * EPS
"""The smallest estimate."""


def on_boundary(plan: Plan) -> Solution | None:
    """The solution by functions that solve the equation; None if there are none, or they do not reach the goal."""
    wanted = ENOUGH if plan.tol is None else plan.tol
    clock, problem = Clock(), plan.problem
    if any(getattr(plan, name) is not None for name in SAID) or not may_be_harmonic(problem) or not plan.linear:
        return None
    tried: list[Tried] = []
    try:
        points = inside_of(problem.domain)
        law = harmonic_of(problem, plan.values, points)
        if law is None or missing_conditions(problem):
            return None
        first = law.functions(-log10(wanted))
        if plan.tol is None and (first is None or len(first) > FREE):
            wanted = GOOD
        digits, last = -log10(wanted), 1.0
        while True:
            functions = law.functions(digits)
            found = None if functions is None else _fitted(plan, law, functions, points, clock)
            if functions is None or found is None:
                return None
            tried.append(Tried(found.neurons, found.error, sum(clock.laps.values())))
            if plan.tol is None and len(functions) > FREE:
                wanted = GOOD  # ten digits would not be nearly free
            if found.error <= wanted:
                with plan.shown() as shown:
                    shown(found)
                return found.with_history(tuple(tried))
            if found.error > FALLS * last:
                return None
            missing = log10(found.error / wanted) + SPARE if len(functions) > FREE else np.inf
            digits, last = min(MORE * digits, digits + missing), found.error
    except (TransnetError, np.linalg.LinAlgError):
        pass  # the usual way reports what is wrong
    return None


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
