"""A problem with ends at infinity, stated in a window: what holds at infinity holds at the edge of the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.measure.checks import TIMES
from transnet.problem.condition import Condition
from transnet.problem.conditions import periodic
from transnet.problem.equations import expressions_of
from transnet.problem.far import AtInfinity, Far
from transnet.problem.kinds import On
from transnet.problem.problem import Problem
from transnet.sections.windows import open_parts, reaching


@dataclass(frozen=True, eq=False)
class Windowed:
    """A problem on a domain with ends at infinity.

    Parameters
    ----------
    problem : Problem
        As it is stated.
    """

    problem: Problem

    @cached_property
    def ends(self) -> dict[str, tuple[int, int]]:
        """The parts at infinity: the axis and the end of each."""
        return open_parts(self.problem.domain)

    @cached_property
    def tails(self) -> dict[tuple[int, int], list[sp.Expr]]:
        """The expressions that tend to zero, by axis and end."""
        found: dict[tuple[int, int], list[sp.Expr]] = {end: [] for end in self.ends.values()}
        for c in self.problem.conditions:
            if isinstance(c, AtInfinity):
                for expressions in found.values():
                    expressions += c.expressions()
            elif c.boundary is not None:
                for part in c.parts(self.problem):
                    if part in self.ends:
                        found[self.ends[part]] += c.expressions()
        return found

    @cached_property
    def around(self) -> frozenset[int]:
        """The axes that are closed to a circle: whole lines at whose ends everything tends to the same constants.

        Then an evolution needs no other condition, whatever its order.
        """
        axes = {axis for axis, _ in self.ends.values()}
        whole = {a for a in axes if {(a, 0), (a, 1)} <= set(self.ends.values())}
        tails = [c.expression for c in self.problem.conditions if isinstance(c, AtInfinity)]
        plain = {u for e in tails for u in e.atoms(AppliedUndef) if (e - u).is_number}
        named = {part for c in self.problem.conditions if c.boundary for part in c.parts(self.problem)}
        if self.steady or plain != set(self.problem.unknowns) or named & set(self.ends):
            return frozenset()
        return frozenset(whole) if len(tails) == len(plain) else frozenset()

    @property
    def steady(self) -> bool:
        """Whether no coordinate is time."""
        return not any(c.name in TIMES for c in self.problem.coordinates)

    @property
    def spreads(self) -> bool:
        """Whether it is steady and infinite in more than one direction, where potentials fall like powers."""
        return self.steady and len({axis for axis, _ in self.ends.values()}) > 1

    def within(self, reach: Mapping[str, float]) -> Problem:
        """The problem in a window."""
        problem = self.problem
        domain = reaching(problem.domain, reach, finite=True)
        conditions = self._conditions({part: _face(part, end) for part, (_, end) in self.ends.items()})
        around = [periodic(problem.coordinates[axis]) for axis in sorted(self.around)]
        return Problem(domain, problem.equations, [*conditions, *around], problem.unknowns)

    def spelled_out(self) -> Problem:
        """The problem with what holds at infinity as conditions on its parts there."""
        if self.around:
            return self.within({})
        problem = self.problem
        conditions = self._conditions({part: part for part in self.ends})
        return Problem(problem.domain, problem.equations, conditions, problem.unknowns)

    def _conditions(self, names: Mapping[str, str]) -> list[Condition]:
        """The conditions on parts, by other names of those at infinity; on circles there are none at infinity."""
        found: list[Condition] = []
        for c in self.problem.conditions:
            if isinstance(c, Far):
                stated = tuple(sp.Eq(e, 0, evaluate=False) for e in c.expressions())
                found += [On(names[part], stated) for part, (axis, _) in self.ends.items() if axis not in self.around]
            elif c.boundary in names:
                found.append(c.on_part(names[str(c.boundary)]))
            else:
                found.append(c)
        return found

    @cached_property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """How each unknown is continued beyond the window along each axis: 0 as a constant, 1 by its tangent."""
        problem, found = self.problem, []
        for u in problem.unknowns:
            mine = [1] * len(problem.coordinates)
            for axis, c in enumerate(problem.coordinates):
                tails = [e for (a, _), es in self.tails.items() if a == axis for e in es if e.has(u)]
                constant = [e for e in tails if not e.has(sp.Derivative) and not sp.diff(e - u, c).has(c)]
                mine[axis] = (
                    0 if any(sp.diff(e, u).is_number and c not in (e - u).free_symbols for e in constant) else 1
                )
            found.append(tuple(mine))
        return tuple(found)

    def data(self) -> list[sp.Expr]:
        """The formulas without unknowns of equations and conditions, from which a first reach follows."""
        problem, found = self.problem, []
        stated = [e for q in problem.equations for e in expressions_of(q)]
        for expression in (*stated, *(e for c in problem.conditions for e in c.expressions())):
            zero = {a: sp.Integer(0) for a in expression.atoms(sp.Derivative, AppliedUndef)}
            left = expression.xreplace(zero)
            if left.free_symbols & set(problem.coordinates):
                found.append(left)
        return found


def _face(part: str, end: int) -> str:
    """The name of the edge of the window that stands for a part at infinity."""
    return f"{part.rsplit('=', 1)[0]}={('min', 'max')[end]}"
