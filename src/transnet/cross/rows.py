"""The rows of a problem in many coordinates: parity by parity where reflections leave it as it is.

Points are reflected into one corner of the domain, where those of one parity are enough, as in `symmetry.rows`. There
the points of the corner are those of the whole that happen to lie in it; in eight coordinates that is one of 256, so
that here all of them are reflected into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from transnet.geometry.placement import Placement
from transnet.rows.blocks import Block
from transnet.rows.statements import Statement
from transnet.symmetry.mirrors import Mirrors
from transnet.symmetry.rows import images_of

HELD_OUT = 0.25
"""The part of the points at which residuals are measured."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """One statement on points of a corner.

    Parameters
    ----------
    fitted : int
        The first so many points are fitted, the others are held out.
    coefficients : list of arrays
        Of its slots, numbers or one value a point.
    right : (|G|, n) array
        The right-hand side at all reflections of the points, each with the sign of its statement.
    labels : tuple of Statement
        The statements that hold at the reflections.
    fold : array, optional
        What makes one row of all points: the weights of a mean.
    """

    statement: Statement
    points: np.ndarray
    fitted: int
    coefficients: list[np.ndarray]
    right: np.ndarray
    labels: tuple[Statement, ...]
    fold: np.ndarray | None = None


def sheets(blocks: Sequence[Block], mirrors: Mirrors | None, placement: Placement, parameters: tuple) -> list[Sheet]:
    """The statements on one corner of the domain, or on all of it where nothing is mirrored."""
    if mirrors is None:
        return [_plain(b, parameters) for b in blocks]
    axes = list(mirrors.axes)
    flips = np.ones((2 ** len(axes), len(placement.scale)))
    flips[:, axes] = list(product((1.0, -1.0), repeat=len(axes)))
    images, signs = images_of(mirrors, len(blocks))
    points, normals = _reflected(blocks, axes, images, placement)
    found = []
    for k, block in enumerate(blocks):
        if not len(points[k]):
            continue
        here, outward = points[k], None if block.normals is None else normals[k]
        coefficients = block.statement.equation.jacobian(here, outward, parameters)
        right = np.empty((len(flips), len(here)))
        for number in dict.fromkeys(images[:, k]):
            for which in np.flatnonzero(images[:, k] == number):
                there = placement.centre + flips[which] * (here - placement.centre)
                turned = None if outward is None else flips[which] * outward
                values = blocks[number].statement.equation.residual(there, turned, parameters)
                right[which] = -signs[which, k] * values
        labels = tuple(blocks[n].statement for n in dict.fromkeys(images[:, k]))
        fitted = max(int((1.0 - HELD_OUT) * len(here)), 1)
        found.append(Sheet(block.statement, here, fitted, coefficients, right, labels))
    return found


def _plain(block: Block, parameters: tuple) -> Sheet:
    linear = block.linearise(parameters)
    fold = block.nodes.fold
    fitted = len(block.points)
    if fold is None and block.statement.kind != "data" and fitted > 4:
        fitted = int((1.0 - HELD_OUT) * fitted)
    right = np.asarray(linear.right, dtype=float)[None, :]
    coefficients = list(linear.coefficients)
    return Sheet(block.statement, block.points, fitted, coefficients, right, (block.statement,), fold)


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
