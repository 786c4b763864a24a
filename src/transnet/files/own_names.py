"""The names of a problem file: coordinates, unknowns, parameters, definitions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import sympy as sp

from transnet.errors import ProblemError
from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.words import told
from transnet.language.formula import formula
from transnet.language.guarded import Value
from transnet.language.names import Names
from transnet.language.vocabulary import CONSTANTS, FUNCTIONS, OPERATORS, OTHER_NAMES, RESERVED
from transnet.problem import by_piece


def new_names(builder: Builder, key: str, taken: set[str]) -> list[str]:
    """The names in a list, each used for the first time."""
    names = builder.table[key]
    for i, name in enumerate(names):
        check_name(builder, (key, i), name, taken)
    return names


def parameters_of(builder: Builder, taken: set[str]) -> dict[str, float]:
    """The values of the parameters, including replacements."""
    found: dict[str, float] = {}
    stated = builder.table.get("parameters", {})
    absent = [name for name in builder.replaced if name not in stated]
    if absent:
        there = f"Its parameters are: {', '.join(stated)}" if stated else "It has none"
        builder.fail(("parameters",), f"The file has no parameter '{absent[0]}' to change. {there}.")
    for name, value in {**stated, **builder.replaced}.items():
        path = ("parameters", name)
        check_name(builder, path, name, taken)
        if not schema.NUMBER_OR_TEXT.check(value):
            builder.fail(path, f"The parameter '{name}' must be {schema.NUMBER_OR_TEXT.words}.")
        known = Names(definitions={n: Value(sp.Float(v), v) for n, v in found.items()})
        number = builder.read(path, formula, value, known).number if isinstance(value, str) else float(value)
        if number is None or number != number or abs(number) == float("inf"):
            builder.fail(path, f"The parameter '{name}' is not a finite number.")
        found[name] = float(number)
    return found


def definitions_of(builder: Builder, names: Names, taken: set[str]) -> dict[str, Value]:
    """Named formulas; each may use those before it."""
    found: dict[str, Value] = {}
    for name, value in builder.table.get("definitions", {}).items():
        path = ("definitions", name)
        check_name(builder, path, name, taken)
        known = Names(names.coordinates, names.unknowns, names.parameters, found)
        if isinstance(value, dict):
            found[name] = _by_piece(builder, name, value, known)
            continue
        if not schema.NUMBER_OR_TEXT.check(value):
            builder.fail(path, f"The definition '{name}' must be {schema.NUMBER_OR_TEXT.words}.")
        found[name] = builder.read(path, formula, value if isinstance(value, str) else repr(value), known)
    return found


def _by_piece(builder: Builder, name: str, table: Mapping[str, Any], known: Names) -> Value:
    """A definition that has a value for each piece."""
    values = {}
    for piece, value in table.items():
        path = ("definitions", name, piece)
        if not schema.NUMBER_OR_TEXT.check(value):
            builder.fail(path, f"The value of '{name}' for '{piece}' must be {schema.NUMBER_OR_TEXT.words}.")
        text = value if isinstance(value, str) else repr(value)
        values[piece] = builder.read(path, formula, text, known).expression
    try:
        return Value(by_piece(values))
    except ProblemError as error:
        return builder.fail(("definitions", name), told(error))


def check_name(builder: Builder, path: tuple, name: str, taken: set[str]) -> None:
    """Refuse a name that is invalid, has a meaning already or is used twice; otherwise mark it as taken."""
    if not re.fullmatch(r"[^\W\d]\w{0,39}", name):
        builder.fail(path, f"'{name[:40]}' cannot be a name: use a letter, then letters, digits and _.")
    if name in RESERVED or name in FUNCTIONS or name in OTHER_NAMES or name in OPERATORS or name in CONSTANTS:
        builder.fail(path, f"'{name}' has a meaning of its own in formulas and cannot name anything else.")
    if name in taken:
        builder.fail(path, f"The name '{name}' is used twice.")
    taken.add(name)
