"""What a solution needs from a basis: values and derivatives at points, a text, and a form that can be stored.

`Basis`, one network per unknown, is the plain kind. A basis of pieces or of time slabs has a package of its own and
replaces it: everything that a `Solution` does goes through these methods.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

MultiIndex = tuple[int, ...]
Slot = tuple[int, MultiIndex]
"""A derivative of an unknown: the unknown's number and the multi-index."""


class Expansion(Protocol):
    """u_i(y) = sum_m alpha_m phi_m(y), with some of the columns m for each unknown i.

    Attributes
    ----------
    kind : str
        The name under which `register` finds its reader.
    """

    kind: ClassVar[str]

    @property
    def columns(self) -> int:
        """The number of coefficients."""

    @property
    def unknowns(self) -> int:
        """The number of unknowns."""

    @property
    def neurons(self) -> int:
        """The neurons of the largest unknown, for reports."""

    def slice_of(self, unknown: int) -> slice | np.ndarray:
        """The columns of an unknown."""

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points (n, d) of the domain for each slot (i, k).

        Each is (n,), or (n, c) if the coefficients are (columns, c), for several functions at once.
        """

    def summary(self) -> str:
        """The features in one line of a report."""

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        """What a file stores: arrays are added to `arrays` under names that begin with the prefix; the rest is JSON."""


@dataclass(frozen=True, eq=False)
class Carried:
    """An expansion that is another one with changed derivatives: everything else is that of the other."""

    basis: Expansion

    @property
    def columns(self) -> int:
        return self.basis.columns

    @property
    def unknowns(self) -> int:
        return self.basis.unknowns

    @property
    def neurons(self) -> int:
        return self.basis.neurons

    @property
    def noun(self) -> str:
        """What `neurons` counts."""
        return getattr(self.basis, "noun", "neurons")

    def slice_of(self, unknown: int) -> slice | np.ndarray:
        return self.basis.slice_of(unknown)


Reader = Callable[[Mapping[str, Any], Mapping[str, np.ndarray], str], Expansion]
"""Takes what `stored` returned, the arrays of the file and the prefix of their names; raises ValueError if they do not
fit."""

_readers: dict[str, Reader] = {}


def register(kind: str, reader: Reader) -> None:
    """Register the reader of a kind of basis."""
    _readers[kind] = reader


def to_data(basis: Expansion, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
    """A basis as JSON and arrays; a basis made of others stores each of them this way, under a prefix of its own."""
    return {"kind": basis.kind, **basis.stored(arrays, prefix)}


def from_data(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str = "") -> Expansion:
    """The basis that `to_data` wrote."""
    if data["kind"] not in _readers:
        raise ValueError(f"there is no basis of the kind {data['kind']!r}")
    return _readers[data["kind"]](data, arrays, prefix)


def floats(arrays: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    """An array from a file, which must contain finite numbers."""
    array = arrays[name]
    if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
        raise ValueError(f"'{name}' is not an array of finite numbers")
    return array.astype(float)
