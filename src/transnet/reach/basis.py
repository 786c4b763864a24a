"""A field in a window, continued beyond it: by its value at the edge, or by its tangent there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import factorial
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Carried, Slot, floats, from_data, register, to_data


@dataclass(frozen=True, eq=False)
class Continued(Carried):
    """u(x) = sum_j D^j u(c) (x - c)^j / j! with c the nearest point of the window, j up to `orders` along each axis.

    Parameters
    ----------
    basis : Expansion
        In the window.
    window : (2, d) array
        Its ends; infinite along axes that have no ends at infinity.
    orders : tuple of tuple
        For each unknown and axis 0 for a field that is constant beyond the window, 1 for one that grows linearly.
    """

    kind: ClassVar[str] = "continued"

    window: np.ndarray
    orders: tuple[tuple[int, ...], ...]

    @property
    def slabs(self) -> Any:
        """The time slabs of an evolution."""
        return getattr(self.basis, "slabs", None)

    @property
    def edges(self) -> Any:
        """The edges of contact with an obstacle."""
        return getattr(self.basis, "edges", None)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        nearest = np.clip(points, *self.window)
        found = self.basis.derivatives(coefficients, nearest, slots)
        beyond = points - nearest
        outside = np.flatnonzero(np.any(beyond != 0.0, axis=1))
        if not len(outside):
            return found
        several = (slice(None), *[None] * (coefficients.ndim - 1))
        for values, (unknown, index) in zip(found, slots, strict=True):
            values[outside] = 0.0
            axes = [a for a in range(points.shape[1]) if np.any(beyond[:, a] != 0.0)]
            for higher in product(*(range(max(self.orders[unknown][a] - index[a], 0) + 1) for a in axes)):
                raised = list(index)
                for a, j in zip(axes, higher, strict=True):
                    raised[a] += j
                factors = np.prod(
                    [beyond[outside, a] ** j / factorial(j) for a, j in zip(axes, higher, strict=True)], 0
                )
                for a, j in zip(axes, higher, strict=True):
                    # Beyond the window higher derivatives vanish, inside it there is nothing to continue.
                    gone = (beyond[outside, a] != 0.0) & (index[a] > self.orders[unknown][a])
                    factors = np.where(gone | ((beyond[outside, a] == 0.0) & (j > 0)), 0.0, factors)
                term = self.basis.derivatives(coefficients, nearest[outside], [(unknown, tuple(raised))])[0]
                values[outside] += factors[several] * term
        return found

    def summary(self) -> str:
        return self.basis.summary()

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        arrays[f"{prefix}window"] = np.nan_to_num(self.window, posinf=np.finfo(float).max, neginf=np.finfo(float).min)
        return {"basis": to_data(self.basis, arrays, f"{prefix}in_"), "orders": [list(o) for o in self.orders]}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Continued:
    basis, window = from_data(data["basis"], arrays, f"{prefix}in_"), floats(arrays, f"{prefix}window")
    orders = tuple(tuple(min(int(k), 1) for k in o) for o in data["orders"])
    if len(orders) != basis.unknowns or any(window.shape != (2, len(o)) for o in orders):
        raise ValueError("the window does not fit the expansion")
    return Continued(basis, window, orders)


register(Continued.kind, _read)
