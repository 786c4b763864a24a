"""Exponentials that are written so that they neither overflow nor vanish.

SymPy turns exp((x - 1)/0.001) into a factor 5e-435, which no float holds, times exp(1000 x), which overflows. Before
such an expression is compiled, the factors of every product are combined in one exponential again.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

LIMIT = 500.0
"""Numbers whose logarithm is larger than this are combined with exponentials: exp(709) is the largest float."""


class exp_of_sum(sp.Function):
    """exp of an argument, which SymPy does not take apart."""

    nargs = 1


EXPONENTIALS = {"exp_of_sum": np.exp}
"""Its name in compiled expressions."""


def gathered(expression: sp.Expr) -> sp.Expr:
    """The expression with extreme factors and exponentials of each product in one exponential."""
    if not expression.has(sp.exp, sp.sinh, sp.cosh):
        return expression
    numbers = {a: a.evalf() for a in expression.atoms(sp.exp, sp.sinh, sp.cosh) if a.is_number and _extreme(a.evalf())}
    plain = expression.xreplace(numbers) if numbers else expression
    several = any(sum(isinstance(f, sp.exp) for f in m.args) > 1 for m in plain.atoms(sp.Mul))
    if not several and not any(_extreme(a) for a in plain.atoms(sp.Number)):
        return expression if not numbers else plain
    if plain.has(sp.sinh, sp.cosh):
        plain = plain.replace(lambda f: isinstance(f, sp.sinh | sp.cosh), lambda f: f.rewrite(sp.exp))
    return plain.replace(lambda m: isinstance(m, sp.Mul), _product)


def _extreme(number: sp.Expr) -> bool:
    return bool(number.is_Float and number != 0 and abs(sp.log(abs(number))) > LIMIT)


def _product(product: sp.Expr) -> sp.Expr:
    factors = sp.Mul.make_args(product)
    exponents = [f for f in factors if isinstance(f, sp.exp | exp_of_sum)]
    number = sp.Mul(*(f for f in factors if f.is_Number))
    extreme = _extreme(number)
    others = [f for f in factors if f not in exponents and not f.is_Number]
    sums = [f for f in others if isinstance(f, sp.Add) and f.has(sp.exp, exp_of_sum)]
    if extreme and sums:
        rest = sp.Mul(number, *exponents, *(f for f in others if f is not sums[0]), evaluate=False)
        return sp.Add(*(_product(sp.Mul(*rest.args, *sp.Mul.make_args(t), evaluate=False)) for t in sums[0].args))
    if not exponents or (len(exponents) == 1 and not extreme):
        return product
    exponent = sp.Add(*(f.args[0] for f in exponents))
    if not extreme:
        return sp.Mul(number, *others, exp_of_sum(exponent))
    return sp.Mul(sp.sign(number), *others, exp_of_sum(exponent + sp.log(abs(number))))
