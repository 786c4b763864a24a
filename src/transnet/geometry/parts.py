"""Parts of a boundary: which ones a name stands for, which are faces, how large they are when the box is a cube."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

import numpy as np

from transnet.tolerances import ROUNDED, SAME

from ..calls import shown
from ..errors import GeometryError

if TYPE_CHECKING:
    from .domain import Domain

SHOWN = 20
"""The most names of parts in a message."""
INITIAL = ("initial", "start", "beginning", "ic", "t0")
"""What other libraries call the part "t=0"."""
FEW, NORMALS = 8, 64
"""Samples that show whether a part is flat, and those whose normals show how it is stretched."""


def named(domain: Domain, part: str) -> tuple[str, ...]:
    """The parts that a name stands for."""
    if not isinstance(part, str):
        raise GeometryError(f"A part of a boundary is given by its name, such as 'boundary', not {shown(part)}.")
    squeezed = re.sub(r" *= *", "=", part.strip())
    for name in (part, squeezed):
        if name in domain.parts:
            return (name,)
        if name in domain.aliases:
            return domain.aliases[name]
    number = _place(str(part))
    if number is not None:  # "x=5e-3" is "x=0.005"
        for name in domain.parts:
            if _place(name) == number:
                return (name,)
    known = [*domain.parts, *domain.aliases]
    close = difflib.get_close_matches(str(part), known, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    start = next((name for name in domain.parts if name.startswith("t=")), None)
    if start and str(part).lower() in INITIAL:
        hint = f" Did you mean {start!r}?"
    if {name.strip() for name in re.split(r",|\band\b", part)} <= set(known):  # "left, right"
        hint = " State the condition once for each part, or for a group of parts."
    others = [name for name in domain.aliases if "=" not in name]  # not "x=0.0" beside "x=0"
    names = ", ".join(map(repr, domain.parts[:SHOWN])) + (", ..." if len(domain.parts) > SHOWN else "")
    raise GeometryError(
        f"{domain} has no boundary part {shown(part)}.{hint} Its parts are {names}; "
        f"groups and other names: {', '.join(map(repr, others))}."
    )


def _place(part: str) -> tuple[str, float] | None:
    """The coordinate and the number of a part such as "x=0.5"; None for other names."""
    name, sign, number = part.partition("=")
    try:
        return (name.strip(), float(number)) if sign else None
    except ValueError:
        return None


def faces(domain: Domain) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """For each axis the flat parts at its two ends, found by a few samples of each part."""
    low, high = domain.bounds
    near = ROUNDED * (high - low)
    samples = {part: domain.boundary(part, FEW, "quasi", 0).points for part in domain.parts}
    at = [{part: np.all(np.abs(p - end) <= near, axis=0) for part, p in samples.items()} for end in (low, high)]
    return [
        (tuple(p for p in samples if at[0][p][axis]), tuple(p for p in samples if at[1][p][axis]))
        for axis in range(domain.dimension)
    ]


def dilated(domain: Domain, part: str) -> float:
    """The measure of a single part after the dilation of the bounding box to [-1, 1]^d.

    An element of area dS with normal n then has the area dS |diag(scale) n| / prod(scale), where scale is half of the
    box.
    """
    scale = np.ptp(domain.bounds, axis=0) / 2
    stretch = float(scale[0])
    if np.ptp(scale) > SAME * stretch:
        normals = domain.boundary(part, NORMALS, "quasi", 0).normals
        stretch = float(np.linalg.norm(normals * scale, axis=1).mean())
    return domain.measure(part) * stretch / float(np.prod(scale))
