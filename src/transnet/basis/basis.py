"""A basis: the features of each unknown, their columns in the matrix, and their values at points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, floats, register
from transnet.basis.foci import Focus, foci_of
from transnet.errors import FileError
from transnet.features.activation import ACTIVATIONS, activation
from transnet.features.evaluate import Terms, evaluate, write_rows
from transnet.features.files import read_layers, stored_layers
from transnet.features.particular import WaveSum
from transnet.features.placement import Placement
from transnet.features.singular import Singular
from transnet.features.space import FeatureSpace
from transnet.tolerances import ROUNDED


@dataclass(frozen=True, eq=False)
class Basis:
    """Which columns belong to which unknown: its features, and where the domain lies in their ball.

    It is an `Expansion`, the plain one: one network per unknown, on the whole domain. First come the constants and the
    singular features of all unknowns, then their neurons in proportion: a space with four times as many neurons as
    another contributes four for each one of the other, so that the leading columns are a smaller network for all of
    them. Pairs of sine and cosine are not split.

    Parameters
    ----------
    known : WaveSum, optional
        Added to the only unknown, whatever the coefficients are: a particular solution for the source.
    """

    kind: ClassVar[str] = "network"

    spaces: tuple[FeatureSpace, ...]
    placement: Placement
    known: WaveSum | None = None

    @property
    def columns(self) -> int:
        return sum(s.size for s in self.spaces)

    @property
    def unknowns(self) -> int:
        return len(self.spaces)

    @property
    def neurons(self) -> int:
        return max(s.neurons or len(s.singular) for s in self.spaces)

    @property
    def noun(self) -> str:
        """What `neurons` counts."""
        return "neurons" if any(s.neurons for s in self.spaces) else "functions"

    @property
    def distinct(self) -> list[FeatureSpace]:
        """The distinct spaces: unknowns may share one."""
        return list({id(s): s for s in self.spaces}.values())

    @cached_property
    def foci(self) -> list[Focus]:
        """Where features are singular."""
        return [f for s in self.distinct for f in foci_of(s.plane, self.placement.centre, self.placement.scale)]

    @cached_property
    def _entries(self) -> np.ndarray:
        """The part of the network to which each column belongs first, unknown by unknown."""
        found = []
        for space in self.spaces:
            neurons = space.neuron_columns
            entry = np.zeros(space.size)
            entry[neurons] = 2.0 * (np.arange(space.neurons) // 2 + 1) / (space.neurons + 1)
            entry[neurons.stop :] = np.inf
            found.append(entry)
        return np.concatenate(found)

    @cached_property
    def _columns(self) -> list[slice | np.ndarray]:
        if len({(s.size, s.neuron_columns.start, s.neurons) for s in self.spaces}) == 1:
            return [slice(k, None, self.unknowns) for k in range(self.unknowns)]
        unknown = np.repeat(np.arange(self.unknowns), [s.size for s in self.spaces])
        position = np.concatenate([np.arange(s.size) for s in self.spaces])
        ordered = unknown[np.lexsort((unknown, position, self._entries))]
        return [np.flatnonzero(ordered == k) for k in range(self.unknowns)]

    def slice_of(self, unknown: int) -> slice | np.ndarray:
        """The columns of an unknown, in the order of its space."""
        return self._columns[unknown]

    def leading(self, fraction: float) -> tuple[int, int]:
        """How many neurons the largest unknown has, and how many columns there are, in a leading part of the network.

        Constants and singular features stay; late singular features are only in the whole network.
        """
        if fraction not in self._leading:
            neurons = 2 * int(0.5 * fraction * (self.neurons + 1) * (1.0 + ROUNDED))
            self._leading[fraction] = neurons, int(np.count_nonzero(self._entries <= fraction * (1.0 + ROUNDED)))
        return self._leading[fraction]

    @cached_property
    def _leading(self) -> dict[float, tuple[int, int]]:
        return {}

    def of_unknowns(self, numbers: Sequence[int]) -> Basis:
        """The basis of other unknowns, each with the features of one of these."""
        return Basis(tuple(self.spaces[k] for k in numbers), self.placement)

    def fixed(self, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray] | None:
        """What the particular solution contributes to each slot; None if there is none."""
        known = self.known
        return None if known is None else [known.derivative(points, index) for _, index in slots]

    def features(self, points: np.ndarray) -> list[np.ndarray]:
        """The values of the features of each unknown at points of the domain: (n, size) each."""
        placed = self.placement(points)
        made = {id(s): s(placed) for s in self.distinct}
        return [made[id(s)] for s in self.spaces]

    def write(
        self,
        out: np.ndarray,
        points: np.ndarray,
        slots: Sequence[Slot],
        coefficients: Sequence[np.ndarray],
        factor: float = 1.0,
    ) -> None:
        """Write sum_k c_k D^k phi_m at points, times the factor, into the transposed rows `out`: (columns, n)."""
        placed = self.placement(points)

        def write(space: FeatureSpace, targets: list[tuple[np.ndarray, Terms]]) -> None:
            write_rows(space, placed, targets)

        self.write_by(write, out, slots, coefficients, factor)

    def write_by(
        self,
        write: Callable[[FeatureSpace, list[tuple[np.ndarray, Terms]]], None],
        out: np.ndarray,
        slots: Sequence[Slot],
        coefficients: Sequence[np.ndarray],
        factor: float = 1.0,
    ) -> None:
        """The same with a function that writes the rows of one space, for all unknowns that share it."""
        targets: dict[int, list[tuple[np.ndarray, Terms]]] = {}
        scattered = []
        for unknown, space in enumerate(self.spaces):
            columns = self.slice_of(unknown)
            terms = [
                (index, np.asarray(c) * (factor / self.placement.unit(index)))
                for (number, index), c in zip(slots, coefficients, strict=True)
                if number == unknown and np.any(c)
            ]
            if not terms:
                out[columns] = 0.0
            elif isinstance(columns, slice):
                targets.setdefault(id(space), []).append((out[columns], terms))
            else:
                rows = np.empty((space.size, out.shape[1]))
                targets.setdefault(id(space), []).append((rows, terms))
                scattered.append((columns, rows))
        for space in self.distinct:
            if id(space) in targets:
                write(space, targets[id(space)])
        for columns, rows in scattered:
            out[columns] = rows

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
                    if self.known is not None:
                        given = self.known.derivative(points, index)
                        result[j] += given if value.ndim == 1 else given[:, None]
        return result

    def summary(self) -> str:
        formula = [] if self.known is None else [f"{self.known.factors.size} waves for the source"]
        return "; ".join([*dict.fromkeys(map(repr, self.spaces)), *formula])

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
            arrays.update(stored_layers(space.inner, f"{prefix}{k}_"))
        arrays[f"{prefix}centre"], arrays[f"{prefix}scale"] = self.placement.centre, self.placement.scale
        if self.known is not None:
            arrays[f"{prefix}known"] = np.stack([self.known.factors.real, self.known.factors.imag])
            arrays[f"{prefix}known_box"] = self.known.box
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
            read_layers(arrays, f"{prefix}{k}_"),
        )
        for k, (name, radius) in enumerate(data["spaces"])
    ]
    placement = Placement(floats(arrays, f"{prefix}centre"), floats(arrays, f"{prefix}scale"))
    if any((s.dimension,) != placement.scale.shape for s in spaces) or placement.centre.shape != placement.scale.shape:
        raise ValueError("the sizes of its arrays differ")
    known = None
    if f"{prefix}known" in arrays:
        factors, box = floats(arrays, f"{prefix}known"), floats(arrays, f"{prefix}known_box")
        if factors.ndim != 3 or factors.shape[0] != 2 or factors.shape[2] != 2 * factors.shape[1]:
            raise ValueError("'known' is not a table of waves")
        if box.shape != (2, 2):
            raise ValueError("'known_box' is not a box")
        known = WaveSum(factors[0] + 1j * factors[1], box)
    return Basis(tuple(spaces[k] for k in data["space_of"]), placement, known)


register(Basis.kind, _read)
