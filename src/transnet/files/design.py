"""The tables [optimise] and [uncertain] of a problem file: what is to be smallest, over what; what varies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError, TransnetError
from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.results import Wanted
from transnet.files.words import told
from transnet.language.formula import equation, formula
from transnet.language.names import Names

NUMBERS = ("integral", "mean", "norm", "flux", "value")
"""Results that are one number with a derivative."""
CALL = re.compile(r"\s*(\w+)\s*\(([^()]*)\)\s*")


@dataclass(frozen=True, eq=False)
class Design:
    """What a file wants to be smallest, or largest: keywords of `tn.minimise`."""

    result: Wanted
    largest: bool
    over: tuple[str, ...]
    bounds: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    subject_to: tuple[Any, ...] = ()
    method: str | None = None
    steps: int | None = None

    def wanted(self, solution: Any) -> Any:
        """The number that is minimised."""
        number = number_of(self.result, solution)
        return -number if self.largest else number


def number_of(entry: Wanted, solution: Any) -> Any:
    """A result of a file as a number that can be differentiated."""
    options = dict(entry.options)
    if entry.kind == "value":
        return solution.evaluate(entry.argument, np.atleast_2d(options.pop("at")), error=True)[0]
    return getattr(solution, entry.kind)(entry.argument, **options)


def design_of(builder: Builder, names: Names, results: tuple[Wanted, ...]) -> Design | None:
    """The table [optimise], checked."""
    table = builder.table.get("optimise")
    if table is None:
        return None
    path = ("optimise",)
    schema.check(table, schema.OPTIMISE, builder.locator, path)
    asked = [k for k in ("minimise", "maximise") if k in table]
    if len(asked) != 1:
        builder.fail(path, "[optimise] has either 'minimise' or 'maximise', the name of one of the results.")
    result = result_named(builder, (*path, asked[0]), table[asked[0]], results)
    for name in (*table["over"], *table.get("bounds", {})):
        if name not in names.parameters:
            builder.fail((*path, "over"), f"'{name[:40]}' is not a parameter: {', '.join(names.parameters) or 'none'}.")
    bounds = {}
    for name, ends in table.get("bounds", {}).items():
        if not schema.NUMBERS.check(ends) or len(ends) != len(("low", "high")) or ends[0] >= ends[1]:
            builder.fail((*path, "bounds", name), f"The bounds of '{name}' are two numbers, [low, high].")
        bounds[name] = (float(ends[0]), float(ends[1]))
    only = Names(parameters=names.parameters, definitions=names.definitions)
    held = []
    for place, text in builder.texts((*path, "subject_to")) if "subject_to" in table else ():
        if any(sign in text for sign in "<>"):
            held.append(builder.read(place, formula, text, only).expression)
        else:
            held += builder.read(place, equation, text, only)
    return Design(
        result,
        asked[0] == "maximise",
        tuple(table["over"]),
        bounds,
        tuple(held),
        table.get("method"),
        table.get("steps"),
    )


def result_named(builder: Builder, path: tuple, name: str, results: tuple[Wanted, ...]) -> Wanted:
    """One of the results, which must be a number."""
    found = next((r for r in results if r.name == name), None)
    if found is None or found.kind not in NUMBERS:
        there = ", ".join(r.name for r in results if r.kind in NUMBERS) or "none"
        return builder.fail(path, f"'{name[:40]}' is not a result that is one number ({', '.join(NUMBERS)}): {there}.")
    return found


def uncertain_of(builder: Builder, names: Names) -> tuple[Any, ...]:
    """The table [uncertain]: parameters and their distributions."""
    found = []
    for name, text in builder.table.get("uncertain", {}).items():
        path = ("uncertain", name)
        if name not in names.parameters:
            builder.fail(path, f"'{name[:40]}' is not a parameter: {', '.join(names.parameters) or 'none'}.")
        if not isinstance(text, str):
            builder.fail(path, 'A distribution is a text, such as "normal(2, 0.1)".')
        found.append(_distribution(builder, path, names.parameters[name], text))
    return tuple(found)


def _distribution(builder: Builder, path: tuple, symbol: sp.Symbol, text: str) -> Any:
    from transnet.gradient import uncertain as known

    kinds: dict[str, Callable[..., Any]] = {
        "normal": known.normal_distribution,
        "uniform": known.uniform_distribution,
        "lognormal": known.lognormal_distribution,
        "triangular": known.triangular_distribution,
    }
    matched = CALL.fullmatch(text)
    try:
        if matched is None or matched[1] not in kinds:
            raise ProblemError(f'A distribution is one of {", ".join(f"{k}(...)" for k in kinds)}: "normal(2, 0.1)".')
        numbers = [float(part) for part in matched[2].split(",")]
        return known.uncertain(symbol, kinds[matched[1]](*numbers))
    except (TransnetError, ValueError, TypeError) as error:
        return builder.fail(path, told(error) if isinstance(error, TransnetError) else f"{text[:40]}: {error}.")
