"""The list `unknowns` of a problem file: functions of all coordinates or of some, numbers, complex ones, vectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.own_names import check_name
from transnet.problem import unknown, vector
from transnet.problem.complex import IM, RE


def unknowns_of(builder: Builder, coordinates: Mapping[str, sp.Symbol], taken: set[str]) -> dict[str, Any]:
    """What each name in the list stands for: "u" of all coordinates, "a(x)" of some, "c()" a number.

    A complex one is an expression of its two parts, a vector a matrix, whose components have names of their own.
    """
    found: dict[str, Any] = {}
    for i, entry in enumerate(builder.table["unknowns"]):
        path = ("unknowns", i)
        table = {"name": entry} if isinstance(entry, str) else entry
        schema.check(table, schema.UNKNOWN, builder.locator, path, "an unknown")
        name, own = _own(builder, path, table["name"], coordinates)
        is_complex, is_vector = bool(table.get("complex")), bool(table.get("vector"))
        check_name(builder, path, name, taken)
        if not is_vector:
            found[name] = unknown(name, *own, complex=is_complex)
        else:
            if not any(c.name != "t" for c in own):
                builder.fail(path, f"The vector '{name}' has no coordinates of space, so it has no components.")
            found[name] = vector(name, *own, complex=is_complex)
            space = [c for c in own if c.name != "t"]
            for c, component in zip(space, found[name], strict=True):
                check_name(builder, path, f"{name}_{c.name}", taken)
                found[f"{name}_{c.name}"] = component
        for suffix in (RE, IM) if is_complex else ():
            taken.add(name + suffix)
    return found


def _own(builder: Builder, path: tuple, text: str, coordinates: Mapping[str, sp.Symbol]) -> tuple[str, list[sp.Symbol]]:
    """The name of an unknown and its coordinates, from "a(x)"."""
    name, bracket, rest = text.partition("(")
    if not bracket:
        return name.strip(), list(coordinates.values())
    own = [c.strip() for c in rest.rstrip().removesuffix(")").split(",") if c.strip()]
    wrong = [c for c in own if c not in coordinates]
    if wrong or not rest.rstrip().endswith(")") or len(set(own)) < len(own):
        there = ", ".join(coordinates)
        builder.fail(path, f"'{text[:40]}' names an unknown with some of the coordinates: {there}.")
    return name.strip(), [coordinates[c] for c in own]


def functions_of(unknowns: Iterable[Any]) -> tuple[sp.Expr, ...]:
    """The real functions that unknowns are made of, in their order."""
    found: dict[sp.Expr, None] = {}
    for stated in unknowns:
        for component in stated if isinstance(stated, sp.MatrixBase) else (stated,):
            # The imaginary part is named after the real one, and comes after it.
            found.update(dict.fromkeys(sorted(component.atoms(AppliedUndef), key=lambda u: u.func.__name__[::-1])))
    return tuple(found)


def stated_names(unknowns: Mapping[str, Any]) -> list[str]:
    """The names as stated: vectors without their components."""
    inside = {f"{n}_{c.name}" for n, v in unknowns.items() if isinstance(v, sp.MatrixBase) for c in v.free_symbols}
    return [n for n in unknowns if n not in inside]
