"""Problems in space and evolutions around holes by finite elements of high degree (NGSolve)."""

from __future__ import annotations

import math

import numpy as np

from references.elements import POINTS

Reference = tuple[np.ndarray, np.ndarray]
RATIO = 0.15
"""How much thinner each layer of elements at an edge is than the one before: near the optimum of 0.17."""
GAMMA = 0.43586652150845967
"""The root of g^3 - 3 g^2 + 3 g / 2 - 1 / 6 with which implicit steps of third order are stable at infinity."""


def fichera(degree: int, layers: int) -> Reference:
    """-lap(u) = 1 on a cube without an octant, u = 0 around, on bricks that are thin at all edges."""
    import ngsolve as ng
    from netgen.meshing import Element2D, Element3D, FaceDescriptor, Mesh, MeshPoint, Pnt

    near = [RATIO**k for k in range(layers, 0, -1)]
    half = [0.0, *near, 1 - RATIO, 1.0]
    line = sorted({-c for c in half} | set(half))
    mesh = Mesh(dim=3)
    size = len(line)
    number = {
        (i, j, k): mesh.Add(MeshPoint(Pnt(line[i], line[j], line[k])))
        for i in range(size) for j in range(size) for k in range(size)
        if min(line[i], line[j], line[k]) <= 0
    }  # fmt: skip
    mesh.SetMaterial(1, "body")
    mesh.Add(FaceDescriptor(surfnr=1, domin=1, bc=1))
    middle = size // 2
    kept = {
        (i, j, k) for i in range(size - 1) for j in range(size - 1) for k in range(size - 1)
        if min(i, j, k) < middle
    }  # fmt: skip
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    faces = {
        (-1, 0, 0): (0, 3, 7, 4), (1, 0, 0): (1, 2, 6, 5), (0, -1, 0): (0, 1, 5, 4), (0, 1, 0): (3, 2, 6, 7),
        (0, 0, -1): (0, 1, 2, 3), (0, 0, 1): (4, 5, 6, 7),
    }  # fmt: skip
    for i, j, k in sorted(kept):
        nodes = [number[i + a, j + b, k + c] for a, b, c in corners]
        mesh.Add(Element3D(1, nodes))
        for (a, b, c), face in faces.items():
            if (i + a, j + b, k + c) not in kept:
                mesh.Add(Element2D(1, [nodes[n] for n in face]))
    grid = ng.Mesh(mesh)
    space = ng.H1(grid, order=degree, dirichlet=".*")
    u, v = space.TnT()
    form = ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx, condense=True, symmetric=True).Assemble()
    right = ng.LinearForm(v * ng.dx).Assemble()
    found = ng.GridFunction(space)
    inverse = form.mat.Inverse(space.FreeDofs(True), "sparsecholesky")
    right.vec.data += form.harmonic_extension_trans * right.vec
    found.vec.data = inverse * right.vec
    found.vec.data += form.harmonic_extension * found.vec
    found.vec.data += form.inner_solve * right.vec
    drawn = np.random.default_rng(0).uniform(-1, 1, (2 * POINTS, 3))
    points = drawn[drawn.min(axis=1) < 0][:POINTS]
    return points, np.array([found(grid(*p)) for p in points])


BALLS = [(0.4, 0.3, 0.6, 0.2), (0.6, 0.7, 0.6, 0.2), (0.2, 0.8, 0.7, 0.1), (0.6, 0.2, 0.3, 0.1)]


