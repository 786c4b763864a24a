"""The rows of a problem in many coordinates, parity by parity if it has reflections.

Points are reflected into one corner of the domain, where those of one parity are enough, as in `symmetry.rows`. There
the points of the corner are those of the whole that happen to lie in it; in eight coordinates that is one of 256, so
that here all of them are reflected into it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.geometry.placement import Placement
from transnet.rows.blocks import Block
from transnet.symmetry.mirrors import Mirrors
from transnet.symmetry.rows import Orbit, at_images, images_of

HELD_OUT = 0.25
"""The part of the points at which residuals are measured."""


def on_corner(blocks: Sequence[Block], mirrors: Mirrors | None, placement: Placement, parameters: tuple) -> list[Orbit]:
    """The statements on one corner of the domain, or on all of it if nothing is mirrored."""
    if mirrors is None:
        return [_plain(k, b, parameters) for k, b in enumerate(blocks)]
    images, signs = images_of(mirrors, len(blocks))
    points, normals = _reflected(blocks, list(mirrors.axes), images, placement)
    found = []
    for k, block in enumerate(blocks):
        here, outward = points[k], None if block.normals is None else normals[k]
        if not len(here):
            continue
        coefficients = block.statement.equation.jacobian(here, outward, parameters)
        free = at_images(blocks, mirrors, placement, (images[:, k], signs[:, k]), here, outward, parameters)
        fitted = max(int((1.0 - HELD_OUT) * len(here)), 1)
        found.append(Orbit(block.statement, here, fitted, coefficients, free, images[:, k]))
    return found


def _plain(number: int, block: Block, parameters: tuple) -> Orbit:
    linear = block.linearise(parameters)
    fold = block.nodes.fold
    fitted = len(block.points)
    if fold is None and block.statement.kind != "data" and fitted > 4:
        fitted = int((1.0 - HELD_OUT) * fitted)
    free = -np.asarray(linear.right, dtype=float)[None, :]
    coefficients = list(linear.coefficients)
    return Orbit(block.statement, block.points, fitted, coefficients, free, np.array([number]), fold)


def _reflected(
    blocks: Sequence[Block], axes: list[int], images: np.ndarray, placement: Placement
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The points of all blocks reflected into the corner y >= 0, and their normals, by the statement they come to."""
    d = len(placement.scale)
    points: list[list[np.ndarray]] = [[np.empty((0, d))] for _ in blocks]
    normals: list[list[np.ndarray]] = [[np.empty((0, d))] for _ in blocks]
    for k, block in enumerate(blocks):
        away = block.points - placement.centre
        sign = np.ones_like(away)
        sign[:, axes] = np.where(away[:, axes] < 0, -1.0, 1.0)
        which = (sign[:, axes] < 0) @ (1 << np.arange(len(axes))[::-1])
        target = images[which, k]
        for number in np.unique(target):
            here = target == number
            points[number].append(placement.centre + (sign * away)[here])
            if block.normals is not None:
                normals[number].append((sign * block.normals)[here])
    shuffled = [np.random.default_rng(0).permutation(sum(map(len, p))) for p in points]
    joined = [np.concatenate(p)[order] for p, order in zip(points, shuffled, strict=True)]
    turned = [np.concatenate(n) for n in normals]
    return joined, [n[order] if len(n) == len(order) else n for n, order in zip(turned, shuffled, strict=True)]
