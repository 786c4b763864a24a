"""The names in an equation: unknowns, given functions, components of the normal, lagged factors.

All of them are SymPy expressions, so an equation is written with SymPy alone and `sympy.diff` works everywhere.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.arrays import unwritable
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.problem.complex import complex_unknown
from transnet.problem.tabulated import table_with_jumps
from transnet.remember import Guard

MOST_COORDINATES = 10
"""The most coordinates of an unknown; linear problems for one unknown with a smooth solution reach that far."""
LONGEST_NAME = 60
"""The most characters of the name of an unknown."""

ArrayFunction = Callable[..., np.ndarray]


@explained
def unknown(name: str, *coordinates: sp.Symbol, complex: bool = False) -> sp.Expr:
    """An unknown function of its coordinates, such as `u = tn.unknown("u", x, y)`; without any it is a number.

    Unknowns of one problem may depend on different coordinates: `a = tn.unknown("a", x)` beside `u(x, t)`.

    Parameters
    ----------
    name : str
        Its name in reports and on the solution.
    coordinates : sympy.Symbol
        None for an unknown number, or up to ten. `laplacian`, `grad`, `div` and `curl` treat a coordinate called `t` as
        time.
    complex : bool
        Whether its values are complex: `psi = tn.unknown("psi", x, t, complex=True)`.
    """
    if not isinstance(name, str) or not name.strip():
        raise ProblemError(f"An unknown needs a name, not {shown(name)}: tn.unknown('u', x, y).")
    if not name.isprintable() or len(name) > LONGEST_NAME or any(c in name for c in "\\(){}$%&#<>\"'`;"):
        raise ProblemError(
            f"The name {shown(name)} of an unknown would be read as something else in reports and pictures. Use "
            f"letters, digits and _; coordinates are arguments of their own: tn.unknown('u', x, y)."
        )
    for c in coordinates:
        if not isinstance(c, sp.Symbol):
            raise ProblemError(
                f"The coordinates of the unknown '{name}' must be SymPy symbols, not {shown(c)}. "
                f"Make them with sympy.symbols('x y')."
            )
    if len(set(coordinates)) < len(coordinates):
        raise ProblemError(f"The unknown '{name}' has the same coordinate twice: {', '.join(map(str, coordinates))}.")
    if len(coordinates) > MOST_COORDINATES:
        raise ProblemError(
            f"The unknown '{name}' has {len(coordinates)} coordinates; at most {MOST_COORDINATES} are supported, "
            f"because what is needed to resolve a function grows exponentially with their number."
        )
    return complex_unknown(name, coordinates) if complex else sp.Function(name)(*coordinates)


@explained
def vector(name: str, *coordinates: sp.Symbol, complex: bool = False) -> sp.Matrix:
    """A vector unknown with a component for each coordinate of space: `v = tn.vector("v", x, y)`.

    Its components are the unknowns `v_x`, `v_y`; `solution["v"]` has values (n, 2), and `v[0]` is the first component.
    A coordinate called `t` is time and has no component.
    """
    space = [c for c in coordinates if getattr(c, "name", "") != "t"]
    if not space:
        raise ProblemError(f"The vector '{name}' has no coordinates of space. Name them: tn.vector('{name}', x, y).")
    return sp.Matrix([unknown(f"{name}_{c}", *coordinates, complex=complex) for c in space])


class GivenClass(type(sp.Function)):  # type: ignore[misc]
    """The metaclass of given functions, each of which is a class made by `given`."""


class Given(sp.Function, metaclass=GivenClass):
    """A function known by a callable of arrays; made by `given`."""

    implementation: ArrayFunction
    derivatives: Mapping[int, ArrayFunction]
    made: dict[int, Any]
    extents: dict[int, float]
    smooth: bool = False
    """Whether it is known to have no jumps and no small spots in a piece of the domain, so that nobody has to look."""

    @classmethod
    def eval(cls, *args: Any) -> None:
        return None

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The derivative: the user's callable if there is one, otherwise central differences."""
        index = argindex - 1
        kind = type(self)
        # Made once, so that SymPy treats two derivatives of the same function as equal.
        if index not in kind.made:
            implementation = kind.derivatives.get(index) or CentralDifference(kind.implementation, index, kind.extents)
            kind.made[index] = _make_given(f"{kind.__name__}_{self.args[index]}", implementation, {}, kind.extents)
        return kind.made[index](*self.args)

    def _eval_is_commutative(self) -> bool:
        return True


