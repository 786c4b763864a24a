"""Which kind of rows a slab has: with a matrix, or without one if all axes of space are periodic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transnet.slabs.evolution import Evolution
from transnet.slabs.fourier import FourierSystem, is_of_waves
from transnet.slabs.space import Space
from transnet.slabs.system import SlabSystem


def system_of(evolution: Evolution, space: Space, stages: int, values: Sequence[Any]) -> SlabSystem:
    """The rows of slabs with these features of space."""
    made = FourierSystem if is_of_waves(space) else SlabSystem
    return made(evolution, space, stages, values)
