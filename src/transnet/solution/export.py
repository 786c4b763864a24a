"""Exports of a solution: VTU for ParaView, CSV, and arrays on a grid as npz or NetCDF."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.calls import shown
from transnet.errors import FileError, ProblemError, missing_extra
from transnet.sections.section import Section, embedded, section
from transnet.sections.vtu import write_pvd, write_vtu
from transnet.solution.held import fineness, held
from transnet.solution.quantities import Quantity, quantities_of
from transnet.writing import replacing, target

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

RESOLUTION = {1: 400, 2: 100, 3: 24}
GRID = {1: 401, 2: 101, 3: 41, 4: 17}
MOST_FILES = 10_000
"""The most times of a series, which is a file for each."""
SUFFIXES = (".vtu", ".pvd", ".csv", ".npz", ".nc", ".zarr")


def export(
    solution: Solution,
    path: str | Path,
    what: Any = None,
    resolution: int | None = None,
    times: Any = 21,
    **fixed: float,
) -> Path:
    """Write a file in the format that its name ends in; see `Solution.export`."""
    path = target(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(f"'{path}' does not say what kind of file to write. End its name in {', '.join(SUFFIXES)}.")
    names = [c.name for c in solution.problem.coordinates]
    chosen = quantities_of(solution, what)
    at = held(names, fixed)
    try:
        match suffix:
            case ".vtu":
                return _vtu(solution, path, chosen, at, resolution)
            case ".pvd":
                return _series(solution, path, chosen, at, resolution, times)
            case ".csv":
                return _csv(solution, path, chosen, at, resolution)
            case ".npz":
                axes, values = _grid(solution, chosen, at, resolution)
                with replacing(path) as partial, partial.open("wb") as file:
                    np.savez(file, **axes, **values)  # type: ignore[arg-type]
                return path
            case ".zarr":
                return _zarr(solution, path, what, at, resolution)
        return _netcdf(solution, path, chosen, at, resolution)
    except OSError as error:
        raise FileError(f"'{path}' cannot be written: {error.strerror or error}.") from None


def cells_at(solution: Solution, at: dict[int, float], resolution: int | None) -> Section:
    free = solution.problem.domain.dimension - len(at)
    if not 1 <= free <= 3:
        raise ProblemError(f"Cells have one to three coordinates, but {free} are free: fix others, as in t=0.5.")
    return section(solution.problem.domain, at, fineness(resolution, RESOLUTION[free]))


def columns_at(chosen: Sequence[Quantity], points: np.ndarray) -> dict[str, np.ndarray]:
    return {q.name: q.values(points) for q in chosen}


def _vtu(solution: Solution, path: Path, chosen: list[Quantity], at: dict[int, float], resolution: int | None) -> Path:
    cut = cells_at(solution, at, resolution)
    write_vtu(path, cut.cells, columns_at(chosen, cut.points))
    return path


def _series(
    solution: Solution, path: Path, chosen: list[Quantity], at: dict[int, float], resolution: int | None, times: Any
) -> Path:
    """Write one VTU file per time in a folder of the same name, and a list of them."""
    names = [c.name for c in solution.problem.coordinates]
    if "t" not in names or names.index("t") in at:
        raise ProblemError("A .pvd file is a series in time, but no coordinate t is free. Write a .vtu file.")
    axis = names.index("t")
    low, high = np.asarray(solution.problem.domain.bounds)[:, axis]
    count = int(times) if np.ndim(times) == 0 else len(times)
    if not 1 <= count <= MOST_FILES:
        raise ProblemError(f"A series has a file for each time, and 1 to {MOST_FILES} of them, not {shown(count)}.")
    moments = np.linspace(low, high, count) if np.ndim(times) == 0 else np.asarray(times, dtype=float)
    if np.any((moments < low) | (moments > high)):
        raise ProblemError(f"The times must lie between {low:g} and {high:g}.")
    cut = cells_at(solution, {**at, axis: float(moments[0])}, resolution)
    folder = path.with_suffix("")
    folder.mkdir(exist_ok=True)
    listed = []
    for number, moment in enumerate(moments):
        points = cut.at({axis: float(moment)})
        part = folder / f"{path.stem}_{number:04d}.vtu"
        write_vtu(part, cut.cells, columns_at(chosen, points))
        listed.append((float(moment), f"{folder.name}/{part.name}"))
    write_pvd(path, listed)
    return path


def _csv(solution: Solution, path: Path, chosen: list[Quantity], at: dict[int, float], resolution: int | None) -> Path:
    """Points inside and on the edge of the domain, one per line, all coordinates and values with 17 digits."""
    points = cells_at(solution, at, resolution).points
    fields = columns_at(chosen, points)
    names = [*(c.name for c in solution.problem.coordinates), *fields]
    return write_table(path, names, np.column_stack([points, *fields.values()]))


def write_table(path: str | Path, names: Sequence[str], table: np.ndarray) -> Path:
    """A file with named columns: .parquet, .json (a list of rows), and CSV otherwise."""
    place = target(path)
    suffix = place.suffix.lower()
    if suffix == ".json":
        rows = [{n: v if np.isfinite(v) else None for n, v in zip(names, row, strict=True)} for row in table.tolist()]
        with replacing(place) as partial:
            partial.write_text(json.dumps(rows, indent=1), encoding="utf-8")
        return place
    if suffix == ".parquet":
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError as error:
            raise missing_extra("pyarrow", "tables", "A Parquet file") from error
        with replacing(place) as partial:
            parquet.write_table(pyarrow.table(dict(zip(names, table.T.copy(), strict=True))), str(partial))
        return place
    header = ",".join(_quoted(n) for n in names)
    with replacing(place) as partial:
        lines = (",".join(map(repr, row)) for row in table.tolist())  # the fewest digits that give the number back
        partial.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8")
    return place


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(c in name for c in ',"\n') else name


def _grid(
    solution: Solution, chosen: list[Quantity], at: dict[int, float], resolution: int | None
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Coordinates and values on a regular grid over the bounding box; NaN outside the domain."""
    names = [c.name for c in solution.problem.coordinates]
    free = [k for k in range(len(names)) if k not in at]
    if not free:
        raise ProblemError("A grid needs a coordinate that is free; the value at one point is solution(x=...).")
    twice = [q.name for q in chosen if q.name in names]
    if twice:
        raise ProblemError(f"The grid has the coordinate {twice[0]} already: it cannot be a field of it too.")
    low, high = np.asarray(solution.problem.domain.bounds)
    count = fineness(resolution, GRID[max(len(free), 1)])
    axes = {names[k]: np.linspace(low[k], high[k], count) for k in free}
    mesh = np.meshgrid(*axes.values(), indexing="ij")
    flat = np.stack([m.ravel() for m in mesh], axis=-1)
    points = embedded(flat, tuple(free), at)
    inside = solution.problem.domain.contains(points)
    values = {}
    for quantity in chosen:
        whole = np.full(len(points), np.nan)
        whole[inside] = quantity.values(points[inside])
        values[quantity.name] = whole.reshape(mesh[0].shape)
    return axes, values


