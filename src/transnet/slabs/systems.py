"""Which kind of rows a slab has: with a matrix, or without one on boxes of two or three coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transnet.slabs.evolution import Evolution
from transnet.slabs.fourier import FourierSystem, is_of_waves
from transnet.slabs.modes import BoxSystem, separable
from transnet.slabs.products import ProductSystem
from transnet.slabs.space import Space
from transnet.slabs.system import SlabSystem


def kind_of(evolution: Evolution, space: Space, values: Sequence[Any]) -> type[SlabSystem]:
    """Which rows fit an evolution and these features of space."""
    if is_of_waves(space):
        return FourierSystem
    return BoxSystem if separable(evolution, space, values) else SlabSystem


def free_of_matrix(evolution: Evolution, space: Space, values: Sequence[Any]) -> bool:
    """Whether the rows of slabs with these features need no matrix."""
    return issubclass(kind_of(evolution, space, values), ProductSystem)


def system_of(evolution: Evolution, space: Space, stages: int, values: Sequence[Any]) -> SlabSystem:
    """The rows of slabs with these features of space."""
    return kind_of(evolution, space, values)(evolution, space, stages, values)
