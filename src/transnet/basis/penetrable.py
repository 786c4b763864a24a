"""A field inside and outside bodies that waves enter: functions that solve the equation of each piece.

A piece has the sum of several fields: that of its outline and that of its holes; outside, the one that radiates or
decays. All are the same kind of thing, and what follows from them is asked of the fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, from_data, register, to_data
from transnet.basis.foci import Focus
from transnet.basis.outside import Outside
from transnet.features.placement import Placement
from transnet.geometry.partition import Pieces
from transnet.language.stored_problem import domain_from_data, domain_to_data


@dataclass(frozen=True, eq=False)
class Penetrable:
    """Fields by piece, with the columns of one behind those of another.

    Parameters
    ----------
    domain : Pieces
    terms : tuple of (int, Outside)
        The number of a piece and one of its fields; the first is that outside.
    only : int, optional
        The piece whose functions are taken at all points.
    """

    kind: ClassVar[str] = "penetrable"
    noun: ClassVar[str] = "functions"

    domain: Pieces
    terms: tuple[tuple[int, Outside], ...]
    only: int | None = None

    @property
    def outer(self) -> Outside:
        """The field outside."""
        return self.terms[0][1]

    @property
    def fields(self) -> tuple[int, ...]:
        return self.outer.fields

    @property
    def functions(self) -> Any:
        """Those outside."""
        return self.outer.functions

    @property
    def placement(self) -> Placement:
        return self.outer.placement

    @cached_property
    def slices(self) -> list[slice]:
        ends = np.cumsum([0, *(term.columns for _, term in self.terms)]).tolist()
        return [slice(a, b) for a, b in pairwise(ends)]

    @property
    def columns(self) -> int:
        return self.slices[-1].stop

    @property
    def unknowns(self) -> int:
        return self.outer.unknowns

    @property
    def neurons(self) -> int:
        return sum(term.neurons for _, term in self.terms)

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return len(self.domain.shapes)

    @cached_property
    def foci(self) -> list[Focus]:
        """Where functions are singular."""
        return [focus for _, term in self.terms if not term.regular for focus in term.foci]

    def slice_of(self, unknown: int) -> slice:
        return self.outer.slice_of(unknown) if unknown in self.outer.numbers else slice(0, self.columns)

    def within(self, piece: int) -> Penetrable:
        """The same functions with those of one piece at all points: on an interface the values of its side."""
        return replace(self, only=piece)

    def _here(self, points: np.ndarray) -> list[tuple[np.ndarray, Outside, slice]]:
        which = self.domain.nearest(points) if self.only is None else np.full(len(points), self.only)
        return [
            (np.flatnonzero(which == k), term, columns)
            for (k, term), columns in zip(self.terms, self.slices, strict=True)
            if np.any(which == k)
        ]

    def features(self, points: np.ndarray) -> list[np.ndarray]:
        """The values of all columns at points, of the parts of the field below each other: (fields n, columns)."""
        found = np.zeros((len(self.fields), len(points), self.columns))
        for mine, term, columns in self._here(points):
            found[:, mine, columns] = term.features(points[mine])[0].reshape(len(self.fields), len(mine), -1)
        return [found.reshape(-1, self.columns)]

    def fixed(self, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """What the field far away contributes to each slot: something outside only."""
        found = [np.zeros(len(points)) for _ in slots]
        for mine, term, _ in self._here(points):
            for out, value in zip(found, term.fixed(points[mine], slots), strict=True):
                out[mine] += value
        return found

    def write(
        self, out: np.ndarray, points: np.ndarray, slots: Sequence[Slot], coefficients: Sequence[np.ndarray]
    ) -> None:
        """Write sum_k c_k D^k phi_m at points into the transposed rows `out`: (columns, n)."""
        out[:] = 0.0
        for mine, term, columns in self._here(points):
            rows = np.empty((term.columns, len(mine)))
            factors = [c if np.ndim(c) == 0 else c[mine] for c in coefficients]
            term.write(rows, points[mine], slots, factors)
            out[columns, mine] = rows

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        found = [np.zeros((len(points), *coefficients.shape[1:])) for _ in slots]
        for mine, term, columns in self._here(points):
            for out, value in zip(found, term.derivatives(coefficients[columns], points[mine], slots), strict=True):
                out[mine] += value
        return found

    def far_field(self, coefficients: np.ndarray, directions: np.ndarray) -> np.ndarray:
        """That of the field outside."""
        return self.outer.far_field(coefficients[self.slices[0]], directions)

    def summary(self) -> str:
        return f"{self.neurons} functions in {self.pieces} pieces"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        terms = [[k, to_data(term, arrays, f"{prefix}{n}_")] for n, (k, term) in enumerate(self.terms)]
        return {"domain": domain_to_data(self.domain, arrays), "terms": terms}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Penetrable:
    domain = domain_from_data(data["domain"], arrays)
    terms = tuple((int(k), from_data(t, arrays, f"{prefix}{n}_")) for n, (k, t) in enumerate(data["terms"]))
    if not isinstance(domain, Pieces) or not all(isinstance(t, Outside) for _, t in terms) or not terms:
        raise ValueError("the pieces do not fit their functions")
    return Penetrable(domain, terms)  # type: ignore[arg-type]


register(Penetrable.kind, _read)
