"""Messages for arguments of the wrong kind: those of a failed call are compared with its signature.

This is done only after a call has failed, so correct calls cost nothing, and anything annotated with `Any` is accepted.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from numbers import Integral
from typing import Any

import numpy as np

Formula = Any
"""A SymPy expression, the name of an unknown, or a list of them: what may be evaluated, integrated and drawn."""
Axes = Any
"""Matplotlib axes; matplotlib is imported only when something is drawn."""
Held = Any
"""The value of a coordinate fixed by name, or an array of values."""
LARGEST_COUNT = 10**9
"""Larger than any count of neurons, points or steps."""


def first_misfit(
    signature: inspect.Signature, args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[str, str, Any] | None:
    """The first argument that is not of its declared kind: its name, the kind in words, and what was given."""
    bound = signature.bind(*args, **keywords)
    for name, value in bound.arguments.items():
        parameter = signature.parameters[name]
        if name in ("self", "cls") or parameter.annotation is parameter.empty:
            continue
        declared = parameter.annotation
        kinds = kinds_of(declared if isinstance(declared, str) else inspect.formatannotation(declared))
        given: Iterable[tuple[str, Any]] = [(name, value)]
        if parameter.kind == parameter.VAR_KEYWORD:
            given = value.items()
        elif parameter.kind == parameter.VAR_POSITIONAL:
            given = [(name, entry) for entry in value]
        for label, entry in given:
            if kinds and not any(_is_of(kind, entry) for kind in kinds):
                words = dict.fromkeys(KINDS[kind][0] for kind, _ in kinds if KINDS[kind][0])
                return label, " or ".join(words), entry
    return None


Kind = tuple[str, str]
"""The name of a kind, and that of its entries if it is a list of one kind."""


@cache
def kinds_of(annotation: str) -> tuple[Kind, ...]:
    """The kinds that an annotation names; none if one of them is unknown here."""
    parts, depth = [""], 0
    for letter in annotation:
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    found = []
    for part in parts:
        name, _, inner = part.strip().removeprefix("np.").removeprefix("sp.").partition("[")
        entry = inner.removesuffix("]").removesuffix(", ...")
        found.append((name, entry if name in LISTS and entry in KINDS else ""))
    return tuple(found) if all(name in KINDS for name, _ in found) else ()


def _is_of(kind: Kind, value: Any) -> bool:
    name, entry = kind
    return KINDS[name][1](value) and (not entry or all(map(KINDS[entry][1], value)))


def _whole(value: Any) -> bool:
    entry = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if isinstance(entry, bool | np.bool_):
        return False
    integral = isinstance(entry, Integral) or (getattr(entry, "is_Integer", False) is True)
    return integral and abs(int(entry)) <= LARGEST_COUNT


def _real(value: Any) -> bool:
    if isinstance(value, str | bytes | bool):
        return False
    try:
        return bool(np.isfinite(float(value)))
    except Exception:  # whatever a strange object raises
        return False


def _numbers(value: Any) -> bool:
    if np.ma.isMaskedArray(value) or isinstance(value, str | bytes):
        return False
    try:
        return bool(np.isfinite(np.asarray(value, dtype=float)).all())
    except Exception:
        return False


def _iterable(value: Any) -> bool:
    if isinstance(value, str | bytes | Mapping | set | frozenset):
        return False
    try:
        iter(value)
    except Exception:
        return False
    return True


def _is(*names: str) -> Callable[[Any], bool]:
    return lambda value: any(base.__name__ in names for base in type(value).__mro__)


LISTS = ("Sequence", "Iterable", "list", "tuple")
KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "None": ("", lambda value: value is None),
    "bool": ("True or False", lambda value: isinstance(value, bool | np.bool_)),
    "int": ("a whole number", _whole),
    "float": ("a finite number", _real),
    "str": ("a text", lambda value: isinstance(value, str)),
    "Path": ("a path", _is("PurePath")),
    "Seed": ("a whole number", lambda value: isinstance(value, np.random.Generator) or (_whole(value) and value >= 0)),
    "ndarray": ("an array of numbers", _numbers),
    "ArrayLike": ("an array of numbers", _numbers),
    "Sequence": ("a list", _iterable),
    "Iterable": ("a list", _iterable),
    "list": ("a list", _iterable),
    "tuple": ("a list", _iterable),
    "Mapping": ("a dictionary {name: value}", lambda value: isinstance(value, Mapping)),
    "dict": ("a dictionary {name: value}", lambda value: isinstance(value, Mapping)),
    "Callable": ("a function", callable),
    "Domain": ("a domain", _is("Domain")),
    "Problem": ("a tn.Problem", _is("Problem")),
    "Solution": ("a Solution", _is("Solution")),
    "FeatureSpace": ("a tn.FeatureSpace", _is("FeatureSpace")),
    "Points": ("tn.Points", _is("Points")),
    "Expr": ("an expression of SymPy", _is("Expr", "int", "float", "MatrixBase", "integer", "floating")),
    "Symbol": ("a symbol of SymPy", _is("Symbol")),
    "Held": ("a number or an array of numbers", lambda value: _real(value) or (np.ndim(value) > 0 and _numbers(value))),
    "Axes": ("axes of matplotlib", lambda value: hasattr(value, "figure")),
    "Formula": ("an expression of SymPy, the name of an unknown, or a list of them", lambda value: _formula(value)),
}  # fmt: skip
"""The kinds of arguments by their names in annotations: in words, and how to recognise one."""


def _formula(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_formula, value)) and len(value) > 0
    return _is("Expr", "MatrixBase", "int", "float", "str", "integer", "floating")(value) and not isinstance(
        value, bool
    )
