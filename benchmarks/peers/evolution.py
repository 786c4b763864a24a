"""C7, C8 and C9 in scikit-fem: quartic elements in space and, as in its examples, Crank-Nicolson steps in time.

The number of elements grows with that of the steps as steps^(2/5), so that both errors fall together like steps^-2.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.sparse.linalg import splu
from skfem import Basis, BilinearForm, ElementLinePp, ElementTriP4, LinearForm, MeshLine
from skfem.helpers import dot, grad

from measure import now
from peers.meshes import square
from peers.poisson import Outcome
from transnet.paper.cases import case

DEGREE = 4
ELEMENTS = {"C7": 2.0, "C8": 2.4, "C9": 1.5}
"""Elements along an axis for each step^(2/5): enough for the steps to make most of the error."""
DRIFT: dict[str, Callable[[float], tuple[float, ...]]] = {
    "C7": lambda t: (2 * math.cos(3 * t),),
    "C8": lambda t: (math.sin(2 * math.pi * t), math.cos(2 * math.pi * t)),
}


@BilinearForm
def mass(u, v, w):
    return u * v


@BilinearForm
def stiffness(u, v, w):
    return dot(grad(u), grad(v))


def advection(axis: int) -> BilinearForm:
    return BilinearForm(lambda u, v, w: grad(u)[axis] * v)


def space(name: str, steps: int) -> Basis:
    elements = math.ceil(ELEMENTS[name] * steps**0.4)
    if name == "C8":
        return Basis(square(elements).scaled(2.0), ElementTriP4(), intorder=2 * DEGREE)
    left, right = {"C7": (-2, 2), "C9": (0, 1)}[name]
    return Basis(MeshLine(np.linspace(left, right, elements + 1)), ElementLinePp(DEGREE), intorder=2 * DEGREE)


def exact(name: str, x: np.ndarray, t: float | np.ndarray) -> np.ndarray:
    """At points x, of shape (d, ...), and times that broadcast with them."""
    *x, t = np.broadcast_arrays(*x, t)
    return case(name).exact_values(np.column_stack([c.ravel() for c in (*x, t)]))[:, 0].reshape(t.shape)


def moments(basis: Basis, name: str) -> np.ndarray:
    """The initial values against each function; to be solved with the mass matrix."""
    return LinearForm(lambda v, w: exact(name, w.x, 0.0) * v).assemble(basis)


def fokker_planck(name: str, steps: int) -> tuple[Basis, np.ndarray]:
    """C7 and C8: the drift changes in time, so that each step factors its own matrix."""
    basis = space(name, steps)
    m = mass.assemble(basis).tocsc()
    forms = [0.045 * stiffness.assemble(basis), *(advection(i).assemble(basis) for i in range(basis.mesh.dim()))]
    inner, ends = inside(basis)
    times, half = np.linspace(0, 1, steps + 1), 0.5 / steps
    u = np.zeros((steps + 1, basis.N))
    u[0] = splu(m).solve(moments(basis, name))
    u[1:, ends] = exact(name, basis.doflocs[:, None, ends], times[1:, None])
    rows = [matrix[inner].tocsr() for matrix in (m, *forms)]
    squares = [matrix[:, inner].tocsc() for matrix in rows]
    for i in range(steps):
        before, later = ((1.0, *DRIFT[name](t)) for t in times[i : i + 2])
        inertia, *flows = (matrix @ u[i : i + 2].T for matrix in rows)
        right = inertia[:, 0] - half * sum(c * flow[:, 0] for c, flow in zip(before, flows, strict=True))
        right -= inertia[:, 1] + half * sum(c * flow[:, 1] for c, flow in zip(later, flows, strict=True))
        left = squares[0] + half * sum(c * matrix for c, matrix in zip(later, squares[1:], strict=True))
        u[i + 1, inner] = splu(left.tocsc(), permc_spec="MMD_AT_PLUS_A").solve(right)
    return basis, u


def wave(name: str, steps: int) -> tuple[Basis, np.ndarray]:
    """C9: one factorisation serves all steps."""
    basis = space(name, steps)
    inner, _ = inside(basis)
    m, k = (form.assemble(basis)[inner][:, inner].tocsc() for form in (mass, stiffness))
    half = (2 / steps) ** 2 / 4 / (16 * np.pi**2)
    solve = splu((m + half * k).tocsc()).solve
    back = (m - half * k).tocsr()
    u = np.zeros((steps + 1, basis.N))
    u[0, inner] = splu(m).solve(moments(basis, name)[inner])
    # u_t = 0 at the start: u(-dt) = u(dt).
    u[1, inner] = solve(back @ u[0, inner])
    for i in range(1, steps):
        u[i + 1, inner] = 2 * solve(back @ u[i, inner]) - u[i - 1, inner]
    return basis, u


def inside(basis: Basis) -> tuple[np.ndarray, np.ndarray]:
    ends = basis.get_dofs().all()
    return np.setdiff1d(np.arange(basis.N), ends), ends


CASES = {"C7": (fokker_planck, 1.0), "C8": (fokker_planck, 1.0), "C9": (wave, 2.0)}


def evolve(name: str, steps: int) -> Outcome:
    """The relative L2 error over space and time, the unknowns of all steps together, and the seconds."""
    method, end = CASES[name]
    begun = now()
    basis, u = method(name, steps)
    spent = now() - begun
    chosen = np.unique(np.linspace(0, steps, 51).round().astype(int))
    low, high = basis.mesh.p.min(axis=1), basis.mesh.p.max(axis=1)
    x = np.random.default_rng(0).uniform(low, high, (400, len(low))).T
    found = u[chosen] @ basis.probes(x).T
    truth = exact(name, x[:, None], end * chosen[:, None] / steps)
    error = float(np.linalg.norm(found - truth) / np.linalg.norm(truth))
    return Outcome(error, int(basis.N * steps), {"Crank-Nicolson": spent})
