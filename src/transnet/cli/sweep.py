"""`transnet sweep`: the results of a problem file for many values of its parameters, as a table and a picture."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.markup import escape

from transnet.cli.options import AsJson, ProblemPath
from transnet.cli.output import NOT_REACHED, OK, command, console, errors, print_json
from transnet.errors import ProblemError
from transnet.files import read_problem
from transnet.files.results import LINES, found_results
from transnet.files.words import told
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.solution.export import write_table
from transnet.solution.results.cuts import line_picture

MOST = 10_000
"""The most solves of one sweep."""


@command
def sweep(
    path: ProblemPath,
    parameter: Annotated[
        list[str],
        typer.Option("--set", metavar="NAME=VALUES", help="0.1,0.2,0.3, or from 1 to 10 in 20 values: 1:10:20."),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="A table: .csv, .parquet or .json; FILE.csv by default.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="A picture of the first result over the first parameter.")] = None,
    as_json: AsJson = False,
) -> int | None:
    """Solve a problem file for all combinations of values, and write the results as a table."""
    axes = dict(_values(text) for text in parameter)
    count = int(np.prod([len(v) for v in axes.values()]))
    if count > MOST:
        raise ProblemError(f"These are {count} solves; at most {MOST} are made at a time.")
    file = read_problem(path, {name: values[0] for name, values in axes.items()})
    if not [r for r in file.results if r.kind not in LINES]:
        raise ProblemError('The file has no results that are numbers. Add [results], such as total = "integral(u)".')
    target = out or path.with_suffix(".csv")
    rows, worst = [], OK
    for number, values in enumerate(product(*axes.values())):
        row: dict[str, Any] = dict(zip(axes, values, strict=True))
        case = ", ".join(f"{name} = {value:g}" for name, value in row.items())
        here = read_problem(path, row)
        solution = here.unwarned()
        # Pictures and cuts have one file each: the last solve would overwrite those of the others.
        found = found_results([r for r in here.results if r.kind not in LINES], solution)
        troubles = [told(m) for m in solution.diagnostics.messages]
        troubles += [f"{r.name} failed: {r.failed}" for r in found if r.failed is not None]
        worst = worst or (NOT_REACHED if troubles else OK)
        for text in troubles:
            errors().print(f"{case}: {text}", markup=False)
        for result in found:
            if isinstance(result.value, int | float):
                row |= {result.name: result.value, f"error of {result.name}": result.error}
        rows.append(row | {"estimated error": solution.error})
        if not as_json and errors().is_terminal:
            errors().print(f"{number + 1} of {count}", markup=False, end="\r")
    names = sorted({n: None for row in rows for n in row}, key="estimated error".__eq__)  # this one comes last
    columns = {name: np.array([np.nan if r.get(name) is None else r[name] for r in rows]) for name in names}
    saved = write_table(target, list(columns), np.column_stack(list(columns.values())))
    drawn = _picture(axes, columns, plot)
    if as_json:
        print_json({"ok": worst == OK, "exit_code": worst, "file": str(saved), "rows": rows})
        return worst
    console().print(f"{count} solves; saved {escape(str(saved))}" + (f" and {escape(str(drawn))}" if drawn else ""))
    return worst


def _picture(axes: dict[str, Any], columns: dict[str, np.ndarray], path: Path | None) -> Path | None:
    """The first result over the first parameter, a line for each combination of the others."""
    if path is None:
        return None
    first, name = next(iter(axes)), next(c for c in columns if c not in axes and not c.startswith("error of "))
    lines = columns[name].reshape(len(axes[first]), -1)
    others = {other: values for other, values in axes.items() if other != first}
    labels = [
        ", ".join(f"{n} = {v:g}" for n, v in zip(others, each, strict=True)) for each in product(*others.values())
    ]
    return Path(line_picture(np.array(axes[first]), lines, first, name, tuple(labels if others else ())).save(path))


def _values(text: str) -> tuple[str, list[float]]:
    """The values of a parameter: 0.1,0.2 or from:to:count."""
    name, sign, given = text.partition("=")
    separator = ":" if ":" in given else ","
    numbers = [formula(part, Names()).number for part in given.split(separator)] if given else []
    wrong = not sign or not name.strip().isidentifier() or not numbers or None in numbers
    ranged = separator == ":"
    if wrong or (ranged and (len(numbers) != len(("from", "to", "count")) or numbers[2] != int(numbers[2] or 0))):
        raise ProblemError(f"--set takes name=0.1,0.2,0.3 or name=from:to:count, such as k=1:10:20, not '{text}'.")
    if ranged:
        low, high, count = numbers
        if int(count or 1) > MOST:
            raise ProblemError(f"These are {int(count or 1)} solves; at most {MOST} are made at a time.")
        return name.strip(), np.linspace(float(low or 0.0), float(high or 0.0), max(int(count or 1), 1)).tolist()
    return name.strip(), [float(n) for n in numbers if n is not None]
