"""Systems of conservation laws from their statement: two states that meet at one place."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import sympy as sp

from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.judge.expanded import expanded_solution, judge_expansion
from transnet.problem import written
from transnet.shocks.data import smooth_parts
from transnet.shocks.family import s
from transnet.shocks.statement import given_of
from transnet.shocks.system import SelfSimilar
from transnet.shocks.waves import EXACT, Hyperbolic
from transnet.solution.solution import Solution

ROUNDS = 100.0
"""Accuracies of fans and of Newton's method that add up to the error of a solution; ten were seen."""


def solve_system(plan: Plan, laws: list[sp.Expr]) -> Solution:
    """Solve a system of conservation laws."""
    begun = perf_counter()
    problem, unknowns = plan.problem, plan.problem.unknowns
    if sorted(map(str, (law.args[0] for law in laws))) != sorted(map(str, unknowns)):
        raise ProblemError(f"Each of {', '.join(problem.names)} needs a law of its own, tn.conserved(u, flux).")
    place, sides = _sides(plan)
    symbols = tuple(sp.Symbol(u.func.__name__, real=True) for u in unknowns)
    plain = dict(zip(unknowns, symbols, strict=True))
    own = {law.args[0]: law.args[1].subs(plain) for law in laws}
    law = Hyperbolic(symbols, tuple(own[u] for u in unknowns))
    (low, begin), (high, until) = problem.domain.bounds
    basis = SelfSimilar(law, np.array([place, begin]), sides, law.strengths(*sides))
    if not basis.admissible:
        raise ProblemError(
            "The waves that join the two states overtake each other, or a shock is not one that its own waves run "
            "into. Such systems are not solved: use finite volumes."
        )
    reach = [place + (until - begin) * speed for speed in (basis.waves[0].low, basis.waves[-1].high)]
    if reach[0] < low or reach[1] > high:
        raise ProblemError(
            f"At t = {until:.4g} the waves are between x = {reach[0]:.4g} and {reach[1]:.4g}, beyond an end of the "
            f"interval, and what happens at an end is not solved for a system. Take a longer interval or a "
            f"shorter time."
        )
    miss = np.abs(basis.waves[-1].after - sides[1]).max() / np.abs(sides).max()
    residuals, _ = judge_expansion(problem, basis, np.ones(1), tuple(plan.values.values()))
    return expanded_solution(
        problem, basis, np.ones(1), plan.values, solver="shocks, fans and contacts", error=max(miss, ROUNDS * EXACT),
        residuals=residuals, seconds={"solve": perf_counter() - begun},
    )  # fmt: skip


def _sides(plan: Plan) -> tuple[float, np.ndarray]:
    """Where the two states meet, and the states."""
    given, unknowns = given_of(plan), plan.problem.unknowns
    x = plan.problem.coordinates[0]
    low, high = plan.problem.domain.bounds[:, 0]
    parts = [smooth_parts(sp.sympify(given[1, u]).subs(x, s), low, high, 1) for u in unknowns]
    breaks = {float(nodes[0]) for p in parts for _, nodes in p[1:]}
    if len(given) > len(unknowns) or len(breaks) != 1 or any(f.free_symbols for p in parts for f, _ in p):
        names = ", ".join(map(written, unknowns))
        raise ProblemError(
            f"A system of conservation laws is solved for two constant states that meet at one place, such as "
            f"sp.Piecewise((1, x < 0), (0.125, True)) for each of {names}, and without values at the ends. For others "
            f"use finite volumes."
        )
    return breaks.pop(), np.array([[float(p[0][0]) for p in parts], [float(p[-1][0]) for p in parts]])
