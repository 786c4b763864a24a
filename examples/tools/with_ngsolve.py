"""The same five problems with NGSolve: high-order finite elements."""

import numpy as np
from netgen.occ import Circle, OCCGeometry, WorkPlane
from ngsolve import (
    BND,
    H1,
    BilinearForm,
    Compress,
    GridFunction,
    LinearForm,
    Mesh,
    Periodic,
    cos,
    dx,
    exp,
    grad,
    sin,
    x,
    y,
)  # fmt: skip
from ngsolve.meshes import Make1DMesh
from scipy.optimize import least_squares


def solved(space, form, right, start=None):
    found = GridFunction(space) if start is None else start
    found.vec.data += form.mat.Inverse(space.FreeDofs()) * (right.vec - form.mat * found.vec)
    return found


def ring() -> float:
    face = Circle((0, 0), 1).Face() - Circle((0, 0), 0.5).Face()
    mesh = Mesh(OCCGeometry(face, dim=2).GenerateMesh(maxh=0.3)).Curve(10)
    space = H1(mesh, order=10, dirichlet=".*")
    u, v = space.TnT()
    start = GridFunction(space)
    start.Set(cos(3 * x), BND)
    form, right = BilinearForm(grad(u) * grad(v) * dx).Assemble(), LinearForm(exp(x) * y * v * dx).Assemble()
    return solved(space, form, right, start)(mesh(0.6, 0.3))


def layer() -> float:
    mesh = Make1DMesh(24, mapping=lambda s: 1 - (1 - s) ** 4)  # shrinks towards the layer
    space = H1(mesh, order=10, dirichlet="left|right")
    u, v = space.TnT()
    form = BilinearForm(grad(u)[0] * grad(v)[0] / 1000 * dx + grad(u)[0] * v * dx).Assemble()
    return solved(space, form, LinearForm(v * dx).Assemble())(mesh(0.999))


def phases() -> float:
    mesh = Make1DMesh(16, mapping=lambda s: 2 * np.pi * s, periodic=True)
    space = Compress(Periodic(H1(mesh, order=8)))
    u, v = space.TnT()
    steps, h = 400, 5 / 400
    c, before = GridFunction(space), GridFunction(space)
    c.Set(sin(x) / 2)
    form = BilinearForm(space)
    middle = (u + before) / 2
    form += ((u - before) * v + h * ((grad(u) + grad(before))[0] / 40 * grad(v)[0] - (middle - middle**3) * v)) * dx
    for _ in range(steps):  # Crank and Nicolson's method, each step by Newton's
        before.vec.data = c.vec
        for _ in range(4):
            residual = c.vec.CreateVector()
            form.Apply(c.vec, residual)
            form.AssembleLinearization(c.vec)
            c.vec.data -= form.mat.Inverse() * residual
    return c(mesh(1.0))


def l_shape() -> float:
    corners = [(0, 0), (0, 1), (-1, 1), (-1, -1), (1, -1), (1, 0)]
    path = WorkPlane().MoveTo(*corners[0])
    for corner in corners[1:]:
        path = path.LineTo(*corner)
    mesh = Mesh(OCCGeometry(path.Close().Face(), dim=2).GenerateMesh(maxh=0.5))
    for _ in range(12):  # triangles are halved towards the corner
        for element in mesh.Elements():
            mesh.SetRefinementFlag(element, any(mesh[v].point == (0, 0) for v in element.vertices))
        mesh.Refine()
    space = H1(mesh, order=6, dirichlet=".*")
    u, v = space.TnT()
    form, right = BilinearForm(grad(u) * grad(v) * dx).Assemble(), LinearForm(v * dx).Assemble()
    return solved(space, form, right)(mesh(-0.5, 0.5))


def number() -> float:
    mesh = Make1DMesh(8)
    space = H1(mesh, order=8, dirichlet="left|right")
    u, v = space.TnT()
    places = np.linspace(0.05, 0.95, 19)

    def misfit(k):
        form = BilinearForm(grad(u)[0] * grad(v)[0] * dx + float(k[0]) * u * v * dx).Assemble()
        start = GridFunction(space)
        start.Set(x, BND)
        found = solved(space, form, LinearForm(space).Assemble(), start)
        return [found(mesh(s)) - np.sinh(3 * s) / np.sinh(3) for s in places]

    return float(least_squares(misfit, [1.0], xtol=1e-12, ftol=1e-14, gtol=1e-14).x[0])
