"""How fast the data of a problem oscillate: formulas are cheap to evaluate, and show how finely a domain must be
cut."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from transnet.geometry import Box
from transnet.geometry.sampling import quasi
from transnet.linalg.sizes import rms
from transnet.problem import Problem
from transnet.rows.statements import statements_of

SAMPLES = 4096
"""Samples of a line."""
LINES = 5
"""Lines along each axis."""
WINDOW = 20.0
"""The shape of Kaiser's window, whose own spectrum falls below `LEFT` within six wavelengths per line."""
FINER = 4
"""Zeros are appended until there are this many times as many samples, to resolve frequencies between whole
wavelengths."""
LEFT = 1e-5
"""The part of a function, in root mean square, that may have higher frequencies."""
PARTS, EVERYWHERE = 8, 0.02
"""A line has this many parts, and data oscillate everywhere if they are this large, relative to the largest, in half of
the parts of all lines; fronts and spikes are large at few places, and better cut there."""
NYQUIST = 0.7
"""Frequencies above this part of what the samples resolve are unreliable: the data are not smooth on any of their
scales."""
SHORTEST = 8
"""The longest stretch of a line inside the domain is used if it is at least one of this many parts of the line."""
INSIDE = 64
"""Points at which the coefficients of an equation are evaluated, to see how it oscillates."""


def frequencies(problem: Problem, numbers: Sequence[Any]) -> np.ndarray | None:
    """The highest frequencies along each axis, in radians per unit of length; None if data are rough somewhere.

    They are those of the right-hand sides along lines through the domain, and those of waves that solve the equation
    without a source: where a second derivative balances a term without derivatives.
    """
    domain, d = problem.domain, problem.domain.dimension
    low, high = domain.bounds
    found = np.zeros(d)
    sizes: list[np.ndarray] = []
    across = quasi(LINES, d, np.random.default_rng(0))
    t = (np.arange(SAMPLES) + 0.5) / SAMPLES
    for statement in statements_of(problem):
        equation, source = statement.equation, statement.source
        if source is None:
            found = np.maximum(found, _free(problem, statement.equation, numbers))
            ends: list[tuple[int, float] | None] = [None]
        elif statement.part is not None and isinstance(domain, Box) and source.where is None:
            sides = (divmod(domain.parts.index(p), 2) for p in domain.resolve(statement.part))
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
                    part = points if fixed is not None else _longest(points, domain._inside(points, 0))
                    values = equation.residual(part, None, tuple(numbers)) if len(part) else np.zeros(0)
                    if len(values) == 0 or np.all(values == values[0]):
                        continue
                    seen = _highest(values, float(np.ptp(part[:, axis])))
                    if seen is None:
                        return None
                    found[axis] = max(found[axis], seen)
                    if fixed is None:
                        sizes.append(np.array([rms(p) for p in np.array_split(values, PARTS)]))
    local = sizes and np.median(sizes) < EVERYWHERE * np.max(sizes)
    return None if local else found


def free_waves(problem: Problem, numbers: Sequence[Any]) -> np.ndarray:
    """The highest frequencies along each axis of waves that solve the equations without a source."""
    inside = [s.equation for s in statements_of(problem) if s.source is None]
    return np.max([_free(problem, equation, numbers) for equation in inside], axis=0)


def _longest(points: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """The longest part of a line that is inside; None if that is short."""
    mask = np.concatenate([[False], inside, [False]])
    change = np.flatnonzero(mask[1:] != mask[:-1]).reshape(-1, 2)
    if len(change) == 0:
        return points[:0]
    start, stop = change[np.argmax(np.diff(change, axis=1))]
    return points[start:stop] if stop - start >= SAMPLES // SHORTEST else points[:0]


def _highest(values: np.ndarray, length: float) -> float | None:
    """The highest frequency of samples along a line; None if they do not show it."""
    window, own = _window(len(values))
    highest = _oscillations(values * window)
    if highest > NYQUIST * FINER * len(values) / 2:
        return None
    return float(max(0, highest + 1 - own) * 2 * np.pi / (FINER * length))


@lru_cache(maxsize=4)
def _window(count: int) -> tuple[np.ndarray, int]:
    """Kaiser's window for a number of samples, and its own oscillations: most lines have the same number."""
    window = np.kaiser(count, WINDOW)
    return window, _oscillations(window)


def _oscillations(values: np.ndarray) -> int:
    """The number of oscillations of the padded samples beyond which almost nothing is left."""
    spectrum = np.abs(np.fft.rfft(values / np.abs(values).max(), FINER * len(values))) ** 2
    beyond = np.sqrt(np.cumsum(spectrum[::-1])[::-1] / spectrum.sum())
    return int(np.argmax(beyond < LEFT)) if beyond[-1] < LEFT else len(beyond)


def _free(problem: Problem, equation: Any, numbers: Sequence[Any]) -> np.ndarray:
    """The frequency along each axis of waves that solve an equation: sqrt(c / a) for a u'' + c u."""
    d = problem.domain.dimension
    found = np.zeros(d)
    if not equation.linear:
        return found
    points = problem.domain.interior(INSIDE, "quasi", 0)
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
