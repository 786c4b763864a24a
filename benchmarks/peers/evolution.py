"""C7 and C9 in scikit-fem: quartic elements in space and, as in its examples, Crank-Nicolson steps in time.

The number of elements grows with that of the steps as steps^(2/5), so that both errors fall together like steps^-2.
"""

from __future__ import annotations

import math

import numpy as np
from measure import case, now
from scipy.sparse.linalg import splu
from skfem import Basis, BilinearForm, ElementLinePp, LinearForm, MeshLine
from skfem.helpers import dot, grad

from peers.poisson import Outcome

DEGREE = 4
ELEMENTS = {"C7": 2.0, "C9": 1.5}
"""Elements for each step^(2/5): enough for the steps to make most of the error."""


@BilinearForm
def mass(u, v, w):
    return u * v


@BilinearForm
def stiffness(u, v, w):
    return dot(grad(u), grad(v))


@BilinearForm
def advection(u, v, w):
    return grad(u)[0] * v


def line(name: str, steps: int) -> Basis:
    left, right = {"C7": (-2, 2), "C9": (0, 1)}[name]
    elements = math.ceil(ELEMENTS[name] * steps**0.4)
    return Basis(MeshLine(np.linspace(left, right, elements + 1)), ElementLinePp(DEGREE), intorder=2 * DEGREE)


def exact(name: str, x: np.ndarray, t: float | np.ndarray) -> np.ndarray:
    x, t = np.broadcast_arrays(x, t)
    return case(name).exact_values(np.column_stack([x.ravel(), t.ravel()]))[:, 0].reshape(x.shape)


def moments(basis: Basis, name: str) -> np.ndarray:
    """The initial values against each function; to be solved with the mass matrix."""
    return LinearForm(lambda v, w: exact(name, w.x[0], 0.0) * v).assemble(basis)


def fokker_planck(steps: int) -> tuple[Basis, np.ndarray]:
    """C7: the drift changes in time, so that each step factors its own matrix."""
    basis = line("C7", steps)
    m, k, a = (form.assemble(basis).tocsc() for form in (mass, stiffness, advection))
    inner, ends = inside(basis)
    times, half = np.linspace(0, 1, steps + 1), 0.5 / steps
    u = np.zeros((steps + 1, basis.N))
    u[0] = splu(m).solve(moments(basis, "C7"))
    u[1:, ends] = exact("C7", basis.doflocs[0, ends][None], times[1:, None])
    rows = [matrix[inner].tocsr() for matrix in (m, 0.045 * k, a)]
    squares = [matrix[:, inner].tocsc() for matrix in rows]
    for i in range(steps):
        drift, later = 2 * math.cos(3 * times[i]), 2 * math.cos(3 * times[i + 1])
        inertia, diffused, carried = (matrix @ u[i : i + 2].T for matrix in rows)
        right = inertia[:, 0] - half * (diffused[:, 0] + drift * carried[:, 0])
        right -= inertia[:, 1] + half * (diffused[:, 1] + later * carried[:, 1])
        left = squares[0] + half * (squares[1] + later * squares[2])
        u[i + 1, inner] = splu(left).solve(right)
    return basis, u


def wave(steps: int) -> tuple[Basis, np.ndarray]:
    """C9: one factorisation serves all steps."""
    basis = line("C9", steps)
    m, k = (form.assemble(basis).tocsc() for form in (mass, stiffness))
    inner, _ = inside(basis)
    m, k = (matrix[inner][:, inner] for matrix in (m, k))
    half = (2 / steps) ** 2 / 4 / (16 * np.pi**2)
    solve = splu((m + half * k).tocsc()).solve
    back = (m - half * k).tocsr()
    u = np.zeros((steps + 1, basis.N))
    u[0, inner] = splu(m.tocsc()).solve(moments(basis, "C9")[inner])
    # u_t = 0 at the start: u(-dt) = u(dt).
    u[1, inner] = solve(back @ u[0, inner])
    for i in range(1, steps):
        u[i + 1, inner] = 2 * solve(back @ u[i, inner]) - u[i - 1, inner]
    return basis, u


def inside(basis: Basis) -> tuple[np.ndarray, np.ndarray]:
    ends = basis.get_dofs().all()
    return np.setdiff1d(np.arange(basis.N), ends), ends


CASES = {"C7": (fokker_planck, 1.0), "C9": (wave, 2.0)}


def evolve(name: str, steps: int) -> Outcome:
    """The relative L2 error over space and time, the unknowns of all steps together, and the seconds."""
    method, end = CASES[name]
    begun = now()
    basis, u = method(steps)
    spent = now() - begun
    chosen = np.unique(np.linspace(0, steps, 101).round().astype(int))
    x = np.linspace(*basis.mesh.p[0, [0, -1]], 203)[1:-1]
    found = u[chosen] @ basis.probes(x[None]).T
    truth = exact(name, x[None], end * chosen[:, None] / steps)
    error = float(np.linalg.norm(found - truth) / np.linalg.norm(truth))
    return Outcome(error, int(basis.N * steps), {"Crank-Nicolson": spent})
