"""Coefficients that jump across coordinate lines, as sympy.Piecewise states them, turned into pieces of a box."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import sympy as sp

from transnet.geometry import Box, Domain, Interval, Pieces
from transnet.problem import At, Data, Given, Mean, On, Problem, by_piece, expressions_of

JUMPING = (sp.Piecewise, sp.Heaviside, sp.sign)
"""What can jump across a line."""


def in_pieces_of_lines(problem: Problem) -> Problem | None:
    """The problem on pieces between the lines across which the coefficients of its highest derivatives jump.

    None where nothing of that kind jumps, or where it is not across coordinate lines of a box.
    """
    domain = problem.domain
    if not isinstance(domain, Box | Interval) or problem.parameters:
        return None
    if not all(type(c) in (On, At, Data, Mean) for c in problem.conditions):
        return None
    if not any(e.has(*JUMPING) for e in problem.equations if isinstance(e, sp.Basic | sp.MatrixBase)):
        return None
    expressions = [r.doit() for e in problem.equations for r in expressions_of(e)]
    if not any(_jumps(e) for e in expressions):
        return None
    atoms = set().union(*(e.atoms(*JUMPING) for e in expressions))
    places = _lines(problem, atoms)
    if places is None:
        return None
    axes = [[*sorted({float(lo), *at, float(hi)})] for lo, hi, at in zip(*domain.bounds, places, strict=True)]
    names, shapes, middles = [], [], []
    for number, sides in enumerate(product(*(list(pairwise(a)) for a in axes))):
        names.append(f"piece{number}")
        shapes.append(_box(domain, [c.name for c in problem.coordinates], sides))
        middles.append({c: sp.Float((a + b) / 2) for c, (a, b) in zip(problem.coordinates, sides, strict=True)})
    if not 1 < len(names) <= 100:
        return None
    values = {atom: by_piece({n: _branch(atom, m) for n, m in zip(names, middles, strict=True)}) for atom in atoms}
    equations = [e.xreplace(values) for e in expressions]
    return Problem(Pieces(dict(zip(names, shapes, strict=True))), equations, problem.conditions)


def _jumps(expression: sp.Expr) -> bool:
    """Whether the factor of a second derivative has something that jumps."""
    for atom in expression.atoms(sp.Derivative):
        if sum(int(n) for _, n in atom.variable_count) >= 2:
            symbol = sp.Dummy()
            if sp.diff(expression.xreplace({atom: symbol}), symbol).has(*JUMPING):
                return True
    return False


def _lines(problem: Problem, atoms: set[sp.Expr]) -> list[list[float]] | None:
    """Where each coordinate's lines are, inside the domain; None if something jumps elsewhere."""
    places: list[list[float]] = [[] for _ in problem.coordinates]
    low, high = np.asarray(problem.domain.bounds)
    for atom in atoms:
        if atom.has(Given):
            return None
        if isinstance(atom, sp.Piecewise):
            relations = [r for _, c in atom.args for r in c.atoms(sp.core.relational.Relational)]
            edges = [r.lhs - r.rhs for r in relations]
        else:
            edges = [atom.args[0]]
        for edge in edges:
            free = edge.free_symbols
            if len(free) != 1 or not free <= set(problem.coordinates):
                return None
            (symbol,) = free
            axis = problem.coordinates.index(symbol)
            if not edge.is_polynomial(symbol) or sp.degree(edge, symbol) != 1:
                return None
            place = float(sp.solve(edge, symbol)[0])
            if low[axis] < place < high[axis]:
                places[axis].append(place)
    return places


def _branch(atom: sp.Expr, middle: dict[sp.Symbol, sp.Expr]) -> sp.Expr:
    """What a jumping expression is in a piece with that middle, as a formula of the coordinates."""
    if isinstance(atom, sp.Piecewise):
        for value, condition in atom.args:
            if condition.subs(middle) == sp.true:
                return value
        return sp.nan
    return atom.subs(middle)


def _box(domain: Domain, names: list[str], sides: tuple[tuple[float, float], ...]) -> Domain:
    made = dict(zip(names, sides, strict=True))
    return Interval(**made) if isinstance(domain, Interval) else Box(**made)
