"""Meshes for scikit-fem that can be refined in small steps: the size of the elements falls like 1/n, for any n."""

from __future__ import annotations

import numpy as np
from skfem import MeshTet, MeshTri, MeshTri2


def square(n: int) -> MeshTri:
    """[-1, 1]^2 in n x n squares, each cut in two."""
    ticks = np.linspace(-1, 1, n + 1)
    return MeshTri.init_tensor(ticks, ticks)


def ell(n: int) -> MeshTri:
    """[-1, 1]^2 without [0, 1]^2, whose corner is a vertex."""
    whole = square(2 * n)
    middle = whole.p[:, whole.t].mean(axis=1)
    return whole.remove_elements(np.flatnonzero((middle > 0).all(axis=0)))


def cube(n: int) -> MeshTet:
    """[-1, 1]^3 in n^3 cubes, each cut into tetrahedra."""
    ticks = np.linspace(-1, 1, n + 1)
    return MeshTet.init_tensor(ticks, ticks, ticks)


def disk(n: int) -> MeshTri2:
    """The unit disk: a hexagon of 6 n^2 triangles whose n rings are blown up to circles, with curved edges."""
    rings = range(1, n + 1)
    angles = np.concatenate([2 * np.pi * np.arange(6 * i) / (6 * i) for i in rings])
    radius = np.concatenate([np.full(6 * i, i / n) for i in rings])
    p = np.hstack([np.zeros((2, 1)), radius * np.stack([np.cos(angles), np.sin(angles)])])
    return curved(MeshTri(p, np.hstack([_between(i) for i in rings])), (1.0,))


def _between(i: int) -> np.ndarray:
    """The triangles between the rings i - 1 and i: i of one kind and i - 1 of the other in each of six sectors."""
    sector, j = (g.ravel() for g in np.meshgrid(np.arange(6), np.arange(i), indexing="ij"))

    def node(ring: int, step: np.ndarray, sectors: np.ndarray = sector) -> np.ndarray:
        return 1 + 3 * ring * (ring - 1) + (sectors * ring + step) % (6 * ring) if ring else np.zeros_like(step)

    outward = np.stack([node(i, j), node(i, j + 1), node(i - 1, j)])
    inner = j < i - 1
    s, k = sector[inner], j[inner]
    inward = np.stack([node(i - 1, k, s), node(i, k + 1, s), node(i - 1, k + 1, s)])
    return np.hstack([outward, inward])


def annulus(n: int) -> MeshTri2:
    """The annulus 1/2 < r < 1 with curved edges, in n rings of triangles about as wide as they are high."""
    around = round(3 * np.pi * n)
    radius, angle = np.meshgrid(np.linspace(0.5, 1, n + 1), 2 * np.pi * np.arange(around) / around, indexing="ij")
    p = np.stack([(radius * np.cos(angle)).ravel(), (radius * np.sin(angle)).ravel()])
    i, j = (g.ravel() for g in np.meshgrid(np.arange(n), np.arange(around), indexing="ij"))
    a, b = i * around + j, i * around + (j + 1) % around
    t = np.hstack([np.stack([a, b, a + around]), np.stack([b, b + around, a + around])])
    return curved(MeshTri(p, t), (0.5, 1.0))


def curved(mesh: MeshTri, radii: tuple[float, ...]) -> MeshTri2:
    """Quadratic geometry: the middles of boundary edges are moved onto their circles."""
    bent = MeshTri2.from_mesh(mesh)
    places = bent.doflocs.copy()
    edges = mesh.boundary_facets()
    middle = mesh.p.shape[1] + edges
    length = np.linalg.norm(places[:, middle], axis=0)
    wanted = np.array(radii)[np.argmin(np.abs(length[:, None] - np.array(radii)), axis=1)]
    places[:, middle] *= wanted / length
    return MeshTri2(places, bent.t)
