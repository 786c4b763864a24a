"""Relative bandwidths of the coordinates that an operator suggests.

If the terms of an equation with derivatives in x and t balance, like those of a wave, the frequencies in the two are
related: u_tt = c^2 u_xx has waves with w_t = c w_x. In the box [-1, 1]^d, where the features live, the ratio involves
the lengths of the domain, and may be large.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.linalg.sizes import rms
from transnet.rows.blocks import Block, Linearisation


def operator_axes(blocks: Sequence[Block], linear: Sequence[Linearisation], scale: np.ndarray) -> np.ndarray:
    """Logarithms of the bandwidths, with mean zero, at which the highest terms along all axes are of equal size.

    Parameters
    ----------
    scale : (d,) array
        Half of the lengths of the domain.
    """
    d = len(scale)
    found = np.full(d, np.nan)
    for axis in range(d):
        sizes: dict[int, float] = {}
        for block, lin in zip(blocks, linear, strict=True):
            if block.statement.kind == "equation":
                for (_, index), c in zip(block.slots, lin.coefficients, strict=True):
                    order = index[axis]
                    if order and sum(index) == order:
                        size = float(rms(c)) / scale[axis] ** order
                        sizes[order] = max(sizes.get(order, 0.0), size)
        highest = max((order for order, size in sizes.items() if size > 0), default=0)
        if highest:
            found[axis] = -np.log(sizes[highest]) / highest
    if np.isnan(found).all():
        return np.zeros(d)
    found = np.where(np.isnan(found), np.nanmean(found), found)
    return found - found.mean()
