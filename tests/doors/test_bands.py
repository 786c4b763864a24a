"""Bloch waves in lattices of rods: empty lattices, published gaps, translations, and functions with their phases."""

import numpy as np
import sympy as sp

import transnet as tn

x, y, p, q = sp.symbols("x y p q", real=True)
lam = sp.Symbol("lam")
u = tn.unknown("u", x, y, complex=True)
sides = [tn.periodic(x, phase=p), tn.periodic(y, phase=q)]


def crystal(equation, width=1.0, centre=(0.0, 0.0)):
    rod = tn.Disk(centre, 0.2)
    cell = tn.Box(x=(-0.5, 0.5), y=(-0.5 * width, 0.5 * width))
    return tn.Problem(tn.Pieces(rod=rod, air=cell - rod), [equation], sides)


def test_rods_of_air_are_an_empty_lattice():
    problem = crystal(sp.Eq(-tn.laplacian(u), tn.by_piece(rod=1, air=1) * lam * u), width=0.8, centre=(0.1, 0.05))
    found = tn.eigenpairs(problem, lam, count=4, parameters={p: 0.7, q: 0.3}, tol=1e-6)
    n, m = np.meshgrid(np.arange(-3, 4), np.arange(-3, 4))
    exact = np.sort(((0.7 + 2 * np.pi * n) ** 2 + ((0.3 + 2 * np.pi * m) / 0.8) ** 2).ravel())[:4]
    np.testing.assert_allclose(found.values, exact, rtol=1e-6)
    assert (np.abs(found.values - exact) <= 10 * found.errors + 1e-10).all()


def test_bands_do_not_depend_on_where_the_cell_is_cut():
    waves = tn.div(tn.grad(u, x, y) / tn.by_piece(rod=8.9, air=1), x, y) + lam * u
    here, there = (
        tn.eigenpairs(crystal(sp.Eq(waves, 0), centre=at), lam, count=2, parameters={p: np.pi, q: 0.4}, tol=1e-4)
        for at in ((0, 0), (0.2, -0.1))
    )
    np.testing.assert_allclose(here.values, there.values, rtol=1e-4)
    function, points = there[1], np.array([[-0.5, 0.37], [-0.5, 0.1]])
    np.testing.assert_allclose(function(points + np.array([1.0, 0.0])), -function(points), atol=1e-4)


def test_the_lowest_wave_of_all_is_constant():
    problem = crystal(sp.Eq(-tn.laplacian(u), tn.by_piece(rod=8.9, air=1) * lam * u))
    found = tn.eigenpairs(problem, lam, count=1, parameters={p: 0.0, q: 0.0}, tol=1e-4)
    assert abs(found.values[0]) < 1e-4
    values = np.abs(found[0](problem.domain.interior(50)))
    np.testing.assert_allclose(values, values.mean(), rtol=1e-3)
