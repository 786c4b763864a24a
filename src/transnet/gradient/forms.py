"""Linear forms of a function and its derivatives, on the boundary with its normal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import sympy as sp

from transnet.basis.expansion import MultiIndex
from transnet.errors import ProblemError
from transnet.geometry.domain import Domain
from transnet.pieces.fluxes import derivative_atoms
from transnet.problem import ByPiece, NormalComponent, Problem, Slope
from transnet.tolerances import ROUNDED, SAME

Form = dict[tuple[int, MultiIndex], sp.Expr]
"""A linear form of the derivatives of the solution: the factor of each D^k s_j."""
LOOKED = 8
"""Points of a part at which its normals are looked at: a component that is the same at all of them is a number."""


class Sums:
    """Factors of s_j inside, of s_j on the boundary and of ds_j/dx_b there."""

    def __init__(self, problem: Problem) -> None:
        m = len(problem.unknowns)
        self.inside: list[sp.Expr] = [sp.Integer(0)] * m
        self.value: list[sp.Expr] = [sp.Integer(0)] * m
        self.slope: dict[tuple[int, int], sp.Expr] = {
            (j, b): sp.Integer(0) for j in range(m) for b in range(len(problem.coordinates))
        }


def eliminated(matrix: sp.Matrix, row: sp.Matrix) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """What must vanish for a row to be a combination of those of a matrix, and the factors of that combination."""
    if not matrix.rows:
        return [e for e in row if e != 0], []
    free = [(row * v)[0] for v in matrix.nullspace()]
    factors = list((matrix * matrix.T).inv() * matrix * row.T)
    return [e for e in free if e != 0], factors


def derived(function: sp.Expr, index: MultiIndex, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
    counts = [(c, m) for c, m in zip(coordinates, index, strict=True) if m]
    return sp.Derivative(function, *counts) if counts else function


def unit(expression: sp.Expr, normal: Sequence[sp.Symbol], known: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """An expression on a part, with its normal and n.n = 1."""
    found = sp.expand(expression.xreplace(known))
    free = [n for n in normal if n not in known]
    if not free or not found.has(*free):
        return found
    last, rest = free[-1], 1 - sp.Add(*(known.get(n, n) ** 2 for n in normal if n != free[-1]))
    return sp.expand(
        found.replace(
            lambda e: e.is_Pow and e.base == last and e.exp.is_Integer and e.exp >= 2,
            lambda e: rest ** (e.exp // 2) * last ** (e.exp % 2),
        )
    )


def numeric(expression: sp.Expr) -> float:
    """The value of an expression for some values of everything in it, and some normal of length one."""
    rng = np.random.default_rng(0)
    found = sp.sympify(expression)
    for kinds in ((Slope,), (ByPiece,), (sp.Derivative,), (sp.Function,), (sp.Symbol,)):
        atoms = sorted(found.atoms(*kinds), key=sp.default_sort_key)
        found = found.xreplace(
            {a: sp.Float(rng.uniform(0.5, 1.5)) for a in atoms if not isinstance(a, NormalComponent)}
        )
    normals = sorted(found.atoms(NormalComponent), key=sp.default_sort_key)
    angles = rng.standard_normal(len(normals))
    angles /= np.linalg.norm(angles) or 1.0
    return float(found.xreplace(dict(zip(normals, map(sp.Float, angles), strict=True))))


def consistent(expressions: Sequence[sp.Expr], problem: Problem) -> list[sp.Expr]:
    """Conditions for z of which none follows from the others; ProblemError if they contradict each other."""
    kept: list[sp.Expr] = []
    atoms = sorted(
        {a for e in expressions for a, (u, _) in derivative_atoms(e.doit(), problem.coordinates).items()
         if u in problem.unknowns}, key=sp.default_sort_key,
    )  # fmt: skip
    names = {a: sp.Dummy() for a in atoms}
    rows = np.zeros((0, len(atoms) + 1))
    for e in expressions:
        plain = e.doit().xreplace(names)
        factors = [numeric(sp.diff(plain, n)) for n in names.values()]
        row = np.array([*factors, numeric(plain.xreplace(dict.fromkeys(names.values(), sp.Integer(0))))])
        more = np.vstack([rows, row])
        if np.linalg.matrix_rank(more[:, :-1], ROUNDED) > len(rows):
            kept, rows = [*kept, e], more
        elif np.linalg.matrix_rank(more, ROUNDED) > len(rows):
            raise ProblemError("The result depends on what the conditions leave free: it has no adjoint.")
    return kept


def constant_normals(domain: Domain, part: str, normal: Sequence[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    """The components of the normal that are the same everywhere on a part."""
    sample = domain.boundary(part, LOOKED).normals
    same, first = np.ptp(sample, axis=0) <= SAME, sample[0]
    first = np.where(np.abs(first - np.rint(first)) <= SAME, np.rint(first), first)
    return {n: sp.Float(float(first[a])) for a, n in enumerate(normal) if same[a]}


def both_ends(domain: Domain, axis: int) -> tuple[list[str], list[str]]:
    """The parts on which a coordinate is smallest, and largest."""
    low, high = np.asarray(domain.bounds, float)[:, axis]
    found: tuple[list[str], list[str]] = ([], [])
    for part in domain.parts:
        points = domain.boundary(part, LOOKED).points[:, axis]
        for side, end in enumerate((low, high)):
            if np.allclose(points, end, SAME, SAME * (high - low)):
                found[side].append(part)
    return found
