"""Derivatives of eigenvalues against closed forms."""

from __future__ import annotations

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
