"""One operator of a prepared problem: its factorisation, and the judge of all its solutions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from transnet.judge.judge import Judge
from transnet.judge.stability import Stability
from transnet.prepared.rows import FactoredRows
from transnet.problem import Problem


@dataclass(frozen=True, eq=False)
class Operator:
    """For fixed values of the parameters in the operator: everything needed to solve and judge new right-hand sides."""

    problem: Problem
    factored: FactoredRows
    parameters: tuple[float, ...]

    @cached_property
    def judge(self) -> Judge:
        rows, factored = self.factored.rows, self.factored
        return Judge(
            self.problem, rows.basis, rows.blocks, factored.weights, self.parameters, factored.triangle, keep=True
        )

    @cached_property
    def stability(self) -> Stability:
        return self.judge.stability()
