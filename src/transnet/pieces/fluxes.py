"""The flux of a stated equation: the argument of its divergence, which is continuous across an interface.

For -div(k grad u) it is -k du/dn, for the balance of a stress the traction. SymPy has evaluated the divergence, but the
derivatives of coefficients by piece were kept: the factor of dk/dx_j is what was multiplied by k under d/dx_j. The
remaining second derivatives have coefficients that do not jump (or a scalar unknown), and there a_jk d_jk u can only
come from n_j a_jk d_k u, up to derivatives along the interface, which are continuous anyway.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.problem import ByPiece, NormalComponent, Slope, in_piece
from transnet.tolerances import ROUNDED


def derivative_atoms(expression: sp.Expr, coordinates: Sequence[sp.Symbol]) -> dict[sp.Expr, tuple[sp.Expr, tuple]]:
    """The unknowns and their derivatives in an expression, each with its unknown and multi-index."""
    found = {}
    for atom in sorted(expression.atoms(AppliedUndef, sp.Derivative), key=sp.default_sort_key):
        index = [0] * len(coordinates)
        base = atom
        if isinstance(atom, sp.Derivative):
            base = atom.expr
            for variable, count in atom.variable_count:
                if variable in coordinates:
                    index[list(coordinates).index(variable)] += int(count)
        if isinstance(base, AppliedUndef):
            found[atom] = (base, tuple(index))
    return found


def orders_of(equations: Sequence[sp.Expr], coordinates: Sequence[sp.Symbol]) -> dict[sp.Expr, int]:
    """The highest order of a derivative of each unknown."""
    orders: dict[sp.Expr, int] = {}
    for equation in equations:
        for unknown, index in derivative_atoms(equation, coordinates).values():
            orders[unknown] = max(orders.get(unknown, 0), sum(index))
    return orders


def flux_of(equation: sp.Expr, coordinates: Sequence[sp.Symbol], orders: dict[sp.Expr, int], text: str) -> sp.Expr:
    """The flux of one equation through a surface with the normal n; zero if it has none."""
    n = [NormalComponent(c) for c in coordinates]
    # The longest derivatives first, so that the unknown inside one is not replaced by itself.
    atoms = derivative_atoms(equation, coordinates)
    ordered = sorted(atoms, key=lambda a: -sum(atoms[a][1]))
    symbols = {atom: sp.Dummy(f"s{k}", real=True) for k, atom in enumerate(ordered)}
    slot = {atoms[atom]: symbol for atom, symbol in symbols.items()}

    def symbol_of(unknown: sp.Expr, index: tuple[int, ...]) -> sp.Symbol:
        return slot.setdefault((unknown, index), sp.Dummy("s", real=True))

    plain = equation.xreplace(symbols)
    many = len(orders) > 1
    under = [_under(plain, c) for c in coordinates]  # what is multiplied by a coefficient by piece under d/dx_j
    flux = sp.Add(*(n[j] * under[j] for j in range(len(n))))
    for (unknown, index), symbol in list(slot.items()):
        coefficient = sp.diff(plain, symbol)
        if coefficient == 0:
            continue
        order, top = sum(index), orders[unknown]
        axes = [j for j, m in enumerate(index) for _ in range(m)]
        if order == 2 and top <= 3:
            accounted = sp.Integer(0)
            for j in set(axes):
                rest = list(index)
                rest[j] -= 1
                accounted += sp.diff(under[j], symbol_of(unknown, tuple(rest)))
            left = sp.expand(coefficient - accounted)
            if vanishes(left):
                continue
            i, k = axes
            if i != k and many and left.has(ByPiece):
                raise ProblemError(
                    f"The equation '{text}' has a mixed derivative of {unknown} with a coefficient by piece that is "
                    f"not under a divergence, so the force across an interface is ambiguous. State it as the "
                    f"divergence of the stress: tn.div([...]) of each row of it."
                )
            ei, ek = (tuple(int(m == a) for m in range(len(n))) for a in (i, k))
            flux += left * (n[i] * symbol_of(unknown, ek) + n[k] * symbol_of(unknown, ei)) / 2
        elif order == 1 and top == 1:
            j = axes[0]
            zero = (0,) * len(n)
            flux += (
                sp.expand(coefficient - sp.diff(under[j], symbol_of(unknown, zero))) * n[j] * symbol_of(unknown, zero)
            )
        elif (
            order == 4
            and max(index) == 4
            and axes[0] == min(a for u, m in slot if u == unknown and max(m) == 4 for a in range(len(m)) if m[a] == 4)
        ):
            # lap(D lap u): the shear force D d/dn lap u, one term of it for each coordinate.
            for j in range(len(n)):
                for k in range(len(n)):
                    third = [0] * len(n)
                    third[j] += 1
                    third[k] += 2
                    flux += coefficient * n[j] * symbol_of(unknown, tuple(third))
    back = {symbol: _derivative(unknown, index, coordinates) for (unknown, index), symbol in slot.items()}
    return flux.xreplace(back)


def moment_of(equation: sp.Expr, coordinates: Sequence[sp.Symbol], orders: dict[sp.Expr, int]) -> sp.Expr:
    """The moment D lap u of lap(D lap u), which is continuous as well; zero if nothing is of fourth order."""
    atoms = derivative_atoms(equation, coordinates)
    for atom, (unknown, index) in atoms.items():
        if orders[unknown] == 4 and max(index) == 4:
            symbol = sp.Dummy()
            coefficient = sp.diff(equation.xreplace({atom: symbol}), symbol)
            return coefficient * sp.Add(*(sp.diff(unknown, c, 2) for c in coordinates))
    return sp.Integer(0)


def _derivative(unknown: sp.Expr, index: tuple[int, ...], coordinates: Sequence[sp.Symbol]) -> sp.Expr:
    counts = [(c, m) for c, m in zip(coordinates, index, strict=True) if m]
    return sp.Derivative(unknown, *counts) if counts else unknown


def vanishes(expression: sp.Expr) -> bool:
    """Whether an expression is zero in every piece, up to rounding."""
    names = {n for atom in expression.atoms(ByPiece) for n in atom.names}
    for name in names or {""}:
        here = sp.expand(in_piece(expression, name))
        if here != 0 and any(abs(float(term.as_coeff_Mul()[0])) > ROUNDED for term in sp.Add.make_args(here)):
            return False
    return True


def _under(plain: sp.Expr, coordinate: sp.Symbol) -> sp.Expr:
    """What is multiplied by coefficients by piece under d/dx: k w for each term (dk/dx) w of the equation."""
    total = sp.Integer(0)
    for slope in sorted(plain.atoms(Slope), key=sp.default_sort_key):
        if slope.args[1:] != (coordinate,):
            continue
        symbol = sp.Dummy()
        factor = sp.diff(plain.xreplace({slope: symbol}), symbol)
        k = slope.args[0]
        for term in sp.Add.make_args(sp.expand(sp.Mul(k, factor))):
            powers = {b: e for b, e in term.as_powers_dict().items() if isinstance(b, ByPiece)}
            # The derivative of k m w has a term for each of k and m: one of them is enough.
            if powers and min(powers, key=sp.default_sort_key) == k:
                total += term / powers[k]
            elif not powers:
                total += term
    return total
