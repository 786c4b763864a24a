"""Do the measured values fit the equations to their noise? If not, one of them, the equations or the noise is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.errors import AccuracyWarning, Message
from transnet.rows.blocks import Block

SIGMAS = 5.0
"""How many standard deviations more than expected may be left of all measurements together."""
FAR, LEAST, ENOUGH = 6.0, 2.5, 10
"""A single value further off than so many standard deviations, estimated from the median of what is left of so many
values or more, and than so many times the noise, is no error of a measurement."""
MEDIAN = 0.67
"""Of the moduli of errors with standard deviation one."""


def misfit(basis: Basis, blocks: Sequence[Block], coefficients: np.ndarray, parameters: Sequence[Any]) -> list[Message]:
    """A message for data with a stated noise that are not fitted to it, or of which single values are not."""
    found = []
    for block in blocks:
        level = block.statement.noise
        if level is None or block.statement.kind != "data":
            continue
        left = np.abs(block.residual(block.state(basis, coefficients), parameters)) / level
        size, count = float(np.sqrt(np.mean(left**2))), len(left)
        usual = float(np.median(left)) / MEDIAN if count >= ENOUGH else np.inf
        far = np.flatnonzero(left > max(LEAST, FAR * usual))
        expected = 1.0 + SIGMAS / np.sqrt(2.0 * count)  # of the root mean square of so many errors, at the most
        if len(far) and len(far) <= count / 4:
            worst = int(far[np.argmax(left[far])])
            place = ", ".join(f"{c:.4g}" for c in block.points[worst])
            many = "a value" if len(far) == 1 else f"{len(far)} values"
            text = (
                f"Among the data '{block.statement.label}' there is {many} far from what the equations allow: the one "
                f"at ({place}) by {left[worst]:.1f} times the noise. It is probably wrong: leave it out, and what was "
                f"found changes."
            )
            found.append(Message(AccuracyWarning, text))
        elif size > expected:
            text = (
                f"The data '{block.statement.label}' are fitted to {size:.1f} times their noise only, where at most "
                f"{expected:.1f} is to be expected: the equations do not describe what was measured, the noise is "
                f"larger than stated, or the iteration ended in a minimum that is not the lowest. Standard errors hold "
                f"for none of these."
            )
            found.append(Message(AccuracyWarning, text))
    return found
