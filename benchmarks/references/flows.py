"""Steady flows by Taylor and Hood's elements of high degree (NGSolve), a flow in a torus by Fourier series."""

from __future__ import annotations

from typing import Any

import numpy as np

from references.elements import POINTS
from references.fourier import PLANE, Reference, etdrk4, kept_in_plane

STEPS = 12
"""The most of Newton's steps: four to six are taken."""


def flow(mesh: Any, degree: int, viscosity: float, given: dict[str, Any], outlet: str, inertia: bool) -> Any:
    """u and p with velocities given on parts of the boundary, and viscosity u_n = p n on `outlet`, if there is one."""
    import ngsolve as ng

    velocity = ng.VectorH1(mesh, order=degree, dirichlet="|".join(given))
    pressure = ng.H1(mesh, order=degree - 1)
    space = velocity * pressure * ng.NumberSpace(mesh) if not outlet else velocity * pressure
    trial, test = space.TrialFunction(), space.TestFunction()
    u, p, v, q = trial[0], trial[1], test[0], test[1]
    form = ng.BilinearForm(space)
    form += (viscosity * ng.InnerProduct(ng.grad(u), ng.grad(v)) - ng.div(v) * p - ng.div(u) * q) * ng.dx
    if not outlet:
        form += (trial[2] * q + test[2] * p) * ng.dx
    if inertia:
        form += (ng.grad(u) * u) * v * ng.dx
    found = ng.GridFunction(space)
    found.components[0].Set(mesh.BoundaryCF(given, default=ng.CF((0, 0))), ng.BND)
    residual, step = found.vec.CreateVector(), found.vec.CreateVector()
    for _ in range(STEPS if inertia else 1):
        form.Apply(found.vec, residual)
        form.AssembleLinearization(found.vec)
        step.data = form.mat.Inverse(space.FreeDofs(), "umfpack") * residual
        found.vec.data -= step
        if step.Norm() < 1e-12 * found.vec.Norm():
            break
    return found.components


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
