"""Steady flows by Taylor and Hood's elements of high degree (NGSolve), a flow in a torus by Fourier series."""

from __future__ import annotations

from typing import Any

import numpy as np

from references.elements import POINTS
from references.fourier import PLANE, Reference, etdrk4, kept_in_plane

STEPS = 12
"""The most of Newton's steps: four to six are taken."""


def flow(
    mesh: Any, degree: int, viscosity: float, given: dict[str, Any], outlet: str, inertia: bool, first: float = 0
) -> Any:
    """u and p with velocities given on parts of the boundary, and viscosity u_n = p n on `outlet`, if there is one.

    From a viscosity `first` on it is halved until it is the one that is asked for.
    """
    import ngsolve as ng

    velocity = ng.VectorH1(mesh, order=degree, dirichlet="|".join(given))
    pressure = ng.H1(mesh, order=degree - 1)
    space = velocity * pressure * ng.NumberSpace(mesh) if not outlet else velocity * pressure
    trial, test = space.TrialFunction(), space.TestFunction()
    u, p, v, q = trial[0], trial[1], test[0], test[1]
    form = ng.BilinearForm(space)
    halved = ng.Parameter(max(first, viscosity))
    form += (halved * ng.InnerProduct(ng.grad(u), ng.grad(v)) - ng.div(v) * p - ng.div(u) * q) * ng.dx
    if not outlet:
        form += (trial[2] * q + test[2] * p) * ng.dx
    if inertia:
        form += (ng.grad(u) * u) * v * ng.dx
    found = ng.GridFunction(space)
    found.components[0].Set(mesh.BoundaryCF(given, default=ng.CF((0, 0))), ng.BND)
    residual, step = found.vec.CreateVector(), found.vec.CreateVector()
    while True:
        last = halved.Get() == viscosity
        for _ in range(STEPS if inertia else 1):
            form.Apply(found.vec, residual)
            form.AssembleLinearization(found.vec)
            step.data = form.mat.Inverse(space.FreeDofs(), "umfpack") * residual
            found.vec.data -= step
            if step.Norm() < (1e-12 if last else 1e-3) * found.vec.Norm():
                break
        if last:
            return found.components
        halved.Set(max(halved.Get() / 2, viscosity))


def stokes_cylinder(degree: int, width: float) -> Reference:
    import ngsolve as ng
    from netgen.occ import Circle, OCCGeometry, Rectangle, X, Y

    face = Rectangle(2.2, 0.41).Face()
    face.edges.Min(X).name, face.edges.Max(X).name = "left", "right"
    face.edges.Min(Y).name = face.edges.Max(Y).name = "wall"
    disk = Circle((0.2, 0.2), 0.05).Face()
    disk.edges.name = "circle"
    disk.edges.maxh = width / 4
    mesh = ng.Mesh(OCCGeometry(face - disk, dim=2).GenerateMesh(maxh=width)).Curve(degree)
    still = ng.CF((0, 0))
    given = {"left": ng.CF((1.2 * ng.y * (0.41 - ng.y) / 0.41**2, 0)), "wall": still, "circle": still}
    found = flow(mesh, degree, 0.001, given, "right", False)
    drawn = np.random.default_rng(0).uniform((0, 0), (2.2, 0.41), (2 * POINTS, 2))
    points = drawn[np.hypot(*(drawn - 0.2).T) > 0.051][:POINTS]
    return points, np.array([found[0](mesh(*p))[0] for p in points])


def lid(degree: int, cuts: int) -> Reference:
    """PINNacle's cavity at Re = 100, on squares that shrink towards the walls."""
    import ngsolve as ng
    from ngsolve.meshes import MakeStructured2DMesh

    def graded(a: float) -> float:
        return float(np.sin(np.pi * a / 2) ** 2)

    mesh = MakeStructured2DMesh(quads=True, nx=cuts, ny=cuts, mapping=lambda a, b: (graded(a), graded(b)))
    still = ng.CF((0, 0))
    given = {"top": ng.CF((4 * ng.x * (1 - ng.x), 0)), "left": still, "right": still, "bottom": still}
    found = flow(mesh, degree, 0.01, given, "", True)
    points = np.random.default_rng(0).uniform(0.01, 0.99, (POINTS, 2))
    return points, np.array([found[0](mesh(*p))[0] for p in points])


