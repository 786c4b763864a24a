"""The table [solve] of a problem file: keywords for `tn.solve`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transnet.errors import TransnetError
from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.unknowns import stated_names
from transnet.files.words import told
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.rows.points import Points


def settings_of(builder: Builder, names: Names) -> dict[str, Any]:
    """The settings, checked."""
    table = dict(builder.table.get("solve", {}))
    schema.check(table, schema.SOLVE, builder.locator, ("solve",))
    if "tol" in table and not 0 < table["tol"] < 1:
        builder.fail(("solve", "tol"), "tol is the relative error to reach, a number between 0 and 1.")
    if "tol" in table and "neurons" in table:
        builder.fail(("solve", "neurons"), "Give tol or neurons, not both: neurons means one solve of that size.")
    readers: dict[str, Callable[..., Any]] = {
        "points": _points,
        "strategy": _strategy,
        "guess": _guess,
        "continuation": _continuation,
        "until": _until,
    }
    return {key: readers[key](builder, value, names) if key in readers else value for key, value in table.items()}


def _points(builder: Builder, value: dict[str, Any], names: Names) -> Points:
    points = dict(value)
    schema.check(points, schema.POINTS_TABLE, builder.locator, ("solve", "points"))
    if isinstance(points.get("interior"), list):
        points["interior"] = tuple(points["interior"])
    try:
        return Points(**points)
    except TransnetError as error:
        return builder.fail(("solve", "points"), told(error))


def _strategy(builder: Builder, value: str, names: Names) -> Any:
    from transnet.iterate.strategies import STRATEGIES

    if value not in STRATEGIES:
        builder.fail(("solve", "strategy"), f"There is no strategy '{value[:40]}': {', '.join(STRATEGIES)}.")
    return STRATEGIES[value]()


def _until(builder: Builder, value: str, names: Names) -> Any:
    return builder.read(("solve", "until"), formula, value, names).expression


def _guess(builder: Builder, value: Any, names: Names) -> Any:
    def read(path: tuple, text: Any) -> Any:
        if not schema.NUMBER_OR_TEXT.check(text):
            builder.fail(path, f"A guess must be {schema.NUMBER_OR_TEXT.words}.")
        return builder.read(path, formula, text, names).expression if isinstance(text, str) else text

    if not isinstance(value, dict):
        return read(("solve", "guess"), value)
    for name in value:
        if name not in names.unknowns:
            there = ", ".join(stated_names(names.unknowns))
            builder.fail(("solve", "guess", name), f"'{name[:40]}' is not an unknown: {there}.")
    return {name: read(("solve", "guess", name), text) for name, text in value.items()}


def _continuation(builder: Builder, value: dict[str, Any], names: Names) -> dict[Any, list[float]]:
    for name, values in value.items():
        path = ("solve", "continuation", name)
        if name not in names.parameters:
            builder.fail(path, f"'{name[:40]}' is not a parameter of the problem.")
        if not values or not schema.NUMBERS.check(values):
            builder.fail(path, f"'{name}' needs {schema.NUMBERS.words}, such as [10, 40, 100].")
    return {names.parameters[name]: [float(v) for v in values] for name, values in value.items()}
