"""The rows of a mirrored problem: points of one corner of the domain, and what holds at all their reflections.

For a function u_p of parity p the row of a statement at s y is, up to the sign of the parity, that at y. So the points
in one corner of the domain, y >= 0 in the mirrored coordinates, are enough, and the right-hand side of the parity p is

    b_p(y) = 1/|G| sum_s p(s) b(s y),

the mean over all reflections s with the signs of the parity. The points of the opposite corner, reflected, are not
fitted: residuals are measured there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from transnet.geometry.placement import Placement
from transnet.rows.blocks import Block
from transnet.rows.statements import Statement
from transnet.symmetry.mirrors import Mirrors
from transnet.symmetry.waves import parity_signs

CHUNK = 100_000
"""Reflected points at which an equation is evaluated at once: some ten megabytes."""


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


def corners(
    blocks: Sequence[Block], mirrors: Mirrors, placement: Placement, parameters: Sequence[Any], held_out: bool = True
) -> list[Orbit] | None:
    """The statements on one corner of the domain; None if a condition has hardly any points there.

    Without `held_out` there are only the fitted points.
    """
    images, signs = images_of(mirrors, len(blocks))
    here, there = _in_corner(blocks, mirrors, placement, images[-1])
    found = []
    for k, block in enumerate(blocks):
        first, second = here[k], there[k]
        if first is None:
            continue
        if second is None:
            return None
        if not held_out:
            second = second[0][:0], None if second[1] is None else second[1][:0]
        points = np.concatenate([first[0], second[0]])
        normals = None if block.normals is None else np.concatenate([first[1], second[1]])
        coefficients = block.statement.equation.jacobian(points, normals, parameters)
        free = at_images(blocks, mirrors, placement, (images[:, k], signs[:, k]), points, normals, parameters)
        found.append(Orbit(block.statement, points, len(first[0]), coefficients, free, images[:, k]))
    return found


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
    step = max(CHUNK // max(n, 1), 1)
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


def _in_corner(
    blocks: Sequence[Block], mirrors: Mirrors, placement: Placement, opposite: np.ndarray
) -> tuple[list[Any], list[Any]]:
    """For each statement its points in the corner, with normals, and those of the opposite one, reflected into it."""
    here: list[Any] = [None] * len(blocks)
    there: list[Any] = [None] * len(blocks)
    axes = list(mirrors.axes)
    flip = np.ones(len(placement.scale))
    flip[axes] = -1.0
    for k, block in enumerate(blocks):
        away = (block.points - placement.centre)[:, axes]
        inside = (away >= 0).all(axis=1)
        beyond = (away < 0).all(axis=1)
        if inside.any():
            here[k] = block.points[inside], None if block.normals is None else block.normals[inside]
        if beyond.any():
            points = placement.centre + flip * (block.points[beyond] - placement.centre)
            there[opposite[k]] = points, None if block.normals is None else flip * block.normals[beyond]
    return here, there


def by_parity(values: np.ndarray) -> np.ndarray:
    """From values at all reflections of points, (|G|, n), to those of the parts of each parity at the points."""
    return parity_signs(len(values).bit_length() - 1) @ values / len(values)


def at_reflections(parts: np.ndarray) -> np.ndarray:
    """And back: from the parts of each parity to the values at all reflections."""
    return parity_signs(len(parts).bit_length() - 1) @ parts
