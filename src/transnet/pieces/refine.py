"""Which boxes are cut further, and along which axes."""

from __future__ import annotations

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.cuts.cells import Cells
from transnet.pieces.indicate import Indicated

SHARE = 0.1
"""Cells whose indicator is at least this part of the largest are cut."""
UNEVEN = 3.0
"""A box is cut along one axis only if the solution is this many times as curved along it as along the others."""
SLENDER = 2000.0
"""The largest aspect ratio of boxes."""
THINNEST = 1e-7
"""No box becomes narrower than this part of the domain."""


def refined_boxes(cells: Cells, found: Indicated, wanted: float) -> Boxes | None:
    """The boxes cut where the indicator is large; None if it is not."""
    threshold = max(wanted, SHARE * found.largest)
    marked: dict[int, tuple[int, ...]] = {}
    for k, cell in enumerate(cells.cells):
        axes = halved_axes(cells.boxes, cell.box, found.steepness[k]) if found.cells[k] > threshold else ()
        if axes:
            marked[cell.box] = tuple(sorted({*marked.get(cell.box, ()), *axes}))
    return cells.boxes.cut(marked) if marked else None


def halved_axes(boxes: Boxes, box: int, steep: np.ndarray) -> tuple[int, ...]:
    """The axes along which a box is halved, given the curvature of the solution along each."""
    width, extent = boxes.widths[box], np.ptp(boxes.bounds, axis=0)
    relative = width / width.min()
    curved = [j for j in range(len(width)) if steep[j] * UNEVEN >= steep.max() and width[j] > THINNEST * extent[j]]
    axes = [j for j in curved if width[j] * SLENDER > width.max()]
    if len(axes) > 1:  # nearly square boxes first
        axes = [j for j in axes if relative[j] * 1.5 >= relative[axes].max()]
    return tuple(axes)
