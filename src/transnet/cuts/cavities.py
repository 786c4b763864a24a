"""Balls cut from a body."""

from __future__ import annotations

from transnet.geometry.ball import Ball
from transnet.geometry.csg import Combination
from transnet.geometry.domain import Domain


def cavities(shape: Domain) -> list[Ball]:
    """The balls subtracted from a shape in space."""
    if not isinstance(shape, Combination) or shape.op != "-":
        return []
    return [*cavities(shape.first), *_balls(shape.second)]


def _balls(shape: Domain) -> list[Ball]:
    if isinstance(shape, Ball) and shape.dimension == 3:
        return [shape]
    if isinstance(shape, Combination) and shape.op == "|":
        return [*_balls(shape.first), *_balls(shape.second)]
    return []
