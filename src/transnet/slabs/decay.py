"""How fast coefficients fall with their degree, and which degree is needed for those behind it to be small."""

from __future__ import annotations

import numpy as np

AIMED = 0.3
"""Coefficients that are this part of the wanted error are left out."""
LEADING, LAST = 0.8, 4
"""The part of the coefficients that is not disturbed by collocation, and the number of the last ones, in which its
errors gather."""
FARTHEST = 3.0
"""The logarithm of the largest factor by which a degree is extrapolated."""
GEOMETRIC = 0.75
"""Coefficients whose logarithms fall in the last third of the degrees by more than this part of what they fall in the
second one fall geometrically; for a power it is 0.58."""


def last_needed(line: np.ndarray, wanted: float) -> int:
    """The first degree behind which no coefficient counts; the number of coefficients if there is none."""
    above = np.flatnonzero(line > AIMED * wanted)
    return int(above[-1]) + 1 if len(above) else 0


def degree_needed(line: np.ndarray, wanted: float) -> int:
    """The same, with coefficients continued geometrically or like a power."""
    needed = last_needed(line, wanted)
    n = len(line) - 1
    if needed < n:
        return needed
    # The last few coefficients have what the others lack: they tell the size of the error, not how it falls.
    m = int(LEADING * n)
    # Where the envelope of the coefficients is reached: of an even function every second one is zero.
    at = [k + int(np.argmax(line[k : m + 1])) for k in (m // 3, 2 * m // 3, max(m - 1, 0))]
    third, rest, end = (max(float(line[k]), np.finfo(float).tiny) for k in at)
    early, late = np.log(third / rest) / max(at[1] - at[0], 1), np.log(rest / end) / max(at[2] - at[1], 1)
    last = max(n + 1 - LAST, 0) + int(np.argmax(line[-LAST:]))
    missing = np.log(max(float(line[last]) / (AIMED * wanted), 1.0))
    if late <= 0.0:
        return 2 * n
    if late > GEOMETRIC * early:
        return int(np.ceil(last + missing / late)) + 1
    power = late * (at[2] - at[1]) / np.log(at[2] / max(at[1], 1))
    return int(n * np.exp(min(missing / power, FARTHEST)))
