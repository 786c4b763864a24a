"""Outlines of DXF drawings (text form): lines, polylines with arcs, circles, arcs, ellipses; layers become names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from transnet.calls import shown
from transnet.drawings.loops import FARTHEST_OUT, Loop, Stroke, circle_loop, joined
from transnet.errors import FileError
from transnet.tolerances import ROUNDED, SAME

Entity = list[tuple[int, str]]
DRAWN = ("LINE", "LWPOLYLINE", "POLYLINE", "CIRCLE", "ARC", "ELLIPSE")


def read_dxf(path: Path) -> list[Loop]:
    """The closed outlines of a drawing; the default layer "0" gives no name."""
    raw = path.read_bytes()
    if raw.startswith(b"AutoCAD Binary DXF"):
        raise FileError(f"'{path}' is a binary DXF file. Save it as text (ASCII DXF).")
    lines = raw.decode("utf-8", errors="replace").splitlines()
    try:
        pairs = [(int(lines[k]), lines[k + 1].strip()) for k in range(0, len(lines) - 1, 2)]
    except ValueError:
        raise FileError(f"'{path}' is not a DXF file: lines do not come in pairs of a code and a value.") from None
    loops: list[Loop] = []
    loose: list[Stroke] = []
    for kind, entity in _entities(pairs):
        layer = next((v for c, v in entity if c == 8), "0")
        name = None if layer == "0" else layer
        values = {c: _number(v, path) for c, v in reversed(entity) if 10 <= c < 60}
        match kind:
            case "CIRCLE":
                loops.append(circle_loop(values[10], values[20], values[40], name, name))
            case "LINE":
                loose.append(Stroke(np.array([values[10], values[20]]), np.array([values[11], values[21]]), name))
            case "ARC":
                first, last = np.radians(values[50]), np.radians(values[51])
                bend = _circular(np.array([values[10], values[20]]), values[40], first, (last - first) % (2 * np.pi))
                start, stop = bend(np.array([0.0, 1.0]))
                loose.append(Stroke(start, stop, name, bend))
            case "ELLIPSE":
                loose.append(_ellipse(values, name))
            case "LWPOLYLINE" | "POLYLINE":
                segments, closed = _polyline(entity, name, path)
                if closed:
                    loops.append(Loop(tuple(segments), name, name))
                else:
                    loose += segments
    rounds = [s for s in loose if s.bend is not None and np.linalg.norm(s.stop - s.start) < ROUNDED]
    loops += [Loop((s,), s.name, s.name) for s in rounds]
    return loops + joined([s for s in loose if s not in rounds], f"'{path.name}'")


def _number(text: str, path: Path) -> float:
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if not abs(found) < FARTHEST_OUT:
        raise FileError(f"'{path}' has {shown(text)} where a number of moderate size should stand.")
    return found


def _entities(pairs: Entity) -> Iterator[tuple[str, Entity]]:
    """The drawn entities of the section ENTITIES; the vertices of an old polyline are put into it."""
    inside, kind = False, ""
    entity: Entity = []
    for code, value in pairs:
        if code == 2 and value == "ENTITIES":
            inside = True
        elif code == 0:
            if kind == "POLYLINE" and value in ("VERTEX", "SEQEND"):
                entity.append((0, value))
                continue
            if inside and kind in DRAWN:
                yield kind, entity
            kind, entity = value, []
            inside = inside and value != "ENDSEC"
        else:
            entity.append((code, value))
    if inside and kind in DRAWN:
        yield kind, entity


def _polyline(entity: Entity, name: str | None, path: Path) -> tuple[list[Stroke], bool]:
    """The segments of a polyline, whose bulges are the tangents of a quarter of the angle of their arcs."""
    closed = bool(next((int(_number(v, path)) for c, v in entity if c == 70), 0) & 1)
    old = any(c == 0 for c, _ in entity)
    corners: list[list[float]] = []
    started = not old
    for code, value in entity:
        if code == 0:
            started = True
        elif started and code == 10:
            corners.append([_number(value, path), 0.0, 0.0])
        elif started and code == 20 and corners:
            corners[-1][1] = _number(value, path)
        elif started and code == 42 and corners:
            corners[-1][2] = _number(value, path)
    points = np.array([c[:2] for c in corners])
    if len(points) > 2 and np.allclose(points[0], points[-1], rtol=0, atol=ROUNDED * float(np.ptp(points))):
        closed, corners, points = True, corners[:-1], points[:-1]
    segments = []
    for k in range(len(points) if closed else len(points) - 1):
        a, b, bulge = points[k], points[(k + 1) % len(points)], corners[k][2]
        segments.append(Stroke(a, b, name, None if bulge == 0 else _bulged(a, b, bulge)))
    return segments, closed


def _circular(centre: np.ndarray, radius: float, first: float, span: float):  # type: ignore[no-untyped-def]
    def bend(t: np.ndarray) -> np.ndarray:
        angle = first + span * t
        return np.asarray(centre + radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1))

    return bend


def _bulged(a: np.ndarray, b: np.ndarray, bulge: float):  # type: ignore[no-untyped-def]
    chord = b - a
    length = float(np.hypot(*chord))
    span = 4 * np.arctan(bulge)
    radius = length / (2 * abs(np.sin(span / 2)))
    aside = np.array([-chord[1], chord[0]]) / length
    centre = (a + b) / 2 + aside * length / 2 * (1 - bulge**2) / (2 * bulge)
    first = float(np.arctan2(*(a - centre)[::-1]))
    return _circular(centre, radius, first, float(span))


def _ellipse(v: dict[int, float], name: str | None) -> Stroke:
    centre, major, ratio = np.array([v[10], v[20]]), np.array([v[11], v[21]]), v[40]
    minor = ratio * np.array([-major[1], major[0]])
    first, last = v.get(41, 0.0), v.get(42, 2 * np.pi)

    def bend(t: np.ndarray) -> np.ndarray:
        angle = first + (last - first) * t
        return np.asarray(centre + np.outer(np.cos(angle), major) + np.outer(np.sin(angle), minor))

    start, stop = bend(np.array([0.0, 1.0]))
    whole = abs(last - first - 2 * np.pi) < SAME
    return Stroke(start, start if whole else stop, name, bend)
