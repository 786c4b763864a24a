"""From SymPy to NumPy: each equation becomes a residual and its derivatives, as functions of arrays.

Each derivative of each unknown is replaced by a symbol s_j, a *slot*: a pair of the unknown's number and a multi-index.
An equation is then F(y, s) = 0, and its linearisation has the coefficients dF/ds_j. If none of them contains a slot
the equation is linear: sum_j dF/ds_j s_j = -F(y, 0). Factors marked `lagged` use slots of their own that are held, so
that they take no part in the derivatives. All of this is done once for a problem; evaluating it is NumPy alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.expansion import Slot
from transnet.errors import NotFiniteError, ProblemError
from transnet.problem import Given, Lagged, NormalComponent

LARGEST = 1e120
"""Values above this overflow when they are squared and added up."""

Parameters = Mapping[sp.Symbol, Any]


@dataclass(frozen=True, eq=False)
class Equation:
    """One scalar equation F(y, n, parameters, s, held) = 0, compiled.

    Parameters
    ----------
    text : str
        The equation as the user wrote it, for messages.
    slots : tuple of (unknown, multi-index)
        What s_j stands for.
    linear : bool
        Whether no dF/ds_j contains a slot; then `Picard` and `Newton` are the same single solve.
    picard : bool
        Whether that is so with the lagged factors held.
    expression : sympy expression
        F in symbols, for checks that need the mathematics.
    places : tuple
        For each slot where it is evaluated, None for the node itself; empty if that is so for all.
    """

    text: str
    slots: tuple[Slot, ...]
    linear: bool
    picard: bool
    lagged: bool
    expression: sp.Expr
    slot_symbols: tuple[sp.Symbol, ...]
    coefficients_symbolic: tuple[sp.Expr, ...]
    parameters: frozenset[sp.Symbol]
    _residual: Callable[..., Any]
    _jacobian: Callable[..., Any]
    made_of: tuple[Any, ...]
    places: tuple[Any, ...] = ()
    made_with: tuple[Any, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Functions of arrays cannot be pickled: they are compiled again."""
        return _made_again, (self.made_of, self.made_with)

    @property
    def order(self) -> int:
        """The highest order of a derivative in it."""
        return max((sum(index) for _, index in self.slots), default=0)

    def residual(
        self,
        points: np.ndarray,
        normals: np.ndarray | None = None,
        parameters: Sequence[Any] = (),
        slots: Sequence[Any] | None = None,
        held: Sequence[Any] | None = None,
    ) -> np.ndarray:
        """F at points: (n,). Without `slots` the unknowns are zero, which gives minus the right-hand side."""
        arguments = self._arguments(points, normals, parameters, slots, held)
        return self._finite(self._call(self._residual, arguments), points, "value")[0]

    def jacobian(
        self,
        points: np.ndarray,
        normals: np.ndarray | None = None,
        parameters: Sequence[Any] = (),
        slots: Sequence[Any] | None = None,
        held: Sequence[Any] | None = None,
    ) -> list[np.ndarray]:
        """dF/ds_j for each slot, each of shape () where it is constant and (n,) where it is not."""
        arguments = self._arguments(points, normals, parameters, slots, held)
        return self._finite(self._call(self._jacobian, arguments), points, "coefficient", keep_scalars=True)

    # -- how ---------------------------------------------------------------------------------------------------------
    def _arguments(
        self,
        points: np.ndarray,
        normals: np.ndarray | None,
        parameters: Sequence[Any],
        slots: Sequence[Any] | None,
        held: Sequence[Any] | None,
    ) -> list[Any]:
        zeros = [0.0] * len(self.slots)
        columns = list(points.T)
        normal_columns = [0.0] * len(columns) if normals is None else list(normals.T)
        current = zeros if slots is None else list(slots)
        return [*columns, *normal_columns, *parameters, *current, *(current if held is None else held)]

    def _call(self, function: Callable[..., Any], arguments: list[Any]) -> Any:
        try:
            with np.errstate(all="ignore"):
                return function(*arguments)
        except (ZeroDivisionError, OverflowError) as error:
            raise NotFiniteError(
                f"The equation '{self.text}' has a term that is not finite: {error}. The usual cause is the value of a "
                f"parameter at which a coefficient has a pole."
            ) from error
        except (NameError, TypeError, AttributeError, ValueError, KeyError) as error:
            raise ProblemError(
                f"The equation '{self.text}' could not be evaluated: {error}. The usual cause is a function that NumPy "
                f"does not know, or a given callable that does not take arrays.",
                {"given": True},
            ) from error

    def _finite(self, values: Any, points: np.ndarray, what: str, keep_scalars: bool = False) -> list[np.ndarray]:
        n = len(points)
        arrays = []
        for value in values:
            array = np.asarray(value)
            if np.iscomplexobj(array):
                if np.abs(array.imag).max(initial=0.0) > 0:
                    raise ProblemError(
                        f"The equation '{self.text}' has complex values. Only real problems are solved: state real and "
                        f"imaginary part as two unknowns."
                    )
                array = array.real
            try:
                array = array.astype(float, copy=False)
            except (TypeError, ValueError):
                raise ProblemError(
                    f"The equation '{self.text}' has a {what} that is not a number: {value!r}."
                ) from None
            if array.ndim > 0 and array.shape != (n,):
                if array.size != n and array.size != 1:
                    raise ProblemError(
                        f"The equation '{self.text}' has a {what} of shape {array.shape} at {n} points. A given "
                        f"callable must return one value for each point."
                    )
                array = array.reshape(-1) if array.size == n else array.reshape(())
            if np.abs(array).max(initial=0.0) > LARGEST and np.isfinite(array).all():
                raise NotFiniteError(
                    f"The equation '{self.text}' has a {what} of size {np.abs(array).max():.0e}, whose square is not a "
                    f"number. Choose other units, or divide the equation by a constant."
                )
            if not np.isfinite(array).all():
                bad = points[int(np.flatnonzero(~np.isfinite(np.broadcast_to(array, (n,))))[0])]
                raise NotFiniteError(
                    f"The equation '{self.text}' has a {what} that is not finite at the point "
                    f"({', '.join(f'{c:.6g}' for c in bad)}). Look for a division by zero, a logarithm or a root of a "
                    f"negative number, or NaN in the data there."
                )
            arrays.append(array if keep_scalars else np.broadcast_to(array, (n,)))
        return arrays


