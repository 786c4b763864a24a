"""What a problem was before the sizes of its domain had values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from transnet.geometry.domain import Domain
from transnet.geometry.symbolic import Sized
from transnet.problem.parameters import parameter_values
from transnet.problem.problem import Problem


@dataclass(frozen=True, eq=False)
class Origin:
    """A problem whose domain has symbols for sizes, and the values of all of its parameters."""

    problem: Problem
    values: dict[sp.Symbol, Any]

    @classmethod
    def of(cls, problem: Problem, parameters: Mapping[Any, Any] | None) -> Origin:
        """The origin of the problem with these values; an error names those that are missing."""
        return cls(problem, parameter_values(problem, parameters))

    @property
    def sizes(self) -> frozenset[sp.Symbol]:
        """The symbols in the domain."""
        domain = self.problem.domain
        return domain.symbols if isinstance(domain, Sized) else frozenset()

    def at(self, changed: Mapping[sp.Symbol, float]) -> Domain:
        """The domain for other values of some parameters."""
        domain = self.problem.domain
        assert isinstance(domain, Sized)
        made = domain.with_values({**self.values, **changed})
        assert isinstance(made, Domain)
        return made

    def solved_for(self) -> tuple[Problem, dict[sp.Symbol, Any]]:
        """The problem with numbers for sizes, and the values of the parameters that it still has."""
        problem = replace(self.problem, domain=self.at({}))
        return problem, {p: self.values[p] for p in problem.parameters}
