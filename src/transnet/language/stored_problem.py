"""A problem as plain data: texts of the formula language, and arrays beside them.

Nothing in it is ever executed: it is read back by the same reader as a problem file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError, TransnetError
from transnet.geometry import Domain, Mesh, Pieces
from transnet.language.domains import domain as read_domain
from transnet.language.formula import equation, formula
from transnet.language.names import Names
from transnet.language.printer import NotWritable, text_of_domain, text_of_equation, text_of_expression
from transnet.problem import Condition, Problem, expressions_of
from transnet.problem.by_piece import ByPiece, Slope
from transnet.problem.complex import is_component
from transnet.problem.condition import KINDS
from transnet.problem.elsewhere import Over
from transnet.tolerances import SAME

PLACES, DIGITS = 3, 25
"""The points at which expressions are compared, and the digits used for it: more than numbers in files have."""
STAND_INS = (AppliedUndef, sp.Derivative, sp.Subs, sp.Integral, Over)

Arrays = dict[str, np.ndarray]
APART, AWAY = 31, 0.1
"""Square roots of whole numbers stand in for symbols: those of another point start this much later, and none is near
zero."""


def domain_to_data(domain: Domain, arrays: Arrays) -> dict[str, Any]:
    """A domain as a text, or a mesh as its corners and faces."""
    if isinstance(domain, Mesh):
        arrays["mesh_vertices"], arrays["mesh_faces"] = domain.vertices, domain.faces
        return {"mesh": domain.name}
    if isinstance(domain, Pieces):
        return {"pieces": [[name, {"text": text_of_domain(shape)}] for name, shape in domain.shapes]}
    return {"text": text_of_domain(domain)}


def domain_from_data(stored: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Domain:
    """The domain that `domain_to_data` stored."""
    if "mesh" in stored:
        return Mesh(arrays["mesh_vertices"], arrays["mesh_faces"], str(stored["mesh"]))
    if "pieces" in stored:
        return Pieces({str(name): domain_from_data(shape, arrays) for name, shape in stored["pieces"]})
    return read_domain(stored["text"])


def problem_to_data(problem: Problem, names: Names, arrays: Arrays) -> dict[str, Any]:
    """A problem as data; raises `NotWritable` with the reason if it has no text.

    The data is read back at once and compared, so what is stored is what was stated.
    """
    stored = {
        "domain": domain_to_data(problem.domain, arrays),
        "equations": [text for e in problem.equations for text in _texts_of(e)],
        "conditions": [_condition_to_data(c, k, arrays) for k, c in enumerate(problem.conditions)],
    }
    try:
        again = problem_from_data(stored, names, arrays)
    except (TransnetError, RecursionError, ValueError) as error:
        raise NotWritable(f"what the formula language refuses to read: {error}") from None
    for first, second in zip(_expressions(problem), _expressions(again), strict=True):
        if first != second and not alike(first, second):
            raise NotWritable(f"'{str(first)[:60]}', which does not read back as the same")
    return stored


def alike(first: sp.Expr, second: sp.Expr) -> bool:
    """Whether two expressions have the same values in floating point, compared at a few points.

    Symbolic comparison could take for ever. Numbers are read as floats, so values agree only to rounding.
    """
    first, second = (_with_letters(_of_all_pieces(e)) for e in (first, second))
    stand_ins = sorted(
        {*(first.atoms(*STAND_INS) | second.atoms(*STAND_INS)), *first.free_symbols, *second.free_symbols}, key=str
    )
    for place in range(PLACES):
        # Irrational numbers in general position, different ones at each point.
        values = {s: sp.Float(np.modf(np.sqrt(2.0 + k + APART * place))[0] + AWAY) for k, s in enumerate(stand_ins)}
        one, other = (e.xreplace(values).evalf(DIGITS) for e in (first, second))
        if not (one.is_number and other.is_number):
            return False
        size = max(abs(one), abs(other))
        if not bool(abs(one - other) <= SAME * size):
            return False
    return True


def _of_all_pieces(e: sp.Expr) -> sp.Expr:
    """The same with one sum for the values of all pieces, by numbers that tell names and coordinates apart."""
    if not e.has(ByPiece):
        return e
    marks: dict[sp.Basic, sp.Expr] = {}
    for k in sorted(e.atoms(ByPiece), key=sp.default_sort_key):
        marks[k] = sp.Add(*(sp.sqrt(2 + sum(name.encode())) * value for name, value in k.values.items()))
    for slope in sorted(e.atoms(Slope), key=sp.default_sort_key):
        factor = sp.Mul(*(sp.sqrt(2 + sum(c.name.encode())) for c in slope.args[1:]))
        marks[slope] = factor * marks.get(slope.args[0], slope.args[0])
    return e.xreplace(marks)


def _with_letters(e: sp.Expr) -> sp.Expr:
    """The same with bound letters that are equal if their names are: the language has only real ones."""
    return e.replace(
        lambda i: isinstance(i, sp.Integral | Over),
        lambda i: i.xreplace({s: sp.Symbol(s.name, real=True) for s in _letters(i)}),
    )


def _letters(e: Any) -> set[sp.Symbol]:
    return set(e.bound) if isinstance(e, Over) else set(e.variables)


def _texts_of(stated: Any) -> list[str]:
    """The texts of an equation; a complex one is stored as its real and its imaginary part."""
    parts = expressions_of(stated)
    unknowns = set().union(*(p.atoms(AppliedUndef) for p in parts))
    return [text_of_equation(p) for p in parts] if any(map(is_component, unknowns)) else [text_of_equation(stated)]


def _expressions(problem: Problem) -> list[sp.Expr]:
    found = [r for e in problem.equations for r in expressions_of(e)]
    return found + [e for c in problem.conditions for e in c.expressions()]


def _condition_to_data(condition: Condition, number: int, arrays: Arrays) -> dict[str, Any]:
    stored = condition.stored(_Words(number, arrays))
    if not set(stored) & set(KINDS):
        raise NotWritable(f"a condition of the kind '{condition.kind}', which has no text")
    return stored


@dataclass(frozen=True, eq=False)
class _Words:
    """Writes the condition with a given number, which is appended to the keys of its arrays."""

    number: int
    arrays: Arrays

    formula = staticmethod(text_of_expression)

    def equations(self, equations: Sequence[Any]) -> list[str]:
        return [text for e in equations for text in _texts_of(e)]

    def array(self, key: str, values: np.ndarray) -> None:
        self.arrays[f"{key}_{self.number}"] = values

    def unknowns(self, unknowns: Sequence[sp.Expr]) -> list[str]:
        return [u.func.__name__ for u in unknowns]


def problem_from_data(stored: Mapping[str, Any], names: Names, arrays: Mapping[str, np.ndarray]) -> Problem:
    """The problem that `problem_to_data` stored."""
    domain = domain_from_data(stored["domain"], arrays)
    equations = [e for text in stored["equations"] for e in equation(text, names)]
    conditions = [_condition_from_data(_Entries(k, c, names, arrays)) for k, c in enumerate(stored["conditions"])]
    return Problem(domain, equations, conditions, tuple(names.unknowns.values()))


def _condition_from_data(entries: _Entries) -> Condition:
    kinds = [kind for kind in KINDS if kind in entries.stored]
    if len(kinds) != 1:
        raise ProblemError(f"a condition of a kind that is not known here: {', '.join(entries.stored)}")
    return KINDS[kinds[0]].read(entries)


@dataclass(frozen=True, eq=False)
class _Entries:
    """Reads the condition with a given number."""

    number: int
    stored: Mapping[str, Any]
    names: Names
    arrays: Mapping[str, np.ndarray]

    def __getitem__(self, key: str) -> Any:
        return self.stored.get(key)

    def formula(self, key: str) -> sp.Expr:
        return formula(self.stored[key], self.names).expression

    def equations(self, key: str = "equations") -> list[Any]:
        return [e for text in self.stored[key] for e in equation(text, self.names)]

    def array(self, key: str) -> np.ndarray:
        return self.arrays[f"{key}_{self.number}"]

    def coordinate(self, key: str) -> sp.Symbol:
        return self.names.coordinates[self.stored[key]]

    def unknowns(self, key: str) -> list[sp.Expr]:
        return [self.names.unknowns[name] for name in self.stored[key]]
