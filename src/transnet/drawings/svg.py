"""Outlines of SVG drawings: paths, rectangles, circles, ellipses and polygons, with their ids as names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from transnet.drawings.loops import Loop, Stroke, circle_loop, polygon_loop
from transnet.errors import FileError
from transnet.tolerances import ROUNDED

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
COMMAND = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}label"
HIDDEN = ("defs", "clipPath", "mask", "symbol", "marker", "pattern")


def read_svg(path: Path) -> list[Loop]:
    """The closed outlines of a drawing. The y axis of SVG points down; here it points up, from the lower edge."""
    text = path.read_text(encoding="utf-8")
    if "<!ENTITY" in text:
        raise FileError(f"'{path}' defines entities of XML, which are not read.")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FileError(f"'{path}' is not an SVG file: {error}.") from None
    box = [float(n) for n in NUMBER.findall(root.get("viewBox", ""))]
    height = re.match(NUMBER, root.get("height", "").strip())
    lower = box[1] + box[3] if len(box) == 4 else float(height.group()) if height else 0.0
    left = box[0] if len(box) == 4 else 0.0
    up = np.array([[1.0, 0.0, -left], [0.0, -1.0, lower], [0.0, 0.0, 1.0]])
    return list(_loops(root, up, None))


def _loops(element: ElementTree.Element, outer: np.ndarray, layer: str | None) -> Iterator[Loop]:
    kind = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    if kind in HIDDEN or "display:none" in element.get("style", "").replace(" ", ""):
        return
    matrix = outer @ _transform(element.get("transform", ""))
    name = element.get(INKSCAPE) or element.get("id") or layer
    if kind in ("svg", "g", "a", ""):
        inner = layer if kind == "svg" else name
        for child in element:
            yield from _loops(child, matrix, inner)
        return

    def number(key: str) -> float:
        found = re.match(NUMBER, element.get(key, "0").strip())
        return float(found.group()) if found else 0.0

    match kind:
        case "path":
            yield from _path(element.get("d", ""), matrix, name)
        case "rect":
            x, y, w, h = (number(k) for k in ("x", "y", "width", "height"))
            yield polygon_loop(_moved(np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)]), matrix), name, name)
        case "polygon":
            points = np.array([float(n) for n in NUMBER.findall(element.get("points", ""))]).reshape(-1, 2)
            yield polygon_loop(_moved(points, matrix), name, name)
        case "circle" | "ellipse":
            a, b = (number("r"), number("r")) if kind == "circle" else (number("rx"), number("ry"))
            yield _ellipse(number("cx"), number("cy"), a, b, matrix, name)


def _ellipse(x: float, y: float, a: float, b: float, matrix: np.ndarray, name: str | None) -> Loop:
    linear = matrix[:2, :2] @ np.diag([a, b])
    centre = _moved(np.array([[x, y]]), matrix)[0]
    sizes = np.linalg.svd(linear, compute_uv=False)
    if np.ptp(sizes) <= ROUNDED * sizes[0]:
        return circle_loop(float(centre[0]), float(centre[1]), float(sizes[0]), name, name)

    def bend(t: np.ndarray) -> np.ndarray:
        angle = 2 * np.pi * t
        return centre + np.stack([np.cos(angle), np.sin(angle)], axis=-1) @ linear.T

    start = bend(np.zeros(1))[0]
    return Loop((Stroke(start, start, name, bend),), name, name)


def _moved(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    return np.asarray(points @ matrix[:2, :2].T + matrix[:2, 2])


def _transform(text: str) -> np.ndarray:
    whole = np.eye(3)
    for kind, inner in re.findall(r"(\w+)\s*\(([^)]*)\)", text):
        v = [float(n) for n in NUMBER.findall(inner)]
        m = np.eye(3)
        match kind:
            case "matrix":
                m[:2] = np.array(v).reshape(3, 2).T
            case "translate":
                m[:2, 2] = [v[0], v[1] if len(v) > 1 else 0.0]
            case "scale":
                m[0, 0], m[1, 1] = v[0], v[-1]
            case "rotate":
                c, s = np.cos(np.radians(v[0])), np.sin(np.radians(v[0]))
                m[:2, :2] = [[c, -s], [s, c]]
                if len(v) == 3:
                    m[:2, 2] = np.array(v[1:]) - m[:2, :2] @ v[1:]
            case "skewX":
                m[0, 1] = np.tan(np.radians(v[0]))
            case "skewY":
                m[1, 0] = np.tan(np.radians(v[0]))
        whole = whole @ m
    return whole


def _path(text: str, matrix: np.ndarray, name: str | None) -> Iterator[Loop]:
    """The closed parts of a path; an open part is closed by a straight line, as when it is filled."""
    here = start = np.zeros(2)
    segments: list[Stroke] = []
    control: np.ndarray | None = None

    def put(stop: np.ndarray, middles: list[np.ndarray] | None = None, bend: object = None) -> None:
        nonlocal here
        a, b = (_moved(p[None], matrix)[0] for p in (here, stop))
        curve = bend if bend is not None else None if middles is None else _bezier([here, *middles, stop], matrix)
        if curve is not None or np.any(a != b):
            segments.append(Stroke(a, b, name, curve))  # type: ignore[arg-type]
        here = stop

    def closed() -> Iterator[Loop]:
        nonlocal segments
        if segments:
            put(start)
            yield Loop(tuple(segments), name, name)
        segments = []

    for letter, inner in COMMAND.findall(text):
        relative, kind = letter.islower(), letter.upper()
        values = _arc_numbers(inner) if kind == "A" else [float(n) for n in NUMBER.findall(inner)]
        if kind == "Z":
            yield from closed()
            here, control = start, None
            continue
        size = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}[kind]
        for k in range(0, len(values) - size + 1, size):
            v = values[k : k + size]
            base = here if relative else np.zeros(2)
            if kind in "HV":
                stop = here.copy()
                axis = int(kind == "V")
                stop[axis] = v[0] + base[axis]
                put(stop)
            elif kind == "A":
                stop = base + v[5:]
                put(stop, bend=_elliptic(here, stop, v[:5], matrix))
            else:
                points = [base + v[i : i + 2] for i in range(0, size, 2)]
                if kind == "M" and k == 0:
                    yield from closed()
                    here = start = points[0]
                elif kind in "ML":
                    put(points[0])
                elif kind in "ST":
                    mirrored = here if control is None else 2 * here - control
                    points.insert(0, mirrored)
                    control = points[-2]
                    put(points[-1], points[:-1])
                    continue
                else:
                    control = points[-2]
                    put(points[-1], points[:-1])
                    continue
            control = None
    yield from closed()


def _bezier(points: list[np.ndarray], matrix: np.ndarray) -> object:
    moved = _moved(np.array(points), matrix)

    def bend(t: np.ndarray) -> np.ndarray:
        layer = np.repeat(moved[:, None], len(t), axis=1)
        while len(layer) > 1:  # de Casteljau
            layer = layer[:-1] + t[:, None] * (layer[1:] - layer[:-1])
        return layer[0]

    return bend


def _arc_numbers(text: str) -> list[float]:
    """The numbers of arcs, whose two flags may stand without a space."""
    found: list[float] = []
    rest = text
    while rest := rest.lstrip(" ,\t\r\n"):
        pattern = r"[01]" if len(found) % 7 in (3, 4) else NUMBER
        match = re.match(pattern, rest)
        if match is None:
            break
        found.append(float(match.group()))
        rest = rest[match.end() :]
    return found


def _elliptic(start: np.ndarray, stop: np.ndarray, v: list[float], matrix: np.ndarray) -> object:
    """An elliptic arc between two points, by its radii, rotation and the two flags."""
    a, b, turn, large, sweep = abs(v[0]), abs(v[1]), np.radians(v[2]), v[3] != 0, v[4] != 0
    if a == 0 or b == 0 or np.all(start == stop):
        return None
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, -s], [s, c]])
    # In the frame of the ellipse scaled to a circle: the centre is on the bisector of the two points.
    p, q = (rotation.T @ start / [a, b], rotation.T @ stop / [a, b])
    half = (q - p) / 2
    gap = float(half @ half)
    grow = max(1.0, np.sqrt(gap))
    p, q, half, gap = p / grow, q / grow, half / grow, gap / grow**2
    away = np.sqrt(max(1.0 / gap - 1.0, 0.0)) * np.array([-half[1], half[0]])
    centre = (p + q) / 2 + (away if large != sweep else -away)
    first, last = (np.arctan2(*(x - centre)[::-1]) for x in (p, q))
    span = (last - first) % (2 * np.pi) if sweep else -((first - last) % (2 * np.pi))

    def bend(t: np.ndarray) -> np.ndarray:
        angle = first + span * t
        unit = centre + np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return _moved((unit * grow * [a, b]) @ rotation.T, matrix)

    return bend
