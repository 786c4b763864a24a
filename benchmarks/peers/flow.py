"""C6 in scikit-fem: Taylor-Hood elements (velocity of degree k, pressure of degree k - 1) and Newton's method."""

from __future__ import annotations

import numpy as np
from scipy.sparse import bmat
from skfem import (
    Basis,
    BilinearForm,
    ElementTriP1,
    ElementTriP2,
    ElementTriP3,
    ElementTriP4,
    ElementVector,
    LinearForm,
    MeshTri,
    condense,
    solve,
)  # fmt: skip
from skfem.helpers import ddot, div, dot, grad, mul

from measure import now
from peers.poisson import DIRECT, Outcome
from transnet.paper.cases import case

PAIRS = {"quadratic": (ElementTriP2, ElementTriP1), "quartic": (ElementTriP4, ElementTriP3)}
RATES = {"quadratic": 2.5, "quartic": 4.5}
"""Seen on meshes of use: between that of the velocity, k + 1, and that of the pressure, k."""
LARGEST = 16
"""Beyond, the factors of the default direct solver fill the memory."""
MAX_STEPS = 12


@BilinearForm
def viscous(u, v, w):
    return ddot(grad(u), grad(v)) / 40


@BilinearForm
def linearised(u, v, w):
    return dot(mul(grad(u), w["flow"]) + mul(grad(w["flow"]), u), v)


@LinearForm
def advected(v, w):
    return dot(mul(grad(w["flow"]), w["flow"]), v)


@BilinearForm
def divergence(u, q, w):
    return div(u) * q


def mesh(n: int) -> MeshTri:
    """[-0.5, 1] x [-0.5, 1.5] in squares of the size 1/(2n)."""
    return MeshTri.init_tensor(np.linspace(-0.5, 1, 3 * n + 1), np.linspace(-0.5, 1.5, 4 * n + 1))


def exact(x: np.ndarray) -> np.ndarray:
    """p, v1 and v2 at points of shape (2, ...)."""
    what = case("C6")
    values = what.exact_values(x.reshape(2, -1).T)[:, [what.problem.names.index(n) for n in ("p", "v1", "v2")]]
    return values.T.reshape(3, *x.shape[1:])


def kovasznay(n: int, kind: str, wanted: float) -> Outcome:
    """Newton's method from rest, until a step changes less than the error that is wanted."""
    begun = now()
    domain = mesh(n)
    velocity_element, pressure_element = PAIRS[kind]
    velocity = Basis(domain, ElementVector(velocity_element()), intorder=3 * velocity_element.maxdeg - 1)
    pressure = velocity.with_element(pressure_element())
    a, b = viscous.assemble(velocity), divergence.assemble(velocity, pressure)
    known, x = conditions(velocity, pressure)
    for _ in range(MAX_STEPS):
        flow = velocity.interpolate(x[: velocity.N])
        matrix = bmat([[a + linearised.assemble(velocity, flow=flow), -b.T], [-b, None]], "csr")
        right = np.concatenate([advected.assemble(velocity, flow=flow), np.zeros(pressure.N)])
        new = solve(*condense(matrix, right, x=x, D=known))
        change = np.linalg.norm(new - x) / np.linalg.norm(new)
        x = new
        if change < wanted:
            break
    spent = now() - begun
    return Outcome(relative_error(velocity, pressure, x), len(x), {DIRECT: spent})


def conditions(velocity: Basis, pressure: Basis) -> tuple[np.ndarray, np.ndarray]:
    """The unknowns that are known, and a start with their values: the velocity all round, the pressure in one point."""
    walls = velocity.get_dofs()
    x = np.zeros(velocity.N + pressure.N)
    for component in (1, 2):
        of_it = walls.all([f"u^{component}"])
        x[of_it] = exact(velocity.doflocs[:, of_it])[component]
    x[velocity.N] = exact(pressure.doflocs[:, :1])[0, 0]
    return np.append(walls.all(), velocity.N), x


def relative_error(velocity: Basis, pressure: Basis, x: np.ndarray) -> float:
    at = np.asarray(velocity.global_coordinates())
    truth = exact(at)
    parts = pressure.interpolate(x[velocity.N :]), *velocity.interpolate(x[: velocity.N])
    found = np.stack([np.asarray(part) for part in parts])
    # One pressure is fixed to make the rest unique; its own error is not to count for all of them.
    found[0] -= np.sum((found[0] - truth[0]) * velocity.dx) / np.sum(velocity.dx)
    error, whole = (np.sum(square * velocity.dx) for square in ((found - truth) ** 2, truth**2))
    return float(np.sqrt(error / whole))