STEP = 2e-3
"""The step as a part of the extent of a coordinate: truncation and rounding both stay near 1e-12 for a function that
varies over it."""


@dataclass(frozen=True)
class CentralDifference:
    """Sixth-order central differences of `function` in its argument number `index`.

    The step is a part of the extent of that coordinate in the domain, which the problem provides, so that the value at
    a point does not depend on the other points of the call; without a problem it follows from the size of the point.
    """

    function: ArrayFunction
    index: int
    extents: Mapping[int, float] = field(compare=False)

    def __call__(self, *arrays: np.ndarray) -> np.ndarray:
        index = self.index
        columns = [unwritable(np.asarray(a, dtype=float)) for a in arrays]
        step = STEP * (self.extents.get(index) or np.maximum(np.abs(columns[index]), 1.0))
        total = np.zeros(np.broadcast_shapes(*(c.shape for c in columns)))
        for k, c in ((1, 45.0), (2, -9.0), (3, 1.0)):
            for sign in (1, -1):
                shifted = list(columns)
                shifted[index] = unwritable(columns[index] + sign * k * step)
                total += sign * c * np.asarray(self.function(*shifted), dtype=float)
        return total / (60.0 * step)


def tell_extents(expressions: Iterable[sp.Expr], coordinates: Sequence[sp.Symbol], bounds: np.ndarray) -> None:
    """Pass the extents of the coordinates to the given functions in expressions: the smallest over the problems they
    are in."""
    for atom in {a for e in expressions for a in e.atoms(Given)}:
        for index, argument in enumerate(atom.args):
            if argument in coordinates:
                axis = list(coordinates).index(argument)
                extent = float(bounds[1][axis] - bounds[0][axis])
                known = type(atom).extents
                known[index] = min(known.get(index, extent), extent)


def _make_given(
    name: str,
    implementation: ArrayFunction,
    derivatives: Mapping[int, ArrayFunction],
    extents: dict[int, float] | None = None,
) -> Any:
    content = {
        "implementation": staticmethod(implementation),
        "derivatives": dict(derivatives),
        "made": {},
        "extents": {} if extents is None else extents,  # shared with its derivatives
    }
    return GivenClass(name, (Given,), content)


def _parts_of(kind: GivenClass) -> str | tuple[Any, ...]:
    """How the class of a given function is pickled: by its callables, from which it is made again."""
    if kind is Given:
        return "Given"
    for function in (kind.implementation, *kind.derivatives.values()):
        try:
            pickle.dumps(function)
        except Exception:
            raise ProblemError(
                f"The given function '{kind.__name__}' cannot be pickled, because its callable is a lambda or was made "
                f"inside a function. Define it with 'def' at the top of a module."
            ) from None
    return _again, (kind.__name__, kind.implementation, tuple(kind.derivatives.items()), tuple(kind.extents.items()))


def _again(name: str, implementation: ArrayFunction, derivatives: tuple[Any, ...], extents: tuple[Any, ...]) -> Any:
    """The class that was pickled; made once per process, so that two copies of an expression are equal."""
    key = (name, implementation, derivatives)
    with _guard:
        found = _unpickled.get(key)
        if found is None:
            found = _unpickled[key] = _make_given(name, implementation, dict(derivatives), dict(extents))
    return found


_unpickled: WeakValueDictionary[Any, Any] = WeakValueDictionary()
_guard = Guard()
copyreg.pickle(GivenClass, _parts_of)


