"""Do the measured values fit the equations to within their noise? If not, a value, the equations or the noise is
wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.errors import AccuracyWarning, Message
from transnet.linalg.sizes import rms
from transnet.rows.blocks import Block

SIGMAS = 5.0
"""How many standard deviations the misfit of all measurements together may exceed its expected value."""
FAR, LEAST, ENOUGH = 6.0, 2.5, 10
"""An outlier: a single value further off than this many standard deviations (estimated from the median, if there are at
least this many values) and than this many times the noise."""
MEDIAN = 0.67
"""The median of the moduli of errors with standard deviation one."""


def likely(count: int) -> float:
    """The largest likely root mean square of this many errors, in units of their noise."""
    return float(1.0 + SIGMAS / np.sqrt(2.0 * count))


def misfit_messages(
    basis: Basis, blocks: Sequence[Block], coefficients: np.ndarray, parameters: Sequence[Any]
) -> tuple[list[Message], bool]:
    """Messages for data that are not fitted to their stated noise, or that have outliers; and whether standard errors
    hold in spite of them."""
    found, hold = [], True
    for block in blocks:
        level = block.statement.noise
        if level is None or block.statement.kind != "data":
            continue
        left = np.abs(block.residual(block.state(basis, coefficients), parameters)) / level
        size, count = float(rms(left)), len(left)
        usual = float(np.median(left)) / MEDIAN if count >= ENOUGH else np.inf
        far = np.flatnonzero(left > max(LEAST, FAR * usual))
        expected = likely(count)
        if len(far) and len(far) <= count / 4:
            worst = int(far[np.argmax(left[far])])
            place = ", ".join(f"{c:.4g}" for c in block.points[worst])
            many = "one value is" if len(far) == 1 else f"{len(far)} values are"
            text = (
                f"Of the data '{block.statement.label}', {many} far from what the equations allow, the worst at "
                f"({place}) by {left[worst]:.1f} times the noise. It is probably wrong, and it distorts the answer: "
                f"leave it out."
            )
            found.append(Message(AccuracyWarning, text))
            hold = hold and float(rms(np.delete(left, far))) <= expected
        elif size > expected:
            text = (
                f"The data '{block.statement.label}' are fitted only to {size:.1f} times their noise, where at most "
                f"{expected:.1f} is expected: the equations do not describe what was measured, the noise is larger "
                f"than stated, or the iteration ended in a local minimum. In each case the standard errors do not hold."
            )
            found.append(Message(AccuracyWarning, text))
            hold = False
    return found, hold
