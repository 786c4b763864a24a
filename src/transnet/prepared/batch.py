"""Many right-hand sides at once: those that share an operator share its factorisation and its matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from transnet.arrays import FLOAT, check_room
from transnet.basis.basis import Basis
from transnet.judge.diagnose import answer_messages
from transnet.judge.estimate import FRACTIONS
from transnet.judge.judgement import Judgement
from transnet.judge.stability import Stability
from transnet.prepared.operator import Operator
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.rights import right_of
from transnet.solution.diagnostics import Diagnostics

if TYPE_CHECKING:
    from transnet.prepared.prepared import OneNetwork


@dataclass(frozen=True, eq=False)
class BatchFacts:
    """What the solutions of one operator have in common; to save memory, only the last operator keeps its triangle."""

    solver: str
    weights: tuple[float, ...]
    stability: Stability
    triangle: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Batch:
    """k solutions: coefficients (columns, k), what is known about each, and the facts of their operators."""

    coefficients: np.ndarray
    known: Judgement
    facts: list[BatchFacts]
    group: np.ndarray
    seconds: float

    def diagnostics(self, i: int, problem: Problem, blocks: Sequence[Block], basis: Basis) -> Diagnostics:
        """The diagnostics of one solution."""
        facts, known = self.facts[self.group[i]], self.known
        residuals, error = known.residuals(i, blocks, facts.weights), float(known.error[i])
        return Diagnostics(
            residuals=residuals,
            solver=facts.solver,
            rows=sum(b.rows for b in blocks),
            columns=basis.columns,
            error=error,
            amplification=facts.stability.amplification,
            nested=known.differences(i, basis),
            seconds={"solve": self.seconds},
            triangle=facts.triangle,
            messages=tuple(answer_messages(problem, facts.stability, error, residuals, basis.foci)),
        )


def batch(prepared: OneNetwork, blocks: Sequence[Block], given: dict[int, np.ndarray], table: np.ndarray) -> Batch:
    """Solve for the parameters in the rows of a table.

    Parameters
    ----------
    blocks : sequence of Block
        The blocks with the statements whose right-hand sides are used.
    given : dict
        Right-hand sides as arrays (rows, k) or (rows, 1), by the number of their block.
    """
    begun = perf_counter()
    rows, k = prepared.rows, len(table)
    check_room(k, FLOAT * (sum(b.rows for b in blocks) + rows.basis.columns), f"{k} right-hand sides")
    positions = [rows.parameters.index(p) for p in rows.operator_parameters]
    group = np.unique(table[:, positions], axis=0, return_inverse=True)[1].ravel() if positions else np.zeros(k, int)
    coefficients = np.empty((rows.basis.columns, k), order="F")
    b, f = len(blocks), len(FRACTIONS)
    rms, largest, relative, nested = (np.empty((entries, k)) for entries in (b, b, b, f))
    known = Judgement(rms, largest, relative, nested, np.empty(k))
    facts: list[BatchFacts] = []
    last = int(group.max())
    for number in range(last + 1):
        which = np.flatnonzero(group == number)
        operator, some = prepared.operator(table[which[0]]), table[which]
        chosen = {i: v if v.shape[1] == 1 else v[:, which] for i, v in given.items()}
        rights = [
            np.broadcast_to(chosen[i], (b.rows, len(which))) if i in chosen else right_of(b, some)
            for i, b in enumerate(blocks)
        ]
        values, right, solver = _coefficients(prepared, operator, rights)
        coefficients[:, which] = values
        judgement = operator.judge.look(
            values, right, operator.stability.amplification, solver == "QR", blocks, some, chosen
        )
        for name in ("rms", "largest", "relative", "nested", "error"):
            getattr(known, name)[..., which] = getattr(judgement, name)
        triangle = operator.factored.triangle if number == last else None
        facts.append(BatchFacts(f"{solver}, prepared", operator.factored.weights, operator.stability, triangle))
    return Batch(coefficients, known, facts, group, (perf_counter() - begun) / k)


def _coefficients(
    prepared: OneNetwork, operator: Operator, rights: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, str]:
    """The coefficients, Q^T b, and the name of the solver."""
    solver, triangle = prepared.solver, operator.factored.triangle
    right, rest = operator.factored.rotated(rights, rest=solver.wants_rest)
    rows = sum(b.rows for b in prepared.rows.blocks)
    found = solver.informed(triangle, right, 0.0 if rest is None else float(np.linalg.norm(rest)), rows)
    return found.values, right, found.solver
