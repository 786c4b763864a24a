"""The conditions of a problem file: texts, and tables of one kind each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError, TransnetError
from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.unknowns import stated_names
from transnet.files.words import told
from transnet.geometry import Domain
from transnet.language.conditions import boundary_condition, condition
from transnet.language.errors import FormulaError, ProblemFileError
from transnet.language.formula import equation, formula
from transnet.language.names import Names
from transnet.problem import Condition, at, data, mean
from transnet.problem.condition import KINDS
from transnet.tables import read_table, select


def condition_of(builder: Builder, i: int, value: str | dict[str, Any], names: Names, region: Domain) -> Condition:
    """The condition that an entry states."""
    path = ("conditions", i)
    if isinstance(value, str):
        return builder.read(path, condition, value, names, region)
    kinds = [k for k in KINDS if k in value]
    if len(kinds) != 1:
        builder.fail(path, f"A condition has exactly one of the keys {', '.join(KINDS)}.")
    kind = kinds[0]
    try:
        if kind not in schema.CONDITION:  # a kind registered from outside the library
            return _foreign(kind, _Entries(builder, path, value, names))
        schema.check(value, schema.CONDITION[kind], builder.locator, path, f"a condition '{kind}'")
        return _of_table(builder, kind, value, path, names, region, value.get("weight"))
    except (FormulaError, ProblemFileError):
        raise
    except ProblemError as error:
        return builder.fail(path, told(error))


def _of_table(
    builder: Builder, kind: str, value: dict[str, Any], path: tuple, names: Names, region: Domain, weight: float | None
) -> Condition:
    equations = []
    if "equations" in value:
        texts = builder.texts((*path, "equations"))
        equations = [e for p, text in texts for e in builder.read(p, equation, text, names)]
    match kind:
        case "on":
            rest = value["on"] + (f" where {value['where']}" if "where" in value else "")
            return builder.read((*path, "on"), boundary_condition, rest, 0, equations, names, region, weight)
        case "at":
            return at(value["at"], *equations, weight=weight)
        case "data":
            measured = builder.read((*path, "data"), formula, value["data"], names).expression
            points, values = _measured(builder, value, path, names)
            return data(measured, points, values, weight, value.get("noise"))
        case "mean":
            of = builder.read((*path, "mean"), formula, value["mean"], names).expression
            text = value.get("value", 0)
            right = builder.read((*path, "value"), formula, text, names).expression if isinstance(text, str) else text
            return mean(of, right, weight)
    return KINDS[kind].read(_Entries(builder, path, value, names))


def _measured(builder: Builder, value: dict[str, Any], path: tuple, names: Names) -> tuple[Any, Any]:
    """The points and values of data: from the file beside it, or written out."""
    if "file" not in value:
        for key in ("points", "values"):
            if key not in value:
                builder.fail(path, f"A condition 'data' needs 'points' and 'values', or a 'file'; '{key}' is missing.")
        return value["points"], value["values"]
    source = builder.beside((*path, "file"), value["file"])
    column = value.get("column", value["data"].partition("(")[0].strip())
    try:
        table = select(read_table(source), [*names.coordinates, column], f"'{source.name}'")
    except TransnetError as error:
        builder.fail((*path, "file"), told(error))
    return table[:, :-1], table[:, -1]


def _foreign(kind: str, entries: _Entries) -> Condition:
    made = KINDS[kind].read(entries)
    strange = [key for key in entries.value if key not in entries.asked]
    if strange:
        entries.fail(strange[0], f"'{strange[0][:40]}' is not a key of a condition '{kind}'.")
    return made


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


@dataclass(frozen=True, eq=False)
class _Entries:
    """Reads the table of a condition and remembers the keys that were asked for, which are the valid ones."""

    builder: Builder
    path: tuple
    value: dict[str, Any]
    names: Names
    asked: set[str] = field(default_factory=set)

    def fail(self, key: str, message: str) -> Any:
        return self.builder.fail((*self.path, key) if key in self.value else self.path, message)

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return self.value.get(key)

    def _needed(self, key: str) -> Any:
        found = self[key]
        return self.fail(key, f"The condition has no '{key}'.") if found is None else found

    def formula(self, key: str) -> sp.Expr:
        text = self._needed(key)
        return self.builder.read((*self.path, key), formula, _text(text), self.names).expression

    def equations(self, key: str = "equations") -> list[Any]:
        self._needed(key)
        texts = self.builder.texts((*self.path, key))
        return [e for p, text in texts for e in self.builder.read(p, equation, text, self.names)]

    def array(self, key: str) -> np.ndarray:
        try:
            return np.array(self._needed(key), dtype=float)
        except (TypeError, ValueError):
            return self.fail(key, f"'{key}' must be numbers, or lists of numbers of one length.")

    def coordinate(self, key: str) -> sp.Symbol:
        name = self._needed(key)
        if name not in self.names.coordinates:
            self.fail(key, f"'{str(name)[:40]}' is not a coordinate.")
        return self.names.coordinates[name]

    def unknowns(self, key: str) -> list[sp.Expr]:
        for name in self[key] or ():
            if name not in self.names.unknowns:
                self.fail(key, f"'{str(name)[:40]}' is not an unknown: {', '.join(stated_names(self.names.unknowns))}.")
        return [self.names.unknowns[name] for name in self[key] or ()]