def cube_with_balls(degree: int, width: float) -> Reference:
    """PINNacle's problem in space, on curved tetrahedra that fit the plane where its coefficient jumps."""
    import ngsolve as ng
    from netgen.occ import Box, Glue, OCCGeometry, Pnt, Sphere

    low, high = Box(Pnt(0, 0, 0), Pnt(1, 1, 0.5)), Box(Pnt(0, 0, 0.5), Pnt(1, 1, 1))
    low.mat("low")
    high.mat("high")
    for a, b, c, r in BALLS:
        low, high = low - Sphere(Pnt(a, b, c), r), high - Sphere(Pnt(a, b, c), r)
    mesh = ng.Mesh(OCCGeometry(Glue([low, high])).GenerateMesh(maxh=width)).Curve(degree)
    space = ng.H1(mesh, order=degree)
    u, v = space.TnT()
    square = ng.x**2 + ng.y**2 + ng.z**2
    one, two, three = ng.sin(math.pi * ng.x), ng.sin(10 * math.pi * ng.y), ng.sin(5 * math.pi * ng.z)
    load = 20 * ng.exp(one + two + three) * (square - 1) / (square + 1) + 100 * one * two * three
    shift = mesh.MaterialCF({"low": 64, "high": 100})
    form = ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx + shift * u * v * ng.dx, condense=True, symmetric=True)
    form.Assemble()
    right = ng.LinearForm(space)
    right += load * v * ng.dx(bonus_intorder=8)
    right.Assemble()
    found = ng.GridFunction(space)
    inverse = form.mat.Inverse(space.FreeDofs(True), "sparsecholesky")
    right.vec.data += form.harmonic_extension_trans * right.vec
    found.vec.data = inverse * right.vec
    found.vec.data += form.harmonic_extension * found.vec
    found.vec.data += form.inner_solve * right.vec
    drawn = np.random.default_rng(0).uniform(0, 1, (3 * POINTS, 3))
    clear = [np.linalg.norm(drawn - (a, b, c), axis=1) > 1.02 * r for a, b, c, r in BALLS]
    points = drawn[np.logical_and.reduce(clear)][:POINTS]
    return points, np.array([found(mesh(*p)) for p in points])


LARGE = [(a, b) for a in (-4, 4) for b in (-9, -3, 3, 9)] + [(0, b) for b in (-6, 0, 6)]
SMALL = [(a, b) for a in (-3.2, 3.2) for b in (-6, 0, 6)]


def heat_holes(degree: int, width: float, steps: int) -> Reference:
    """u_t = lap(u) on a plate with warm holes, by steps that double while the start is forgotten."""
    import ngsolve as ng
    from netgen.occ import Circle, OCCGeometry, Rectangle

    face = Rectangle(16, 24).Face().Move((-8, -12, 0))
    face.edges.name = "edge"
    for name, radius, centers in (("large", 1, LARGE), ("small", 0.4, SMALL)):
        for center in centers:
            disk = Circle(center, radius).Face()
            disk.edges.name = name
            disk.edges.maxh = radius / 2
            face = face - disk
    mesh = ng.Mesh(OCCGeometry(face, dim=2).GenerateMesh(maxh=width)).Curve(degree)
    space = ng.H1(mesh, order=degree)
    u, v = space.TnT()
    mass = ng.BilinearForm(u * v * ng.dx).Assemble().mat
    form = ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx + u * v * ng.ds).Assemble().mat
    right = ng.LinearForm(mesh.BoundaryCF({"large": 5, "small": 1, "edge": 0.1}) * v * ng.ds).Assemble().vec
    both = mass.CreateMatrix()
    found = ng.GridFunction(space)
    found.vec[:] = 0
    drawn = np.random.default_rng(0).uniform((-8, -12), (8, 12), (200, 2))
    clear = [np.hypot(*(drawn - c).T) > 1.02 * r for r, cs in ((1, LARGE), (0.4, SMALL)) for c in cs]
    places = drawn[np.logical_and.reduce(clear)][: POINTS // 2]
    points, values = [], []
    doubled = [3 * 2.0**-k for k in range(16, 2, -1)]
    plan = [(doubled[0], False), *((length, length == doubled[-1]) for length in doubled), *[(0.75, True)] * 3]
    weights = [(1 - GAMMA) / 2, -1.5 * GAMMA**2 + 4 * GAMMA - 0.25, 1.5 * GAMMA**2 - 5 * GAMMA + 1.25]
    t = 0.0
    for length, keep in plan:
        h = length / steps
        both.AsVector().data = mass.AsVector() + h * GAMMA * form.AsVector()
        inverse = both.Inverse(space.FreeDofs(), "sparsecholesky")
        for _ in range(steps):
            slopes = []
            for row in ([], [weights[0]], weights[1:]):
                at = found.vec.CreateVector()
                at.data = found.vec
                for weight, slope in zip(row, slopes, strict=True):
                    at.data += h * weight * slope
                slope = found.vec.CreateVector()
                slope.data = inverse * (right - form * at)
                slopes.append(slope)
            for weight, slope in zip([*weights[1:], GAMMA], slopes, strict=True):
                found.vec.data += h * weight * slope
        t += length
        if keep:
            points.append(np.column_stack([places, np.full(len(places), round(t, 9))]))
            values.append([found(mesh(*p)) for p in places])
    return np.concatenate(points), np.concatenate(values)
