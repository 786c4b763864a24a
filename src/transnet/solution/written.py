"""Files of a solution, as its methods: what writes them is imported only then."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


def export(
    solution: Solution,
    path: str | Path,
    what: Any = None,
    *,
    resolution: int | None = None,
    times: Any = 21,
    **fixed: float,
) -> Path:
    """Write values for other programs, in the format that the name ends in.

    `.vtu`: an unstructured grid with the domain's own shape, for ParaView. `.pvd`: a series of those in time.
    `.csv`: points and values. `.npz`, `.nc` and `.zarr`: arrays on a regular grid, NaN outside of the domain.

    Parameters
    ----------
    what : str, expression or list of them, optional
        All unknowns by default.
    resolution : int, optional
        Cells along the longest side, or points along each axis of a grid.
    times : int or sequence
        The moments of a `.pvd` series.
    fixed
        Coordinates to fix by name: `solution.export("end.vtu", t=1)`.
    """
    from transnet.solution.export import export

    return export(solution, path, what, resolution, times, **fixed)


def to_xarray(solution: Solution, what: Any = None, *, resolution: int | None = None, **fixed: float) -> Any:
    """An `xarray.Dataset` on a regular grid, NaN outside of the domain."""
    from transnet.solution.export import to_xarray

    return to_xarray(solution, what, resolution, **fixed)


def save(solution: Solution, path: str | Path) -> Path:
    """Write the solution to a file that `tn.load` reads, without pickle; gives its path, which ends in `.npz`."""
    from transnet.solution.files import save_solution

    return save_solution(solution, path)
