"""What the operators of a formula mean: derivatives, integrals, values elsewhere, cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from transnet.errors import ProblemError
from transnet.language import guarded
from transnet.language.errors import FormulaError
from transnet.language.grammar import Call, Name, Numeral, Text
from transnet.language.guarded import Value, check_derivative, made
from transnet.language.names import HIGHEST_ORDER, MOST_COORDINATES
from transnet.problem import Jump, by_piece, integral, operators
from transnet.problem.conserved import conserved
from transnet.problem.elsewhere import Bounded, Over
from transnet.problem.unknowns import Lagged

if TYPE_CHECKING:
    from transnet.language.formula import Evaluator

MOST_INTEGRALS = 4
"""Inside an integral: what SymPy knows of nine maxima and integrals inside each other takes it a second."""
LIBRARY = {
    "laplacian": (operators.laplacian, 2),
    "biharmonic": (operators.biharmonic, 4),
    "grad": (operators.grad, 1),
    "div": (operators.div, 1),
    "curl": (operators.curl, 1),
    "normal_derivative": (operators.normal_derivative, 1),
    "dn": (operators.normal_derivative, 1),
    "surface_laplacian": (operators.surface_laplacian, 2),
    "surface_gradient": (operators.surface_gradient, 1),
    "surface_divergence": (operators.surface_divergence, 1),
}
"""Operators that are functions of the library, with their orders."""


def check_count(node: Call, least: int, most: int) -> None:
    n = len(node.arguments)
    if not least <= n <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise FormulaError(f"{node.name} takes {wanted} argument{'s' if most > 1 else ''}, not {n}.", node.offset)


def as_condition(value: Value, offset: int) -> Value:
    if not isinstance(value.expression, Boolean) or isinstance(value.expression, sp.Symbol):
        raise FormulaError("A condition such as x > 0 is needed here.", offset)
    return value


def read_subs(read: Evaluator, node: Call) -> Value:
    """subs(u_x, x, 0): a formula at another place, where some of its coordinates differ."""
    if len(node.arguments) < 3 or len(node.arguments) % 2 == 0:
        raise FormulaError("subs takes a formula, and coordinates with their values: subs(u_x, x, 0).", node.offset)
    value = read(node.arguments[0])
    pairs = zip(node.arguments[1::2], node.arguments[2::2], strict=True)
    there = [(read.coordinate(c), read.scalar(v)) for c, v in pairs]
    found = value.expression.subs([(c, v.expression) for c, v in there], simultaneous=True)
    return made(found, (value, *(v for _, v in there)), None, node.offset)


def read_integral(read: Evaluator, node: Call) -> Value:
    """integral(u), integral(u, "left") over a part, integral(u, x), integral(exp(x*s)*u(s), s, 0, x)."""
    check_count(node, 1, 1 + MOST_COORDINATES)
    over = node.arguments[1:]
    known = read.names.coordinates
    if len(over) == 1 and isinstance(over[0], Text):
        value = _integrand(read, node)
        return made(integral(value.expression, over[0].text), (value,), None, node.offset)
    names = [a.name for a in over if isinstance(a, Name)]
    limits = len(over) == 3 and names[:1] and names[0] not in known
    if len(names) == len(over) and not limits:
        own = {n: sp.Symbol(n, real=True) for n in names if n not in known}
        value = _integrand(read.binding(own), node)
        symbols = tuple(known.get(n) or own[n] for n in names)
        return made(integral(value.expression, symbols or None), (value,), None, node.offset)
    if len(over) != 3 or not isinstance(over[0], Name):
        raise FormulaError(
            "integral takes a formula and coordinates, or a formula, a letter and its limits: "
            "integral(exp(x*s)*u(s), s, 0, x); or a formula and the name of a part in quotes: integral(u, 'left').",
            node.offset,
        )
    letter = sp.Symbol(over[0].name, real=True)
    value = _integrand(read.binding({letter.name: letter}), node)
    low, high = read.scalar(over[1]), read.scalar(over[2])
    found = integral(value.expression, (letter, low.expression, high.expression))
    return made(found, (value, low, high), None, node.offset)


def _integrand(read: Evaluator, node: Call) -> Value:
    """What is integrated; refused if there are many integrals inside it."""
    value = read.scalar(node.arguments[0])
    if len(value.expression.atoms(Over, Bounded)) > MOST_INTEGRALS:
        raise FormulaError(f"More than {MOST_INTEGRALS} integrals are inside this one.", node.offset)
    return value


def read_diff(read: Evaluator, node: Call) -> Value:
    check_count(node, 2, 2 + 2 * HIGHEST_ORDER)
    value = read(node.arguments[0])
    if value.is_condition:
        raise FormulaError("A condition has no derivative.", node.offset)
    variables: list[sp.Symbol] = []
    for argument in node.arguments[1:]:
        if isinstance(argument, Numeral) and argument.text.isdigit() and variables:
            if not 1 <= len(argument.text) <= 2 or not 1 <= int(argument.text) <= HIGHEST_ORDER:
                raise FormulaError(f"The order of a derivative is 1 to {HIGHEST_ORDER}.", argument.offset)
            variables += [variables[-1]] * (int(argument.text) - 1)
        else:
            variables.append(read.coordinate(argument))
    return derived(value, len(variables), lambda: sp.diff(value.expression, *variables), node.offset)


def library_operator(read: Evaluator, node: Call) -> Value:
    """An operator of the library, with the coordinates given or all those of space."""
    function, order = LIBRARY[node.name]
    check_count(node, 1, 1 + MOST_COORDINATES)
    value = read(node.arguments[0])
    axes = tuple(read.coordinate(a) for a in node.arguments[1:]) or read.names.space
    field = function in (operators.div, operators.curl, operators.surface_divergence)
    by_component = function in (operators.laplacian, operators.normal_derivative)
    if value.is_vector and function is operators.grad:
        raise FormulaError(
            "The gradient of a vector is a matrix. For (a.grad) v write advect(a, v); for one component, grad(u).",
            node.offset,
        )
    if (
        value.is_condition
        or value.is_vector > (field or by_component)
        or (function in (operators.div, operators.surface_divergence) and not value.is_vector)
    ):
        if value.is_vector:
            raise FormulaError(
                f"{node.name} takes one function, not a vector. Write one equation for each component, or the "
                f"vector of its parts: [{node.name}(u), {node.name}(v)].",
                node.offset,
            )
        raise FormulaError(f"{node.name} takes a {'vector [a, b]' if field else 'number'}.", node.offset)
    return derived(value, order, lambda: function(value.expression, *axes), node.offset)


def derived(value: Value, order: int, work: Any, offset: int) -> Value:
    if order > HIGHEST_ORDER:
        raise FormulaError(f"The order of a derivative is at most {HIGHEST_ORDER}.", offset)
    known = max((int(n) for d in value.expression.atoms(sp.Derivative) for _, n in d.variable_count), default=0)
    if order + known > HIGHEST_ORDER:
        raise FormulaError(f"The order of a derivative is at most {HIGHEST_ORDER}, with those inside it.", offset)
    grown = check_derivative(value, order, offset)
    try:
        expression = work()
    except ProblemError as error:
        raise FormulaError(str(error), offset) from None
    parts = (Value(None, None, min(grown, guarded.MOST_TERMS // 2), value.depth + order, value.extrema),)
    return made(expression, parts, None, offset)


def read_dot(read: Evaluator, node: Call) -> Value:
    check_count(node, 2, 2)
    a, b = (read(argument) for argument in node.arguments)
    if not a.is_vector or not b.is_vector or a.expression.shape != b.expression.shape:
        raise FormulaError("dot takes two vectors of the same length.", node.offset)
    return made(sp.Add(*(p * q for p, q in zip(a.expression, b.expression, strict=True))), (a, b), None, node.offset)


def read_advect(read: Evaluator, node: Call) -> Value:
    """advect(a, v): (a.grad) v, for a function or a vector v."""
    check_count(node, 2, 2)
    a, v = (read(argument) for argument in node.arguments)
    space = read.names.space
    if not a.is_vector or len(a.expression) != len(space) or v.is_condition:
        raise FormulaError(
            f"advect takes a vector of {len(space)} entries, and what it carries: advect(v, v), advect([a, b], u).",
            node.offset,
        )

    def along(e: sp.Expr) -> sp.Expr:
        return sp.Add(*(s * sp.diff(e, c) for s, c in zip(a.expression, space, strict=True)))

    def work() -> Any:
        return v.expression.applyfunc(along) if v.is_vector else along(v.expression)

    found = derived(v, 1, work, node.offset)
    return made(found.expression, (a, found), None, node.offset)


def read_lagged(read: Evaluator, node: Call) -> Value:
    check_count(node, 1, 1)
    value = read.scalar(node.arguments[0])
    return made(Lagged(value.expression), (value,), None, node.offset)


def read_conserved(read: Evaluator, node: Call) -> Value:
    check_count(node, 2, 2)
    u, flux = (read.scalar(a) for a in node.arguments)
    try:
        law = conserved(u.expression, flux.expression)
    except ProblemError as error:
        raise FormulaError(str(error), node.offset) from None
    return made(law, (u, flux), None, node.offset)


def read_jump(read: Evaluator, node: Call) -> Value:
    check_count(node, 1, 1)
    value = read.scalar(node.arguments[0])
    return made(Jump(value.expression), (value,), None, node.offset)


def read_by_piece(read: Evaluator, node: Call) -> Value:
    """by_piece(core=1000, shell=1), or by_piece('cell 1', 1000, 'cell 2', 1): what differs from piece to piece."""
    names, values = node.arguments[::2], node.arguments[1::2]
    if len(names) != len(values) or not all(isinstance(n, Text) for n in names) or not (names or node.keywords):
        text = "by_piece takes a value for each piece by its name: by_piece(core=1000, shell=1)."
        raise FormulaError(text, node.offset)
    stated = {n.text: v for n, v in zip(names, values, strict=True) if isinstance(n, Text)} | dict(node.keywords)
    found = {name: read.scalar(value) for name, value in stated.items()}
    return made(by_piece({n: v.expression for n, v in found.items()}), tuple(found.values()), None, node.offset)


def read_where(read: Evaluator, node: Call) -> Value:
    check_count(node, 3, 3)
    condition = as_condition(read(node.arguments[0]), node.offset)
    yes, no = read.scalar(node.arguments[1]), read.scalar(node.arguments[2])
    made(None, (condition, yes, no), None, node.offset, extrema=1)
    pieces = ((yes.expression, condition.expression), (no.expression, sp.true))
    return made(sp.Piecewise(*pieces), (condition, yes, no), None, node.offset, extrema=1)


OPERATIONS: dict[str, Callable[[Evaluator, Call], Value]] = {
    **dict.fromkeys(LIBRARY, library_operator),
    "diff": read_diff,
    "dot": read_dot,
    "lagged": read_lagged,
    "where": read_where,
    "conserved": read_conserved,
    "jump": read_jump,
    "by_piece": read_by_piece,
    "integral": read_integral,
    "subs": read_subs,
    "advect": read_advect,
}
"""Calls that are more than a function of numbers, by name."""
