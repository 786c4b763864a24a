"""Tables by column name: data frames, mappings of arrays, CSV, Parquet and VTU files."""

from __future__ import annotations

import codecs
import csv
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from transnet.arrays import FLOAT, check_room
from transnet.calls import file_path, there
from transnet.errors import FileError, ProblemError, TransnetError, missing_extra

Columns = dict[str, np.ndarray]
COPIES = 2
"""Of the columns of a Parquet file in memory: as they are read, and as floats."""
CSV_BYTES = 40
"""Bytes of memory for each of a file of text: its cells are Python texts and then floats."""
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
        return np.asarray(column.detach().cpu() if hasattr(column, "detach") else column, dtype=float).ravel()
    except (TypeError, ValueError, OverflowError):
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
    check_room(path.stat().st_size, CSV_BYTES, f"The table in '{path.name}'")
    text = _decoded(path)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) < 2:
        raise FileError(f"'{path}' has no rows. Its first line names the columns, as in x,y,u.")
    mark = max(",;\t", key=lines[0].count)
    try:
        rows = list(csv.reader(lines, delimiter=mark))
    except csv.Error as error:
        raise FileError(f"'{path}' cannot be read as a table: {error}.") from None
    header, body = [name.strip() for name in rows[0]], rows[1:]
    if all(_is_number(name) for name in header):
        raise FileError(f"The first line of '{path}' must name the columns, as in x,y,u; it is '{lines[0][:60]}'.")
    for number, row in enumerate(body, start=2):
        if len(row) != len(header):
            raise FileError(f"Line {number} of '{path}' has {len(row)} entries, but there are {len(header)} columns.")
    return {name: np.array([_number(row[k]) for row in body]) for k, name in enumerate(header)}


def _decoded(path: Path) -> str:
    """The text of a file, as spreadsheets write it: UTF-8, UTF-16 with its mark, or Western European letters."""
    raw = path.read_bytes()
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings: tuple[str, ...] = ("utf-16",)
    else:
        encodings = ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise FileError(f"'{path}' is not text in UTF-8. Save it as CSV in UTF-8.")


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
    try:
        listed = parquet.read_metadata(path)
        # Its pages may be packed a thousandfold; a column becomes floats, whatever it was.
        packed = sum(listed.row_group(k).total_byte_size for k in range(listed.num_row_groups))
        check_room(max(packed, FLOAT * listed.num_rows * listed.num_columns), COPIES, f"The table in '{path.name}'")
        columns = [c for k, c in enumerate(listed.schema.to_arrow_schema()) if _plain(c.type)]
        table = parquet.read_table(path, columns=[c.name for c in columns])
        return {name: _numbers(table.column(name).to_numpy(), name) for name in table.column_names}
    except TransnetError:
        raise
    except Exception as error:  # whatever a foreign file leads to in its reader
        raise FileError(f"'{path}' cannot be read as a Parquet file: {str(error)[:200]}.") from None


def _plain(kind: Any) -> bool:
    """Whether a column holds numbers: others may be of any size."""
    import pyarrow

    return bool(pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind) or pyarrow.types.is_boolean(kind))


def _from_vtu(path: Path) -> Columns:
    """Points as x, y, z, and the values at them."""
    try:
        import meshio
    except ImportError:
        raise missing_extra("meshio", "mesh", "Reading VTU files") from None
    check_room(path.stat().st_size, CSV_BYTES, f"The mesh in '{path.name}'")
    try:
        mesh = meshio.read(path)
    except (Exception, SystemExit) as error:  # meshio ends the program if it does not know a file
        raise FileError(f"'{path}' cannot be read as a VTU file: {str(error)[:200]}.") from None
    columns = {axis: mesh.points[:, k] for k, axis in enumerate("xyz"[: mesh.points.shape[1]])}
    return columns | {name: np.asarray(v, float).ravel() for name, v in mesh.point_data.items() if np.ndim(v) == 1}
