"""Derivatives of eigenvalues against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.special import jn_zeros

import transnet as tn
from transnet.errors import ProblemError

x, y, lam, k, r, c = sp.symbols("x y lam k r c")
u = tn.unknown("u", x, y)
membrane = [sp.Eq(-k * tn.laplacian(u) + c * u, lam * u)]


def test_the_first_eigenvalue_of_a_disk_by_its_radius_and_coefficients():
    problem = tn.Problem(tn.Disk(radius=r), membrane, [tn.on("boundary", sp.Eq(u, 0))])
    pairs = tn.eigenpairs(problem, lam, count=1, parameters={r: 1.5, k: 2.0, c: 0.7})
    first = jn_zeros(0, 1)[0] ** 2
    gradient = pairs.gradient(wrt=[r, k, c])
    for p, exact in ((r, -2 * 2.0 * first / 1.5**3), (k, first / 1.5**2), (c, 1.0)):
        assert abs(gradient[p] - exact) < 1e-7 * abs(exact), p
        assert abs(gradient[p] - exact) < gradient[p].error + 1e-9, p
        assert gradient[p].error < 1e-4, p


def test_a_rectangle_and_its_double_eigenvalue():
    problem = tn.Problem(tn.Box(x=(0, r), y=(0, 1)), membrane, [tn.on("boundary", sp.Eq(u, 0))])
    pairs = tn.eigenpairs(problem, lam, count=2, parameters={r: 1.3, k: 1.0, c: 0.0})
    for number, m in ((0, 1), (1, 2)):
        exact = float(-2 * m**2 * sp.pi**2 / 1.3**3)
        assert abs(pairs.gradient(wrt=r, number=number)[r] - exact) < 1e-6 * abs(exact)
    square = tn.eigenpairs(problem, lam, count=3, parameters={r: 1.0, k: 1.0, c: 0.0})
    with pytest.raises(ProblemError, match="double"):
        square.gradient(wrt=r, number=1)
    two = tn.eigenpairs(problem, lam, count=2, parameters={r: 1.0, k: 1.0, c: 0.0})
    with pytest.raises(ProblemError, match="double"):  # though its twin was not asked for
        two.gradient(wrt=k, number=1)


V = tn.given("V", lambda x, y: 1 + x + y**2, x, y)
SHAPES = {"network": (tn.Disk(radius=1), "circle"), "box": (tn.Box(x=(0, 1.3), y=(0, 1)), "x=1.3")}


@pytest.mark.parametrize("name", SHAPES)
def test_a_potential_and_the_speed_of_a_boundary(name):
    # Hellmann and Feynman: dlam = int u^2 dV; Hadamard: dlam = -oint u_n^2 times the normal speed.
    domain, part = SHAPES[name]
    pairs = tn.eigenpairs(
        tn.Problem(domain, [sp.Eq(-tn.laplacian(u) + V * u, lam * u)], [tn.on("boundary", sp.Eq(u, 0))]), lam, count=2
    )
    for number in (0, 1):
        function = pairs[number]
        by_potential = pairs.gradient(wrt=V, number=number)["V(x, y)"]
        slope, exact = by_potential.along(lambda p: np.cos(p[:, 0])), function.integral(u**2 * sp.cos(x))
        assert abs(slope - exact) < 1e-6
        assert abs(slope - exact) < slope.error < 1e-2
        inside, rim = domain.interior(9), domain.boundary(part, 9).points
        assert np.abs(by_potential(inside) - function(inside) ** 2).max() < 1e-3
        speed = pairs.gradient(wrt=part, number=number)[part]
        steep = function.value_of(sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2, rim)
        assert np.abs(speed(rim) + steep).max() < 1e-4 * steep.max()


def test_materials_and_a_current_that_is_not_self_adjoint():
    material = tn.by_piece(core=k, shell=1)
    layers = tn.Pieces(core=tn.Disk(radius=0.5), shell=tn.Disk(radius=1) - tn.Disk(radius=0.5))
    problem = tn.Problem(
        layers, [sp.Eq(-tn.div(material * tn.grad(u), x, y) + c * u, lam * u)], [tn.on("boundary", sp.Eq(u, 0))]
    )
    pairs = tn.eigenpairs(problem, lam, count=1, parameters={k: 3.0, c: 0.5})
    gradient = pairs.gradient(wrt=[k, c])
    energy = pairs[0].integral(sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2, over="core")
    assert abs(gradient[k] - energy) < 1e-7
    assert abs(gradient[c] - 1) < gradient[c].error + 1e-9
    # -u'' + c u' - k u_yy on a box: (c^2 / 4) + pi^2 + k pi^2
    flow = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)),
        [sp.Eq(-sp.diff(u, x, 2) - k * sp.diff(u, y, 2) + c * sp.diff(u, x), lam * u)],
        [tn.on("boundary", sp.Eq(u, 0))],
    )
    pairs = tn.eigenpairs(flow, lam, count=2, parameters={k: 0.7, c: 1.4})
    gradient = pairs[0].gradient(pairs.value(0), wrt=[k, c])
    assert abs(gradient[k] - np.pi**2) < 1e-8
    assert abs(gradient[c] - 1.4 / 2) < 1e-8
    gap = pairs[0].gradient(pairs.value(1) - pairs.value(0), wrt=[k, c])  # 3 pi^2 k: the next mode is along y
    assert abs(gap[k] - 3 * np.pi**2) < 1e-7
    assert abs(gap[c]) < 1e-7
    with pytest.raises(ProblemError, match="eigenfunction"):
        pairs[0].gradient(pairs[0].integral(u), wrt=k)
