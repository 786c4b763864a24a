"""From SymPy to NumPy: each equation becomes a residual and its derivatives, as functions of arrays.

Each derivative of each unknown is replaced by a symbol s_j, a *slot*: a pair of the unknown's number and a multi-index.
An equation is then F(y, s) = 0, and its linearisation has the coefficients dF/ds_j. If none of them contains a slot the
equation is linear: sum_j dF/ds_j s_j = -F(y, 0). Factors marked `lagged` use separate slots that are held fixed, so
that they do not enter the derivatives. All of this is done once for a problem; evaluating it is NumPy alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.arrays import detached, unwritable
from transnet.basis.expansion import Slot
from transnet.errors import ProblemError
from transnet.formulas import array_modules
from transnet.problem import Given, Lagged, NormalComponent
from transnet.rows.equation import Equation, with_numbers
from transnet.rows.exponentials import EXPONENTIALS, gathered

LONGEST = 300
"""The most characters of an equation in a message."""


def made_again(made_of: tuple[Any, ...], made_with: tuple[Any, ...], put_in: tuple[Any, ...] = ()) -> Equation:
    """An equation in another process."""
    if put_in:
        return with_numbers(made_again(made_of, made_with), *put_in)
    if not made_with:
        return compile_equation(*made_of)
    from transnet.rows.elsewhere import with_places

    return with_places(compile_equation(*made_with[0]), *made_with[1:])


def compile_equation(
    expression: sp.Expr,
    unknowns: Sequence[sp.Expr],
    coordinates: Sequence[sp.Symbol],
    parameters: Sequence[sp.Symbol],
    text: str,
) -> Equation:
    """Compile F = 0 for the unknowns, as described above."""
    known = sp.sympify(expression)
    arguments = (known, tuple(unknowns), tuple(coordinates), tuple(parameters), text)
    # A user's function may change behind its name: only what SymPy itself knows is cached by content.
    own = (type(a) for a in known.atoms(sp.Function) if not isinstance(a, AppliedUndef))
    if all(kind.__module__.startswith("sympy.") for kind in own):
        return _compiled(*arguments)
    return _compile(*arguments)


def _compile(
    expression: sp.Expr,
    unknowns: tuple[sp.Expr, ...],
    coordinates: tuple[sp.Symbol, ...],
    parameters: tuple[sp.Symbol, ...],
    text: str,
) -> Equation:
    made_of = (expression, unknowns, coordinates, parameters, text)
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."  # it is used in messages
    expression = _evaluate_derivatives(sp.sympify(expression), text)
    number = {u: k for k, u in enumerate(unknowns)}
    slot_of: dict[sp.Basic, Slot] = {}
    for atom in sorted(expression.atoms(AppliedUndef, sp.Derivative), key=sp.default_sort_key):
        base = atom.expr if isinstance(atom, sp.Derivative) else atom
        if base not in number:
            raise ProblemError(
                f"The equation '{text}' contains {atom}, which is neither an unknown nor a derivative of one that "
                f"SymPy can work out. Write it with tn.unknown, tn.given and elementary functions."
            )
        index = [0] * len(coordinates)
        if isinstance(atom, sp.Derivative):
            for variable, count in atom.variable_count:
                if variable not in coordinates:
                    raise ProblemError(
                        f"'{text}' differentiates with respect to {variable}, which is not a coordinate."
                    )
                index[list(coordinates).index(variable)] += int(count)
        slot_of[atom] = (number[base], tuple(index))
    _refuse_what_numpy_lacks(expression, text)
    slots = tuple(dict.fromkeys(slot_of.values()))
    symbols = tuple(sp.Dummy(f"s{j}", real=True) for j in range(len(slots)))
    held = tuple(sp.Dummy(f"h{j}", real=True) for j in range(len(slots)))
    to_symbol = {atom: symbols[slots.index(slot)] for atom, slot in slot_of.items()}
    to_held = {atom: held[slots.index(slot)] for atom, slot in slot_of.items()}
    has_lagged = expression.has(Lagged)
    if has_lagged:
        expression = expression.replace(Lagged, lambda argument: argument.xreplace(to_held))
    residual = expression.xreplace(to_symbol)
    # The unknown inside a derivative was found as well, but is a slot only if it also occurs by itself.
    used = [j for j in range(len(slots)) if residual.has(symbols[j], held[j])]
    slots, symbols, held = (tuple(items[j] for j in used) for items in (slots, symbols, held))
    jacobian = tuple(sp.diff(residual, s) for s in symbols)
    free = set().union(*(j.free_symbols for j in jacobian)) if jacobian else set()
    picard = not (free & set(symbols))
    # A jump such as sign(u) has no slope where it can be evaluated.
    jacobian = tuple(j.replace(sp.DiracDelta, lambda *_: sp.S.Zero) for j in jacobian)
    return Equation(
        text=text,
        slots=slots,
        linear=picard and not has_lagged,
        picard=picard,
        lagged=has_lagged,
        expression=residual,
        slot_symbols=symbols,
        coefficients_symbolic=jacobian,
        parameters=frozenset(set(parameters) & residual.free_symbols),
        _residual=array_function([residual], coordinates, parameters, symbols, held),
        _jacobian=array_function(jacobian, coordinates, parameters, symbols, held),
        made_of=made_of,
    )


_compiled = lru_cache(maxsize=512)(_compile)
"""The same equation of another problem is not compiled again: most of the time is SymPy's, 20 to 100 ms."""


