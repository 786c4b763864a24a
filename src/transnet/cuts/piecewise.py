"""Coefficients and sources that jump or have kinks across lines or curves, as formulas state them, in pieces."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise, product

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.cuts.level_sets import branch, pieces_of_curves
from transnet.geometry import Box, Domain, Interval, Pieces
from transnet.lazy import optimize
from transnet.problem import Given, Problem, by_piece, expressions_of
from transnet.rows.jumps import KINKED, may_be_rough, may_jump

JUMPING = (sp.Piecewise, sp.Heaviside, sp.sign)
"""What can jump across a line."""
LOOKED_AT = 2_001
"""Points between two ends among which a formula of one coordinate changes sign."""
MOST = 400
"""The most boxes: those of a table of 20 by 20."""


def in_pieces_of_lines(problem: Problem) -> Problem | None:
    """The problem on pieces between the lines across which the coefficients of its highest derivatives jump.

    Across coordinate lines of a box the pieces are boxes; in the plane they may lie between circles and lines of any
    direction, too. None where nothing of that kind jumps, or where it cannot be turned into pieces.
    """
    return _between_lines(problem, may_jump, lambda expressions: any(map(_jumps, expressions)))


def in_pieces_of_sources(problem: Problem) -> Problem | None:
    """The problem on pieces between the lines across which anything of its equations jumps or has a kink.

    That is so if it is elliptic. A network that is smooth across such a line converges slowly: to -lap u = 1 on one
    side of a line and 0 on the other no cut that does not know of the line gave more than four digits.
    """
    return _between_lines(problem, may_be_rough, lambda expressions: _second_everywhere(problem, expressions))


def _between_lines(
    problem: Problem, may: Callable[[Problem], bool], wanted: Callable[[list[sp.Expr]], bool]
) -> Problem | None:
    domain = problem.domain
    if isinstance(domain, Pieces) or domain.dimension > 3:
        return None
    if not all(c.in_cells and c.period is None for c in problem.conditions):
        return None
    if not may(problem):
        return None
    expressions = [r.doit() for e in problem.equations for r in expressions_of(e)]
    if not wanted(expressions):
        return None
    atoms = set().union(*(e.atoms(*JUMPING) for e in expressions))
    kinks = set().union(*(e.atoms(*KINKED) for e in expressions))
    edges = jump_edges(problem, atoms | {k for k in kinks if not k.has(AppliedUndef)})
    if not edges:  # a given function without a table may jump, and nobody knows where
        return None
    places = places_of_lines(problem, edges) if isinstance(domain, Box | Interval) else None
    if places is None:
        return pieces_of_curves(problem, expressions, edges, JUMPING) if domain.dimension in (2, 3) else None
    axes = [[*sorted({float(lo), *at, float(hi)})] for lo, hi, at in zip(*domain.bounds, places, strict=True)]
    names, shapes, middles = [], [], []
    for number, sides in enumerate(product(*(list(pairwise(a)) for a in axes))):
        names.append(f"piece{number}")
        shapes.append(_box(domain, [c.name for c in problem.coordinates], sides))
        middles.append({c: sp.Float((a + b) / 2) for c, (a, b) in zip(problem.coordinates, sides, strict=True)})
    if not 1 < len(names) <= MOST:
        return None
    # What has a kink stays as it is: it has a value on both sides, beyond rounding of its line too.
    values = {atom: by_piece({n: branch(atom, m) for n, m in zip(names, middles, strict=True)}) for atom in atoms}
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


def _second_everywhere(problem: Problem, expressions: list[sp.Expr]) -> bool:
    """Whether the equations have a second or higher derivative along each coordinate."""
    counts = [count for e in expressions for d in e.atoms(sp.Derivative) for count in d.variable_count]
    return all(any(c == symbol and n >= 2 for c, n in counts) for symbol in problem.coordinates)


def jump_edges(problem: Problem, atoms: set[sp.Expr]) -> list[sp.Expr] | None:
    """The expressions at whose zeros something jumps or has a kink; None if they are of more than the coordinates."""
    found: dict[sp.Expr, None] = {}
    for atom in sorted(atoms, key=sp.default_sort_key):
        if atom.has(Given, AppliedUndef):
            return None
        if isinstance(atom, sp.Piecewise):
            relations = [r for _, c in atom.args for r in c.atoms(sp.core.relational.Relational)]
            edges = [r.lhs - r.rhs for r in sorted(relations, key=sp.default_sort_key)]
        else:
            edges = (
                [a - b for a, b in combinations(atom.args, 2)] if isinstance(atom, sp.Max | sp.Min) else [atom.args[0]]
            )
        for edge in edges:
            if not edge.free_symbols or not edge.free_symbols <= set(problem.coordinates):
                return None
            if sp.expand(-edge) not in found:
                found.setdefault(sp.expand(edge))
    return list(found)


def places_of_lines(problem: Problem, edges: list[sp.Expr]) -> list[list[float]] | None:
    """Where each coordinate's lines are, inside the domain; None if something jumps elsewhere."""
    places: list[list[float]] = [[] for _ in problem.coordinates]
    low, high = np.asarray(problem.domain.bounds)
    for edge in edges:
        if len(edge.free_symbols) != 1:
            return None
        (symbol,) = edge.free_symbols
        axis = problem.coordinates.index(symbol)
        places[axis] += sign_changes(edge, symbol, float(low[axis]), float(high[axis]))
    return places


def sign_changes(edge: sp.Expr, symbol: sp.Symbol, low: float, high: float) -> list[float]:
    """Where a formula of one coordinate changes sign between two ends."""
    if edge.is_polynomial(symbol) and sp.degree(edge, symbol) == 1:
        place = float(sp.solve(edge, symbol)[0])
        return [place] if low < place < high else []
    function = sp.lambdify(symbol, edge)
    at = np.linspace(low, high, LOOKED_AT)
    signs = np.sign(np.broadcast_to(function(at), at.shape))
    return [
        float(optimize.brentq(function, at[k], at[k + 1], xtol=np.finfo(float).eps * (high - low)))
        for k in np.flatnonzero(signs[:-1] * signs[1:] < 0)
    ] + [float(at[k]) for k in np.flatnonzero(signs[1:-1] == 0) + 1]


def _box(domain: Domain, names: list[str], sides: tuple[tuple[float, float], ...]) -> Domain:
    made = dict(zip(names, sides, strict=True))
    return Interval(**made) if isinstance(domain, Interval) else Box(**made)