@explained
def given(
    name: str,
    function: ArrayFunction,
    *coordinates: sp.Symbol,
    derivatives: Mapping[sp.Symbol, ArrayFunction] | None = None,
    jumps: Mapping[sp.Symbol, Sequence[float]] | None = None,
) -> sp.Expr:
    """A function that is not a formula: `k = tn.given("k", callable_of_arrays, x, y)`.

    It can be used wherever a formula can. If an equation differentiates it, `derivatives={x: callable}` is used if
    given, otherwise differences of sixth order (which also evaluate the callable slightly outside the domain).

    Parameters
    ----------
    name : str
        Its name in reports.
    function : callable or array
        Takes one array for each coordinate, returns an array of the same shape; or, with `jumps`, a table.
    coordinates : sympy.Symbol
        The coordinates it depends on.
    derivatives : mapping, optional
        Callables for its first derivatives.
    jumps : mapping, optional
        For a table of values that are constant in each of its cells: the places between the cells along each
        coordinate, `jumps={x: [0.2, 0.5], y: [0.5]}` for 3 by 2 cells, or the edges of all. A problem with such a
        coefficient is solved in pieces.
    """
    if not isinstance(name, str) or not name.strip():
        raise ProblemError(f"A given function needs a name, not {shown(name)}: tn.given('k', f, x, y).")
    if jumps is not None:
        if callable(function):
            raise ProblemError(
                f"jumps= is for a table of values, one for each cell, and '{name}' is a callable. Give the pieces "
                f"names and a formula each: tn.Pieces(...) with tn.by_piece(...)."
            )
        return table_with_jumps(name, function, coordinates, jumps)
    if not callable(function):
        raise ProblemError(f"The given function '{name}' must be a callable of arrays, not {shown(function)}.")
    if not coordinates:
        raise ProblemError(f"Name the coordinates of the given function '{name}': tn.given('{name}', f, x, y).")
    for c in derivatives or {}:
        if c not in coordinates:
            raise ProblemError(f"'{name}' has a derivative in {c}, but depends on {', '.join(map(str, coordinates))}.")
    by_index = {coordinates.index(c): f for c, f in (derivatives or {}).items()}
    return _make_given(name, function, by_index)(*coordinates)


class NormalComponent(sp.Symbol):
    """The component of the outward unit normal along one coordinate; exists on boundaries only."""

    def __new__(cls, coordinate: sp.Symbol) -> NormalComponent:
        return super().__new__(cls, f"n_{coordinate.name}", real=True)

    def __getnewargs_ex__(self) -> tuple[tuple[sp.Symbol], dict[str, Any]]:
        return (sp.Symbol(self.name.removeprefix("n_")),), {}


class Curvature(sp.Symbol):
    """The curvature of a front, the divergence of its outward normal: 1/R on the circle around a disk."""

    def __new__(cls) -> Curvature:
        return super().__new__(cls, "curvature", real=True)

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), {}


class SurfaceLaplacian(sp.Function):
    """The Laplacian of the first argument along the surface on which a problem is stated; the other arguments are the
    coordinates of space. Made by `surface_laplacian`."""

    def _latex(self, printer: Any) -> str:
        return rf"\Delta_\Gamma {printer._print(self.args[0])}"

    def _sympystr(self, printer: Any) -> str:
        return f"surface_laplacian({printer._print(self.args[0])})"


class Lagged(sp.Function):
    """An expression that Picard's iteration takes from the previous iterate; made by `lagged`."""

    nargs = 1

    @classmethod
    def eval(cls, argument: sp.Expr) -> sp.Expr | None:
        return argument if not argument.has(AppliedUndef) else None

    def _eval_derivative(self, s: sp.Symbol) -> sp.Expr:
        return Lagged(self.args[0].diff(s))

    def doit(self, **hints: Any) -> sp.Expr:
        return Lagged(self.args[0].doit(**hints))


@explained
def lagged(expression: sp.Expr) -> sp.Expr:
    """Mark a factor that Picard's iteration holds at the previous iterate: `tn.lagged(v) * sp.diff(v, x)`."""
    return Lagged(formula_of(expression, "What tn.lagged holds", ProblemError))


def has_any(expression: sp.Basic, kinds: tuple[Any, ...]) -> bool:
    """Whether an expression has functions of some kinds, given ones that are known to be smooth left out."""
    return any(not getattr(type(f), "smooth", False) for f in expression.atoms(*kinds))
