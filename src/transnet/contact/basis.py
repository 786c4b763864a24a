"""A field with obstacles: the obstacle in contact, and a solution on each domain without contact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import sympy as sp

from transnet.basis.expansion import Expansion, Slot, floats, from_data, register, to_data
from transnet.basis.outside import Formula
from transnet.contact.ends import Ends
from transnet.contact.loops import ClosedEdges, FourierCurve
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.language.printer import text_of_expression


@dataclass(frozen=True, eq=False)
class InContact:
    """u = psi in contact and sum_m alpha_m phi_m elsewhere, one expansion for each domain without contact."""

    kind: ClassVar[str] = "contact"

    free: tuple[Expansion, ...]
    edges: Ends | ClosedEdges
    obstacles: tuple[Formula, ...]

    @property
    def columns(self) -> int:
        return sum(b.columns for b in self.free)

    @property
    def unknowns(self) -> int:
        return 1

    @property
    def neurons(self) -> int:
        return max(b.neurons for b in self.free)

    @property
    def noun(self) -> str:
        """What `neurons` counts."""
        return getattr(self.free[0], "noun", "neurons")

    def slice_of(self, unknown: int) -> slice:
        return slice(0, self.columns)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        number, barrier = self.edges.which(points)
        found = [np.zeros((len(points), *coefficients.shape[1:])) for _ in slots]
        for k, psi in enumerate(self.obstacles):
            here = (number < 0) & (barrier == k)
            if here.any():
                for values, (_, index) in zip(found, slots, strict=True):
                    there = psi.derivative(points[here], index).real
                    values[here] = there if values.ndim == 1 else there[:, None]
        start = 0
        for k, basis in enumerate(self.free):
            here, stop = number == k, start + basis.columns
            if here.any():
                made = basis.derivatives(coefficients[start:stop], points[here], slots)
                for values, there in zip(found, made, strict=True):
                    values[here] = there
            start = stop
        return found

    def summary(self) -> str:
        return f"{len(self.edges.edges)} edges of contact; {'; '.join(b.summary() for b in self.free)}"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        return {
            "free": [to_data(b, arrays, f"{prefix}{k}_") for k, b in enumerate(self.free)],
            "obstacles": [text_of_expression(f.expression) for f in self.obstacles],
            "coordinates": [c.name for c in self.obstacles[0].coordinates],
            "edges": self.edges.stored(arrays, prefix),
        }


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> InContact:
    coordinates = {str(name): sp.Symbol(str(name), real=True) for name in data["coordinates"]}
    names = Names(coordinates, {}, {}, {})
    obstacles = [Formula(formula(text, names).expression, tuple(coordinates.values())) for text in data["obstacles"]]
    stored = data["edges"]
    edges: Ends | ClosedEdges
    if "facing" in stored:
        places = floats(arrays, f"{prefix}places")
        edges = Ends(places, np.array(stored["barriers"], dtype=int), np.array(stored["facing"], dtype=int))
        if not edges.places.shape == edges.barriers.shape == edges.facing.shape:
            raise ValueError("the ends of contact do not fit together")
    else:
        made = []
        for k, (barrier, within) in enumerate(stored["loops"]):
            parts = floats(arrays, f"{prefix}loop_{k}")
            made.append(FourierCurve(parts[0] + 1j * parts[1], int(barrier), bool(within)))
        edges = ClosedEdges(tuple(made), bool(stored["free_outside"]))
    free = tuple(from_data(part, arrays, f"{prefix}{k}_") for k, part in enumerate(data["free"]))
    return InContact(free, edges, tuple(obstacles))


register(InContact.kind, _read)
