"""What every condition can do: state its equations, say where it is imposed, and be written and read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np
import sympy as sp
from sympy.logic.boolalg import Boolean

from transnet.errors import ProblemError
from transnet.geometry import Surface

if TYPE_CHECKING:
    from transnet.problem.problem import Problem

Order = Callable[[sp.Expr, sp.Symbol], int]
"""The highest order of the derivatives of an unknown in a coordinate, over all equations."""


class Stated(NamedTuple):
    """One scalar equation of a condition: its label in reports, its text in messages, and the expression that is zero
    or measured."""

    label: str
    text: str
    expression: sp.Expr


class Draw(Protocol):
    """Chooses points, as many as the network needs, where a condition asks for them."""

    def surface(self, part: str, where: Any = None) -> Surface:
        """Points and normals of a part of the boundary, or of the portion that satisfies a condition on the
        coordinates."""

    def faces(self, coordinate: sp.Symbol) -> tuple[np.ndarray, np.ndarray]:
        """Points of the face where a coordinate is smallest, and their images on the opposite face."""

    def average(self) -> tuple[np.ndarray, np.ndarray]:
        """Nodes and weights of the mean over the domain."""


@dataclass(frozen=True, eq=False)
class Placed:
    """Where a condition is imposed.

    Parameters
    ----------
    points : (n, d) array
        Its nodes.
    normals : (n, d) array, optional
        The outward normals there.
    values : (n,) array, optional
        What was measured there.
    images : (n, d) array, optional
        Other points, whose values are added with the factor `factor`: an unknown stands for u(point) + factor u(image).
    weights : (rows, m) array, optional
        The weights of the m consecutive nodes of each row; without it each node is a row.
    """

    points: np.ndarray
    normals: np.ndarray | None = None
    values: np.ndarray | None = None
    images: np.ndarray | None = None
    factor: float = -1.0
    weights: np.ndarray | None = None


class Writer(Protocol):
    """Writes a condition to a file."""

    def formula(self, expression: Any) -> str:
        """An expression as text."""

    def equations(self, equations: Sequence[Any]) -> list[str]:
        """Equations as texts."""

    def array(self, key: str, values: np.ndarray) -> None:
        """Keep an array beside the texts."""

    def unknowns(self, unknowns: Sequence[sp.Expr]) -> list[str]:
        """The names of unknowns."""


class Reader(Protocol):
    """Reads the entries of a condition in a file, by their keys."""

    def __getitem__(self, key: str) -> Any:
        """An entry as stored; None if it is missing."""

    def formula(self, key: str) -> sp.Expr:
        """An entry that is a formula."""

    def equations(self, key: str = "equations") -> list[Any]:
        """An entry that is a list of equations."""

    def array(self, key: str) -> np.ndarray:
        """An entry that is an array."""

    def coordinate(self, key: str) -> sp.Symbol:
        """An entry that names a coordinate."""

    def unknowns(self, key: str) -> list[sp.Expr]:
        """An entry that names unknowns."""


class Condition(ABC):
    """A condition of a problem.

    A new kind is one subclass, made known to files by `tn.register`: it says what it states, where it is imposed, and
    how it is written and read.
    """

    weight: float | None
    fitted: ClassVar[bool] = False
    """Whether it is fitted, like data, rather than satisfied."""
    averaged: ClassVar[bool] = False
    """Whether it states a mean over the domain, in a single row."""
    has_normal: ClassVar[bool] = False
    """Whether the points where it holds have a normal."""
    where: Boolean | None = None
    """Where on its part of the boundary it holds; None for all of it."""
    noise: float | None = None
    """The standard deviation of what was measured, if it is known."""
    unknowns: tuple[sp.Expr, ...] = ()
    """The unknowns of which it holds; none for all."""

    @property
    def boundary(self) -> str | None:
        """The part of the boundary, or the interface, on which it holds; None if it holds elsewhere."""
        return None

    @property
    def across(self) -> bool:
        """Whether it holds on the interface of two pieces."""
        return self.boundary is not None and "|" in self.boundary

    @property
    def at_points(self) -> np.ndarray | None:
        """The points at which it holds, (n, d); None if it holds elsewhere."""
        return None

    @property
    def measured(self) -> np.ndarray | None:
        """The values that were measured at its points, (n,)."""
        return None

    @property
    def turn(self) -> tuple[sp.Symbol, sp.Expr] | None:
        """The coordinate in which it is periodic up to a factor exp(i phase), and that phase."""
        return None if self.period is None else (self.period, sp.Integer(0))

    @property
    def period(self) -> sp.Symbol | None:
        """The coordinate in which it is periodic."""
        return None

    @property
    def symbols(self) -> set[sp.Symbol]:
        """Parameters that it has besides those of its expressions."""
        return set()

    @property
    def in_cells(self) -> bool:
        """Whether a domain that is cut into cells knows its place: on the boundary, at points, or everywhere."""
        somewhere = self.boundary is not None or self.at_points is not None
        return somewhere or self.averaged or self.period is not None

    @property
    def kind(self) -> str:
        """Its name in messages."""
        return type(self).__name__.lower()

    @abstractmethod
    def expressions(self) -> list[sp.Expr]:
        """The expressions of unknowns that are zero, or measured."""

    @abstractmethod
    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        """Its scalar equations."""

    @abstractmethod
    def lines(self) -> list[tuple[Any, str]]:
        """What holds, an equation or a text, and where."""

    @abstractmethod
    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        """The same as LaTeX, aligned at the equals sign."""

    @abstractmethod
    def placed(self, problem: Problem, draw: Draw) -> Placed:
        """Where it is imposed."""

    def stored(self, writer: Writer) -> dict[str, Any]:
        """What a file stores: a table that has its kind among the keys; None if it cannot be written."""
        return {}

    def entry(self, writer: Writer) -> str | dict[str, Any]:
        """What a problem file says: a text, or the keys of a table; those without a value are left out."""
        return self.stored(writer)

    def call(self, text: Callable[[Any], str]) -> str:
        """The Python that makes it, with expressions written by `text`."""
        return f"# a condition that has no text: {type(self).__name__}"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        """Read the condition that `stored` wrote."""
        raise ProblemError(
            f"A condition {cls.__name__} cannot be read from a file: the class has no method `read`. Give it one that "
            f"takes what its `stored` wrote."
        )

    def of(self, put: Callable[[Any], Any], divisor: float = 1.0) -> Condition:
        """The same condition for other expressions: `put` transforms each of its own, and its numbers are divided."""
        return self

    def tangent(self, put: Callable[[Any], Any]) -> Condition:
        """What holds for the derivative of the unknowns by a parameter: `put` differentiates an expression."""
        return self.of(put)

    def check(self, problem: Problem) -> None:  # noqa: B027  (most places need no check)
        """Raise ProblemError if it does not fit the problem."""

    def parts(self, problem: Problem) -> tuple[str, ...]:
        """The parts of the boundary that it constrains."""
        return () if self.boundary is None else problem.domain.resolve(self.boundary)

    def on_part(self, part: str) -> Condition:
        """The same condition on another part of the boundary."""
        raise ProblemError(f"A condition '{self.kind}' cannot be moved to the part '{part}' of the boundary.")

    def same_place(self, other: Any) -> bool:
        """Whether another condition of its kind holds at the same place."""
        return True

    def in_order(self, coordinates: Sequence[sp.Symbol]) -> Condition:
        """The same condition with its coordinate columns in this order."""
        return self

    def real_parts(self) -> list[Condition]:
        """Equivalent conditions for real values: two for a complex one."""
        return [self]


KINDS: dict[str, type[Condition]] = {}
"""The kinds of conditions by the key that identifies them in a file."""

K = TypeVar("K", bound=type[Condition])


def register(kind: K) -> K:
    """Make a kind of condition known to files, by its name in lower case."""
    KINDS[kind.__name__.lower()] = kind
    return kind


def more(**keywords: Any) -> str:
    """Those keywords of a call that are given, as text."""
    return "".join(f", {name}={value!r}" for name, value in keywords.items() if value is not None)


def names_of(symbols: Iterable[Any]) -> str:
    """The names of symbols, in alphabetical order."""
    return ", ".join(sorted(map(str, symbols)))
