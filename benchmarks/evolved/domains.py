"""Evolutions on domains that are no boxes, against finite elements of high degree."""

from __future__ import annotations

import itertools

import numpy as np

import transnet as tn

from .stated import Eq, Evolved, diff, t, x, y

U = tn.unknown("U", x, y, t)
MIDDLES = ((np.stack(np.meshgrid(range(6), range(3)), axis=-1).reshape(-1, 2) + 0.5) / 3)[:17]
MIDDLES = MIDDLES + np.random.default_rng(1).uniform(-0.04, 0.04, MIDDLES.shape)
RADIUS, SPREAD, SIDES, RIMS = 0.1, 0.1, 0.5, 2.0


def plate() -> Evolved:
    """A cold plate (0, 2) x (0, 1) with seventeen holes, through which a warm fluid flows; the sides cool."""
    domain = tn.Box(x=(0, 2), y=(0, 1))
    for middle in MIDDLES:
        domain = domain - tn.Disk(center=tuple(middle), radius=RADIUS)
    outer = ["x=0", "x=2", "y=0", "y=1"]
    rims = [part for part in domain.parts if part not in outer]
    flux = tn.normal_derivative(U)
    problem = tn.Problem(
        domain * tn.Interval(t=(0, 3)),
        [Eq(diff(U, t), SPREAD * (diff(U, x, 2) + diff(U, y, 2)))],
        [
            tn.on("t=0", Eq(U, 0)),
            *(tn.on(part, Eq(flux, -SIDES * U)) for part in outer),
            *(tn.on(part, Eq(flux, RIMS * (1 - U))) for part in rims),
        ],
    )
    places = domain.interior(400, "quasi", 0)
    times = (0.2, 1.0, 3.0)
    truth = elements(places, times)

    def earlier(solution: tn.Solution) -> float:
        gaps = [np.asarray(solution(np.column_stack([places, np.full(400, s)]))) - truth[s] for s in times[:2]]
        return float(max(np.linalg.norm(g) / np.linalg.norm(truth[s]) for g, s in zip(gaps, times, strict=False)))

    points = np.column_stack([places, np.full(400, 3.0)])
    return Evolved(problem, points, truth[3.0], 1e-4, earlier, 1e-4, "at t = 0.2 and 1")


def elements(places: np.ndarray, times: tuple[float, ...], h: float = 0.12, degree: int = 5) -> dict[float, np.ndarray]:
    """NGSolve, with Radau's method of three stages: a step is the solve of one real and one complex system."""
    import netgen.geom2d as plane
    import ngsolve as ng
    from scipy import sparse
    from scipy.sparse.linalg import splu

    ng.ngsglobals.msg_level = 0
    geometry = plane.SplineGeometry()
    geometry.AddRectangle((0, 0), (2, 1), bcs=["side"] * 4)
    for middle in MIDDLES:
        geometry.AddCircle(tuple(middle), RADIUS, leftdomain=0, rightdomain=1, bc="rim")
    mesh = ng.Mesh(geometry.GenerateMesh(maxh=h))
    mesh.Curve(degree)
    space = ng.H1(mesh, order=degree)
    u, v = space.TnT()

    def matrix(form) -> sparse.csc_matrix:
        made = ng.BilinearForm(form).Assemble().mat
        rows, columns, values = made.COO()
        return sparse.csc_matrix((np.array(values), (np.array(rows), np.array(columns))), shape=(space.ndof,) * 2)

    mass = matrix(u * v * ng.dx)
    walls = SIDES * u * v * ng.ds("side") + RIMS * u * v * ng.ds("rim")
    stiff = SPREAD * matrix(ng.grad(u) * ng.grad(v) * ng.dx + walls)
    load = np.array(ng.LinearForm(SPREAD * RIMS * v * ng.ds("rim")).Assemble().vec.FV())
    function = ng.GridFunction(space)
    marks = [mesh(*p) for p in places]
    z = np.zeros(space.ndof)
    root = np.sqrt(6.0)
    inverse = np.linalg.inv(np.array([
        [(88 - 7 * root) / 360, (296 - 169 * root) / 1800, (-2 + 3 * root) / 225],
        [(296 + 169 * root) / 1800, (88 + 7 * root) / 360, (-2 - 3 * root) / 225],
        [(16 - root) / 36, (16 + root) / 36, 1 / 9],
    ]))  # fmt: skip
    rates, vectors = np.linalg.eig(inverse)
    back = np.linalg.inv(vectors)
    # The start does not fit the rims: steps grow with the time since.
    edges = [0.0, *(2.0**-k for k in range(14, 3, -1)), 0.2, 0.6, 1.0, 2.0, 3.0]
    found = {}
    for low, high in itertools.pairwise(edges):
        tau = (high - low) / 10
        solvers = [
            (k, splu(((rates[k] if rates[k].imag else rates[k].real) / tau * mass + stiff).tocsc()))
            for k in np.flatnonzero(rates.imag >= 0)
        ]
        for _ in range(10):
            # Stages U = z + Z with M (A^-1 / tau) Z + K (z + Z) = load.
            right = load - stiff @ z
            turned = back @ np.ones(3)
            total = np.zeros(space.ndof)
            for k, solver in solvers:
                w = solver.solve(turned[k] * right if rates[k].imag else turned[k].real * right)
                total = total + (1 if rates[k].imag == 0 else 2) * (vectors[2, k] * w).real
            z = z + total
        for s in times:
            if abs(high - s) < 1e-12:
                function.vec.FV().NumPy()[:] = z
                found[s] = np.array([function(m) for m in marks])
    return found
