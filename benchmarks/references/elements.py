"""Steady problems by finite elements of high degree (NGSolve)."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np

STATED = Path(__file__).parents[2] / "examples" / "scoreboard"
POINTS = 150
"""Points at which a reference is kept: enough for a relative L2 error to a few per cent."""


def holes(
    square: float, disks: list, outside: float, inside: float, shift: float, load: Any, degree: int, width: float
):
    """-lap(u) + shift u = load on a square with disks cut out, by finite elements on curved triangles."""
    import ngsolve as ng
    from netgen.occ import Circle, OCCGeometry, Rectangle

    face = Rectangle(2 * square, 2 * square).Face().Move((-square, -square, 0))
    face.edges.name = "square"
    for a, b, r in disks:
        disk = Circle((a, b), r).Face()
        disk.edges.name = "hole"
        face = face - disk
    mesh = ng.Mesh(OCCGeometry(face, dim=2).GenerateMesh(maxh=width)).Curve(degree)
    space = ng.H1(mesh, order=degree, dirichlet="square|hole")
    u, v = space.TnT()
    form = ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx + shift * u * v * ng.dx).Assemble()
    right = ng.LinearForm(space)
    if load is not None:
        right += load(ng) * v * ng.dx(bonus_intorder=6)
    right.Assemble()
    found = ng.GridFunction(space)
    found.Set(mesh.BoundaryCF({"square": outside, "hole": inside}), ng.BND)
    found.vec.data += form.mat.Inverse(space.FreeDofs()) * (right.vec - form.mat * found.vec)
    drawn = square * np.random.default_rng(0).uniform(-1, 1, (3 * POINTS, 2))
    clear = [np.hypot(*(drawn - (a, b)).T) > 1.02 * r for a, b, r in disks]
    points = drawn[np.logical_and.reduce(clear)][:POINTS]
    return points, np.array([found(mesh(*p)) for p in points])


FOUR = [(a, b, 0.1) for a in (0.3, -0.3) for b in (0.3, -0.3)]
OTHERS = [(0.5, 0.5, 0.2), (0.4, -0.4, 0.4), (-0.2, -0.7, 0.1), (-0.6, 0.5, 0.3)]


def classic(degree: int, width: float) -> tuple[np.ndarray, np.ndarray]:
    return holes(0.5, FOUR, 1, 0, 0, None, degree, width)


def boltzmann(degree: int, width: float) -> tuple[np.ndarray, np.ndarray]:
    def load(ng: Any) -> Any:
        return 10 * (17 + ng.x**2 + ng.y**2) * ng.sin(np.pi * ng.x) * ng.sin(4 * np.pi * ng.y)

    return holes(1, OTHERS, 0.2, 1, 64, load, degree, width)


def l_shape(degree: int, halvings: int) -> tuple[np.ndarray, np.ndarray]:
    """-lap(u) = 1 on the L-shape, u = 0 around it, on triangles halved again and again towards the corners."""
    import ngsolve as ng
    from netgen.occ import OCCGeometry, WorkPlane

    corners = [(0, 0), (0, 1), (-1, 1), (-1, -1), (1, -1), (1, 0)]
    path = WorkPlane().MoveTo(*corners[0])
    for corner in corners[1:]:
        path = path.LineTo(*corner)
    mesh = ng.Mesh(OCCGeometry(path.Close().Face(), dim=2).GenerateMesh(maxh=0.5))
    for _ in range(halvings):
        for element in mesh.Elements(ng.VOL):
            mesh.SetRefinementFlag(element, any(mesh[v].point in corners for v in element.vertices))
        mesh.Refine()
    space = ng.H1(mesh, order=degree, dirichlet=".*")
    u, v = space.TnT()
    found = ng.GridFunction(space)
    form, right = (
        ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx).Assemble(),
        ng.LinearForm(v * ng.dx).Assemble(),
    )
    found.vec.data = form.mat.Inverse(space.FreeDofs(), "sparsecholesky") * right.vec
    drawn = np.random.default_rng(0).uniform(-1, 1, (2 * POINTS, 2))
    points = drawn[drawn.min(axis=1) < 0][:POINTS]
    return points, np.array([found(mesh(*p)) for p in points])


def areas(degree: int, cuts: int) -> tuple[np.ndarray, np.ndarray]:
    """lap(u) + f = 0, u_n + u = 0 on 5 x 5 squares with a source of each, by finite elements on squares that fit."""
    import ngsolve as ng
    from ngsolve.meshes import MakeStructured2DMesh

    stated = (STATED / "pinnacle_poisson_areas.py").read_text("utf-8")
    even, bump = (
        json.loads(re.search(rf"{name} = (\(.*?\n\))", stated, re.DOTALL)[1].translate({40: "[", 41: "]"}).replace(
            ",\n]", "\n]"
        ))
        for name in ("EVEN", "BUMP")
    )  # fmt: skip
    mesh = MakeStructured2DMesh(quads=True, nx=5 * cuts, ny=5 * cuts, mapping=lambda a, b: (20 * a - 10, 20 * b - 10))
    space = ng.H1(mesh, order=degree)
    u, v = space.TnT()
    form = ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx + u * v * ng.ds).Assemble()

    def inside(c: Any, k: int) -> Any:
        return ng.IfPos(c + 10 - 4 * k, 1, 0) * ng.IfPos(4 * k - 6 - c, 1, 0)

    def wave(c: Any, k: int) -> Any:
        return ng.sin(math.pi * (c + 10 - 4 * k) / 4)

    source = sum(
        inside(ng.x, i) * inside(ng.y, j) * (even[i][j] + bump[i][j] * wave(ng.x, i) * wave(ng.y, j))
        for i in range(5) for j in range(5)
    )  # fmt: skip
    right = ng.LinearForm(space)
    right += source * v * ng.dx(bonus_intorder=6)
    right.Assemble()
    found = ng.GridFunction(space)
    found.vec.data = form.mat.Inverse(space.FreeDofs(), "sparsecholesky") * right.vec
    points = np.random.default_rng(0).uniform(-10, 10, (POINTS, 2))
    return points, np.array([found(mesh(*p)) for p in points])
