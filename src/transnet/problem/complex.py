"""Complex unknowns: psi = Re + i Im with two real unknowns behind it, and equations that are split into two.

A complex unknown is the SymPy expression `psi_re + I psi_im` of two real unknowns, so it may be differentiated,
multiplied and put into any equation. A problem splits such an equation into its real and its imaginary part.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.problem.by_piece import ByPiece, Slope

if TYPE_CHECKING:
    from transnet.problem.problem import Problem

RE, IM = "_re", "_im"


def complex_unknown(name: str, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
    """psi_re + I psi_im of two unknowns declared real in SymPy, which distinguishes them from plain ones."""
    real, imaginary = (sp.Function(name + suffix, real=True)(*coordinates) for suffix in (RE, IM))
    return real + sp.I * imaginary


def unknown_named(name: str, coordinates: Sequence[sp.Symbol], component: bool) -> sp.Expr:
    """The unknown of a name: plain, or the part of a complex one."""
    return sp.Function(name, real=True)(*coordinates) if component else sp.Function(name)(*coordinates)


def is_component(function: sp.Expr) -> bool:
    """Whether an unknown is the real or the imaginary part of a complex one."""
    return isinstance(function, AppliedUndef) and bool(function.is_real) and function.func.__name__.endswith((RE, IM))


def complex_pairs(problem: Problem) -> dict[str, tuple[int, int]]:
    """For each complex unknown the numbers of its real and its imaginary part among the unknowns."""
    number = {u: k for k, u in enumerate(problem.unknowns)}
    pairs = {}
    for u in problem.unknowns:
        name = u.func.__name__
        if is_component(u) and name.endswith(RE):
            other = sp.Function(name.removesuffix(RE) + IM, real=True)(*u.args)
            if other in number:
                pairs[name.removesuffix(RE)] = (number[u], number[other])
    return pairs


@lru_cache(maxsize=512)
def real_and_imaginary(expression: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """The two parts of an expression in which coordinates, parameters, given functions and unknowns are real."""
    done = expression.doit()
    by_piece = done.atoms(ByPiece, Slope)
    atoms = by_piece | done.atoms(AppliedUndef, sp.Derivative) | done.free_symbols | _givens(done)
    dummies: dict[sp.Basic, sp.Expr] = {}
    back: dict[sp.Basic, sp.Expr] = {}
    for k, atom in enumerate(sorted(atoms, key=sp.default_sort_key)):
        parts = _parts_by_piece(atom) if atom in by_piece and atom.has(sp.I) else (atom,)
        pair = [sp.Dummy(f"a{k}_{part}", real=True) for part in range(len(parts))]
        dummies[atom] = sum((d * sp.I**part for part, d in enumerate(pair)), sp.Integer(0))
        back |= dict(zip(pair, parts, strict=True))
    # Combine products of exponentials first: SymPy leaves them as they are.
    together = sp.powsimp(done.xreplace(dummies), combine="exp")
    real, imaginary = together.as_real_imag()
    if real.has(sp.re, sp.im) or imaginary.has(sp.re, sp.im):  # a product of an exponential and a root
        real, imaginary = sp.expand_complex(together).as_real_imag()
    return real.xreplace(back), imaginary.xreplace(back)


def _parts_by_piece(coefficient: ByPiece | Slope) -> tuple[sp.Expr, sp.Expr]:
    """The two parts of a coefficient by piece, or of its derivative, each a coefficient by piece or zero."""
    of = coefficient if isinstance(coefficient, ByPiece) else coefficient.args[0]
    real, imaginary = (of._made(values) for values in zip(*map(real_and_imaginary, of.args[1:]), strict=True))
    symbols = () if isinstance(coefficient, ByPiece) else coefficient.args[1:]
    return sp.diff(real, *symbols) if symbols else real, sp.diff(imaginary, *symbols) if symbols else imaginary


def real_equations(expression: sp.Expr) -> list[sp.Expr]:
    """The real expressions that vanish where a complex one does; a real one is returned unchanged."""
    if not expression.has(sp.I):
        return [expression]
    if not any(is_component(f) for f in expression.atoms(AppliedUndef)):
        raise ProblemError(
            f"'{expression} = 0' contains the imaginary unit, but its unknowns are real. Make them complex: "
            f"tn.unknown('u', x, complex=True)."
        )
    parts = [p for p in real_and_imaginary(expression) if p != 0]
    return [p for p in parts if p.has(AppliedUndef)] or parts


def shown(expression: sp.Expr) -> sp.Expr:
    """An expression with complex unknowns under their given names."""
    if not isinstance(expression, sp.Basic):
        return expression
    found = {f for f in expression.atoms(AppliedUndef) if is_component(f)}
    names = {
        f: sp.Function(f.func.__name__.removesuffix(RE))(*f.args) if f.func.__name__.endswith(RE) else sp.Integer(0)
        for f in found
    }
    return expression.xreplace(names).doit() if names else expression


def _givens(expression: sp.Expr) -> set[sp.Basic]:
    from transnet.problem.unknowns import Given

    return expression.atoms(Given)
