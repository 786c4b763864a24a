"""The conditions of a problem file: texts, and tables of one kind each."""

from __future__ import annotations

from typing import Any

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
from transnet.problem import Condition, at, data, mean, periodic
from transnet.tables import read_table, select


def condition_of(builder: Builder, i: int, value: str | dict[str, Any], names: Names, region: Domain) -> Condition:
    """The condition that an entry states."""
    path = ("conditions", i)
    if isinstance(value, str):
        return builder.read(path, condition, value, names, region)
    kinds = [k for k in schema.CONDITION if k in value]
    if len(kinds) != 1:
        builder.fail(path, f"A condition has exactly one of the keys {', '.join(schema.CONDITION)}.")
    kind = kinds[0]
    schema.check(value, schema.CONDITION[kind], builder.locator, path, f"a condition '{kind}'")
    weight = value.get("weight")
    try:
        return _of_table(builder, kind, value, path, names, region, weight)
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
    if value["periodic"] not in names.coordinates:
        builder.fail((*path, "periodic"), f"'{value['periodic'][:40]}' is not a coordinate.")
    for name in value.get("unknowns", ()):
        if name not in names.unknowns:
            builder.fail(
                (*path, "unknowns"), f"'{name[:40]}' is not an unknown: {', '.join(stated_names(names.unknowns))}."
            )
    which = [names.unknowns[n] for n in value.get("unknowns", ())]
    return periodic(names.coordinates[value["periodic"]], *which, weight=weight)


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
