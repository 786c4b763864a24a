"""The rows of a problem in many coordinates, parity by parity if it has reflections.

For a function u_p of parity p the row of a statement at s y is, up to the sign of the parity, that at y. So the points
in one corner of the domain, y >= 0 in the mirrored coordinates, are enough, and the right-hand side of the parity p is

    b_p(y) = 1/|G| sum_s p(s) b(s y),

the mean over all reflections s with the signs of the parity. In eight coordinates one point of 256 lies in that corner,
so all of them are reflected into it; some are not fitted, and residuals are measured there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from transnet.counts import IN_CACHE
from transnet.cross.mirrors import Mirrors
from transnet.features.placement import Placement
from transnet.rows.blocks import Block
from transnet.rows.statements import Statement

HELD_OUT = 0.25
"""The part of the points at which residuals are measured."""


@dataclass(frozen=True, eq=False)
class Orbit:
    """One statement on points of a corner of the domain.

    Parameters
    ----------
    fitted : int
        This many points are fitted, the others are held out.
    coefficients : list of arrays
        Of its slots, numbers or one value per point.
    free : (|G|, n) array
        F for zero unknowns at all reflections of the points, each with the sign of its statement.
    images : (|G|,) array
        The statement that holds at each of the reflections.
    fold : array, optional
        The weights that combine all points into one row, for a mean.
    """

    statement: Statement
    points: np.ndarray
    fitted: int
    coefficients: list[np.ndarray]
    free: np.ndarray
    images: np.ndarray
    fold: np.ndarray | None = None


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


def at_images(
    blocks: Sequence[Block],
    mirrors: Mirrors,
    placement: Placement,
    images: tuple[np.ndarray, np.ndarray],
    points: np.ndarray,
    normals: np.ndarray | None,
    parameters: Sequence[Any],
) -> np.ndarray:
    """F of a statement for a zero unknown at all reflections of points: (|G|, n).

    `images` are the statements to which each reflection maps it, and the signs.
    """
    numbers, signs = images
    n, d = points.shape
    flips = np.ones((len(numbers), d))
    flips[:, list(mirrors.axes)] = list(product((1.0, -1.0), repeat=len(mirrors.axes)))
    free = np.empty((len(flips), n))
    step = max(IN_CACHE // max(n, 1), 1)
    for number in dict.fromkeys(numbers):
        all_of_them = np.flatnonzero(numbers == number)
        for which in np.split(all_of_them, range(step, len(all_of_them), step)):
            reflected = placement.centre + flips[which][:, None, :] * (points - placement.centre)
            turned = None if normals is None else (flips[which][:, None, :] * normals).reshape(-1, d)
            values = blocks[number].statement.equation.residual(reflected.reshape(-1, d), turned, parameters)
            free[which] = values.reshape(len(which), -1) * signs[which][:, None]
    return free


def images_of(mirrors: Mirrors, statements: int) -> tuple[np.ndarray, np.ndarray]:
    """The statement to which each is mapped by each combination of reflections, and the sign: (|G|, statements)
    each."""
    images, signs = [], []
    for bits in product((0, 1), repeat=len(mirrors.axes)):
        image, sign = np.arange(statements), np.ones(statements)
        for bit, step, change in zip(bits, mirrors.images, mirrors.signs, strict=True):
            if bit:
                sign = sign * np.array(change)[image]
                image = np.array(step)[image]
        images.append(image)
        signs.append(sign)
    return np.array(images), np.array(signs)


def by_parity(values: np.ndarray) -> np.ndarray:
    """From values at all reflections of points, (|G|, n), to those of the parts of each parity at the points."""
    return parity_signs(len(values).bit_length() - 1) @ values / len(values)


def at_reflections(parts: np.ndarray) -> np.ndarray:
    """And back: from the parts of each parity to the values at all reflections."""
    return parity_signs(len(parts).bit_length() - 1) @ parts


@lru_cache(maxsize=32)
def parity_signs(count: int) -> np.ndarray:
    """The characters: [s, p] is the sign of a function of parity p under the reflection s of some of the axes."""
    bits = np.array(list(product((0, 1), repeat=count)), dtype=int)
    return (-1.0) ** (bits @ bits.T)
