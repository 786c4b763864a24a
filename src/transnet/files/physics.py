"""The table [physics] of a problem file: equations and quantities by the names that engineers use."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import sympy as sp

from transnet import physics
from transnet.errors import ProblemError
from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.own_names import check_name
from transnet.files.words import told
from transnet.language.formula import formula
from transnet.language.guarded import MOST_TERMS, Value
from transnet.language.names import Names

KINDS = ("elasticity", "flow", "heat", "electrostatics", "magnetostatics", "waves")
"""The functions of `transnet.physics` that a file may name."""
PLAIN = {"plane": schema.TEXT, "picard": schema.TRUTH}
"""Arguments that are no formulas."""


def physics_of(builder: Builder, names: Names, taken: set[str]) -> tuple[list[Any], dict[str, Value]]:
    """The equations that [physics] states, and its quantities by name."""
    equations: list[Any] = []
    found: dict[str, Value] = {}
    for kind, entry in builder.table.get("physics", {}).items():
        path = ("physics", kind)
        if kind not in KINDS or not isinstance(entry, Mapping):
            example = 'elasticity = { of = "u", E = 210e3, nu = 0.3, plane = "stress" }'
            builder.fail(path, f"[physics] has one line for each of {', '.join(KINDS)}: {example}.")
        made = _made(builder, path, entry, names)
        equations += made.equations
        for name, quantity in made.quantities.items():
            check_name(builder, path, name, taken)
            parts = quantity if isinstance(quantity, sp.MatrixBase) else [quantity]
            size = sum(1 for part in parts for _ in sp.preorder_traversal(sp.sympify(part)))
            if size <= MOST_TERMS:
                found[name] = Value(quantity, None, size)
    return equations, found


def _made(builder: Builder, path: tuple, entry: Mapping[str, Any], names: Names) -> Any:
    make = getattr(physics, path[-1])
    parameters = inspect.signature(make).parameters.values()
    own = [p.name for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD and p.name not in ("E", "nu", "k")]
    of = [n for n in own if n not in ("viscosity", "permittivity", "permeability")]
    keys = {
        "of": schema.Key(schema.TEXT_OR_TEXTS, True, f"The unknowns: {', '.join(of)}."),
        **{p.name: schema.Key(PLAIN.get(p.name, _FORMULAS), False, "") for p in parameters if p.name not in of},
    }
    schema.check(entry, keys, builder.locator, path, f"[physics] {path[-1]}")
    unknowns = []
    for where, name in builder.texts((*path, "of")):
        if name not in names.unknowns:
            builder.fail(where, f"'{name[:40]}' is not an unknown: {', '.join(names.unknowns)}.")
        unknowns.append(names.unknowns[name])
    if len(unknowns) != len(of):
        builder.fail((*path, "of"), f"{path[-1]} is about {len(of)} unknown(s) here: {', '.join(of)}.")
    options = {k: v if k in PLAIN else _read(builder, (*path, k), v, names) for k, v in entry.items() if k != "of"}
    try:
        return make(*unknowns, **options)
    except ProblemError as error:
        return builder.fail(path, told(error))


def _read(builder: Builder, path: tuple, value: Any, names: Names) -> Any:
    if isinstance(value, list):
        return [_read(builder, (*path, i), entry, names) for i, entry in enumerate(value)]
    return builder.read(path, formula, value, names).expression if isinstance(value, str) else value


def _entries(value: Any) -> bool:
    return schema.NUMBER_OR_TEXT.check(value) or (
        isinstance(value, list) and all(map(schema.NUMBER_OR_TEXT.check, value))
    )


_FORMULAS = schema.Kind("a number, a formula, or a list of them", _entries, '210e3, "1 + x" or [0, "-rho*g"]')