def _evaluate_derivatives(expression: sp.Expr, text: str) -> sp.Expr:
    try:
        done = expression.doit()
        if done.has(sp.re, sp.im, sp.conjugate):
            # SymPy differentiates |x| of a symbol that may be complex. Here everything is real.
            done = done.replace(sp.re, lambda a: a).replace(sp.im, lambda a: sp.Integer(0))
            done = done.replace(sp.conjugate, lambda a: a).doit()
        return done
    except Exception as error:
        raise ProblemError(f"SymPy cannot differentiate the equation '{text}': {error}.") from error


def _refuse_what_numpy_lacks(expression: sp.Expr, text: str) -> None:
    left = expression.atoms(sp.Subs, sp.Integral, sp.Sum, sp.Limit)
    if left:
        culprit = sorted(left, key=str)[0]
        raise ProblemError(
            f"The equation '{text}' contains {culprit}, which SymPy cannot work out.",
            {"given": True},
        )
    if expression.has(sp.DiracDelta):
        delta = sorted(expression.atoms(sp.DiracDelta), key=str)[0]
        raise ProblemError(
            f"The equation '{text}' contains {delta}, which has no value at a point. It is a source in a point, or "
            f"comes from a jump that was differentiated. Replace the source by a narrow smooth function, such as a "
            f"Gaussian, or the jump by a steep one, such as a tanh."
        )
    if expression.has(sp.I, sp.zoo, sp.nan):
        raise ProblemError(
            f"The equation '{text}' contains a complex or undefined number, but its unknowns are real. "
            f"A complex unknown is declared so: tn.unknown(name, ..., complex=True)."
        )


def _one_value_a_point(function: Callable[..., Any], name: str) -> Callable[..., np.ndarray]:
    """A given callable with a check of its result: one number, or one for each point, in any shape."""

    def checked(*arrays: Any) -> np.ndarray:
        shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
        value = np.asarray(detached(function(*map(unwritable, arrays))))
        if value.ndim == 0 or value.shape == shape:
            return value
        if value.size == int(np.prod(shape)):
            return value.reshape(shape)
        raise ValueError(f"the given function '{name}' returned shape {value.shape} at {shape} points")

    return checked


def array_function(
    expressions: Sequence[sp.Expr],
    coordinates: Sequence[sp.Symbol],
    parameters: Sequence[sp.Symbol],
    slots: Sequence[sp.Symbol],
    held: Sequence[sp.Symbol],
) -> Callable[..., Any]:
    # Dummies keep a user's symbol names, whatever they are, out of the generated code.
    normals = [NormalComponent(c) for c in coordinates]
    plain = [sp.Dummy() for _ in (*coordinates, *normals, *parameters)]
    renamed = dict(zip((*coordinates, *normals, *parameters), plain, strict=True))
    givens: dict[str, Callable[..., Any]] = {}
    replacements: dict[sp.Basic, sp.Basic] = {}
    functions: dict[type, sp.Function] = {}
    for atom in sorted(set().union(*(e.atoms(Given) for e in expressions)), key=sp.default_sort_key):
        kind = type(atom)
        if kind not in functions:
            name = f"given_{len(functions)}"
            functions[kind] = sp.Function(name)
            givens[name] = _one_value_a_point(kind.implementation, kind.__name__)
        replacements[atom] = functions[kind](*(a.xreplace(renamed) for a in atom.args))
    ready = [gathered(e.xreplace(replacements).xreplace(renamed)) for e in expressions]
    known = {**givens, **EXPONENTIALS}
    names, modules = [*plain, *slots, *held], [known, *array_modules(ready, known)]
    try:
        return sp.lambdify(names, ready, modules=modules, cse=len(ready) > 0)
    except NotImplementedError as error:
        part = str(error).splitlines()[0].rpartition("class ")[2].strip("'<>")
        raise ProblemError(f"An equation has a part without values: SymPy's {part.rpartition('.')[2]}.") from None
