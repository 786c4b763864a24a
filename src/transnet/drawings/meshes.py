"""The outline of a triangle mesh, and the body inside a mesh of tetrahedra: gmsh's .msh, with physical names."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from transnet.drawings.loops import Stroke, joined
from transnet.drawings.regions import domain_of
from transnet.errors import FileError, GeometryError, missing_extra
from transnet.geometry.domain import Domain
from transnet.geometry.mesh import Mesh
from transnet.tolerances import SAME


def read_mesh(path: Path) -> Domain:
    """The domain that a mesh fills: a polygon, pieces where there are several physical surfaces, or a body."""
    try:
        import meshio
    except ImportError:
        raise missing_extra("meshio", "mesh", "Reading meshes of gmsh") from None
    try:
        mesh = meshio.read(path)
    except (Exception, SystemExit) as error:
        raise FileError(f"'{path}' cannot be read as a mesh: {error}.") from None
    points = np.asarray(mesh.points, float)
    triangles, of_triangles = _cells(mesh, "triangle")
    lines, of_lines = _cells(mesh, "line")
    tetrahedra, _ = _cells(mesh, "tetra")
    if len(tetrahedra):
        return Mesh(points, _outside(tetrahedra))
    if not len(triangles):
        raise GeometryError(f"'{path}' has neither triangles nor tetrahedra, so it bounds nothing.")
    if np.ptp(points[:, 2]) > SAME * np.ptp(points, axis=0).max() if points.shape[1] > 2 else False:
        return Mesh(points, triangles)
    called = {
        2: {int(tag): str(n) for n, (tag, dim) in mesh.field_data.items() if dim == 2},
        1: {int(tag): str(n) for n, (tag, dim) in mesh.field_data.items() if dim == 1},
    }
    marked = [(e, int(t)) for e, t in zip(lines, of_lines, strict=True) if t]
    names = {tuple(sorted(map(int, e))): called[1].get(t, f"line {t}") for e, t in marked}
    loops = []
    for tag in np.unique(of_triangles):
        mine = triangles[of_triangles == tag]
        count = Counter(tuple(sorted((int(t[i]), int(t[(i + 1) % 3])))) for t in mine for i in range(3))
        rim = [edge for edge, n in count.items() if n == 1]
        segments = [Stroke(points[a, :2], points[b, :2], names.get((a, b))) for a, b in rim]
        region = called[2].get(int(tag)) if tag else None
        loops += [replace(loop, region=region) for loop in joined(segments, f"'{path.name}'")]
    return domain_of(loops, f"'{path.name}'")


def _cells(mesh: Any, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """The cells of one kind and their physical tags, 0 where they have none."""
    tags = mesh.cell_data.get("gmsh:physical", [None] * len(mesh.cells))
    found = [(block.data[:, :4], tag) for block, tag in zip(mesh.cells, tags, strict=True) if block.type == kind]
    if not found:
        return np.zeros((0, 3), int), np.zeros(0, int)
    cells = np.concatenate([data for data, _ in found])
    marks = [np.zeros(len(data), int) if tag is None else np.asarray(tag, int) for data, tag in found]
    return cells, np.concatenate(marks)


def _outside(tetrahedra: np.ndarray) -> np.ndarray:
    """The faces that belong to one tetrahedron only, turned outwards."""
    faces = np.concatenate([tetrahedra[:, list(f)] for f in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return np.asarray(faces[first[count == 1]])
