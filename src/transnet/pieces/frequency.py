"""How fast the data of a problem oscillate: formulas are cheap to look at, and tell how finely a domain must be cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transnet.features.neurons import kronecker
from transnet.geometry import Box
from transnet.problem import On, Problem
from transnet.rows.statements import statements_of

SAMPLES = 4096
"""Samples of a line."""
LINES = 5
"""Lines along each axis."""
WINDOW = 14.0
"""The shape of Kaiser's window, whose own spectrum falls below `LEFT` within five wavelengths a line."""
FINER = 4
"""Zeros are appended until there are so many times as many samples: frequencies between whole wavelengths are seen."""
LEFT = 1e-5
"""The part of a function, in root mean square, that may have higher frequencies."""
NYQUIST = 0.7
"""Frequencies above this part of what samples can show are not seen: the data are not smooth on any of its scales."""


def frequencies(problem: Problem, numbers: Sequence[Any]) -> np.ndarray | None:
    """The highest frequencies along each axis, in radians a unit of length; None where data have all frequencies.

    They are those of the right-hand sides along lines through the domain, and those of waves that solve the equation
    without a source: where a second derivative balances a term without derivatives.
    """
    domain, d = problem.domain, problem.domain.dimension
    low, high = domain.bounds
    found = np.zeros(d)
    across = kronecker(LINES, d, np.random.default_rng(0))
    t = (np.arange(SAMPLES) + 0.5) / SAMPLES
    for statement in statements_of(problem):
        equation, source = statement.equation, statement.source
        if source is None:
            found = np.maximum(found, _free_waves(problem, statement.equation, numbers))
            ends: list[tuple[int, float] | None] = [None]
        elif isinstance(source, On) and isinstance(domain, Box) and source.where is None:
            sides = (divmod(domain.parts.index(p), 2) for p in domain.resolve(source.part))
            ends = [(axis, domain.bounds[end, axis]) for axis, end in sides]
        else:
            continue
        if equation.places:
            continue
        for fixed in ends:
            for axis in range(d):
                if fixed is not None and fixed[0] == axis:
                    continue
                for line in across if d > 1 + (fixed is not None) else across[:1]:
                    points = np.repeat((low + (high - low) * line)[None], SAMPLES, axis=0)
                    points[:, axis] = low[axis] + (high - low)[axis] * t
                    if fixed is not None:
                        points[:, fixed[0]] = fixed[1]
                    seen = _along(points, domain._inside if fixed is None else None, axis, equation, numbers)
                    if seen is None:
                        return None
                    found[axis] = max(found[axis], seen)
    return found


def _along(
    points: np.ndarray, inside: Callable[..., Any] | None, axis: int, equation: Any, numbers: Sequence[Any]
) -> float | None:
    """The highest frequency of a right-hand side along a line, on its longest part inside."""
    if inside is not None:
        mask = np.concatenate([[False], inside(points, 0), [False]])
        change = np.flatnonzero(mask[1:] != mask[:-1]).reshape(-1, 2)
        if len(change) == 0:
            return 0.0
        start, stop = change[np.argmax(np.diff(change, axis=1))]
        if stop - start < SAMPLES // 8:
            return 0.0
        points = points[start:stop]
    values = equation.residual(points, None, tuple(numbers))
    if np.ptp(values) == 0.0:
        return 0.0
    window = np.kaiser(len(values), WINDOW)
    highest = _highest(values * window)
    if highest > NYQUIST * FINER * len(values) / 2:
        return None
    length = np.ptp(points[:, axis]) * len(points) / (len(points) - 1)
    return float(max(0, highest - _highest(window)) * 2 * np.pi / (FINER * length))


def _highest(values: np.ndarray) -> int:
    """Beyond how many oscillations of the padded samples nearly nothing is left."""
    spectrum = np.abs(np.fft.rfft(values, FINER * len(values))) ** 2
    beyond = np.sqrt(np.cumsum(spectrum[::-1])[::-1] / spectrum.sum())
    return int(np.argmax(beyond < LEFT)) if beyond[-1] < LEFT else len(beyond)


def _free_waves(problem: Problem, equation: Any, numbers: Sequence[Any]) -> np.ndarray:
    """The frequency along each axis of waves that solve an equation: sqrt(c / a) for a u'' + c u."""
    d = problem.domain.dimension
    found = np.zeros(d)
    if not equation.linear:
        return found
    points = problem.domain.interior(64, "quasi", 0)
    factors = equation.jacobian(points, None, tuple(numbers))
    terms = dict(zip(equation.slots, factors, strict=True))
    for u in {u for u, _ in equation.slots}:
        level = terms.get((u, (0,) * d), np.array(0.0))
        for axis in range(d):
            second = terms.get((u, tuple(2 * (k == axis) for k in range(d))))
            if second is None:
                continue
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.where(level * second > 0, level / second, 0.0)
            found[axis] = max(found[axis], float(np.sqrt(ratio.max(initial=0.0))))
    return found
