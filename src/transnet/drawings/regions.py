"""The domain that outlines bound: loops inside loops are holes, named regions that touch each other are pieces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.drawings.loops import FARTHEST_OUT, Loop, Stroke
from transnet.errors import GeometryError
from transnet.geometry.csg import Combination, joined_all
from transnet.geometry.domain import Domain
from transnet.geometry.partition import Pieces
from transnet.geometry.polygon import Polygon
from transnet.lazy import shapely

AT_ONCE, MOST_NESTED = 64, 200_000
"""Outlines that are compared with all others at once, and the most pairs of which one is inside the other: a second."""
MOST_CROSSINGS, MOST_PIECES = 800, 400
"""The most pairs of curved outlines that meet, each counted from both, and of named regions: they take three seconds of
processor time."""


def domain_of(loops: Sequence[Loop], source: str) -> Domain:
    """The domain bounded by loops: the points inside an odd number of them, or named regions that touch."""
    if not loops:
        raise GeometryError(f"{source} has no closed outline. A domain needs one: a closed path, polygon or circle.")
    refuse_odd(loops, source)
    shapes = np.array([loop.shape for loop in loops])
    for k in np.flatnonzero(~shapely.is_valid(shapes)).tolist():
        loops[k].domain()  # the error says where it crosses itself
    inner, outer = _nested(shapes, source)
    depth = np.bincount(inner, minlength=len(loops))
    solid = np.flatnonzero(depth % 2 == 0).tolist()
    holes: dict[int, list[int]] = {}
    for j, k in np.stack([inner, outer], axis=1)[depth[inner] == depth[outer] + 1].tolist():
        holes.setdefault(k, []).append(j)
    touching = shapely.STRtree(shapes[solid]).query(shapes[solid], predicate="touches").size > 0
    names = [loops[k].region for k in solid]
    if touching and all(names) and len(set(names)) == len(names):
        if len(solid) > MOST_PIECES:
            raise GeometryError(
                f"{source} has {len(solid)} named regions that touch; more than {MOST_PIECES} pieces are not read. "
                "Leave the names away where the material is the same."
            )
        return Pieces({str(loops[k].region): _region(loops, shapes, k, holes.get(k, []), source) for k in solid})
    bodies = shapes.copy()
    for k in solid:
        if k in holes:
            bodies[k] = shapely.difference(shapes[k], shapely.union_all(shapes[holes[k]]))
    groups = []
    for group in _groups(bodies, solid):
        if len(group) > 1 and not any(holes.get(k) for k in group):
            groups.append(_merged(loops, shapes, group, source))
        else:
            parts = [_region(loops, shapes, k, holes.get(k, []), source) for k in group]
            groups.append(joined_all("|", side_by_side(parts)))
    return joined_all("|", groups, apart=True)


def _nested(shapes: np.ndarray, source: str) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of shapes of which the first is inside the second."""
    tree, found, total = shapely.STRtree(shapes), [], 0
    for k in range(0, len(shapes), AT_ONCE):
        inner, outer = tree.query(shapes[k : k + AT_ONCE], predicate="within")
        found.append(np.stack([inner + k, outer])[:, inner + k != outer])
        total += found[-1].shape[1]
        if total > MOST_NESTED:
            raise GeometryError(f"{source} has outlines inside outlines, too many to tell which are holes.")
    inner, outer = np.concatenate(found, axis=1)
    return inner, outer


def _region(loops: Sequence[Loop], shapes: np.ndarray, k: int, holes: list[int], source: str) -> Domain:
    """What one outline bounds, without its holes."""
    whole = loops[k].domain()
    if not holes:
        return whole
    groups = _groups(shapes, holes)
    cut = joined_all("|", [_merged(loops, shapes, group, source) for group in groups], apart=True)
    inside = bool(shapely.contains_properly(shapes[k], shapes[holes]).all())
    return Combination("-", whole, cut, apart=inside)


def _groups(shapes: np.ndarray, some: list[int]) -> list[list[int]]:
    """Some of the shapes by their numbers, those together that meet, directly or through others."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    a, b = shapely.STRtree(shapes[some]).query(shapes[some], predicate="intersects")
    _, of = connected_components(coo_array((np.ones(len(a)), (a, b)), shape=(len(some),) * 2))
    order = np.argsort(of, kind="stable")
    return [part.tolist() for part in np.split(np.array(some)[order], np.flatnonzero(np.diff(of[order])) + 1)]


def _merged(loops: Sequence[Loop], shapes: np.ndarray, group: list[int], source: str) -> Domain:
    """The union of outlines that meet: of straight ones at once, of others one with the other."""
    if len(group) == 1:
        return loops[group[0]].domain()
    strokes = [(s, loops[k].name) for k in group for s in loops[k].segments]
    if any(s.bend is not None for s, _ in strokes):
        crossings = shapely.STRtree(shapes[group]).query(shapes[group], predicate="intersects").shape[1] - len(group)
        if crossings > MOST_CROSSINGS:
            raise GeometryError(
                f"{source} has curved outlines that cross each other {crossings // 2} times; more than "
                f"{MOST_CROSSINGS // 2} are not read. Join them in the drawing program first."
            )
        return joined_all("|", side_by_side([loops[k].domain() for k in group]))
    edges = shapely.STRtree([shapely.LineString([s.start, s.stop]) for s, _ in strokes])
    parts = shapely.get_parts(shapely.union_all(shapes[group]).simplify(0.0))
    return joined_all("|", [_polygon(part, edges, strokes) for part in parts], apart=True)


def _polygon(shape: shapely.Polygon, edges: shapely.STRtree, strokes: list[tuple[Stroke, str | None]]) -> Polygon:
    """A polygon whose edges are called like those of the outlines that they lie on."""
    rings = [np.array(ring.coords)[:-1] for ring in (shape.exterior, *shape.interiors)]
    middles = [(ring + np.roll(ring, -1, axis=0)) / 2 for ring in rings]
    nearest = edges.nearest(shapely.points(np.concatenate(middles)))
    names = [strokes[k][0].name or strokes[k][1] for k in nearest]
    return Polygon(rings[0].tolist(), [ring.tolist() for ring in rings[1:]], names if any(names) else None)


def side_by_side(shapes: Sequence[Domain]) -> list[Domain]:
    """The shapes in an order in which each half, and each half of it, lies beside the other: few boundaries of one are
    near those of the other."""
    if len(shapes) < 2:
        return list(shapes)
    middles = np.array([shape.bounds.mean(axis=0) for shape in shapes])
    order = np.argsort(middles[:, np.argmax(np.ptp(middles, axis=0))], kind="stable")
    half = len(shapes) // 2
    return side_by_side([shapes[k] for k in order[:half]]) + side_by_side([shapes[k] for k in order[half:]])


def refuse_odd(loops: Sequence[Loop], source: str) -> None:
    """Raise if a drawing has places that are not numbers, or so large that areas are not."""
    for loop in loops:
        with np.errstate(all="ignore"):
            ends = np.concatenate([points for s in loop.segments for points in (s.points(), s.stop[None])])
        if len(loop.segments) < 3 and all(s.bend is None for s in loop.segments):
            raise GeometryError(f"An outline of {source} has no area: it has {len(loop.segments)} sides.")
        if not np.all(np.abs(ends) < FARTHEST_OUT) or (
            loop.circle is not None and not 0 < loop.circle[2] < FARTHEST_OUT
        ):
            raise GeometryError(f"{source} has a number that is not finite, or too large, or a circle without radius.")
