"""Many solutions of one prepared problem: a sequence of `Solution` whose values are computed all at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from transnet.arrays import constant
from transnet.basis.expansion import Expansion
from transnet.calls import explained
from transnet.solution.results.numbers import Numbers
from transnet.solution.results.table import ResultTable, one_number, result_table
from transnet.solution.solution import Solution


@dataclass(frozen=True, eq=False)
class Solutions(Sequence[Solution]):
    """The result of `prepared.solve_many`: `solutions[i]` is a `Solution`, `solutions(points)` are the values of all.

    Parameters
    ----------
    coefficients : (columns, k) array
        The output weights, one column per solution.
    errors : (k,) array
        The estimated relative L2 errors.
    relative_residuals : (statements, k) array
        The relative residual of each statement at points that were not fitted.
    """

    basis: Expansion
    coefficients: np.ndarray
    errors: np.ndarray
    relative_residuals: np.ndarray
    _make: Callable[[int], Solution]

    def __post_init__(self) -> None:
        for name in ("coefficients", "errors", "relative_residuals"):
            object.__setattr__(self, name, constant(getattr(self, name)))

    def __len__(self) -> int:
        return self.coefficients.shape[1]

    @overload
    def __getitem__(self, index: int) -> Solution: ...
    @overload
    def __getitem__(self, index: slice) -> list[Solution]: ...
    def __getitem__(self, index: int | slice) -> Solution | list[Solution]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"There are {len(self)} solutions, so no number {index}.")
        return self._make(index % len(self))

    def __call__(self, *points: Any, **coordinates: Any) -> np.ndarray:
        """The values of all solutions: (k, n), with a last axis for several unknowns."""
        where, shape = self[0]._located(points, coordinates)
        zero = (0,) * where.shape[1]
        slots = [(u, zero) for u in range(self.basis.unknowns)]
        values = [v.T.reshape(len(self), *shape) for v in self.basis.derivatives(self.coefficients, where, slots)]
        return values[0] if len(values) == 1 else np.stack(values, axis=-1)

    def integral(self, expression: Any = None, over: Any = None, **fixed: Any) -> Numbers:
        """The integral of an expression for each solution, with errors; see `Solution.integral`."""
        return self.each(lambda solution: solution.integral(expression, over, **fixed))

    def mean(self, expression: Any = None, over: Any = None, **fixed: Any) -> Numbers:
        """The mean of an expression for each solution; see `Solution.mean`."""
        return self.each(lambda solution: solution.mean(expression, over, **fixed))

    def maximum(self, expression: Any = None, over: str | None = None, **fixed: float) -> Numbers:
        """The largest value of an expression for each solution; see `Solution.maximum`."""
        return self.each(lambda solution: solution.maximum(expression, over, **fixed))

    def minimum(self, expression: Any = None, over: str | None = None, **fixed: float) -> Numbers:
        """The smallest value of an expression for each solution; see `Solution.maximum`."""
        return self.each(lambda solution: solution.minimum(expression, over, **fixed))

    @explained
    def each(self, result: Callable[[Solution], Any]) -> Numbers:
        """A result of each solution, with errors: `solutions.each(lambda s: s.force("left")[0])`."""
        found = [result(solution) for solution in self]
        numbers = np.array([one_number(f, "The result") for f in found])
        return Numbers(numbers, np.array([getattr(f, "error", np.nan) for f in found]))

    def table(self, units: Mapping[str, str] | None = None, /, **results: Callable[[Solution], Any]) -> ResultTable:
        """A row for each solution: its parameters, the results asked for and its estimated error.

        `solutions.table({"greatest": "MPa"}, greatest=lambda s: s.maximum(body.von_mises)).save("loads.csv")`.
        """
        return result_table(self, results, units or {})

    @property
    def worst(self) -> int:
        """The number of the solution with the largest estimated error."""
        return int(np.argmax(np.nan_to_num(self.errors, nan=np.inf)))

    def __repr__(self) -> str:
        largest = self.errors[self.worst] if len(self) else float("nan")
        return f"{len(self)} solutions, largest estimated relative error {largest:.1e}"