def cavity(degree: int, cuts: int) -> Reference:
    """The driven cavity at Re = 3200, on squares that shrink towards the walls, most at the ends of the lid."""
    import ngsolve as ng
    from ngsolve.meshes import MakeStructured2DMesh

    def graded(a: float) -> float:
        return float(np.sin(np.pi * np.sin(np.pi * a / 2) ** 2 / 2) ** 2)

    mesh = MakeStructured2DMesh(quads=True, nx=cuts, ny=cuts, mapping=lambda a, b: (graded(a), graded(b)))
    still = ng.CF((0, 0))
    given = {"top": ng.CF((1, 0)), "left": still, "right": still, "bottom": still}
    found = flow(mesh, degree, 1 / 3200, given, "", True, first=0.01)
    points = np.random.default_rng(0).uniform(0.05, 0.95, (POINTS, 2))
    return points, np.array([found[0](mesh(*p))[0] for p in points])


def step_of(corners: list, names: list, near: tuple, width: float, halvings: int) -> Any:
    """A mesh of a polygon, halved again and again towards one of its corners."""
    import ngsolve as ng
    from netgen.occ import OCCGeometry, WorkPlane

    path = WorkPlane().MoveTo(*corners[0])
    for corner, name in zip([*corners[1:], corners[0]], names, strict=True):
        path = path.LineTo(*corner, name)
    mesh = ng.Mesh(OCCGeometry(path.Face(), dim=2).GenerateMesh(maxh=width))
    for _ in range(halvings):
        for element in mesh.Elements(ng.VOL):
            mesh.SetRefinementFlag(element, any(mesh[v].point == near for v in element.vertices))
        mesh.Refine()
    return mesh


def step(degree: int, width: float, halvings: int) -> Reference:
    """PINNacle's step with an outlet at which viscosity u_n = p n."""
    import ngsolve as ng

    corners = [(0, 0), (4, 0), (4, 2), (2, 2), (2, 1), (0, 1)]
    mesh = step_of(corners, ["wall", "out", "wall", "wall", "wall", "in"], (2, 1), width, halvings)
    given = {"in": ng.CF((4 * ng.y * (1 - ng.y), 0)), "wall": ng.CF((0, 0))}
    found = flow(mesh, degree, 0.01, given, "out", True, first=0.04)
    drawn = np.random.default_rng(0).uniform((0, 0), (4, 2), (2 * POINTS, 2))
    points = drawn[(drawn[:, 0] > 2) | (drawn[:, 1] < 1)][:POINTS]
    return points, np.array([found[0](mesh(*p))[0] for p in points])


def torus(size: int, steps: int) -> Reference:
    """The vorticity of a flow in a torus, of which the velocity along x is kept."""
    place = 2 * np.pi * np.arange(size) / size
    x, y = np.meshgrid(place, place, indexing="ij")
    along, across = np.fft.fftfreq(size, 1 / size)[:, None], np.fft.rfftfreq(size, 1 / size)[None, :]
    square = along**2 + across**2
    inverse = np.where(square > 0, 1 / np.maximum(square, 1), 0)
    keep = (abs(along) < size / 3) & (abs(across) < size / 3)

    def back(state: np.ndarray) -> np.ndarray:
        return np.fft.irfft2(state, (size, size))

    def carried(state: np.ndarray, t: float) -> np.ndarray:
        psi = inverse * state
        u, v = back(1j * across * psi), back(-1j * along * psi)
        return -1.0 * keep * np.fft.rfft2(u * back(1j * along * state) + v * back(1j * across * state))

    psi = np.cos(x) + np.cos(2 * y) / 2 + np.sin(x + y) / 2 + np.cos(2 * x - y) / 3
    found = etdrk4(-square / 100, carried, square * np.fft.rfft2(psi), steps, 10.0)
    return kept_in_plane(place, [back(1j * across * inverse * s) for s in found], 10.0, size // PLANE)
