"""Values of the kind that points were given in: torch and JAX arrays, arrays of xarray with their dimensions.

NumPy evaluates. Gradients do not pass through: `solution.evaluate(sp.diff(u, x), points)` has them exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

Called = TypeVar("Called", bound=Callable[..., Any])


def same_library(method: Called) -> Called:
    """Let a method of points answer with arrays of the library that the points are arrays of."""

    @wraps(method)
    def called(self: Any, /, *points: Any, **named: Any) -> Any:
        foreign = next((v for v in (*points, *named.values()) if not isinstance(v, np.ndarray) and _library(v)), None)
        if foreign is None:
            return method(self, *points, **named)
        if any(_library(v) == "xarray" for v in named.values()):
            return _labelled(lambda **given: method(self, *points, **given), named)
        found = method(self, *points, **named)
        if _library(foreign) == "xarray":
            return found
        return _in_library_of(foreign, found) if isinstance(found, np.ndarray) else found

    return called  # type: ignore[return-value]


def _library(value: Any) -> str:
    """The name of the array library of a value; empty for NumPy, numbers and everything else."""
    if hasattr(value, "dims") and hasattr(value, "coords") and hasattr(value, "dtype"):
        return "xarray"
    if hasattr(value, "detach") and hasattr(value, "new_tensor"):
        return "torch"
    return "array API" if hasattr(value, "__array_namespace__") and not isinstance(value, np.generic) else ""


def _in_library_of(given: Any, values: np.ndarray) -> Any:
    """The same values as an array like another: its device, and its precision if both are real."""
    floating = np.isrealobj(values) and "float" in str(given.dtype)
    if _library(given) == "torch":
        as_tensor = given.detach().new_tensor  # new_tensor copies to the device of `given`
        return as_tensor(values, dtype=given.dtype) if floating else as_tensor(values)
    namespace = given.__array_namespace__()
    return namespace.asarray(values, dtype=given.dtype) if floating else namespace.asarray(values)


def _labelled(call: Callable[..., Any], named: dict[str, Any]) -> Any:
    """Coordinates by name, broadcast by their dimensions rather than by position."""
    import xarray

    labelled = {name: value for name, value in named.items() if _library(value) == "xarray"}
    others = {name: value for name, value in named.items() if name not in labelled}
    spread = dict(zip(labelled, xarray.broadcast(*labelled.values()), strict=True))
    values = call(**{name: value.values for name, value in spread.items()}, **others)
    first = next(iter(spread.values()))
    more = ["component"] * (np.ndim(values) - first.ndim)
    return xarray.DataArray(values, dims=[*first.dims, *more], coords=first.coords)