def _made_again(made_of: tuple[Any, ...], made_with: tuple[Any, ...]) -> Equation:
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
    """Compile F = 0 for the unknowns, as the module says."""
    known = sp.sympify(expression)
    arguments = (known, tuple(unknowns), tuple(coordinates), tuple(parameters), text)
    # A function of the user's may change behind its name: only what SymPy itself knows is kept by its content.
    own = (type(a) for a in known.atoms(sp.Function) if not isinstance(a, AppliedUndef))
    if all(kind.__module__.startswith("sympy.") for kind in own):
        return _compiled(*arguments)
    return _compile(*arguments)


@lru_cache(maxsize=512)
def _compiled(
    expression: sp.Expr,
    unknowns: tuple[sp.Expr, ...],
    coordinates: tuple[sp.Symbol, ...],
    parameters: tuple[sp.Symbol, ...],
    text: str,
) -> Equation:
    """The same equation of another problem is not compiled again: most of the time is SymPy's, 20 to 100 ms."""
    return _compile(expression, unknowns, coordinates, parameters, text)


def _compile(
    expression: sp.Expr,
    unknowns: tuple[sp.Expr, ...],
    coordinates: tuple[sp.Symbol, ...],
    parameters: tuple[sp.Symbol, ...],
    text: str,
) -> Equation:
    made_of = (expression, unknowns, coordinates, parameters, text)
    text = text if len(text) <= 300 else f"{text[:297]}..."  # it stands in messages
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
                    raise ProblemError(f"The equation '{text}' differentiates by {variable}, which is no coordinate.")
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
    # The unknown inside a derivative was found as well, but is a slot only if it stands by itself too.
    used = [j for j in range(len(slots)) if residual.has(symbols[j], held[j])]
    slots, symbols, held = (tuple(items[j] for j in used) for items in (slots, symbols, held))
    jacobian = tuple(sp.diff(residual, s) for s in symbols)
    free = set().union(*(j.free_symbols for j in jacobian)) if jacobian else set()
    picard = not (free & set(symbols))
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
            f"The equation '{text}' contains a complex or undefined number. Only real problems are solved: state real "
            f"and imaginary part as two unknowns."
        )


def _one_value_a_point(function: Callable[..., Any], name: str) -> Callable[..., np.ndarray]:
    """A given callable whose answer is checked: a number, or one a point in whatever shape."""

    def checked(*arrays: Any) -> np.ndarray:
        shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
        value = np.asarray(function(*arrays))
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
    ready = [e.xreplace(replacements).xreplace(renamed) for e in expressions]
    return sp.lambdify([*plain, *slots, *held], ready, modules=[givens, "scipy", "numpy"], cse=len(ready) > 0)
