"""Tables by column name: data frames, mappings of arrays, CSV, Parquet and VTU files."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from transnet.calls import file_path, there
from transnet.errors import FileError, ProblemError, missing_extra

Columns = dict[str, np.ndarray]
SUFFIXES = (".csv", ".txt", ".tsv", ".parquet", ".vtu")


def read_table(source: Any) -> Columns:
    """The columns of a table, each an array of floats, in the order of the table."""
    if isinstance(source, str | Path):
        return _from_file(file_path(source))
    names = list(source) if isinstance(source, Mapping) else list(source.columns)
    return {str(name): _numbers(source[name], str(name)) for name in names}


def select(columns: Columns, names: Sequence[str], where: str = "The table") -> np.ndarray:
    """The columns with these names side by side, whatever their order in the table: (n, len(names))."""
    plain = {name.strip(): name for name in columns}
    for name in names:
        if name not in plain:
            close = difflib.get_close_matches(name, plain, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            raise ProblemError(f"{where} has no column '{name}'.{hint} It has {', '.join(map(repr, plain))}.")
    return np.column_stack([columns[plain[name]] for name in names])


def _numbers(column: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(column, dtype=float).ravel()
    except (TypeError, ValueError):
        return np.full(len(column), np.nan)  # a column of words; it is refused only if it is needed


def _from_file(path: Path) -> Columns:
    if not there(path.is_file):
        near = difflib.get_close_matches(
            path.name, [p.name for p in path.parent.glob("*")] if there(path.parent.is_dir) else []
        )
        hint = f" Did you mean '{path.with_name(near[0])}'?" if near else ""
        raise FileError(f"There is no file '{path}'.{hint}")
    suffix = path.suffix.lower()
    try:
        if suffix in (".csv", ".txt", ".tsv"):
            return _from_csv(path)
        if suffix == ".parquet":
            return _from_parquet(path)
        if suffix == ".vtu":
            return _from_vtu(path)
    except OSError as error:
        raise FileError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    raise FileError(f"'{path}' is not a kind of table that can be read. These are: {', '.join(SUFFIXES)}.")


def _from_csv(path: Path) -> Columns:
    """The first line names the columns; they are separated by commas, semicolons or tabs."""
    text = path.read_text(encoding="utf-8-sig")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) < 2:
        raise FileError(f"'{path}' has no rows. Its first line names the columns, as in x,y,u.")
    mark = max(",;\t", key=lines[0].count)
    rows = list(csv.reader(lines, delimiter=mark))
    header, body = [name.strip() for name in rows[0]], rows[1:]
    if all(_is_number(name) for name in header):
        raise FileError(f"The first line of '{path}' must name the columns, as in x,y,u; it is '{lines[0][:60]}'.")
    for number, row in enumerate(body, start=2):
        if len(row) != len(header):
            raise FileError(f"Line {number} of '{path}' has {len(row)} entries, but there are {len(header)} columns.")
    return {name: np.array([_number(row[k]) for row in body]) for k, name in enumerate(header)}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(text: str) -> float:
    return float(text) if _is_number(text) else float("nan")


def _from_parquet(path: Path) -> Columns:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise missing_extra("pyarrow", "tables", "Reading Parquet files") from None
    table = parquet.read_table(path)
    return {name: _numbers(table.column(name).to_numpy(), name) for name in table.column_names}


def _from_vtu(path: Path) -> Columns:
    """Points as x, y, z, and the values at them."""
    try:
        import meshio
    except ImportError:
        raise missing_extra("meshio", "mesh", "Reading VTU files") from None
    mesh = meshio.read(path)
    columns = {axis: mesh.points[:, k] for k, axis in enumerate("xyz"[: mesh.points.shape[1]])}
    return columns | {name: np.asarray(v, float).ravel() for name, v in mesh.point_data.items() if np.ndim(v) == 1}
