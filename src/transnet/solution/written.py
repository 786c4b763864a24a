"""Files written from a solution, as methods; the writing code is imported on first use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transnet.arguments import Formula
from transnet.calls import explained
from transnet.lazy import Later

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

pages: Any = Later("transnet.views.page")


@explained
def export(
    self: Solution,
    path: str | Path,
    what: Formula | None = None,
    *,
    resolution: int | None = None,
    times: Any = 21,
    **fixed: float,
) -> Path:
    """Write values for other programs, in the format that the name ends in.

    `.vtu`: an unstructured grid with the domain's own shape, for ParaView. `.pvd`: a time series of those. `.csv`:
    points and values. `.npz`, `.nc` and `.zarr`: arrays on a regular grid, NaN outside the domain.

    Parameters
    ----------
    what : str, expression or list of them, optional
        All unknowns by default.
    resolution : int, optional
        Cells along the longest side, or points along each axis of a grid.
    times : int or sequence
        The times of a `.pvd` series.
    fixed
        Coordinates to fix by name: `solution.export("end.vtu", t=1)`.
    """
    from transnet.solution.export import export

    return export(self, path, what, resolution, times, **fixed)


@explained
def to_xarray(self: Solution, what: Formula | None = None, *, resolution: int | None = None, **fixed: float) -> Any:
    """An `xarray.Dataset` on a regular grid, NaN outside the domain."""
    from transnet.solution.export import to_xarray

    return to_xarray(self, what, resolution, **fixed)


@explained
def to_meshio(self: Solution, what: Formula | None = None, *, resolution: int | None = None, **fixed: float) -> Any:
    """A `meshio.Mesh` on the domain's own shape with the values at its points; arguments as for `export`."""
    from transnet.solution.handed import to_meshio

    return to_meshio(self, what, resolution, fixed)


@explained
def to_pyvista(self: Solution, what: Formula | None = None, *, resolution: int | None = None, **fixed: float) -> Any:
    """A `pyvista.UnstructuredGrid` on the domain's own shape; arguments as for `export`."""
    from transnet.solution.handed import to_pyvista

    return to_pyvista(self, what, resolution, fixed)


@explained
def to_frame(
    self: Solution,
    what: Formula | None = None,
    *,
    library: str = "pandas",
    resolution: int | None = None,
    **fixed: float,
) -> Any:
    """A data frame with a column for each coordinate and quantity, at points of the domain's own shape.

    Parameters
    ----------
    library : str
        "pandas" or "polars".
    what, resolution, fixed : optional
        As for `export`.
    """
    from transnet.solution.handed import to_frame

    return to_frame(self, what, resolution, fixed, library)


@explained
def save_report(
    self: Solution,
    path: str | Path,
    *,
    title: str | None = None,
    results: Mapping[str, Any] | None = None,
    units: Mapping[str, str] | None = None,
    pictures: Any = None,
) -> Path:
    """Write a report to send: statement, picture, results with their errors, messages, versions.

    `solution.save_report("part.html", results={"greatest stress": solution.maximum(body.von_mises)},
    units={"greatest stress": "MPa"})`.

    Parameters
    ----------
    path : str or Path
        A name that ends in .html, one page without other files, or in .pdf.
    title : str, optional
    results : mapping, optional
        Numbers by name: those of `integral`, `maximum` and so on are told with their errors.
    units : mapping, optional
        Their units, by the same names.
    pictures : Picture or list of them, optional
        What `plot`, `along(...).plot()` or, for a page, `view` return; the solution by default, `[]` for none.
    """
    written: Path = pages.save_page(pages.page_of(self, title, results, units, pictures), path)
    return written


@explained
def save(self: Solution, path: str | Path) -> Path:
    """Write the solution to a file that `tn.load` reads, without pickle, and return its path, which ends in `.npz`.

    If SIGTERM ended the solve, the program ends here, unless it handles that signal itself.
    """
    from transnet.interrupts import end_if_asked
    from transnet.solution.files import save_solution

    saved = save_solution(self, path)
    end_if_asked()
    return saved
