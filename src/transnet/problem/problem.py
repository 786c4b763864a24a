"""A problem: a domain, the equations that hold in it, and the conditions. Everything is checked when it is stated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.arguments import Axes
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.geometry import Domain
from transnet.geometry.symbolic import Sized
from transnet.measure.alike import learn_from_another
from transnet.pictures.picture import Picture
from transnet.problem.checks import check_conditions, check_coordinates, check_pieces, check_unknowns
from transnet.problem.condition import Condition
from transnet.problem.elsewhere import own_unknowns
from transnet.problem.equations import expressions_of, text_of
from transnet.problem.far import check_infinity
from transnet.problem.unknowns import Curvature, NormalComponent, tell_extents


@explained
@dataclass(frozen=True, eq=False)
class Problem:
    """A domain, the equations that hold in it, and conditions.

    Parameters
    ----------
    domain : Domain
        Where the equations hold.
    equations : sequence of sympy.Eq or expressions
        At least one for each unknown; an expression on its own is set to zero.
    conditions : sequence
        The results of `on`, `at`, `data`, `mean`, `periodic`, `at_infinity` and `outgoing`.
    order : sequence of unknowns, optional
        The order of the unknowns in results. By default that of the equations: each equation adds the unknown of its
        highest derivative that no equation before it has added, and the others follow.

    Raises
    ------
    ProblemError
        If the parts do not fit together; the text says which, and what to change.
    """

    domain: Domain
    equations: Sequence[Any]
    conditions: Sequence[Condition] = ()
    order: Sequence[Any] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.domain, Domain):
            raise ProblemError(
                f"The domain must be a shape such as tn.Box(x=(0, 1), y=(0, 1)), not {shown(self.domain)}."
            )
        symbolic = isinstance(self.domain, Sized)
        if not symbolic:
            learn_from_another(self.domain)
        object.__setattr__(self, "equations", _as_tuple(self.equations))
        object.__setattr__(self, "conditions", _as_tuple(self.conditions))
        if not self.equations:
            raise ProblemError("The problem has no equations. Pass equations=[sympy.Eq(...), ...].")
        for condition in self.conditions:
            if not isinstance(condition, Condition):
                raise ProblemError(
                    f"{shown(condition)} is not a condition. Say where it holds: tn.on('boundary', sympy.Eq(u, 0))."
                )
        object.__setattr__(self, "conditions", tuple(p for c in self.conditions for p in c.real_parts()))
        check_unknowns(self)
        check_coordinates(self)
        object.__setattr__(self, "conditions", tuple(c.in_order(self.coordinates) for c in self.conditions))
        if symbolic:
            return  # the rest depends on the sizes, and is checked when they have values
        tell_extents(self._expressions(), self.coordinates, self.domain.bounds)
        check_conditions(self)
        check_pieces(self)
        check_infinity(self)

    # -- what it is about -------------------------------------------------------------------------------------------
    @cached_property
    def unknowns(self) -> tuple[sp.Expr, ...]:
        """The unknown functions, in the order in which they are stated."""
        there = own_unknowns(self._expressions(), self.domain.names)
        found = [u for u in self.order if u in there]
        stated = () if self.order else ((q, e) for q in self.equations for e in expressions_of(q))
        for equation, expression in stated:
            # An equation u_t = ... is that of u; any other is that of its highest derivative.
            left = getattr(equation, "lhs", None)
            given = left.atoms(AppliedUndef) & there if isinstance(left, sp.Derivative) else set()
            if len(given) == 1:
                found += given - set(found)
                continue
            orders = dict.fromkeys((expression.atoms(AppliedUndef) & there) - set(found), 0)
            for d in expression.atoms(sp.Derivative):
                for u in d.atoms(AppliedUndef) & orders.keys():
                    orders[u] = max(orders[u], d.derivative_count)
            found += sorted(orders, key=lambda u: (-orders[u], u.func.__name__))[:1]
        return (*found, *sorted(there - set(found), key=lambda u: u.func.__name__))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the unknowns."""
        return tuple(u.func.__name__ for u in self.unknowns)

    @cached_property
    def coordinates(self) -> tuple[sp.Symbol, ...]:
        """The coordinates, in the order of the domain's axes."""
        free = list(dict.fromkeys(c for u in self.unknowns for c in u.args))
        by_name = {c.name: c for c in free}
        named = {n for n in self.domain.names if n is not None}
        rest = iter([c for c in free if c.name not in named])
        return tuple(next(rest) if n is None else by_name[n] for n in self.domain.names)

    @cached_property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """Symbols that are neither coordinates nor components of the normal: they need a value to solve."""
        symbols: set[sp.Symbol] = set()
        for expression in self._expressions():
            symbols |= {s for s in expression.free_symbols if not isinstance(s, NormalComponent | Curvature)}
        for condition in self.conditions:
            symbols |= condition.symbols
        symbols |= self.domain.symbols if isinstance(self.domain, Sized) else set()
        return tuple(sorted(symbols - set(self.coordinates), key=lambda s: s.name))

    def _expressions(self) -> Iterator[sp.Expr]:
        for equation in self.equations:
            yield from expressions_of(equation)
        for condition in self.conditions:
            yield from condition.expressions()

    @explained
    def plot(self, *, normals: bool = False, ax: Axes | None = None) -> Picture:
        """Draw the domain with the conditions on each part of its boundary; parts without one are marked.

        Parameters
        ----------
        normals : bool
            Whether to draw the outward normals.
        ax : matplotlib Axes, optional
            Where to draw a plane domain.
        """
        from transnet.problem.plot import plot_problem

        return plot_problem(self, normals, ax)

    def _repr_latex_(self) -> str:
        """The display in a notebook: the equations and conditions as mathematics."""
        from transnet.problem.latex import latex

        return f"$$\\displaystyle {latex(self)}$$"

    def __repr__(self) -> str:
        lines = [f"Problem for {', '.join(map(str, self.unknowns))} on {self.domain}"]
        lines += [f"  {text_of(e)}" for e in self.equations]
        for what, place in (line for c in self.conditions for line in c.lines()):
            lines.append(f"  {what if isinstance(what, str) else text_of(what)} {place}".rstrip())
        return "\n".join(lines)


def _as_tuple(items: Any) -> tuple[Any, ...]:
    if isinstance(items, Iterable) and not isinstance(items, sp.Basic | sp.MatrixBase):
        return tuple(items)
    return (items,)
