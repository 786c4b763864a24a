"""What a file of a solution must contain: types, lengths and finiteness of its fields, checked before they are used.

Whoever writes a file can write its checksums as well, so a file is not to be trusted because they fit. The fields of
`Diagnostics` and its parts are read as their classes declare them; `META` declares the rest.
"""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

LONGEST = 100_000
"""The most characters of a text; the text of a domain of 400 shapes has half as many."""
MOST = 200_000
"""The most entries of a list."""
LARGEST = 2**53
"""The largest whole number: beyond it floats are not exact."""
META: dict[str, Any] = {
    "unknowns": tuple[str, ...],
    "components": tuple[str, ...],
    "coordinates": tuple[tuple[str, dict[str, bool]], ...],
    "parameters": tuple[tuple[tuple[str, dict[str, bool]], float], ...],
    "domain_text": str,
    "domain_names": tuple[str | None, ...],
    "reason": str,
}
"""The plain fields of a solution; its basis and its problem are read by those who wrote them."""


def declared(kind: Any, value: Any, name: str, finite: bool = True) -> Any:
    """A value of a file as a type declares it; raises ValueError if it is something else."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in get_args(kind):
            return None
        return declared(next(k for k in get_args(kind) if k is not type(None)), value, name, finite)
    if origin is Literal and value in get_args(kind) and isinstance(value, str):
        return value
    if origin is tuple and isinstance(value, list | tuple) and len(value) <= MOST:
        inner = get_args(kind)
        if inner[-1] is Ellipsis:
            return tuple(declared(inner[0], v, name, finite) for v in value)
        if len(inner) == len(value):
            return tuple(declared(k, v, name, finite) for k, v in zip(inner, value, strict=True))
    elif origin is dict and isinstance(value, Mapping) and len(value) <= MOST:
        of_key, of_value = get_args(kind)
        return {declared(of_key, k, name): declared(of_value, v, name, finite) for k, v in value.items()}
    elif is_dataclass(kind) and isinstance(value, Mapping):
        return kind(**fields_of(kind, value, name, finite))  # type: ignore[operator]
    elif _plain(kind, value, finite):
        return kind(value)
    raise ValueError(f"'{name}' is not what it should be: {str(value)[:60]!r}")


def _plain(kind: Any, value: Any, finite: bool) -> bool:
    """Whether a value is a text, a truth or a number, as declared."""
    if kind is bool or isinstance(value, bool):
        return kind is bool and isinstance(value, bool)
    if kind is str:
        return isinstance(value, str) and len(value) <= LONGEST and value.replace("\n", "").isprintable()
    if kind is int:
        return isinstance(value, int) and abs(value) < LARGEST
    return kind is float and isinstance(value, int | float) and (not finite or math.isfinite(value))


def fields_of(kind: Any, stored: Mapping[str, Any], name: str, finite: bool = True) -> dict[str, Any]:
    """The fields of a dataclass that a file has, as they are declared; those without a default must be there."""
    hints = get_type_hints(kind)
    found = {f.name: declared(hints[f.name], stored[f.name], f"{name} {f.name}", finite)
             for f in fields(kind) if f.name in stored}  # fmt: skip
    absent = [f.name for f in fields(kind) if f.default is f.default_factory is MISSING and f.name not in stored]
    if absent:
        raise ValueError(f"'{name}' has no '{absent[0]}'")
    return found


def refuse_odd(meta: Any, arrays: Mapping[str, np.ndarray]) -> None:
    """Raise if a plain field is not as declared, or if anything in a file is not finite or not printable."""
    if not isinstance(meta, Mapping):
        raise ValueError("its description is not a table")
    for key, kind in META.items():
        if key in meta or key != "components":  # which older files do not have
            declared(kind, meta[key], key)
    _walk({k: v for k, v in meta.items() if k != "diagnostics"}, "description")
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"'{name}' has a number that is not finite")


def _walk(value: Any, name: str) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            declared(str, key, name)
            _walk(inner, key)
    elif isinstance(value, list):
        for inner in value:
            _walk(inner, name)
    elif value is not None and not isinstance(value, bool):
        declared(str if isinstance(value, str) else float, value, name)
