"""The same five problems with scikit-fem: elements in NumPy."""

import numpy as np
from scipy.optimize import least_squares
from skfem import Basis, BilinearForm, ElementLineP2, ElementTriP2, LinearForm, MeshLine, MeshTri, condense, solve
from skfem.helpers import dot, grad
from skfem.models.poisson import laplace, mass, unit_load


def at(basis, found, *place) -> float:
    return float((basis.probes(np.array(place, dtype=float)[:, None]) @ found)[0])


def ring() -> float:
    """The circles become polygons: two digits less than elements with curved sides have."""
    radii, angles = np.linspace(0.5, 1, 33), np.linspace(0, 2 * np.pi, 257)[:-1]
    mesh = MeshTri.init_tensor(radii, np.arange(257.0))
    points = np.array([np.outer(radii, f(angles)).ravel() for f in (np.cos, np.sin)])
    index = np.round((mesh.p[0] - 0.5) / 0.5 * 32).astype(int) * 256 + mesh.p[1].astype(int) % 256
    basis = Basis(MeshTri(points, index[mesh.t], sort_t=True), ElementTriP2())
    right = LinearForm(lambda v, w: np.exp(w.x[0]) * w.x[1] * v).assemble(basis)
    start, edge = basis.zeros(), basis.get_dofs().flatten()
    start[edge] = np.cos(3 * basis.doflocs[0, edge])
    return at(basis, solve(*condense(laplace.assemble(basis), right, x=start, D=edge)), 0.6, 0.3)


def layer() -> float:
    basis = Basis(MeshLine(1 - np.linspace(1, 0, 400) ** 4), ElementLineP2())
    form = BilinearForm(lambda u, v, w: dot(grad(u), grad(v)) / 1000 + grad(u)[0] * v).assemble(basis)
    return at(basis, solve(*condense(form, unit_load.assemble(basis), D=basis.get_dofs())), 0.999)


def phases() -> float:
    """One end of the line is the other: the last unknown is added to the first."""
    basis = Basis(MeshLine(np.linspace(0, 2 * np.pi, 129)), ElementLineP2())
    ends = [int(basis.nodal_dofs[0, 0]), int(basis.nodal_dofs[0, -1])]
    keep = np.setdiff1d(np.arange(basis.N), ends[1:])
    glue = np.zeros((basis.N, len(keep)))
    glue[keep, np.arange(len(keep))] = 1
    glue[ends[1]] = glue[ends[0]]
    stiff, m = (glue.T @ form.assemble(basis) @ glue for form in (laplace, mass))
    c, h = np.sin(basis.doflocs[0, keep]) / 2, 5 / 1000
    implicit = np.linalg.inv(m * 1.5 + h * stiff / 20)
    rate = LinearForm(lambda v, w: (w["c"] - w["c"] ** 3) * v)
    before, forces = c, glue.T @ rate.assemble(basis, c=glue @ c)
    for step in range(1000):  # the implicit method of second order, with the cubic term extrapolated
        now = glue.T @ rate.assemble(basis, c=glue @ c)
        if step == 0:
            c, before, forces = np.linalg.solve(m + h * stiff / 20, m @ c + h * now), c, now
            continue
        c, before, forces = implicit @ (m @ (2 * c - before / 2) + h * (2 * now - forces)), c, now
    return at(basis, glue @ c, 1.0)


def l_shape() -> float:
    mesh = MeshTri.init_lshaped().refined(3)
    for _ in range(14):  # triangles are halved towards the corner
        mesh = mesh.refined(np.flatnonzero((np.abs(mesh.p[:, mesh.t]).max(axis=0) < 1e-12).any(axis=0)))
    basis = Basis(mesh.refined(2), ElementTriP2())
    return at(
        basis, solve(*condense(laplace.assemble(basis), unit_load.assemble(basis), D=basis.get_dofs())), -0.5, 0.5
    )


def number() -> float:
    basis = Basis(MeshLine(np.linspace(0, 1, 101)), ElementLineP2())
    places = np.linspace(0.05, 0.95, 19)
    probe, stiff, m = basis.probes(places[None]), laplace.assemble(basis), mass.assemble(basis)
    start = basis.zeros()
    start[int(basis.nodal_dofs[0, -1])] = 1

    def misfit(k):
        return probe @ solve(*condense(stiff + k[0] * m, x=start, D=basis.get_dofs())) - np.sinh(3 * places) / np.sinh(
            3
        )

    return float(least_squares(misfit, [1.0], xtol=1e-12, ftol=1e-14, gtol=1e-14).x[0])
