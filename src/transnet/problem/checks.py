"""The checks of a problem when it is stated: each names what does not fit and what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.geometry.manifold import manifold_of
from transnet.problem.by_piece import ByPiece, Jump
from transnet.problem.elsewhere import Over
from transnet.problem.equations import expressions_of, piece_of, text_of, written
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
    inside: set[sp.Expr] = set()
    count = 0
    for equation in problem.equations:
        for expression in expressions_of(equation):
            count += 1
            found = expression.atoms(AppliedUndef)
            if not found:
                raise ProblemError(f"The equation '{text_of(equation)}' contains no unknown.")
            inside |= {by_name.get(u.func.__name__, u) for u in found}
            _refuse_obstacle(equation, expression)
    # A number, or a function of fewer coordinates, is determined by the equations of the others, or by a condition.
    everywhere = [u for u in problem.unknowns if not is_lower(problem, u)]
    for u in everywhere:
        if u not in inside:
            raise ProblemError(
                f"The unknown {u} has no equation: it appears in conditions only. Add its equation, or remove it."
            )
    # Measured values determine a coefficient, one for each measured quantity.
    count += len({e for c in problem.conditions if c.fitted for e in c.expressions()})
    if count < len(everywhere):
        raise ProblemError(
            f"There are {len(problem.unknowns)} unknowns ({', '.join(problem.names)}) but only {count} "
            f"equation{'s' if count > 1 else ''}. Add the missing equations, or the data that determine a coefficient."
        )


def _refuse_obstacle(equation: Any, expression: sp.Expr) -> None:
    """Raise an error for min(equation, u - obstacle) = 0: least squares has small residuals far from its solution."""
    for choice in expression.atoms(sp.Min, sp.Max):
        if any(d.has(AppliedUndef) for d in choice.atoms(sp.Derivative)):
            raise ProblemError(
                f"'{text_of(equation)}' holds where one of two expressions with derivatives of the unknown is the "
                f"{'smaller' if isinstance(choice, sp.Min) else 'larger'}: an obstacle problem, and small residuals "
                f"would not mean a small error. State the equation by itself, as it holds without contact, and the "
                f"obstacle psi as a condition: tn.obstacle(u >= psi), or u <= psi. Its edge is then found."
            )


def is_lower(problem: Problem, unknown: sp.Expr) -> bool:
    """Whether an unknown depends on fewer coordinates than the problem has."""
    return len(unknown.args) < len({c for u in problem.unknowns for c in u.args})


def check_coordinates(problem: Problem) -> None:
    """The coordinates of the unknowns are those of the domain."""
    largest = max(problem.unknowns, key=lambda u: len(u.args))
    stated = [c.name for c in dict.fromkeys(c for u in problem.unknowns for c in u.args)]
    names = problem.domain.names
    missing = [n for n in names if n is not None and n not in stated]
    if missing:
        raise ProblemError(
            f"The domain has the coordinate{'s' if len(missing) > 1 else ''} {', '.join(missing)}, but the unknown "
            f"is {largest}. Add {'them' if len(missing) > 1 else 'it'} to the unknown, or rename."
        )
    if len(stated) != len(names):
        lacking = [c for c in stated if c not in names] if None not in names else []
        hint = f": the domain lacks {', '.join(lacking)}" if lacking else ""
        raise ProblemError(
            f"The unknown {largest} has {len(stated)} coordinates, but the domain has {len(names)}{hint}.",
            {"time": True},
        )

    # SymPy treats symbols of one name with different assumptions as different.
    for symbol in problem.parameters:
        if symbol.name in stated:
            raise ProblemError(
                f"There are two different symbols '{symbol.name}': the coordinate of the unknown and one with other "
                f"assumptions (such as real=True). Make it once, and use that one everywhere."
            )


def check_conditions(problem: Problem) -> None:
    """Every condition is about an unknown, and its place exists."""
    manifold = manifold_of(problem.domain) is not None
    inside = [r for equation in problem.equations for r in expressions_of(equation)]
    for place, expressions in [("An equation", inside)] + [
        (f"The condition '{c.kind}'", c.expressions()) for c in problem.conditions if not c.has_normal
    ]:
        for expression in expressions:
            if not manifold and _without_parts(expression).has(NormalComponent):
                raise ProblemError(f"{place} uses the normal, which exists on boundaries only.", {"normal": True})
    for expression in problem._expressions():
        for part in {o.place for o in expression.atoms(Over) if o.place}:
            problem.domain.resolve(part)
    for condition in problem.conditions:
        condition.check(problem)
        for expression in condition.expressions():
            if not expression.has(AppliedUndef):
                raise ProblemError(
                    f"A condition contains no unknown: '{written(expression)} = 0' of the kind '{condition.kind}'. "
                    f"State what holds for one."
                )


def _without_parts(expression: sp.Expr) -> sp.Expr:
    """An expression without its integrals over parts of the boundary, where there is a normal."""
    return expression.xreplace({o: sp.Integer(0) for o in expression.atoms(Over) if o.place})


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
        if any(r.has(Jump) for r in expressions_of(equation)):
            raise ProblemError(
                f"The equation '{text_of(equation)}' has a jump, which only exists on an interface. State it there: "
                f"tn.on('core|shell', sympy.Eq(tn.jump(u), 0))."
            )
        if piece_of(equation) not in (None, *names):
            known = f"The pieces are {', '.join(map(repr, names))}." if names else "The domain has no pieces."
            raise ProblemError(f"tn.inside names the piece '{piece_of(equation)}', which does not exist. {known}")
    for condition in problem.conditions:
        if not condition.across and any(e.has(Jump) for e in condition.expressions()):
            place = f"'{condition.boundary}'" if condition.boundary is not None else condition.kind
            raise ProblemError(
                f"A condition on {place} has a jump, which needs two sides. Only an interface has them: write "
                f"tn.on('core|shell', ...) with the names of the two pieces."
            )
    _check_every_piece(problem, names)


def _check_every_piece(problem: Problem, names: tuple[str, ...]) -> None:
    # A function of the last coordinate alone, as a front is, belongs to no piece.
    fields = [u for u in problem.unknowns if len(problem.coordinates) == 1 or u.args != problem.coordinates[-1:]]
    for name in names:
        mine = [e for e in problem.equations if piece_of(e) in (None, name)]
        expressions = [r for e in mine for r in expressions_of(e)]
        found = set().union(*(e.atoms(AppliedUndef) for e in expressions)) if expressions else set()
        lacking = [str(u) for u in fields if u not in found]
        if lacking or len(expressions) < len(fields):
            what = f"no equation for {', '.join(lacking)}" if lacking else f"only {len(expressions)} equation(s)"
            raise ProblemError(
                f"The piece '{name}' has {what}, and there are {len(problem.unknowns)} unknown(s). Add "
                f"tn.inside('{name}', equation), or state an equation for all pieces."
            )
