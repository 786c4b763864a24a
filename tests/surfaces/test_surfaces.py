"""Equations on surfaces: manufactured solutions, spherical harmonics, closed forms; statements that are refused."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError, UniquenessWarning
from transnet.problem.surfaces import along_surface

x, y, z, t, lam = sp.symbols("x y z t lam")
u, v = tn.unknown("u", x, y, z), tn.unknown("v", x, y, z, t)
EGG = tn.Surface(tn.LevelSet(x**2 + 2 * y**2 + 3 * z**2 + x * y * z - 1, **dict.fromkeys("xyz", (-2, 2))))
WAVY = sp.sin(2 * x + 1) * sp.exp(y) * sp.cos(z)
OPERATORS = {
    "reaction": lambda w: tn.surface_laplacian(w) - w,
    "variable": lambda w: tn.surface_divergence((2 + x) * tn.surface_gradient(w), x, y, z) - w,
    "cubic": lambda w: tn.surface_laplacian(w) - w - w**3,
    "transport": lambda w: tn.surface_laplacian(w) - w + (tn.surface_gradient(w).T * sp.Matrix([-y, x, 0]))[0],
}


def stated(surface: tn.Domain, operator: str, exact: sp.Expr) -> tn.Problem:
    left = OPERATORS[operator](u)
    right = along_surface(OPERATORS[operator](u), surface, (x, y, z)).subs(u, exact).doit()
    return tn.Problem(domain=surface, equations=[sp.Eq(left, right)])


def distance(solution: tn.Solution, exact: sp.Expr) -> float:
    points = solution.problem.domain.interior(1000, "random", 1)
    values = sp.lambdify((x, y, z), exact)(*points.T)
    return float(np.sqrt(np.mean((solution(points) - values) ** 2) / np.mean(values**2)))


@pytest.mark.parametrize("surface", [tn.Sphere((1, 0, 0), 1.2), tn.Torus(major=1, minor=0.4), EGG], ids=str)
def test_a_manufactured_solution_comes_out_on_each_surface(surface):
    solution = tn.solve(stated(surface, "reaction", WAVY), tol=1e-8)
    error = distance(solution, WAVY)
    assert error < 1e-8
    assert error < 10 * solution.error


@pytest.mark.parametrize("operator", ["cubic", "transport"])
def test_operators_along_a_surface(operator):
    solution = tn.solve(stated(tn.Sphere(), operator, WAVY), tol=1e-7)
    assert distance(solution, WAVY) < 1e-7


def test_a_field_that_varies_along_the_surface_is_differentiated_with_it():
    """div_S(k grad_S w) = k lap_S w + grad_S k . grad_S w: the normal in the gradient turns from point to point."""
    surface, points = tn.Sphere(), tn.Sphere().interior(20)
    k, w = 2 + x * y, WAVY
    flux = k * sp.Matrix([along_surface(g.subs(u, w).doit(), surface, (x, y, z)) for g in tn.surface_gradient(u)])
    divergence = along_surface(tn.surface_divergence(flux, x, y, z).doit(), surface, (x, y, z))
    lap = along_surface(tn.surface_laplacian(u), surface, (x, y, z)).subs(u, w).doit()
    slopes = [
        sp.Matrix([along_surface(g.subs(u, f).doit(), surface, (x, y, z)) for g in tn.surface_gradient(u)])
        for f in (k, w)
    ]
    gap = sp.lambdify((x, y, z), divergence - k * lap - (slopes[0].T * slopes[1])[0])(*points.T)
    assert np.abs(gap).max() < 1e-12


def test_the_eigenvalues_of_the_sphere_are_those_of_the_harmonics():
    pairs = tn.eigenpairs(
        tn.Problem(domain=tn.Sphere(), equations=[sp.Eq(-tn.surface_laplacian(u), lam * u)]), lam, count=9
    )
    assert np.allclose(pairs.values, [0, 2, 2, 2, 6, 6, 6, 6, 6], atol=1e-10)


def test_results_on_a_sphere_have_their_closed_forms():
    problem = tn.Problem(
        domain=tn.Sphere(), equations=[sp.Eq(tn.surface_laplacian(u), -2 * z)], conditions=[tn.mean(u, 0)]
    )
    solution = tn.solve(problem)
    integral = solution.integral(u**2)
    assert integral.value == pytest.approx(4 * np.pi / 3, abs=max(10 * integral.error, 1e-12))
    top = solution.maximum(u)
    assert top.value == pytest.approx(1, abs=1e-8)
    assert np.allclose(top.place, (0, 0, 1), atol=1e-3)


def test_a_source_alone_leaves_a_constant_open():
    problem = tn.Problem(domain=tn.Sphere(), equations=[sp.Eq(tn.surface_laplacian(u), -2 * z)])
    with pytest.warns(UniquenessWarning):
        tn.solve(problem)


def test_a_cap_takes_values_and_fluxes_on_its_edge():
    cap = tn.Surface(tn.Sphere(), where=z > 0)
    values = tn.Problem(cap, [sp.Eq(tn.surface_laplacian(u), -2 * z)], [tn.on("edge", sp.Eq(u, 0))])
    fluxes = tn.Problem(
        cap, [sp.Eq(tn.surface_laplacian(u) - u, -3 * z)], [tn.on("edge", sp.Eq(tn.normal_derivative(u), -1))]
    )
    for problem in (values, fluxes):
        solution = tn.solve(problem, tol=1e-8)
        assert distance(solution, z) < 1e-8
    flux = tn.solve(values).integral(tn.normal_derivative(u), over="edge")
    assert flux.value == pytest.approx(-2 * np.pi, abs=10 * flux.error)


def test_a_forgotten_edge_is_told():
    problem = tn.Problem(tn.Surface(tn.Sphere(), where=z > 0), [sp.Eq(tn.surface_laplacian(u) - u, -3 * z)])
    with pytest.warns(UniquenessWarning, match="edge"):
        tn.solve(problem, tol=1e-4)


def test_heat_on_a_sphere_decays_as_its_harmonics_do():
    problem = tn.Problem(
        tn.Sphere() * tn.Interval(t=(0, 0.5)),
        [sp.Eq(sp.diff(v, t), tn.surface_laplacian(v))],
        [tn.on("t=0", sp.Eq(v, z + x * y))],
    )
    solution = tn.solve(problem, tol=1e-5)
    points = problem.domain.interior(500)
    exact = points[:, 2] * np.exp(-2 * points[:, 3]) + points[:, 0] * points[:, 1] * np.exp(-6 * points[:, 3])
    assert np.abs(solution(points) - exact).max() < 1e-4


def test_files_and_pictures(tmp_path):
    problem = tn.Problem(tn.Torus(), [sp.Eq(tn.surface_laplacian(u) - u, -x * y * z)])
    tn.write_problem(problem, tmp_path / "torus.toml")
    assert "surface_laplacian(u)" in (tmp_path / "torus.toml").read_text()
    again = tn.read_problem(tmp_path / "torus.toml").problem
    first, second = tn.solve(problem, neurons=300), tn.solve(again, neurons=300)
    points = problem.domain.interior(10)
    assert np.allclose(first(points), second(points), rtol=0, atol=1e-12)
    first.save(tmp_path / "torus.npz")
    assert np.array_equal(tn.load(tmp_path / "torus.npz")(points), first(points))
    first.plot().save(tmp_path / "torus.png")
    first.export(tmp_path / "torus.vtu")
    first.view().save(tmp_path / "torus.html")
    assert all((tmp_path / f"torus.{kind}").stat().st_size > 1000 for kind in ("png", "vtu", "html"))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tn.Problem(tn.Sphere(), [sp.Eq(tn.laplacian(u) - u, z)]), "across"),
        (lambda: tn.Problem(tn.Sphere(), [sp.Eq(tn.surface_laplacian(u) + sp.diff(u, x), z)]), "across"),
        (lambda: tn.Problem(tn.Ball(), [sp.Eq(tn.surface_laplacian(u), z)]), "surface"),
        (
            lambda: tn.Problem(tn.Sphere(), [sp.Eq(tn.surface_laplacian(u), z)], [tn.on("boundary", sp.Eq(u, 0))]),
            "closed surface",
        ),
    ],
)
def test_wrong_statements_are_refused_in_words(make, words):
    with pytest.raises(ProblemError, match=words):
        tn.solve(make(), tol=1e-3)
