"""A problem: a domain, the equations that hold in it, and the conditions. Everything is checked when it is stated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.geometry import Domain
from transnet.problem.conditions import At, Condition, Data, Mean, On, Periodic
from transnet.problem.unknowns import NormalComponent


def residuals(equation: Any) -> list[sp.Expr]:
    """The scalar expressions that an equation sets to zero; a matrix equation has one an entry."""
    if isinstance(equation, sp.Equality):
        left, right = equation.lhs, equation.rhs
    elif equation in (True, False, sp.true, sp.false):
        raise ProblemError(
            f"An equation is just {equation}: SymPy found both sides to be "
            f"{'the same' if equation in (True, sp.true) else 'different numbers'}, so it says nothing of an unknown. "
            f"Write sympy.Eq(left, right), not left == right."
        )
    else:
        try:
            left, right = sp.sympify(equation), sp.Integer(0)
        except (sp.SympifyError, TypeError):
            raise ProblemError(f"{equation!r} is not an equation. Write sympy.Eq(left, right).") from None
    if isinstance(left, sp.MatrixBase) or isinstance(right, sp.MatrixBase):
        size = left.shape if isinstance(left, sp.MatrixBase) else right.shape
        left = left if isinstance(left, sp.MatrixBase) else sp.ones(*size) * left
        right = right if isinstance(right, sp.MatrixBase) else sp.ones(*size) * right
        if left.shape != right.shape:
            raise ProblemError(f"The two sides of an equation have shapes {left.shape} and {right.shape}.")
        return [a - b for a, b in zip(left, right, strict=True)]
    if not isinstance(left, sp.Expr) or not isinstance(right, sp.Expr):
        raise ProblemError(f"{equation} is not an equation between expressions. Write sympy.Eq(left, right).")
    return [left - right]


def text_of(equation: Any) -> str:
    """An equation as a person would write it."""
    if isinstance(equation, sp.Equality):
        return f"{equation.lhs} = {equation.rhs}"
    return f"{equation} = 0"


@dataclass(frozen=True, eq=False)
class Problem:
    """What holds, and where.

    Parameters
    ----------
    domain : Domain
        Where the equations hold.
    equations : sequence of sympy.Eq or expressions
        At least one for each unknown; an expression alone is set to zero.
    conditions : sequence
        What `on`, `at`, `data`, `mean` and `periodic` give.

    Raises
    ------
    ProblemError
        If the parts do not fit together; the text says which, and what to change.
    """

    domain: Domain
    equations: Sequence[Any]
    conditions: Sequence[Condition] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.domain, Domain):
            raise ProblemError(f"The domain must be a shape such as tn.Box(x=(0, 1), y=(0, 1)), not {self.domain!r}.")
        object.__setattr__(self, "equations", _as_tuple(self.equations))
        object.__setattr__(self, "conditions", _as_tuple(self.conditions))
        if not self.equations:
            raise ProblemError("The problem has no equations. Pass equations=[sympy.Eq(...), ...].")
        for condition in self.conditions:
            if not isinstance(condition, On | At | Data | Mean | Periodic):
                raise ProblemError(
                    f"{condition!r} is not a condition. Say where it holds: tn.on('boundary', sympy.Eq(u, 0))."
                )
        self._check_unknowns()
        self._check_coordinates()
        self._check_conditions()

    # -- what it is about -------------------------------------------------------------------------------------------
    @cached_property
    def unknowns(self) -> tuple[sp.Expr, ...]:
        """The unknown functions, in order of name."""
        found: set[sp.Expr] = set()
        for expression in self._expressions():
            found |= expression.atoms(AppliedUndef)
        return tuple(sorted(found, key=lambda f: f.func.__name__))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the unknowns."""
        return tuple(u.func.__name__ for u in self.unknowns)

    @cached_property
    def coordinates(self) -> tuple[sp.Symbol, ...]:
        """The coordinates, in the order of the domain's axes."""
        free = list(self.unknowns[0].args)
        by_name = {c.name: c for c in free}
        named = {n for n in self.domain.names if n is not None}
        rest = iter([c for c in free if c.name not in named])
        return tuple(next(rest) if n is None else by_name[n] for n in self.domain.names)

    @cached_property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """Symbols that are neither coordinates nor components of the normal: they need a value to solve."""
        symbols: set[sp.Symbol] = set()
        for expression in self._expressions(values=True):
            symbols |= {s for s in expression.free_symbols if not isinstance(s, NormalComponent)}
        return tuple(sorted(symbols - set(self.coordinates), key=lambda s: s.name))

    # -- checks -----------------------------------------------------------------------------------------------------
    def _expressions(self, values: bool = False) -> Iterator[sp.Expr]:
        for equation in self.equations:
            yield from residuals(equation)
        for condition in self.conditions:
            yield from condition_expressions(condition, values)

    def _check_unknowns(self) -> None:
        if not self.unknowns:
            raise ProblemError(
                "The equations contain no unknown. Make one with u = tn.unknown('u', x, y) and use it in them."
            )
        by_name: dict[str, sp.Expr] = {}
        for u in self.unknowns:
            name = u.func.__name__
            if not all(isinstance(a, sp.Symbol) for a in u.args):
                raise ProblemError(
                    f"{u} evaluates the unknown '{name}' at a place. Use it with its own coordinates, and state values "
                    f"at a place as a condition: tn.on(part, ...) or tn.at(points, ...)."
                )
            if name in by_name and by_name[name] != u:
                raise ProblemError(f"The unknown '{name}' appears with different coordinates: {by_name[name]} and {u}.")
            by_name[name] = u
        first = self.unknowns[0]
        for u in self.unknowns[1:]:
            if set(u.args) != set(first.args):
                raise ProblemError(f"All unknowns need the same coordinates, but there are {first} and {u}.")
        inside: set[sp.Expr] = set()
        count = 0
        for equation in self.equations:
            for expression in residuals(equation):
                count += 1
                found = expression.atoms(AppliedUndef)
                if not found:
                    raise ProblemError(f"The equation '{text_of(equation)}' contains no unknown.")
                inside |= found
        for u in self.unknowns:
            if u not in inside:
                raise ProblemError(
                    f"The unknown {u} has no equation: it appears in conditions only. Add its equation, or remove it."
                )
        if count < len(self.unknowns):
            raise ProblemError(
                f"There are {len(self.unknowns)} unknowns ({', '.join(self.names)}) but only {count} "
                f"equation{'s' if count > 1 else ''}. Add the missing equations."
            )

    def _check_coordinates(self) -> None:
        stated = [c.name for c in self.unknowns[0].args]
        names = self.domain.names
        missing = [n for n in names if n is not None and n not in stated]
        if missing:
            raise ProblemError(
                f"The domain has the coordinate{'s' if len(missing) > 1 else ''} {', '.join(missing)}, but the unknown "
                f"is {self.unknowns[0]}. Add {'them' if len(missing) > 1 else 'it'} to the unknown, or rename."
            )
        if len(stated) != len(names):
            lacking = [c for c in stated if c not in names] if None not in names else []
            hint = f"the domain lacks {', '.join(lacking)}. " if lacking else ""
            raise ProblemError(
                f"The unknown {self.unknowns[0]} has {len(stated)} coordinates, but the domain has {len(names)}: {hint}"
                f"Make both agree; time is one more factor: domain * tn.Interval(t=(0, 1))."
            )

    def _check_conditions(self) -> None:
        inside = [r for equation in self.equations for r in residuals(equation)]
        for place, expressions in [("an equation", inside)] + [
            (f"tn.{type(c).__name__.lower()}", list(condition_expressions(c)))
            for c in self.conditions
            if not isinstance(c, On)
        ]:
            for expression in expressions:
                if expression.has(NormalComponent):
                    raise ProblemError(
                        f"{place} uses the normal, which exists on boundaries only. Move it to tn.on(part, ...)."
                    )
        for condition in self.conditions:
            match condition:
                case On(part=part, where=where):
                    self.domain.resolve(part)
                    extra = set() if where is None else where.free_symbols - set(self.coordinates)
                    if extra:
                        raise ProblemError(f"where={where} on '{part}' uses {_names(extra)}, not a coordinate.")
                case At(points=points) | Data(points=points):
                    if points.shape[1] != self.domain.dimension:
                        raise ProblemError(
                            f"tn.{type(condition).__name__.lower()} has points with {points.shape[1]} columns, but the "
                            f"problem has {self.domain.dimension} coordinates: {_names(self.coordinates)}."
                        )
                case Periodic(coordinate=coordinate, unknowns=unknowns):
                    if coordinate not in self.coordinates:
                        raise ProblemError(
                            f"tn.periodic is in {coordinate}, which is not a coordinate of the problem: "
                            f"{_names(self.coordinates)}."
                        )
                    for u in unknowns:
                        if u not in self.unknowns:
                            raise ProblemError(f"tn.periodic names {u}, which is not an unknown of the problem.")
            if isinstance(condition, On | At | Data | Mean):
                for expression in condition_expressions(condition):
                    if not expression.has(AppliedUndef):
                        raise ProblemError(
                            f"A condition contains no unknown: '{expression} = 0' in tn."
                            f"{type(condition).__name__.lower()}. State what holds for one, as in sympy.Eq(u, 0)."
                        )

    def __repr__(self) -> str:
        lines = [f"Problem for {', '.join(map(str, self.unknowns))} on {self.domain}"]
        lines += [f"  {text_of(e)}" for e in self.equations]
        for c in self.conditions:
            match c:
                case On(part=part, equations=equations, where=where):
                    suffix = "" if where is None else f" where {where}"
                    lines += [f"  {text_of(e)} on {part}{suffix}" for e in equations]
                case At(points=points, equations=equations):
                    lines += [f"  {text_of(e)} at {len(points)} point(s)" for e in equations]
                case Data(expression=expression, points=points):
                    lines.append(f"  {expression} measured at {len(points)} point(s)")
                case Mean(expression=expression, value=value):
                    lines.append(f"  mean of {expression} = {value}")
                case Periodic(coordinate=coordinate):
                    lines.append(f"  periodic in {coordinate}")
        return "\n".join(lines)


def condition_expressions(condition: Condition, values: bool = True) -> Iterator[sp.Expr]:
    """The expressions of a condition; with `values=False` without those that only give a value."""
    match condition:
        case On(equations=equations) | At(equations=equations):
            for equation in equations:
                yield from residuals(equation)
        case Data(expression=expression):
            yield expression
        case Mean(expression=expression, value=value):
            yield expression - sp.sympify(value)


def _as_tuple(items: Any) -> tuple[Any, ...]:
    if isinstance(items, Iterable) and not isinstance(items, sp.Basic | sp.MatrixBase):
        return tuple(items)
    return (items,)


def _names(symbols: Iterable[Any]) -> str:
    return ", ".join(sorted(map(str, symbols)))
