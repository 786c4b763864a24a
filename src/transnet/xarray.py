"""`import transnet.xarray` gives arrays and datasets of xarray the accessor `transnet`.

`grid.transnet(solution)` are the values of a solution at the coordinates of a grid,
`measured.transnet.difference(solution)` how far an array is from it. Coordinates are taken by name: a grid may have
others too, in any order.
"""

from __future__ import annotations

from typing import Any

import xarray

from transnet.arguments import Formula
from transnet.errors import ProblemError
from transnet.solution.solution import Solution


class Sampled:
    """The accessor: what a solution is at the coordinates of an array or a dataset."""

    def __init__(self, grid: Any) -> None:
        self._grid = grid

    def __call__(self, solution: Solution, what: Formula | None = None) -> Any:
        """The values as a `DataArray`: of the solution, or of an expression of its unknowns and their derivatives."""
        at = self._at(solution)
        if what is not None:
            return solution.evaluate(what, **at)
        if len(solution.fields) == 1:
            values: Any = solution(**at)
            return values.rename(solution.fields[0])
        return xarray.Dataset({name: solution[name](**at) for name in solution.fields})

    def difference(self, solution: Solution, what: Formula | None = None) -> Any:
        """The array or dataset minus the solution, for what both have."""
        return self._grid - self(solution, what)

    def _at(self, solution: Solution) -> dict[str, Any]:
        """The grid's coordinates by the names of the solution's."""
        names = [c.name for c in solution.problem.coordinates]
        missing = [name for name in names if name not in self._grid.coords]
        if missing:
            raise ProblemError(
                f"The grid has no coordinate {', '.join(map(repr, missing))}; the solution depends on "
                f"{', '.join(names)}. Rename the grid's, or add one value with grid.assign_coords({missing[0]}=...)."
            )
        return {name: self._grid.coords[name] for name in names}


for register in (xarray.register_dataarray_accessor, xarray.register_dataset_accessor):
    register("transnet")(Sampled)
