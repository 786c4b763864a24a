"""Read a domain from a file; its kind follows from the name."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from transnet.calls import explained, file_path, shown, there
from transnet.drawings.dxf import read_dxf
from transnet.drawings.loops import Loop, Stroke, polygon_loop
from transnet.drawings.meshes import read_mesh
from transnet.drawings.regions import domain_of
from transnet.drawings.svg import read_svg
from transnet.errors import FileError, GeometryError, TransnetError
from transnet.geometry.domain import Domain
from transnet.geometry.mesh import Mesh
from transnet.lazy import shapely

KINDS = (".svg", ".dxf", ".geojson", ".json", ".msh", ".stl", ".obj", ".ply")


@explained
def read_domain(path: str | Path, scale: float = 1.0) -> Domain:
    """A domain from a file: an outline, a drawing or a mesh.

    `.svg` and `.dxf` drawings (closed paths; ids and layers are names of parts), `.geojson` (polygons with the property
    "name"), gmsh's `.msh` (the outline of its triangles, with physical names), and `.stl`, `.obj`, `.ply` bodies.
    Outlines inside outlines are holes. Named regions that touch each other become `tn.Pieces`.

    Parameters
    ----------
    path : path
        The file.
    scale : float
        A factor for all lengths, 0.001 for millimetres to metres.

    Examples
    --------
    >>> tn.read_domain("part.svg").plot()  # doctest: +SKIP
    """
    source = file_path(path)
    if not there(source.is_file):
        others = (
            [p.name for p in source.parent.glob("*") if p.suffix.lower() in KINDS] if source.parent.is_dir() else []
        )
        near = difflib.get_close_matches(source.name, others, n=1)
        hint = f" Did you mean '{source.with_name(near[0])}'?" if near else ""
        raise FileError(f"There is no file '{source}'.{hint}")
    suffix = source.suffix.lower()
    from shapely.errors import ShapelyError

    try:
        with np.errstate(all="ignore"):  # places that are not finite are told afterwards
            match suffix:
                case ".svg":
                    return _scaled(read_svg(source), scale, source)
                case ".dxf":
                    return _scaled(read_dxf(source), scale, source)
                case ".geojson" | ".json":
                    return _scaled(_geojson(source), scale, source)
                case ".msh":
                    return read_mesh(source)
                case ".stl" | ".obj" | ".ply":
                    return Mesh(source)
    except TransnetError:
        raise
    except (KeyError, IndexError) as error:
        raise FileError(f"'{source}' is damaged: {error!r} is missing where it should be.") from None
    except RecursionError:
        raise FileError(f"'{source}' is nested too deeply: a group in a group in a group. Flatten it.") from None
    except (OSError, ValueError, ArithmeticError, np.linalg.LinAlgError, ShapelyError) as error:
        raise FileError(f"'{source}' cannot be read: {error}.") from None
    raise FileError(f"'{source}' is not a kind of drawing or mesh that can be read. These are: {', '.join(KINDS)}.")


@explained
def from_shapely(geometry: Any, names: Sequence[str | None] | None = None) -> Domain:
    """A domain from a shapely polygon, with its holes; several polygons become their union.

    Parameters
    ----------
    geometry : shapely.Polygon or shapely.MultiPolygon
    names : sequence of str or None, optional
        A name for each outer edge of a single polygon, as for `tn.Polygon`.
    """
    loops = _rings(geometry, None)
    if names is not None:
        if len(names) != len(loops[0].segments) or loops[0].region is not None:
            raise GeometryError(
                f"The polygon has {len(loops[0].segments)} outer edges, but {len(names)} names are given."
            )
        named = [Stroke(s.start, s.stop, n) for s, n in zip(loops[0].segments, names, strict=True)]
        loops[0] = replace(loops[0], segments=tuple(named))
    return domain_of(loops, "The geometry")


def _rings(geometry: Any, name: str | None) -> list[Loop]:
    if not isinstance(geometry, shapely.Geometry):
        raise GeometryError(f"A geometry of shapely is needed, not {type(geometry).__name__}.")
    kinds = (shapely.MultiPolygon, shapely.GeometryCollection)
    polygons = list(geometry.geoms) if isinstance(geometry, kinds) else [geometry]
    loops = []
    for polygon in polygons:
        if not isinstance(polygon, shapely.Polygon) or polygon.is_empty:
            raise GeometryError(f"A polygon is needed, with an area, not {polygon.geom_type}. Buffer lines first.")
        loops.append(polygon_loop(np.array(polygon.exterior.coords), name, name))
        holes = [polygon_loop(np.array(ring.coords)) for ring in polygon.interiors]
        called = [replace(h, name=f"{name or 'hole'} {k}" if name else None) for k, h in enumerate(holes)]
        loops += called
    return loops


def _geojson(path: Path) -> list[Loop]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise FileError(f"'{path}' is not a GeoJSON file: {error}.") from None
    features = data.get("features", [data]) if isinstance(data, dict) else []
    loops: list[Loop] = []
    for number, feature in enumerate(features):
        geometry = feature.get("geometry", feature) if isinstance(feature, dict) else None
        known = feature.get("properties") or {} if isinstance(feature, dict) else {}
        name = known.get("name") or known.get("id") or (feature.get("id") if isinstance(feature, dict) else None)
        try:
            polygon = shapely.geometry.shape(geometry)
        except Exception:
            raise FileError(
                f"Feature {number} of '{path}' is not a geometry. One is {{'type': 'Polygon', 'coordinates': [[[0, 0], "
                f"[1, 0], [0, 1], [0, 0]]]}}."
            ) from None
        if isinstance(polygon, shapely.Polygon | shapely.MultiPolygon):
            rings = _rings(polygon, None if name is None else str(name))
            edges = known.get("edges")
            if isinstance(edges, list) and len(edges) == len(rings[0].segments):
                named = [Stroke(s.start, s.stop, e) for s, e in zip(rings[0].segments, edges, strict=True)]
                rings[0] = replace(rings[0], segments=tuple(named), name=None)
            loops += rings
    return loops


def _scaled(loops: list[Loop], scale: float, source: Path) -> Domain:
    if scale != 1.0:
        if not scale > 0:
            raise GeometryError(f"scale is a positive factor for all lengths, not {shown(scale)}.")
        loops = [_scaled_loop(loop, scale) for loop in loops]
    return domain_of(loops, f"'{source.name}'")


def _scaled_loop(loop: Loop, scale: float) -> Loop:
    def scaled(s: Stroke) -> Stroke:
        bend = s.bend
        return Stroke(scale * s.start, scale * s.stop, s.name, None if bend is None else lambda t: scale * bend(t))

    circle = loop.circle
    sized = None if circle is None else (scale * circle[0], scale * circle[1], scale * circle[2])
    return replace(loop, segments=tuple(map(scaled, loop.segments)), circle=sized)
