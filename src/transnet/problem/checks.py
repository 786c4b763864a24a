"""The checks of a problem when it is stated: each names what does not fit and what to change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.problem.by_piece import ByPiece, Inside, Jump
from transnet.problem.conditions import At, Data, Mean, On, Periodic
from transnet.problem.equations import condition_expressions, residuals, text_of, written
from transnet.problem.unknowns import NormalComponent

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


def check_unknowns(problem: Problem) -> None:
    """Every unknown is used as it was made and has an equation."""
    if not problem.unknowns:
        raise ProblemError(
            "The equations contain no unknown. Make one with u = tn.unknown('u', x, y) and use it in them."
        )
    by_name: dict[str, sp.Expr] = {}
    for u in problem.unknowns:
        name = u.func.__name__
        if not all(isinstance(a, sp.Symbol) for a in u.args):
            raise ProblemError(
                f"{u} evaluates the unknown '{name}' at a place. Use it with its own coordinates.",
                {"condition": True},
            )
        if name in by_name and by_name[name] != u:
            raise ProblemError(f"The unknown '{name}' appears with different coordinates: {by_name[name]} and {u}.")
        by_name[name] = u
    first = problem.unknowns[0]
    for u in problem.unknowns[1:]:
        if set(u.args) != set(first.args):
            raise ProblemError(f"All unknowns need the same coordinates, but there are {first} and {u}.")
    inside: set[sp.Expr] = set()
    count = 0
    for equation in problem.equations:
        for expression in residuals(equation):
            count += 1
            found = expression.atoms(AppliedUndef)
            if not found:
                raise ProblemError(f"The equation '{text_of(equation)}' contains no unknown.")
            inside |= found
    for u in problem.unknowns:
        if u not in inside:
            raise ProblemError(
                f"The unknown {u} has no equation: it appears in conditions only. Add its equation, or remove it."
            )
    if count < len(problem.unknowns):
        raise ProblemError(
            f"There are {len(problem.unknowns)} unknowns ({', '.join(problem.names)}) but only {count} "
            f"equation{'s' if count > 1 else ''}. Add the missing equations."
        )


def check_coordinates(problem: Problem) -> None:
    """The coordinates of the unknowns are those of the domain."""
    stated = [c.name for c in problem.unknowns[0].args]
    names = problem.domain.names
    missing = [n for n in names if n is not None and n not in stated]
    if missing:
        raise ProblemError(
            f"The domain has the coordinate{'s' if len(missing) > 1 else ''} {', '.join(missing)}, but the unknown "
            f"is {problem.unknowns[0]}. Add {'them' if len(missing) > 1 else 'it'} to the unknown, or rename."
        )
    if len(stated) != len(names):
        lacking = [c for c in stated if c not in names] if None not in names else []
        hint = f": the domain lacks {', '.join(lacking)}" if lacking else ""
        raise ProblemError(
            f"The unknown {problem.unknowns[0]} has {len(stated)} coordinates, but the domain has {len(names)}{hint}.",
            {"time": True},
        )

    # SymPy takes symbols of one name with different assumptions for different symbols.
    for symbol in problem.parameters:
        if symbol.name in stated:
            raise ProblemError(
                f"There are two different symbols '{symbol.name}': the coordinate of the unknown and one with other "
                f"assumptions (such as real=True). Make it once, and use that one everywhere."
            )


def check_conditions(problem: Problem) -> None:
    """Every condition is about an unknown, and its place exists."""
    inside = [r for equation in problem.equations for r in residuals(equation)]
    for place, expressions in [("An equation", inside)] + [
        (f"The condition '{type(c).__name__.lower()}'", list(condition_expressions(c)))
        for c in problem.conditions
        if not isinstance(c, On)
    ]:
        for expression in expressions:
            if expression.has(NormalComponent):
                raise ProblemError(f"{place} uses the normal, which exists on boundaries only.", {"normal": True})
    for condition in problem.conditions:
        match condition:
            case On(part=part, where=where):
                problem.domain.resolve(part)
                extra = set() if where is None else where.free_symbols - set(problem.coordinates)
                if extra:
                    raise ProblemError(f"The condition {where} on '{part}' uses {_names(extra)}, not a coordinate.")
            case At(points=points) | Data(points=points):
                kind = type(condition).__name__.lower()
                if points.shape[1] != problem.domain.dimension:
                    raise ProblemError(
                        f"The condition '{kind}' has points with {points.shape[1]} columns, "
                        f"but the problem has {problem.domain.dimension} coordinates: {_names(problem.coordinates)}. "
                        f"Give an array of shape (n, {problem.domain.dimension}), one row a point."
                    )
                outside = ~problem.domain.nearly_contains(points)
                if outside.any():
                    raise ProblemError(
                        f"The condition '{kind}' has the point "
                        f"({', '.join(f'{c:g}' for c in points[outside][0])}) outside of the domain {problem.domain}. "
                        f"The columns are {', '.join(map(str, problem.coordinates))}: check their order and units."
                    )
            case Periodic(coordinate=coordinate, unknowns=unknowns):
                if coordinate not in problem.coordinates:
                    raise ProblemError(
                        f"A periodic condition is in {coordinate}, which is not a coordinate of the problem: "
                        f"{_names(problem.coordinates)}."
                    )
                if not all(problem.domain.ends(problem.coordinates.index(coordinate))):
                    raise ProblemError(
                        f"The domain {problem.domain} has no two opposite faces across {coordinate}, so it cannot be "
                        f"periodic in it. Periodic domains are an Interval or a Box, or a product with one."
                    )
                for u in unknowns:
                    if u not in problem.unknowns:
                        raise ProblemError(f"A periodic condition names {u}, which is not an unknown of the problem.")
        if isinstance(condition, On | At | Data | Mean):
            for expression in condition_expressions(condition):
                if not expression.has(AppliedUndef):
                    raise ProblemError(
                        f"A condition contains no unknown: '{written(expression)} = 0' of the kind "
                        f"'{type(condition).__name__.lower()}'. State what holds for one."
                    )


def check_pieces(problem: Problem) -> None:
    """Coefficients and equations by piece name pieces of the domain, all of them; jumps have two sides."""
    domain = problem.domain
    names = domain.piece_names if isinstance(domain, Pieces) else ()
    for expression in problem._expressions():
        for atom in sorted(expression.atoms(ByPiece), key=sp.default_sort_key):
            if not names:
                raise ProblemError(
                    f"{atom} differs from piece to piece, but the domain {domain} is a single one. Make it of pieces: "
                    f"tn.Pieces({', '.join(f'{n}=...' for n in atom.names)})."
                )
            unknown = [n for n in atom.names if n not in names]
            missing = [n for n in names if n not in atom.names]
            if unknown or missing:
                what = f"names {', '.join(map(repr, unknown))}" if unknown else ""
                lacks = f"has no value for {', '.join(map(repr, missing[:5]))}" if missing else ""
                raise ProblemError(
                    f"{atom} {' and '.join(filter(None, (what, lacks)))}. The pieces of the domain are "
                    f"{', '.join(map(repr, names[:12]))}{', ...' if len(names) > 12 else ''}: give a value for each."
                )
    for equation in problem.equations:
        if any(r.has(Jump) for r in residuals(equation)):
            raise ProblemError(
                f"The equation '{text_of(equation)}' has a jump, which only an interface has. State it there: "
                f"tn.on('core|shell', sympy.Eq(tn.jump(u), 0))."
            )
        if isinstance(equation, Inside) and equation.piece not in names:
            known = f"The pieces are {', '.join(map(repr, names))}." if names else "The domain has no pieces."
            raise ProblemError(f"tn.inside names the piece '{equation.piece}', which is not there. {known}")
    for condition in problem.conditions:
        across = isinstance(condition, On) and "|" in condition.part
        if not across and any(e.has(Jump) for e in condition_expressions(condition)):
            place = f"'{condition.part}'" if isinstance(condition, On) else type(condition).__name__.lower()
            raise ProblemError(
                f"A condition on {place} has a jump, which has two sides. Only an interface has two: write "
                f"tn.on('core|shell', ...) with the names of the two pieces."
            )
    _check_every_piece(problem, names)


def _check_every_piece(problem: Problem, names: tuple[str, ...]) -> None:
    for name in names:
        mine = [e for e in problem.equations if not isinstance(e, Inside) or e.piece == name]
        expressions = [r for e in mine for r in residuals(e)]
        found = set().union(*(e.atoms(AppliedUndef) for e in expressions)) if expressions else set()
        lacking = [str(u) for u in problem.unknowns if u not in found]
        if lacking or len(expressions) < len(problem.unknowns):
            what = f"no equation for {', '.join(lacking)}" if lacking else f"only {len(expressions)} equation(s)"
            raise ProblemError(
                f"The piece '{name}' has {what}, and there are {len(problem.unknowns)} unknown(s). Add "
                f"tn.inside('{name}', equation), or state an equation for all pieces."
            )


def _names(symbols: Iterable[Any]) -> str:
    return ", ".join(sorted(map(str, symbols)))
