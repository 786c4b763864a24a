"""Domains of several materials: each is cut into cells of its own, which meet on the arcs of interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from transnet.cells.charts import CellCharts
from transnet.cells.outline import ArcSamples, Outlined
from transnet.cells.tiles import SHORT, TINY, Tiles
from transnet.geometry import Domain
from transnet.geometry.partition import Pieces
from transnet.geometry.pieces import ArcPiece
from transnet.measure.arcs import Arc

TOWARDS, BACKWARDS = (0.12, 0.4), (0.6, 0.88)
"""Where the stretch of an interface that begins, or ends, in a corner is cut: its functions need more points."""


@dataclass(frozen=True, eq=False)
class MaterialView:
    """One piece of a domain, with the parts of the whole as its boundary, and its interfaces as "i|j"."""

    shape: Domain
    named: dict[str, tuple[Arc, ...]]

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.named)

    @property
    def bounds(self) -> np.ndarray:
        return self.shape.bounds

    @property
    def volume(self) -> float:
        return self.shape.volume

    def arcs(self, part: str) -> tuple[Arc, ...]:
        return self.named[part]

    def interior(self, n: int, how: Any, seed: int) -> np.ndarray:
        return self.shape.interior(n, how, seed)

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        return self.shape._inside(points, sign)


def material_views(domain: Domain) -> tuple[Outlined, ...]:
    """The materials of a domain; a plain domain is one."""
    if not isinstance(domain, Pieces):
        return (domain,)
    named: list[dict[str, tuple[Arc, ...]]] = [{} for _ in domain.shapes]
    for part, kept in domain._kept.items():
        for k, piece in kept:
            assert isinstance(piece, ArcPiece)
            named[k][part] = (*named[k].get(part, ()), piece.arc)
    for (i, j), pieces in domain.interfaces.items():
        arcs = [piece for piece in pieces if isinstance(piece, ArcPiece)]
        named[i][f"{i}|{j}"] = tuple(piece.arc for piece in arcs)
        named[j][f"{i}|{j}"] = tuple(piece.turned().arc for piece in arcs)
    return tuple(MaterialView(shape, names) for (_, shape), names in zip(domain.shapes, named, strict=True))


def joined_tiles(made: Sequence[Tiles]) -> Tiles:
    """The cells of several materials, with a face for each stretch of an interface that two of them share."""
    first = np.cumsum([0, *(len(t) for t in made)])
    arcs: list[tuple[str, Arc]] = []
    rims: list[tuple[int, int, float, float]] = []
    sides: dict[tuple[str, int], list[list[tuple[int, float, float]]]] = {}
    numbers: dict[tuple[str, int], int] = {}
    for number, t in enumerate(made):
        seen: dict[str, int] = {}
        place: list[tuple[str, int]] = []
        for k, (part, _) in enumerate(t.outline.arcs):
            place.append((part, seen.get(part, 0)))
            seen[part] = seen.get(part, 0) + 1
            if "|" in part and part.startswith(f"{number}|"):
                numbers[place[-1]] = len(arcs) + k
        start = len(arcs)
        arcs += list(t.outline.arcs)
        for cell, arc_number, low, high in t.rims:
            part, index = place[arc_number]
            if "|" not in part:
                rims.append((int(first[number]) + cell, start + arc_number, low, high))
                continue
            both = sides.setdefault((part, index), [[], []])
            both[0 if part.startswith(f"{number}|") else 1].append((int(first[number]) + cell, low, high))
    beyond: list[tuple[int, int]] = []
    sizes, origins, opened = (np.concatenate([getattr(t, name) for t in made]) for name in ("size", "origin", "open"))
    for key, (ours, theirs) in sides.items():
        for a, low, high in ours:
            for b, start_b, stop_b in theirs:
                s, e = max(low, start_b), min(high, stop_b)
                if e - s > TINY * min(sizes[a], sizes[b]):
                    ends = arcs[numbers[key]][1].at(np.array([s, e]))[0]
                    at_corner = opened[a] & (np.linalg.norm(ends - origins[a], axis=1) < SHORT * sizes[a])
                    shares = [0.0, *(TOWARDS if at_corner[0] else ()), *(BACKWARDS if at_corner[1] else ()), 1.0]
                    for low_share, high_share in pairwise(shares):
                        beyond.append((len(rims), b))
                        rims.append((a, numbers[key], s + low_share * (e - s), s + high_share * (e - s)))
    pairs = [t.pairs + n for t, n in zip(made, first, strict=False)]
    across = np.array([(rims[k][0], b) for k, b in beyond], dtype=int).reshape(-1, 2)

    def stacked(name: str) -> np.ndarray:
        return np.concatenate([getattr(t, name) for t in made])

    return Tiles(
        _joined_outlines([t.outline for t in made]),
        stacked("seeds"),
        stacked("centre"),
        stacked("half"),
        stacked("origin"),
        stacked("ends"),
        stacked("open"),
        np.concatenate([*pairs, across]),
        stacked("starts"),
        stacked("stops"),
        tuple(rims),
        charts=CellCharts(
            *(np.concatenate([getattr(t.charts, n) for t in made]) for n in ("centre", "half", "focus", "ahead"))
        ),
        material=np.repeat(np.arange(len(made)), [len(t) for t in made]),
        joints=np.array([k for k, _ in beyond], dtype=int),
    )


def _joined_outlines(outlines: Sequence[ArcSamples]) -> ArcSamples:
    first = np.cumsum([0, *(len(o.arcs) for o in outlines)])
    return ArcSamples(
        tuple(arc for o in outlines for arc in o.arcs),
        np.concatenate([o.points for o in outlines]),
        np.concatenate([o.normals for o in outlines]),
        np.concatenate([o.arc + n for o, n in zip(outlines, first, strict=False)]),
        np.concatenate([o.at for o in outlines]),
    )
