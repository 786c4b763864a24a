"""The table [results] of a problem file: numbers, cuts, probes and pictures made from the solution."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.errors import ExtrapolationWarning, TransnetError
from transnet.files import schema
from transnet.files.words import told
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.solution.results.cuts import Probes, Profile
from transnet.solution.results.numbers import ComplexNumber, Extremum, Number, Numbers
from transnet.views.page import with_unit

if TYPE_CHECKING:
    from transnet.files.builder import Builder
    from transnet.solution.solution import Solution

FORMULAS = ("integral", "mean", "norm", "maximum", "minimum", "value")
PARTS = ("flux", "force")
LINES = ("along", "probe", "plot")
LOOK = ("title", "label", "unit", "limits", "deformed", "scale")
"""Entries that say how a result is labelled and drawn."""
SHORT = re.compile(r"\s*(?P<kind>\w+)\s*\((?P<argument>.*)\)\s*(?:over\s+(?P<over>.*\S)\s*)?")
SUFFIXES = (".csv", ".png", ".svg", ".pdf")
"""The endings of the files that results are written to."""
MOMENTS = 21
"""The number of values of a result that depends on one coordinate."""


@dataclass(frozen=True, eq=False)
class Wanted:
    """One entry of [results]: its name, what to compute, of what, and the options."""

    name: str
    kind: str
    argument: Any
    options: dict[str, Any]
    file: Path | None = None
    look: dict[str, Any] = field(default_factory=dict)

    def with_values(self, values: Mapping[sp.Symbol, float]) -> Wanted:
        """The same with numbers for parameters that the problem itself does not have, such as a price."""
        known = isinstance(self.argument, sp.Basic | sp.MatrixBase)
        return replace(self, argument=self.argument.xreplace(values)) if known else self


@dataclass(frozen=True, eq=False)
class Result:
    """Its outcome: numbers with their errors, a place, a file; or the reason why there is nothing."""

    name: str
    kind: str
    value: Any = None
    error: Any = None
    place: Sequence[float] | None = None
    file: str | None = None
    failed: str | None = None
    text: str = ""
    unit: str | None = None

    @property
    def record(self) -> dict[str, Any]:
        """All of it as data for a program."""
        kept = ("kind", "value", "error", "unit", "place", "file", "failed")
        return {key: getattr(self, key) for key in kept if getattr(self, key) is not None}


def results_of(builder: Builder, names: Names, numbers: Names) -> tuple[Wanted, ...]:
    """The entries of [results], checked; `numbers` are the values of the parameters, which points may use."""
    table = builder.table.get("results", {})
    return tuple(_wanted(builder, names, numbers, name, entry) for name, entry in table.items())


def _placed(builder: Builder, path: tuple, numbers: Names, given: Any) -> Any:
    """Coordinates of points, in which texts are formulas of the parameters, as numbers."""
    if isinstance(given, list):
        return [_placed(builder, path, numbers, entry) for entry in given]
    if isinstance(given, dict):
        return {key: _placed(builder, path, numbers, entry) for key, entry in given.items()}
    if not isinstance(given, str):
        return given
    number = builder.read(path, formula, given, numbers).number
    if number is None:
        builder.fail(path, f"The coordinates of a point are numbers or formulas of the parameters, not {given[:40]!r}.")
    return float(number)


def _wanted(builder: Builder, names: Names, numbers: Names, name: str, entry: Any) -> Wanted:
    path = ("results", name)
    short = isinstance(entry, str)
    if short:
        entry = _spelt_out(builder, path, entry)
    if not isinstance(entry, dict):
        builder.fail(
            path, f'A result is a text, such as {name[:40]} = "integral(u)", or a table, {{ integral = "u" }}.'
        )
    kinds = [k for k in schema.RESULT if k in entry]
    if len(kinds) != 1:
        builder.fail(path, f"A result has exactly one of the keys {', '.join(schema.RESULT)}.")
    kind = kinds[0]
    places = [key for key in ("at", *LINES[:2]) if isinstance(entry.get(key), list | dict)]
    entry = entry | {key: _placed(builder, (*path, key), numbers, entry[key]) for key in places}
    schema.check(entry, schema.RESULT[kind], builder.locator, path, f"a result '{kind}'")
    argument: Any = entry[kind]
    options: dict[str, Any] = {k: v for k, v in entry.items() if k in ("over", "times", "points")}
    if kind in FORMULAS or kind == "plot":
        argument = builder.read(path if short else (*path, kind), formula, argument, names).expression
    if "of" in entry:
        options["what" if kind in LINES else "of"] = builder.read((*path, "of"), formula, entry["of"], names).expression
    for coordinate, value in entry.get("at", {}).items() if isinstance(entry.get("at"), dict) else ():
        if coordinate not in names.coordinates or not schema.is_number(value):
            builder.fail(
                (*path, "at"), f"'at' holds coordinates at numbers: {{ {next(iter(names.coordinates))} = 0.5 }}."
            )
        options[coordinate] = value
    if isinstance(entry.get("at"), list):
        options["at"] = entry["at"]
    if "deformed" in entry and not isinstance(names.unknowns.get(entry["deformed"]), sp.MatrixBase):
        builder.fail((*path, "deformed"), "A body is deformed by a vector unknown, named here.")
    look = {key: entry[key] for key in LOOK if key in entry}
    return Wanted(name, kind, argument, options, _file(builder, path, kind, name, entry), look)


def _file(builder: Builder, path: tuple, kind: str, name: str, entry: dict[str, Any]) -> Path | None:
    """Where a result is written: as the entry says, and a picture otherwise under the name of the result."""
    given = entry.get("file")
    if given is None and kind != "plot":
        return None
    file = builder.within(path if given is None else (*path, "file"), f"{name}.png" if given is None else given)
    if file.suffix.lower() not in SUFFIXES:
        builder.fail((*path, "file"), f"A result is written to a file that ends in {', '.join(SUFFIXES)}.")
    return file


def _spelt_out(builder: Builder, path: tuple, text: str) -> dict[str, Any]:
    """The table that a text such as "integral(u) over rim" stands for."""
    found = SHORT.fullmatch(text)
    if found is None or found["kind"] not in (*FORMULAS[:-1], *PARTS, "plot"):
        kinds = ", ".join(f"{k}(...)" for k in (*FORMULAS[:-1], *PARTS, "plot"))
        return builder.fail(
            path,
            f"As a text a result is one of {kinds}, and an integral may end with 'over' and the name of a part. "
            f'Values, cuts and probes are tables: {{ value = "u", at = [[0.5, 0.5]] }}.',
        )
    kind, argument = found["kind"], found["argument"]
    # Blanks take the place of the text before a formula, so that an error points to the right character.
    argument = argument.strip().strip("'\"") if kind in PARTS else " " * found.start("argument") + argument
    return {kind: argument} | ({"over": found["over"]} if found["over"] else {})


def found_results(wanted: Sequence[Wanted], solution: Solution) -> list[Result]:
    """Compute the results; one that fails says why, without affecting the others."""
    made = []
    for entry in wanted:
        try:
            found = _found(entry, solution)
            unit = entry.look.get("unit")
            told_with = with_unit(found.text, unit or "") if found.file is None else found.text
            made.append(replace(found, unit=unit, text=told_with))
        except TransnetError as error:
            made.append(Result(entry.name, entry.kind, failed=told(error), text=told(error)))
    return made


def _found(entry: Wanted, solution: Solution) -> Result:
    name, kind, options = entry.name, entry.kind, dict(entry.options)
    if kind == "value":
        points = np.atleast_2d(np.asarray(options.pop("at", []), float))
        with warnings.catch_warnings():
            warnings.simplefilter("error", ExtrapolationWarning)
            try:
                values = solution.evaluate(entry.argument, points, error=True)
            except ExtrapolationWarning as outside:
                return Result(name, kind, failed=str(outside), text=str(outside))
        if len(points) > 1:
            return Result(name, kind, values.value.tolist(), values.error.tolist(), text=repr(values)[1:-1])
        return Result(name, kind, values.value[0].item(), float(values.error[0]), text=repr(values[0]))
    if kind in LINES:
        return _drawn(entry, solution)
    result = getattr(solution, kind)(entry.argument, **options)
    if isinstance(result, Numbers):
        return Result(name, kind, result.value.tolist(), result.error.tolist(), text=repr(result))
    if isinstance(result, Extremum):
        return Result(name, kind, float(result), result.error, result.place.tolist(), text=repr(result))
    if isinstance(result, Number | ComplexNumber):
        return Result(name, kind, result.value, result.error, text=repr(result))
    axis = [c.name for c in solution.problem.coordinates].index(result.coordinates[0])
    low, high = solution.problem.domain.bounds[:, axis]
    moments = np.linspace(low, high, MOMENTS)
    series = result(moments).tolist()
    return Result(name, kind, {result.coordinates[0]: moments.tolist(), "values": series}, text=f"{len(series)} values")


def _drawn(entry: Wanted, solution: Solution) -> Result:
    options = dict(entry.options)
    if entry.kind == "plot" and entry.file is not None:
        saved = solution.plot(entry.argument, **options, **entry.look).save(entry.file)
        return Result(entry.name, entry.kind, file=str(saved), text=f"-> {saved}")
    made: Profile | Probes
    if entry.kind == "along":
        start, stop = entry.argument
        made = solution.along(start, stop, **options)
        value = {"distance": made.distance.tolist(), "values": made.values.tolist()}
    else:
        made = solution.probe(entry.argument, **options)
        value = {"times": made.times.tolist(), "values": made.values.tolist()}
    if entry.file is None:
        return Result(entry.name, entry.kind, value, text=f"{len(made.values)} values")
    written = made.save(entry.file) if entry.file.suffix == ".csv" else made.plot(**entry.look).save(entry.file)
    return Result(entry.name, entry.kind, value, file=str(written), text=f"-> {written}")
