"""The singular functions of a hole: a logarithm, and powers of negative order."""

from __future__ import annotations

import numpy as np

from transnet.features.placement import Placement
from transnet.features.singular import LATE, Chart, Function
from transnet.geometry.corners import Hole

FIRST = 4
DIGITS = 23.0
"""Around a hole of radius r, in units of its distance to the rest of the boundary, powers z^-k are multiplied by
conj(z)^j as long as r^k is more than exp(-DIGITS), and the first few in any case."""
CLOSEST = 0.01
"""The least value for the logarithm of the distance of holes, in units of the smaller radius."""


def hole_functions(
    hole: Hole, placement: Placement, rim: np.ndarray, mu: complex, poles: int, bars: float
) -> list[Function]:
    """The logarithm and the powers around a hole; `rim` are points of the rest of the boundary."""
    plane = np.array([1.0, mu])
    arm = complex(hole.arm @ plane)
    turn = abs(arm) / arm if arm else 1.0 + 0.0j  # the segment is on the real axis
    focus = abs(arm)
    around, beyond = (_outside(turn * ((points - hole.centre) @ plane), focus) for points in (hole.rim, rim))
    least, others = float(around.min()), beyond[beyond > 1.01 * around.max()]
    frame = Chart.at(hole.centre, placement, mu, turn / least, f=focus / least)
    # Functions that grow away from the hole are scaled to size one in the domain.
    wide = Chart.at(hole.centre, placement, mu, turn * (1.0 / max(abs(placement.scale @ plane), least)))
    # The slenderer a hole, the more slowly the powers around its segment fall.
    poles = int(poles * (1.0 + focus / least))
    # The influence of everything else on a small hole falls like powers of its radius; conj(z)^j is needed as far as
    # these matter.
    remote = float(np.log(others.min() / least)) if len(others) else 0.0
    barred = FIRST + int(DIGITS / max(remote, CLOSEST))
    rows = []
    for j in range(1 + int(bars / 2)):
        # |z|^2j log|z| is single-valued around a hole; z^j log z alone is not.
        rows.append(Function(wide if j else frame, float(j), log=1, bars=j))
        # A source in a stream also has z log|z|, and so on.
        for k in range(j + 1, 1 + int(bars) - j):
            rows += Function(wide, float(k), log=2, bars=j, late=k + j > LATE * bars).both()
        highest = min(poles, barred) if j else poles
        for k in range(1, highest + 1 - j):
            rows += Function(frame, float(-k), bars=j, late=k + j > LATE * highest).both()
    return rows


def _outside(z: np.ndarray, focus: float) -> np.ndarray:
    """|zeta| of points around the segment from -focus to focus."""
    return 0.5 * np.abs(z + np.sqrt(z - focus) * np.sqrt(z + focus))
