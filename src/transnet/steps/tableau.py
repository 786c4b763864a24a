"""The methods in time: diagonally implicit with one diagonal, of order four with an estimate of order three, L-stable.

All stages have the same operator 1 - gamma tau L, so one factorisation serves every step of a length, and the last
stage is the end of the step. A step begins with the slope at the end of the one before, which makes the stages of
second order: boundary values that change in time then reduce the order less. The first step has no such slope and uses
the other method. Coefficients: Kennedy and Carpenter, Appl. Numer. Math. 44 (2003), ESDIRK4(3)6L[2]SA; Hairer and
Wanner, Solving Ordinary Differential Equations II, table IV.6.5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.slabs.stages import legendre_table

GAMMA = 0.25
ORDER = 4
"""The diagonal of the methods, one factorisation for all stages, and their order."""


@dataclass(frozen=True, eq=False)
class Tableau:
    """The matrix of a method, and the weights of its last stage less those of the embedded method."""

    stages: np.ndarray
    estimate: np.ndarray

    @property
    def nodes(self) -> np.ndarray:
        return np.asarray(self.stages.sum(axis=1))


def _method(rows: list[list[float]], embedded: list[float]) -> Tableau:
    stages = np.array([[*row, *[0.0] * (len(rows) - len(row))] for row in rows])
    return Tableau(stages, stages[-1] - np.array(embedded))


USUAL = _method(
    [
        [0.0],
        [1 / 4, 1 / 4],
        [8611 / 62500, -1743 / 31250, 1 / 4],
        [5012029 / 34652500, -654441 / 2922500, 174375 / 388108, 1 / 4],
        [15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912, 1 / 4],
        [82889 / 524892, 0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4],
    ],
    [
        4586570599 / 29645900160,
        0,
        178811875 / 945068544,
        814220225 / 1159782912,
        -3700637 / 11593932,
        61727 / 225920,
    ],
)
FIRST = _method(
    [
        [1 / 4],
        [1 / 2, 1 / 4],
        [17 / 50, -1 / 25, 1 / 4],
        [371 / 1360, -137 / 2720, 15 / 544, 1 / 4],
        [25 / 24, -49 / 48, 125 / 16, -85 / 12, 1 / 4],
    ],
    [59 / 48, -17 / 96, 225 / 32, -85 / 12, 0.0],
)
"""For the first step, which has no initial slope."""


def _between(slopes: tuple[bool, bool]) -> np.ndarray:
    """From values and slopes (times half of the step) at both ends to coefficients of Legendre polynomials."""
    ends = np.array([-1.0, 1.0])
    degree = 1 + sum(slopes)
    values = legendre_table(ends, degree, 0)
    steep = legendre_table(ends, degree, 1)[np.array(slopes)]
    return np.linalg.inv(np.concatenate([values, steep]))


CUBIC, QUADRATIC = _between((True, True)), _between((False, True))
"""With slopes at both ends of a step, and at its end alone if that of the start is not known."""
