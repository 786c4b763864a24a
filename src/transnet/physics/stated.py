"""What the statements of all disciplines share: their arguments, vectors, time, and quantities by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.problem.by_piece import ByPiece
from transnet.problem.unknowns import Given

TIME = "t"
"""The name of the coordinate that is time."""


def number_or_formula(value: Any, what: str) -> sp.Expr:
    """A constant, a formula of the coordinates or unknowns, or `tn.by_piece`."""
    return formula_of(value, what, ProblemError)


def unknown_of(value: Any, call: str) -> sp.Expr:
    """A scalar unknown, real or complex."""
    if isinstance(value, sp.Expr) and value.has(AppliedUndef):
        return value
    raise ProblemError(f"{call} takes an unknown, made by tn.unknown('u', x, y), not {shown(value)}.")


def vector_of(value: Any, call: str) -> sp.Matrix:
    """A vector of unknowns, with one component for each coordinate of space."""
    if isinstance(value, list | tuple) and all(isinstance(entry, sp.Expr) for entry in value):
        value = sp.Matrix(list(value))
    if not isinstance(value, sp.MatrixBase) or not all(e.has(AppliedUndef) for e in value):
        raise ProblemError(f"{call} takes a vector of unknowns, made by tn.vector('u', x, y), not {shown(value)}.")
    space = [c for c in coordinates_of(*value) if c.name != TIME]
    if len(space) != len(value):
        raise ProblemError(
            f"{call} got {len(value)} components for the coordinates {', '.join(map(str, space))}. Give one for each."
        )
    return sp.Matrix(value)


def components(value: Any, count: int, what: str) -> sp.Matrix:
    """A vector that a user gave: one number or formula for each coordinate, or 0."""
    if isinstance(value, int | float) and value == 0:
        return sp.zeros(count, 1)
    entries = list(value) if isinstance(value, list | tuple | sp.MatrixBase) else [value]
    if len(entries) != count:
        raise ProblemError(f"{what} has {count} components here, not {shown(value)}.")
    return sp.Matrix([number_or_formula(entry, what) for entry in entries])


def coordinates_of(*unknowns: sp.Expr) -> tuple[sp.Symbol, ...]:
    """The coordinates of unknowns, in their order."""
    found = (f for u in unknowns for f in sorted(u.atoms(AppliedUndef), key=str))
    return tuple(dict.fromkeys(c for f in found for c in f.args if isinstance(c, sp.Symbol)))


def space_of(*unknowns: sp.Expr) -> tuple[sp.Symbol, ...]:
    """The coordinates of unknowns without time."""
    return tuple(c for c in coordinates_of(*unknowns) if c.name != TIME)


def time_of(*unknowns: sp.Expr) -> sp.Symbol | None:
    """The coordinate that is time, if there is one."""
    return next((c for c in coordinates_of(*unknowns) if c.name == TIME), None)


def is_constant(value: sp.Expr, space: Sequence[sp.Symbol]) -> bool:
    """Whether a coefficient is the same everywhere."""
    return not value.has(AppliedUndef, ByPiece, Given) and not value.free_symbols & set(space)


def by_component(quantities: Mapping[str, Any], space: Sequence[sp.Symbol]) -> dict[str, Any]:
    """Quantities by name, with the components of vectors (field_x) and of symmetric tensors (stress_xy)."""
    found: dict[str, Any] = {}
    for name, value in quantities.items():
        if not isinstance(value, sp.MatrixBase):
            found[name] = value
        elif value.shape[1] > 1:
            pairs = [(i, j) for i in range(len(space)) for j in range(i, len(space))]
            found |= {f"{name}_{space[i]}{space[j]}": value[i, j] for i, j in pairs}
        else:
            found |= {name: value, **{f"{name}_{c}": e for c, e in zip(space, value, strict=True)}}
    return found
