"""Poisson's equation with Dirichlet values (C1 to C5) in scikit-fem: assembly, three solvers, and the error."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from skfem import (
    Basis,
    BilinearForm,
    ElementTetP2,
    ElementTriP2,
    ElementTriP4,
    Functional,
    LinearForm,
    condense,
    solve,
    solver_iter_pcg,
)  # fmt: skip
from skfem.helpers import dot, grad

from measure import now
from peers import meshes


@dataclass(frozen=True)
class Kind:
    """An element with the degree of its polynomials, and the solvers worth trying with it."""

    element: Callable[[], Any]
    degree: int
    solvers: tuple[str, ...]


DIRECT, AMG, ORDERED = "default direct", "CG + PyAMG", "direct, symmetric ordering"
PLANE = {
    "quadratic": Kind(ElementTriP2, 2, (DIRECT, AMG, ORDERED)),
    "quartic": Kind(ElementTriP4, 4, (DIRECT, AMG, ORDERED)),
}
# In three dimensions factors fill in: its documentation goes over to conjugate gradients there.
SPACE = {"quadratic": Kind(ElementTetP2, 2, (AMG,))}
MESHES: dict[str, dict[str, tuple[Kind, Callable[[int], Any]]]] = {
    "C1": {name: (kind, meshes.square) for name, kind in PLANE.items()},
    "C2": {name: (kind, meshes.disk) for name, kind in PLANE.items()},
    "C3": {name: (kind, meshes.ell) for name, kind in PLANE.items()},
    "C4": {name: (kind, meshes.annulus) for name, kind in PLANE.items()},
    "C5": {name: (kind, meshes.cube) for name, kind in SPACE.items()},
}


def exact(x: np.ndarray) -> np.ndarray:
    return functools.reduce(np.multiply, [np.sin(2 * np.pi * c) for c in x])


@BilinearForm
def laplace(u, v, w):
    return dot(grad(u), grad(v))


@LinearForm
def load(v, w):
    return 4 * len(w.x) * np.pi**2 * exact(w.x) * v


@Functional
def squared_error(w):
    return (w["u"] - exact(w.x)) ** 2


@Functional
def squared(w):
    return exact(w.x) ** 2


@dataclass(frozen=True)
class Outcome:
    """What one mesh gave: the relative L2 error, the unknowns, and the seconds by solver."""

    error: float
    unknowns: int
    seconds: dict[str, float]

    @property
    def best(self) -> float:
        return min(self.seconds.values())


def poisson(mesh: Any, kind: Kind, solvers: tuple[str, ...], wanted: float = 1e-10) -> Outcome:
    """Solve with each of the solvers; assembly counts for all of them, making the mesh for none."""
    begun = now()
    basis = Basis(mesh, kind.element())
    boundary = basis.get_dofs()
    start = np.zeros(basis.N)
    start[boundary] = exact(basis.doflocs[:, boundary.all()])
    system = condense(laplace.assemble(basis), load.assemble(basis), x=start, D=boundary)
    assembled = now() - begun
    spent, errors = {}, []
    for name in solvers:
        begun = now()
        found = solved(name, system, wanted)
        spent[name] = assembled + now() - begun
        errors.append(relative_error(mesh, kind, found))
    return Outcome(max(errors), int(basis.N), spent)


def solved(name: str, system: tuple, wanted: float) -> np.ndarray:
    if name == AMG:
        import pyamg

        preconditioner = pyamg.smoothed_aggregation_solver(system[0]).aspreconditioner()
        return solve(*system, solver=solver_iter_pcg(M=preconditioner, rtol=wanted / 100))
    return solve(*system, permc_spec="MMD_AT_PLUS_A") if name == ORDERED else solve(*system)


def relative_error(mesh: Any, kind: Kind, found: np.ndarray) -> float:
    fine = Basis(mesh, kind.element(), intorder=2 * kind.degree + (4 if mesh.dim() == 2 else 1))
    error = squared_error.assemble(fine, u=fine.interpolate(found)) / squared.assemble(fine)
    return float(np.sqrt(error))
