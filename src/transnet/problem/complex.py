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
from transnet.problem.by_piece import ByPiece, Jump, Slope

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
    done = expression.doit().replace(sp.arg, lambda z: sp.atan2(*reversed(real_and_imaginary(z))))
    of_pieces = done.atoms(ByPiece, Slope, Jump)
    atoms = of_pieces | done.atoms(AppliedUndef, sp.Derivative) | done.free_symbols | _givens(done)
    dummies: dict[sp.Basic, sp.Expr] = {}
    back: dict[sp.Basic, sp.Expr] = {}
    for k, atom in enumerate(sorted(atoms, key=sp.default_sort_key)):
        parts = _parts_of(atom) if atom in of_pieces and atom.has(sp.I) else (atom,)
        pair = [sp.Dummy(f"a{k}_{part}", real=True) for part in range(len(parts))]
        dummies[atom] = sum((d * sp.I**part for part, d in enumerate(pair)), sp.Integer(0))
        back |= dict(zip(pair, parts, strict=True))
    # Combine products of exponentials first: SymPy leaves them as they are.
    together = sp.powsimp(done.xreplace(dummies), combine="exp")
    real, imaginary = together.as_real_imag()
    if real.has(sp.re, sp.im) or imaginary.has(sp.re, sp.im):  # a product of an exponential and a root
        real, imaginary = sp.expand_complex(together).as_real_imag()
    if real.has(sp.I) or imaginary.has(sp.I):
        raise ProblemError(f"'{expression}' cannot be split into a real and an imaginary part. Write it with these.")
    return real.xreplace(back), imaginary.xreplace(back)


def _parts_of(atom: ByPiece | Slope | Jump) -> tuple[sp.Expr, ...]:
    """The two parts of a coefficient by piece, of its derivative or of a jump, each of the same kind or zero."""
    if isinstance(atom, Jump):
        return tuple(Jump(part) for part in real_and_imaginary(atom.args[0]))
    if isinstance(atom, Slope):
        of, *symbols = atom.args
        return tuple(sp.diff(part, *symbols) for part in _parts_of(of))
    return tuple(atom._made(values) for values in zip(*map(real_and_imaginary, atom.args[1:]), strict=True))


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


def in_given_names(expression: sp.Expr) -> sp.Expr:
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
