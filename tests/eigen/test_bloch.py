"""Waves in periodic structures: the empty lattice and Mathieu's equation, in tn.eigenpairs and tn.solve."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y, q, p = sp.symbols("x y q p", real=True)
lam = sp.Symbol("lam")
u = tn.unknown("u", x, complex=True)
w = tn.unknown("w", x, y, complex=True)
cell, square = tn.Interval(x=(-1, 1)), tn.Box(x=(0, 1), y=(0, 2))


def hill(depth, phase, count, waves=30):
    """The eigenvalues of -u'' + 2 depth cos(pi x) u = lam u on a cell of length two, in plane waves."""
    k = 0.5 * phase + np.pi * np.arange(-waves, waves + 1)
    beside = depth * np.ones(2 * waves)
    return np.linalg.eigvalsh(np.diag(k**2) + np.diag(beside, 1) + np.diag(beside, -1))[:count]


@pytest.mark.parametrize("phase", [0.0, 0.7, np.pi, -2.0])
def test_the_bands_of_a_cosine_lattice(phase):
    equation = sp.Eq(-sp.diff(u, x, 2) + 6 * sp.cos(sp.pi * x) * u, lam * u)
    pairs = tn.eigenpairs(tn.Problem(cell, [equation], [tn.periodic(x, phase=q)]), lam, count=4, parameters={q: phase})
    np.testing.assert_allclose(pairs.values, hill(3.0, phase, 4), rtol=1e-9)
    ends = pairs[0]([[-1.0], [1.0]])
    assert ends[1] == pytest.approx(np.exp(1j * phase) * ends[0], abs=1e-8)


def test_the_empty_lattice_in_the_plane():
    problem = tn.Problem(square, [sp.Eq(-tn.laplacian(w), lam * w)], [tn.periodic(x, phase=q), tn.periodic(y, phase=p)])
    found = tn.eigenpairs(problem, lam, count=5, parameters={q: 0.7, p: 1.9})
    n = np.arange(-4, 5)
    exact = np.add.outer((0.7 + 2 * np.pi * n) ** 2, (0.95 + np.pi * n) ** 2)
    np.testing.assert_allclose(found.values, np.sort(exact.ravel())[:5], rtol=1e-9)


def test_complex_unknowns_without_a_phase():
    problem = tn.Problem(cell, [sp.Eq(-sp.diff(u, x, 2), lam * u)], [tn.periodic(x)])
    exact = (np.pi * np.array([0, 1, 1, 2, 2])) ** 2
    np.testing.assert_allclose(tn.eigenpairs(problem, lam, count=5).values, exact, atol=1e-8)


def test_a_phase_stated_by_hand():
    turned = [sp.Eq(d, sp.exp(0.7j) * d.subs(x, -1)) for d in (u, sp.diff(u, x))]
    problem = tn.Problem(cell, [sp.Eq(-sp.diff(u, x, 2), lam * u)], [tn.on("x=1", *turned)])
    np.testing.assert_allclose(tn.eigenpairs(problem, lam, count=3).values, hill(0.0, 0.7, 3), rtol=1e-9)


def test_a_driven_wave():
    exact = sp.exp(sp.I * (0.7 * x + 0.95 * y)) * (2 + sp.cos(2 * sp.pi * x))
    source = -sp.diff(exact, x, 2) - sp.diff(exact, y, 2) + exact
    conditions = [tn.periodic(x, phase=0.7), tn.periodic(y, phase=1.9)]
    found = tn.solve(tn.Problem(square, [sp.Eq(-tn.laplacian(w) + w, source)], conditions), tol=1e-8)
    points = square.interior(50)
    np.testing.assert_allclose(found(points), sp.lambdify((x, y), exact)(*points.T), atol=1e-7)


def test_files(tmp_path):
    problem = tn.Problem(cell, [sp.Eq(-sp.diff(u, x, 2) + u, sp.cos(x))], [tn.periodic(x, phase=q)])
    tn.write_problem(problem, tmp_path / "bloch.toml")
    assert repr(tn.read_problem(tmp_path / "bloch.toml").problem) == repr(problem)
    found = tn.solve(problem, parameters={q: 0.3})
    found.save(tmp_path / "bloch.npz")
    np.testing.assert_array_equal(tn.load(tmp_path / "bloch.npz")([[0.5]]), found([[0.5]]))


def test_wrong_phases_are_refused():
    v = tn.unknown("v", x)
    with pytest.raises(tn.errors.ProblemError, match=r"v\(x\) is real. Make it complex"):
        tn.Problem(cell, [sp.Eq(sp.diff(v, x, 2), v)], [tn.periodic(x, phase=1)])
    with pytest.raises(tn.errors.ProblemError, match="a real angle"):
        tn.periodic(x, phase=sp.exp(sp.I))
    with pytest.raises(tn.errors.ProblemError, match="the same on all of a face"):
        tn.Problem(square, [sp.Eq(tn.laplacian(w), w)], [tn.periodic(x, phase=y), tn.periodic(y)])
    with pytest.raises(tn.errors.ProblemError, match="no two opposite faces"):
        tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(w), w)], [tn.periodic(x, phase=1)])