def to_xarray(solution: Solution, what: Any = None, resolution: int | None = None, **fixed: float) -> Any:
    """An `xarray.Dataset` on a regular grid; see `Solution.to_xarray`."""
    try:
        import xarray
    except ImportError:
        raise missing_extra("xarray", "grid", "An xarray dataset") from None
    names = [c.name for c in solution.problem.coordinates]
    at = held(names, fixed)
    axes, values = _grid(solution, quantities_of(solution, what), at, resolution)
    attributes = {"domain": str(solution.problem.domain), "estimated_relative_error": solution.error, **fixed}
    return xarray.Dataset({n: (tuple(axes), v) for n, v in values.items()}, axes, attributes)


def _zarr(solution: Solution, path: Path, what: Any, at: dict[int, float], resolution: int | None) -> Path:
    """Write a zarr store, a folder, with xarray."""
    if importlib.util.find_spec("zarr") is None:
        raise missing_extra("zarr", "grid", "Writing zarr stores")
    names = [c.name for c in solution.problem.coordinates]
    to_xarray(solution, what, resolution, **{names[k]: v for k, v in at.items()}).to_zarr(path, mode="w")
    return path


def _netcdf(
    solution: Solution, path: Path, chosen: list[Quantity], at: dict[int, float], resolution: int | None
) -> Path:
    """Write NetCDF version 3 with SciPy, which needs no other package."""
    from scipy.io import netcdf_file

    axes, values = _grid(solution, chosen, at, resolution)
    with replacing(path) as partial, netcdf_file(str(partial), "w") as file:
        file.domain = str(solution.problem.domain)
        for name, axis in axes.items():
            file.createDimension(name, len(axis))
            file.createVariable(name, "f8", (name,))[:] = axis
        for name, value in values.items():
            file.createVariable(_plain(name), "f8", tuple(axes))[:] = value
    return path


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "_+-.@" else "_" for c in name)
