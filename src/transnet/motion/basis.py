"""A field on a domain that moves: an expansion on the domain at rest, composed with the motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.expansion import Carried, Slot, floats, from_data, register, to_data
from transnet.formulas import array_modules, compiled_formula
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.language.printer import text_of_expression
from transnet.motion.affine import Motion
from transnet.problem import unknown


@dataclass(frozen=True, eq=False)
class Pulled(Carried):
    """u(x, t) = U(y, t) with x = M(t) y + c(t), whose front may be among the unknowns.

    Parameters
    ----------
    basis : Expansion
        Of the unknowns on the domain at rest.
    motion : Motion
    fields : tuple of expressions
        The unknowns, in order.
    middle : (d,) array
        A point of the domain at rest, at which functions of time alone are evaluated.
    """

    kind: ClassVar[str] = "moving"

    motion: Motion
    fields: tuple[sp.Expr, ...]
    middle: np.ndarray
    _made: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def coordinates(self) -> tuple[sp.Symbol, ...]:
        return (*self.motion.space, self.motion.time)

    def _compiled(self, key: Any, make: Callable[[], list[sp.Expr]]) -> tuple[list[Slot], Any]:
        """Expressions of the unknowns at rest: the slots that they need, and a function of the points and of these."""
        if key not in self._made:
            made = make()
            atoms: set[sp.Expr] = set().union(*(e.atoms(sp.Derivative) for e in made))
            holders = {a: sp.Dummy() for a in sorted(atoms, key=sp.default_sort_key)}
            plain = [e.xreplace(holders) for e in made]
            bare = set().union(*(e.atoms(AppliedUndef) for e in plain))
            values = {a: sp.Dummy() for a in sorted(bare, key=sp.default_sort_key)}
            plain = [e.xreplace(values) for e in plain]
            slots = [self._slot(a) for a in (*holders, *values)]
            symbols = [*self.coordinates, *holders.values(), *values.values()]
            functions = [compiled_formula(symbols, e, array_modules([e])) for e in plain]
            self._made[key] = slots, functions
        return self._made[key]

    def _slot(self, atom: sp.Expr) -> Slot:
        function = atom.expr if isinstance(atom, sp.Derivative) else atom
        orders = dict(atom.variable_count) if isinstance(atom, sp.Derivative) else {}
        return self.fields.index(function), tuple(int(orders.get(c, 0)) for c in self.coordinates)

    def _values(self, key: Any, make: Any, coefficients: np.ndarray, points: np.ndarray) -> list[np.ndarray]:
        slots, functions = self._compiled(key, make)
        made = self.basis.derivatives(coefficients, points, slots) if slots else []
        return [np.broadcast_to(np.asarray(f(*points.T, *made), dtype=float), len(points)) for f in functions]

    def moved(self, coefficients: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """M (n, d, d) and c (n, d) at times."""
        d = len(self.motion.space)
        points = np.column_stack([np.broadcast_to(self.middle, (len(times), d)), times])
        made = self._values("motion", lambda: [*self.motion.matrix, *self.motion.shift], coefficients, points)
        return np.stack(made[: d * d], axis=-1).reshape(-1, d, d), np.stack(made[d * d :], axis=-1)

    def at_rest(self, coefficients: np.ndarray, points: np.ndarray) -> np.ndarray:
        """(y, t) for points (x, t)."""
        matrix, shift = self.moved(coefficients, points[:, -1])
        y = np.linalg.solve(matrix, (points[:, :-1] - shift)[..., None])[..., 0]
        return np.column_stack([y, points[:, -1]])

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        if coefficients.ndim == 2:
            each = [self.derivatives(c, points, slots) for c in coefficients.T]
            return [np.stack(values, axis=-1) for values in zip(*each, strict=True)]
        rest = self.at_rest(coefficients, points)
        return [
            np.array(self._values(slot, lambda s=slot: [self._physical(*s)], coefficients, rest)[0]) for slot in slots
        ]

    def _physical(self, number: int, index: tuple[int, ...]) -> sp.Expr:
        """A derivative in the laboratory in terms of those at rest."""
        u = self.fields[number]
        depends = bool(set(self.motion.space) & set(u.args))
        made: sp.Expr = u
        for c, n in zip(self.coordinates, index, strict=True):
            for _ in range(n):
                made = self.motion.derived(made, c) if depends else sp.diff(made, c)
        return made

    def summary(self) -> str:
        return f"on the domain at rest: {self.basis.summary()}"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        arrays[f"{prefix}middle"] = self.middle
        return {
            "basis": to_data(self.basis, arrays, f"{prefix}rest_"),
            "coordinates": [c.name for c in self.coordinates],
            "fields": [[u.func.__name__, [c.name for c in u.args]] for u in self.fields],
            "matrix": [text_of_expression(e) for e in self.motion.matrix],
            "shift": [text_of_expression(e) for e in self.motion.shift],
        }

    def __getstate__(self) -> dict[str, Any]:
        names = ("basis", "motion", "fields", "middle")
        return {name: getattr(self, name) for name in names} | {"_made": {}}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Pulled:
    coordinates = {str(n): sp.Symbol(str(n), real=True) for n in data["coordinates"]}
    fields = {str(n): unknown(str(n), *(coordinates[c] for c in own)) for n, own in data["fields"]}
    names = Names(coordinates, fields, {}, {})

    def read(text: str) -> sp.Expr:
        return formula(text, names).expression

    *space, time = coordinates.values()
    d = len(space)
    matrix = sp.Matrix(d, d, [read(e) for e in data["matrix"]])
    motion = Motion(tuple(space), time, matrix, sp.Matrix([read(e) for e in data["shift"]]))
    basis = from_data(data["basis"], arrays, f"{prefix}rest_")
    middle = floats(arrays, f"{prefix}middle")
    if middle.shape != (d,) or motion.shift.shape != (d, 1) or basis.unknowns != len(fields):
        raise ValueError("the motion does not fit the expansion")
    return Pulled(basis, motion, tuple(fields.values()), middle)


register(Pulled.kind, _read)
