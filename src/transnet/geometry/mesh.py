"""The body inside a closed triangulated surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transnet.lazy import special
from transnet.measure.rules import Rule, gauss, tolerance
from transnet.measure.sampling import check_draw, curve_order, unit_points
from transnet.measure.triangles import Columns
from transnet.tolerances import ROUNDED, SAME

from ..arrays import constant
from ..calls import explained, file_path, there
from ..errors import GeometryError, missing_extra
from .domain import Domain, Surface

MOST_ACROSS, MOST_RADIAL = 10, 20
"""The most nodes of a tetrahedron along a side of its triangle, and along a ray: exact to rounding for smooth
functions."""


@explained
@dataclass(frozen=True, init=False, repr=False, eq=False)
class Mesh(Domain):
    """The body inside a closed surface of triangles.

    Parameters
    ----------
    source : path, or array (k, 3)
        An STL, OBJ or PLY file (read by trimesh, an extra), or the corners.
    faces : array (m, 3) of int, optional
        Three corners per triangle, if `source` is the corners.
    name : str
        What to call the boundary, which is one part.
    """

    vertices: np.ndarray
    faces: np.ndarray
    name: str

    def __init__(
        self,
        source: str | Path | ArrayLike,
        faces: Sequence[Sequence[int]] | np.ndarray | None = None,
        name: str = "surface",
    ) -> None:
        if faces is not None and isinstance(source, str | Path):
            raise GeometryError("A mesh comes from a file, or from corners with faces=, not from both.")
        corners, triangles = _load(source) if faces is None else (np.asarray(source, float), np.asarray(faces))
        _check(corners, triangles)
        center = (corners.min(axis=0) + corners.max(axis=0)) / 2
        if np.linalg.det((corners - center)[triangles]).sum() < 0:  # all triangles are inside out
            triangles = triangles[:, ::-1]
        for field, value in (("vertices", constant(corners)), ("faces", constant(triangles, np.intp)), ("name", name)):
            object.__setattr__(self, field, value)
        if not self.volume > ROUNDED * np.prod(np.ptp(corners, axis=0)):
            raise GeometryError("The mesh is an empty domain: its surface encloses no volume. Check its triangles.")

    def __repr__(self) -> str:
        return f"Mesh({len(self.faces)} triangles)"

    @property
    def names(self) -> tuple[str | None, ...]:
        return (None, None, None)

    @cached_property
    def bounds(self) -> np.ndarray:
        used = self.vertices[np.unique(self.faces)]
        return constant([used.min(axis=0), used.max(axis=0)])

    @cached_property
    def _corners(self) -> np.ndarray:
        """Corners of the triangles relative to the centre, (m, 3, 3)."""
        return (self.vertices - self.bounds.mean(axis=0))[self.faces]

    @cached_property
    def volume(self) -> float:
        return float(np.linalg.det(self._corners).sum() / factorial(3))

    @cached_property
    def _normals(self) -> np.ndarray:
        """Normals of the triangles; their length is twice the area."""
        a, b, c = np.swapaxes(self._corners, 0, 1)
        return np.cross(b - a, c - a)

    @cached_property
    def _areas(self) -> np.ndarray:
        return np.linalg.norm(self._normals, axis=1) / 2

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.name,)

    def _measure(self, part: str) -> float:
        return float(self._areas.sum())

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self._corners)

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        inside, on = self._columns.locate(points - self.bounds.mean(axis=0), tolerance(self.bounds))
        if sign == 0:
            return inside
        return inside | on if sign > 0 else inside & ~on

    @cached_property
    def _walk(self) -> tuple[np.ndarray, np.ndarray]:
        """Triangles in an order that keeps neighbours together, and the area up to the end of each."""
        order = curve_order(self._corners.mean(axis=1))
        order = order[self._areas[order] > 0]
        return order, np.cumsum(self._areas[order])

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        unit = unit_points(n, 2, "random" if kind == "random" else "quasi", rng)
        if kind != "random":  # a Hammersley set: even steps of area, and a sequence across
            unit[:, :1] = unit_points(n, 1, "quasi", rng)
        order, total = self._walk
        place = unit[:, 0] * total[-1]
        k = np.minimum(np.searchsorted(total, place), len(order) - 1)
        triangle = order[k]
        # Where within its triangle the step falls is one of the two numbers that place the point in it.
        part_way = np.clip(1 - (total[k] - place) / self._areas[triangle], SAME, 1 - SAME)
        a, b, c = np.swapaxes(self._corners[triangle], 0, 1)
        far, along = np.sqrt(part_way)[:, None], np.clip(unit[:, 1:], SAME, 1 - SAME)
        points = a + far * ((1 - along) * (b - a) + along * (c - a))
        normals = self._normals[triangle] / (2 * self._areas[triangle, None])
        return Surface(points + self.bounds.mean(axis=0), normals)

    def quadrature(self, n: int) -> Rule:
        """Gauss rules on the tetrahedra between the centre and the triangles; some have negative volume."""
        n, count = check_draw(n, "grid"), len(self.faces)
        across = int(np.clip(round((n / count) ** (1 / 3)), 1, MOST_ACROSS))
        radial = max(3, min(MOST_RADIAL, round(n / count / across**2)))
        z, wz = special.roots_jacobi(radial, 0, 2)  # weight r^2 along the rays, after moving [-1, 1] to [0, 1]
        r, wr = (z + 1) / 2, wz / 2**3
        x, wx = gauss(across)
        s, ws = special.roots_jacobi(across, 0, 1)
        far, wfar = (s + 1) / 2, ws / 4
        grid, wt = np.stack(np.meshgrid(far, x, indexing="ij"), axis=-1).reshape(-1, 2), np.outer(wfar, wx).ravel()
        a, b, c = (corner[:, None, :] for corner in np.swapaxes(self._corners, 0, 1))
        rim = a + grid[:, :1] * ((1 - grid[:, 1:]) * (b - a) + grid[:, 1:] * (c - a))
        nodes = self.bounds.mean(axis=0) + r[:, None, None, None] * rim
        volumes = np.linalg.det(self._corners)  # six times that of the tetrahedron
        return nodes.reshape(-1, 3), (wr[:, None, None] * volumes[:, None] * wt).ravel()


def _load(source: object) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(source, (str, Path)):
        raise GeometryError("A Mesh from corners needs its triangles too. Write Mesh(vertices, faces).")
    if not there(file_path(source).is_file):
        raise GeometryError(f"There is no file {str(source)!r}. Check the path, relative to {Path.cwd()}.")
    try:
        import trimesh
    except ImportError as error:
        raise missing_extra("trimesh", "mesh", "Reading a surface from a file") from error
    try:
        loaded: Any = trimesh.load(source, force="mesh")
    except Exception as error:
        raise GeometryError(
            f"Cannot read {str(source)!r} as a surface: {error}. Give an STL, OBJ or PLY file."
        ) from error
    loaded.merge_vertices()  # STL repeats the corners of every triangle
    return np.asarray(loaded.vertices, float), np.asarray(loaded.faces)


def _check(vertices: np.ndarray, faces: np.ndarray) -> None:
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3 or len(faces) == 0:
        raise GeometryError(
            f"Corners of shape {vertices.shape} and triangles of shape {faces.shape} are not a surface: "
            "give (k, 3) and (m, 3)."
        )
    if not np.all(np.isfinite(vertices)):
        raise GeometryError("A corner of the mesh is not finite. Check how the corners were computed.")
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise GeometryError(f"A triangle refers to corner {faces.max()} of {len(vertices)}. Corners count from 0.")
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).astype(np.int64)
    count = len(vertices)
    there, back = edges @ [count, 1], edges @ [1, count]
    lonely = edges[~np.isin(there, back)]
    if len(lonely) == 0 and len(np.unique(there)) == len(there):
        return
    sides, uses = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    if np.all(uses == 2):
        raise GeometryError(
            "The triangles of the mesh do not all turn the same way, so it has no inside. "
            "Repair it, e.g. with trimesh.repair.fix_normals."
        )
    a, b = vertices[sides[uses != 2][0]]
    raise GeometryError(
        f"The mesh is not watertight: {np.sum(uses != 2)} edge(s) do not have two triangles, e.g. the one from "
        f"({', '.join(f'{v:g}' for v in a)}) to ({', '.join(f'{v:g}' for v in b)}). Close its holes first."
    )
