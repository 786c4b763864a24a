"""What to draw or export: unknowns, expressions of them, errors against an exact solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.problem.complex import in_given_names, real_and_imaginary
from transnet.problem.equations import written
from transnet.problem.latex import latex_of_expression

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

LONGEST = 40
"""The most characters of a formula that stands above a colour bar."""


@dataclass(frozen=True, eq=False)
class Quantity:
    """A number at every point of the domain.

    Parameters
    ----------
    name : str
        For files: plain characters.
    label : str
        For pictures: may have mathematics between dollar signs.
    values : callable
        From points (n, d) to values (n,).
    logarithmic : bool
        Whether it is positive and spans decades, as an error or a residual does.
    cyclic : bool
        Whether it is an angle, from -pi to pi.
    """

    name: str
    label: str
    values: Callable[[np.ndarray], np.ndarray]
    logarithmic: bool = False
    cyclic: bool = False


def quantities_of(solution: Solution, what: Any = None, error_against: Any = None) -> list[Quantity]:
    """The quantities that a user named: none for all unknowns, a name, an expression, or a list of them."""
    if error_against is not None:
        return _errors(solution, what, error_against)
    several = isinstance(what, list | tuple)
    chosen = solution.fields if what is None else list(what) if several else [what]
    return [q for w in chosen for q in _quantities(solution, w)]


def expression_of(solution: Solution, what: Any) -> Any:
    """The name of an unknown or an expression, as given by a user, as a SymPy expression."""
    if isinstance(what, str):
        if what in solution.names or what in solution.groups:
            return solution[what].unknown
        if "." in what:
            raise ProblemError(f"What is drawn comes first, the file later: solution.plot().save({what!r}).")
        first, along = solution.problem.unknowns[0], solution.problem.coordinates[0]
        raise ProblemError(
            f"There is no unknown '{what}'. The solution has: {', '.join(solution.names)}. Pass one of them, or an "
            f"expression of SymPy such as sympy.diff({first}, {along})."
        )
    if isinstance(what, sp.MatrixBase):
        return what
    return formula_of(what, "What is neither the name of an unknown nor a list", ProblemError)


def _quantities(solution: Solution, what: Any) -> list[Quantity]:
    """The quantities to draw for something that a user named: for a complex field its modulus and its phase."""
    expression = expression_of(solution, what)
    name = next((n for n, group in solution.groups.items() if group == expression), None)
    if isinstance(expression, sp.MatrixBase) and name is not None:
        return [q for component in expression for q in _quantities(solution, component)]
    if not expression.has(sp.I) or (name is None and real_and_imaginary(expression)[1] == 0):
        return [replace(_quantity(solution, expression), cyclic=isinstance(expression, sp.arg))]
    text = name or str(in_given_names(expression))
    label = math_of(sp.Symbol(name) if name else in_given_names(expression))
    return [
        Quantity(f"modulus of {text}", f"$|{label}|$", lambda p: np.abs(solution.value_of(expression, p))),
        Quantity(
            f"phase of {text}", f"$\\arg {label}$", lambda p: np.angle(solution.value_of(expression, p)), cyclic=True
        ),
    ]


def _quantity(solution: Solution, what: Any) -> Quantity:
    expression = expression_of(solution, what)
    if expression in solution.problem.unknowns:
        name = expression.func.__name__
        return Quantity(name, f"${math_of(sp.Symbol(name))}$", solution[name].at)
    if isinstance(expression, sp.MatrixBase):
        raise ProblemError("A vector is drawn as arrows: plot(vector=(u, v)).")
    text = written(expression)
    label = f"${math_of(expression)}$" if len(text) <= LONGEST else f"a formula of {', '.join(solution.fields)}"
    return Quantity(text, label, lambda p: solution.value_of(expression, p))


def _errors(solution: Solution, what: Any, exact: Any) -> list[Quantity]:
    names = solution.names if what is None else [q.name for q in quantities_of(solution, what)]
    by_name: dict[str, Any]
    if isinstance(exact, Mapping):
        by_name = {k if isinstance(k, str) else k.func.__name__: v for k, v in exact.items()}
    elif isinstance(exact, Sequence):
        by_name = dict(zip(names, exact, strict=False))
    else:
        by_name = {names[0]: exact}
    missing = [n for n in names if n not in by_name]
    if (missing and what is not None) or not by_name or any(n not in solution.names for n in by_name):
        raise ProblemError(
            f"error_against needs the exact solution of {', '.join(names)}: an expression, or a mapping such as "
            f"{{{names[0]}: ...}}."
        )
    return [_error(solution, n, by_name[n]) for n in names if n in by_name]


def _error(solution: Solution, name: str, exact: Any) -> Quantity:
    def values(points: np.ndarray) -> np.ndarray:
        if callable(exact) and not isinstance(exact, sp.Basic):
            truth = np.asarray(exact(*points.T), dtype=float)
        else:
            truth = solution.value_of(formula_of(exact, "error_against", ProblemError), points)
        return np.abs(solution[name].at(points) - truth)

    symbol = math_of(sp.Symbol(name))
    return Quantity(f"error of {name}", f"$|{symbol} - {symbol}_{{\\mathrm{{exact}}}}|$", values, True)


def math_of(expression: sp.Expr) -> str:
    """LaTeX that matplotlib can typeset: unknowns without their arguments."""
    text = latex_of_expression(expression)
    return text.replace(r"\operatorname", r"\mathrm").replace(r"\tfrac", r"\frac")
