"""Results side by side: a row for each solution, with the errors of the numbers."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, SupportsFloat

import numpy as np

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.solution.results.numbers import Numbers, told

SHOWN = 20
"""The most rows that are printed."""


@dataclass(frozen=True, eq=False)
class ResultTable:
    """Columns by name, `table["greatest"]`, with their errors and units: `save("loads.csv")` writes it.

    Attributes
    ----------
    columns, errors : dict of (k,) arrays
        The values, and the errors of those that have them.
    units : dict of str
    """

    columns: dict[str, np.ndarray]
    errors: dict[str, np.ndarray]
    units: dict[str, str]

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            raise ProblemError(f"There is no column '{name}'. The table has: {', '.join(self.columns)}.")
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def save(self, path: str | Path) -> Path:
        """Write it as a CSV file, each error in a column beside its value."""
        from transnet.solution.export import write_table

        heads, values = [], []
        for name, column in self.columns.items():
            heads.append(self._head(name))
            values.append(column)
            if name in self.errors:
                heads.append(f"error of {name}")
                values.append(self.errors[name])
        return write_table(path, heads, np.column_stack(values))

    def _head(self, name: str) -> str:
        return f"{name} [{self.units[name]}]" if self.units.get(name) else name

    def _rows(self, count: int) -> list[list[str]]:
        def cell(name: str, row: int) -> str:
            value = float(self.columns[name][row])
            return told(value, float(self.errors[name][row])) if name in self.errors else f"{value:.6g}"

        return [[cell(name, row) for name in self.columns] for row in range(min(count, len(self)))]

    def __repr__(self) -> str:
        lines = [[self._head(name) for name in self.columns], *self._rows(SHOWN)]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.columns))]
        text = ["  ".join(f"{cell:>{w}}" for cell, w in zip(line, widths, strict=True)) for line in lines]
        return "\n".join([*text, *([f"... {len(self)} rows"] if len(self) > SHOWN else [])])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(self._head(name))}</th>" for name in self.columns)
        rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in self._rows(len(self)))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def one_number(value: Any, what: str) -> float:
    """A result of a solution as a number."""
    if isinstance(value, Numbers | np.ndarray) or not isinstance(value, SupportsFloat):
        raise ProblemError(
            f"{what} is one number for each solution, not {shown(value)}: choose a component, s.force('left')[0]."
        )
    return float(value)


def result_table(
    solutions: Sequence[Any], results: Mapping[str, Callable[[Any], Any]], units: Mapping[str, str]
) -> ResultTable:
    """A row for each solution: its parameters, its results, its estimated error."""
    columns: dict[str, list[float]] = {}
    errors: dict[str, list[float]] = {}
    for solution in solutions:
        row: dict[str, Any] = {str(symbol): value for symbol, value in solution.parameters.items()}
        for name, made in results.items():
            if not callable(made):
                raise ProblemError(
                    f"{name} is a function of a solution, {name}=lambda s: s.maximum(u), not {shown(made)}."
                )
            row[name] = made(solution)
        for name, value in {**row, "estimated error": solution.error}.items():
            columns.setdefault(name, []).append(one_number(value, name))
            if hasattr(value, "error"):
                errors.setdefault(name, []).append(value.error)
    strange = [name for name in units if name not in columns]
    if strange:
        raise ProblemError(f"units has '{strange[0]}', which is not a column: {', '.join(columns)}.")
    whole = {name: np.array(column) for name, column in columns.items()}
    return ResultTable(whole, {name: np.array(e) for name, e in errors.items()}, dict(units))
