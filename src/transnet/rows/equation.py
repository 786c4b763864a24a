"""One scalar equation as functions of arrays: its residual and the coefficients of its linearisation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.expansion import Slot
from transnet.calls import shown
from transnet.errors import NotFiniteError, ProblemError

LARGEST = 1e120
"""Values above this overflow when they are squared and added up."""


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
        For each slot the place where it is evaluated, None for the node itself; empty if it is None for all.
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
    put_in: tuple[Any, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Functions of arrays cannot be pickled: they are compiled again."""
        from transnet.rows.compile import made_again

        return made_again, (self.made_of, self.made_with, self.put_in)

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
        """dF/ds_j for each slot, of shape () if it is constant and (n,) otherwise."""
        arguments = self._arguments(points, normals, parameters, slots, held)
        return self._finite(self._call(self._jacobian, arguments), points, "coefficient", keep_scalars=True)

    def magnitudes(
        self, points: np.ndarray, normals: np.ndarray | None = None, parameters: Sequence[Any] = ()
    ) -> tuple[list[float], float]:
        """The largest coefficient of each slot and the largest right-hand side, at zero, however large they are.

        Values that are not finite are ignored here, and reported where they are needed.
        """
        arguments = self._arguments(points, normals, parameters, None, None)

        def largest(value: Any) -> float:
            array = np.abs(np.asarray(value, dtype=complex))
            return float(array[np.isfinite(array)].max(initial=0.0))

        factors = [largest(value) for value in self._call(self._jacobian, arguments)]
        return factors, largest(self._call(self._residual, arguments)[0])

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
        except (NameError, TypeError, AttributeError, ValueError, LookupError) as error:
            raise ProblemError(
                f"The equation '{self.text}' could not be evaluated: {error}. The usual cause is a function that NumPy "
                f"does not know, or a given callable that does not take arrays.",
                {"given": True},
            ) from error

    def _finite(self, values: Any, points: np.ndarray, what: str, keep_scalars: bool = False) -> list[np.ndarray]:
        n = len(points)
        arrays = []
        for value in values:
            if type(value) in (int, float) and -LARGEST < value < LARGEST:
                arrays.append(np.asarray(float(value)) if keep_scalars else np.full(n, float(value)))
                continue
            array = np.asarray(value)
            if np.iscomplexobj(array):
                if np.abs(array.imag).max(initial=0.0) > 0:
                    raise ProblemError(
                        f"The equation '{self.text}' has complex values. Declare its unknown complex: "
                        f"tn.unknown(name, ..., complex=True)."
                    )
                array = array.real
            try:
                array = array.astype(float, copy=False)
            except (TypeError, ValueError, OverflowError):
                raise ProblemError(
                    f"The equation '{shown(self.text)}' has a {what} that is not a number: {shown(value)}."
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


def with_numbers(equation: Equation, numbers: Sequence[float], place: int) -> Equation:
    """The equation with numbers put in for its last parameters, which stand before `place` + len(numbers)."""

    def bound(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments: function(*arguments[:place], *numbers, *arguments[place:])

    residual, jacobian = bound(equation._residual), bound(equation._jacobian)
    return replace(equation, _residual=residual, _jacobian=jacobian, put_in=(numbers, place))


def with_share(equation: Equation, share: float) -> Equation:
    """The equation with a part of what is nonlinear in it: (1 - share) (F(0) + F'(0) s) + share F(s)."""
    n = len(equation.slots)

    def linear(*arguments: Any) -> tuple[tuple[Any, ...], Any, Any]:
        zero = (*arguments[: len(arguments) - 2 * n], *[0.0] * (2 * n))
        return (
            arguments[len(arguments) - 2 * n : len(arguments) - n],
            equation._residual(*zero),
            equation._jacobian(*zero),
        )

    def residual(*arguments: Any) -> list[Any]:
        now, source, factors = linear(*arguments)
        part = source[0] + sum(c * s for c, s in zip(factors, now, strict=True))
        return [share * equation._residual(*arguments)[0] + (1.0 - share) * part]

    def jacobian(*arguments: Any) -> list[Any]:
        both = zip(equation._jacobian(*arguments), linear(*arguments)[2], strict=True)
        return [share * a + (1.0 - share) * b for a, b in both]

    return equation if equation.linear else replace(equation, _residual=residual, _jacobian=jacobian)
