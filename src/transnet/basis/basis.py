"""A basis: which features live where, in which columns of the matrix, and what they are at points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, floats, register
from transnet.basis.foci import Focus, foci_of
from transnet.errors import FileError
from transnet.features.activation import ACTIVATIONS, activation
from transnet.features.evaluate import evaluate
from transnet.features.singular import Singular
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement


@dataclass(frozen=True, eq=False)
class Basis:
    """Which columns belong to which unknown: its features, and where the domain lies in their ball.

    It is an `Expansion`, the plain one: one network an unknown, on the whole domain.
    """

    kind: ClassVar[str] = "network"

    spaces: tuple[FeatureSpace, ...]
    placement: Placement

    @property
    def columns(self) -> int:
        return sum(s.size for s in self.spaces)

    @property
    def unknowns(self) -> int:
        return len(self.spaces)

    @property
    def neurons(self) -> int:
        return max(s.neurons for s in self.spaces)

    @property
    def distinct(self) -> list[FeatureSpace]:
        """The spaces, each once: unknowns may share one."""
        return list({id(s): s for s in self.spaces}.values())

    @property
    def foci(self) -> list[Focus]:
        """Where features are singular."""
        return [f for s in self.distinct for f in foci_of(s.singular, self.placement.centre, self.placement.scale)]

    def slice_of(self, unknown: int) -> slice:
        if len({s.size for s in self.spaces}) == 1:
            return slice(unknown, None, len(self.spaces))
        # Spaces of different sizes stand one after the other.
        start = sum(s.size for s in self.spaces[:unknown])
        return slice(start, start + self.spaces[unknown].size)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points of the domain for each slot (i, k)."""
        placed = self.placement(points)
        result: list[np.ndarray] = [np.zeros(0)] * len(slots)
        for unknown, space in enumerate(self.spaces):
            mine = [(j, index) for j, (number, index) in enumerate(slots) if number == unknown]
            if mine:
                values = evaluate(space, coefficients[self.slice_of(unknown)], placed, [index for _, index in mine])
                for (j, index), value in zip(mine, values, strict=True):
                    result[j] = value / self.placement.unit(index)
        return result

    def summary(self) -> str:
        return "; ".join(dict.fromkeys(map(repr, self.spaces)))

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        spaces = self.distinct
        for k, space in enumerate(spaces):
            if space.activation.name not in ACTIVATIONS:
                raise FileError(
                    f"A solution with the activation '{space.activation.name}' cannot be saved: a file holds no code. "
                    f"Those that can are: {', '.join(ACTIVATIONS)}."
                )
            arrays[f"{prefix}weights_{k}"], arrays[f"{prefix}biases_{k}"] = space.weights, space.biases
            if len(space.singular):
                arrays[f"{prefix}singular_{k}"] = space.singular.table
        arrays[f"{prefix}centre"], arrays[f"{prefix}scale"] = self.placement.centre, self.placement.scale
        return {
            "spaces": [[s.activation.name, s.radius if np.isfinite(s.radius) else None] for s in spaces],
            "space_of": [[id(s) for s in spaces].index(id(s)) for s in self.spaces],
        }


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Basis:
    spaces = [
        FeatureSpace(
            floats(arrays, f"{prefix}weights_{k}"),
            floats(arrays, f"{prefix}biases_{k}"),
            activation(name),
            np.inf if radius is None else float(radius),
            Singular(floats(arrays, f"{prefix}singular_{k}")) if f"{prefix}singular_{k}" in arrays else Singular(),
        )
        for k, (name, radius) in enumerate(data["spaces"])
    ]
    placement = Placement(floats(arrays, f"{prefix}centre"), floats(arrays, f"{prefix}scale"))
    if any((s.dimension,) != placement.scale.shape for s in spaces) or placement.centre.shape != placement.scale.shape:
        raise ValueError("the sizes of its arrays differ")
    return Basis(tuple(spaces[k] for k in data["space_of"]), placement)


register(Basis.kind, _read)
