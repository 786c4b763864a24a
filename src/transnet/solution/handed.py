"""A solution as the objects of other libraries: meshes of meshio and PyVista, frames of pandas and polars."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.errors import MissingExtraError, ProblemError
from transnet.sections.simplices import Simplices
from transnet.sections.vtu import CELL_TYPES
from transnet.solution.export import cells_at, columns_at
from transnet.solution.held import held
from transnet.solution.quantities import quantities_of

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

NAMES = {2: "line", 3: "triangle", 4: "tetra"}
"""What meshio calls cells, by their number of corners."""
FRAMES = ("pandas", "polars")


Fixed = Mapping[str, float]


def to_meshio(solution: Solution, what: Any, resolution: int | None, fixed: Fixed) -> Any:
    """See `Solution.to_meshio`."""
    meshio = _library("meshio", "A mesh of meshio")
    cells, _, values = _cells(solution, what, resolution, fixed)
    return meshio.Mesh(cells.points, [(NAMES[cells.corners.shape[1]], cells.corners)], point_data=values)


def to_pyvista(solution: Solution, what: Any, resolution: int | None, fixed: Fixed) -> Any:
    """See `Solution.to_pyvista`; VTK's points have three coordinates, of which missing ones are zero."""
    pyvista = _library("pyvista", "A grid of PyVista")
    cells, _, values = _cells(solution, what, resolution, fixed)
    points = np.zeros((len(cells.points), 3))
    points[:, : cells.points.shape[1]] = cells.points
    grid = pyvista.UnstructuredGrid({CELL_TYPES[cells.corners.shape[1]]: cells.corners}, points)
    for name, numbers in values.items():
        grid.point_data[name] = numbers
    return grid


def to_frame(solution: Solution, what: Any, resolution: int | None, fixed: Fixed, library: str) -> Any:
    """See `Solution.to_frame`."""
    if library not in FRAMES:
        raise ProblemError(f"There are no data frames of {library!r} here. Take library='pandas' or 'polars'.")
    frames = _library(library, "A data frame")
    _, points, values = _cells(solution, what, resolution, fixed)
    names = [c.name for c in solution.problem.coordinates]
    return frames.DataFrame({**dict(zip(names, points.T.copy(), strict=True)), **values})


def _cells(
    solution: Solution, what: Any, resolution: int | None, fixed: Fixed
) -> tuple[Simplices, np.ndarray, dict[str, np.ndarray]]:
    at = held([c.name for c in solution.problem.coordinates], dict(fixed))
    cut = cells_at(solution, at, resolution)
    return cut.cells, cut.points, columns_at(quantities_of(solution, what), cut.points)


def _library(name: str, what: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError(
            f"{what} needs the package '{name}', which is not installed. Install it with: pip install {name}"
        ) from None
