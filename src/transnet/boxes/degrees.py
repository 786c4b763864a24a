"""Which degree along each axis resolves a function: from how fast its coefficients fall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from transnet.boxes.faces import BoxFace
from transnet.boxes.statement import Steady
from transnet.measure.sampling import quasi
from transnet.slabs.decay import last_needed
from transnet.slabs.stages import legendre_table

PROBES = (12, 24, 48, 96, 192, 384)
"""Gauss points of a line on which data are looked at: more if the last coefficients are not small."""
LINES = 6
"""Lines along each axis."""
FEWEST = 7
"""The lowest degree."""
MORE = 3
"""Degrees beyond those of the data."""
SMOOTHING = 8.0
"""An equation of second order divides the coefficient of degree n of a source by about n^2 over this number."""
PER_RADIAN, BEYOND = 1.1, 8
"""Polynomials for each radian of a wave on half of the axis, and how many more."""


def data_degrees(steady: Steady, faces: Sequence[BoxFace], numbers: Sequence[Any], wanted: float) -> list[int]:
    """The degrees along the axes that resolve the equations for unknowns that are zero, and the conditions."""
    low, high = steady.bounds
    d = len(low)
    across = low + (high - low) * quasi(LINES if d > 1 else 1, d, np.random.default_rng(0))
    found = []
    for axis in range(d):
        needed = [float(FEWEST)]
        for statement in steady.equations:
            needed.append(
                _waves(statement.equation, steady.order, across, axis, 0.5 * float((high - low)[axis]), numbers)
            )
            needed.append(_probed(_of_equation(statement.equation, numbers), across, axis, low, high, wanted))
        for face in faces:
            if face.axis != axis:
                at = across.copy()
                at[:, face.axis] = face.side.place
                needed.append(_probed(_of_face(face, numbers), at, axis, low, high, wanted))
        waves = axis in steady.periodic
        found.append(int(np.ceil(max(needed))) // (2 if waves else 1) + MORE)
    return found


Data = Callable[[np.ndarray], list[tuple[np.ndarray, bool]]]
"""Values at points, and whether each is a source."""


def _of_equation(equation: Any, numbers: Sequence[Any]) -> Data:
    def values(points: np.ndarray) -> list[tuple[np.ndarray, bool]]:
        source = equation.residual(points, None, tuple(numbers))
        return [(source, True), *((c, False) for c in equation.jacobian(points, None, tuple(numbers)) if c.ndim)]

    return values


def _of_face(face: BoxFace, numbers: Sequence[Any]) -> Data:
    equation = face.side.statement.equation

    def values(points: np.ndarray) -> list[tuple[np.ndarray, bool]]:
        normals = np.zeros_like(points)
        normals[:, face.axis] = face.side.sign
        factors = equation.jacobian(points, normals, tuple(numbers))
        return [(equation.residual(points, normals, tuple(numbers)), False), *((c, False) for c in factors if c.ndim)]

    return values


def _waves(equation: Any, order: int, points: np.ndarray, axis: int, half: float, numbers: Sequence[Any]) -> float:
    """The degree for waves that solve an equation without a source: a D^2 u + c u with a c > 0, or a D^4 u + c u
    with a c < 0."""
    d, needed = points.shape[1], 0.0
    factors = dict(zip(equation.slots, equation.jacobian(points, None, tuple(numbers)), strict=True))
    for number in {number for number, _ in equation.slots}:
        level = factors.get((number, (0,) * d))
        highest = factors.get((number, tuple(order * (a == axis) for a in range(d))))
        if level is not None and highest is not None and np.all(highest != 0.0):
            ratio = -((-1.0) ** (order // 2)) * level / highest
            radians = half * float(np.max(np.maximum(ratio, 0.0))) ** (1.0 / order)
            needed = max(needed, PER_RADIAN * radians + BEYOND) if radians > 1.0 else needed
    return needed


def _probed(data: Data, across: np.ndarray, axis: int, low: np.ndarray, high: np.ndarray, wanted: float) -> float:
    """The degree that data need along an axis; none if no number of samples is enough: they are rough, or rounding."""
    for count in PROBES:
        nodes, inverse = _legendre(count)
        points = np.repeat(across, count, axis=0)
        points[:, axis] = np.tile(low[axis] + (high - low)[axis] * 0.5 * (1.0 + nodes), len(across))
        needed = 0.0
        for values, source in data(points):
            line = np.abs(inverse @ values.reshape(len(across), count).T).max(axis=1)
            if source:
                line = line / np.maximum(np.arange(count) ** 2 / SMOOTHING, 1.0)
            if line.max() > 0.0:
                needed = max(needed, last_needed(line / line.max(), wanted))
        if needed < count - 2:
            return needed
    return 0.0


@cache
def _legendre(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's points, and from values there to the coefficients of Legendre's polynomials."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, 0.5 * (legendre_table(nodes, count - 1, 0) * weights[:, None]).T
