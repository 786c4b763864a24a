"""Several materials: exact solutions with jumps, the natural flux of stated equations, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import GeometryError, ProblemError
from transnet.pieces.fluxes import flux_of, orders_of
from transnet.problem import NormalComponent

x, y = sp.symbols("x y")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
SQUARE = tn.Box(x=(-0.5, 0.5), y=(-0.5, 0.5))
CORE = tn.Disk(radius=0.3)


def relative_error(solution: tn.Solution, exact: dict[str, sp.Expr], count: int = 2000) -> float:
    domain = solution.problem.domain
    assert isinstance(domain, tn.Pieces)
    points = domain.interior(count, "random", 3)
    which = domain.which(points)
    true = np.zeros(len(points))
    for k, name in enumerate(domain.piece_names):
        true[which == k] = sp.lambdify((x, y), exact[name])(*points[which == k].T)
    return float(np.linalg.norm(solution(points) - true) / np.linalg.norm(true))


def inclusion(inner: int, outer: int) -> tuple[tn.Problem, dict[str, sp.Expr]]:
    """A disk of another conductivity in a field that is x + x^3 - 3 x y^2 far away."""
    contrast = sp.Rational(outer - inner, outer + inner)
    r2, radius = x**2 + y**2, sp.Rational(3, 10)
    inside, outside = sp.Integer(0), sp.Integer(0)
    for m, wave in ((1, x), (3, x**3 - 3 * x * y**2)):
        inside += (1 + contrast) * wave
        outside += wave + contrast * wave * radius ** (2 * m) / r2**m
    k = tn.by_piece(core=inner, shell=outer)
    domain = tn.Pieces(core=CORE, shell=SQUARE - CORE)
    problem = tn.Problem(domain, [sp.Eq(-tn.div(k * tn.grad(u)), 0)], [tn.on("boundary", sp.Eq(u, outside))])
    return problem, {"core": inside, "shell": outside}


@pytest.mark.parametrize(("inner", "outer", "tol"), [(1000, 1, 1e-7), (1, 1000, 1e-5)])
def test_an_inclusion_of_another_conductivity(inner: int, outer: int, tol: float) -> None:
    problem, exact = inclusion(inner, outer)
    solution = tn.solve(problem, tol=tol)
    assert solution.error < tol
    assert relative_error(solution, exact) < tol


def test_jumps_of_values_and_fluxes_are_stated() -> None:
    radius = sp.Rational(2, 5)
    domain = tn.Pieces(core=tn.Disk(radius=0.4), shell=tn.Disk(radius=1) - tn.Disk(radius=0.4))
    k = tn.by_piece(core=3, shell=1)
    exact = {"core": sp.sin(2 * x) * sp.exp(y), "shell": sp.cos(3 * x * y) + x}
    source = tn.by_piece({n: -{"core": 3, "shell": 1}[n] * tn.laplacian(e, x, y) for n, e in exact.items()})

    def slope(e: sp.Expr) -> sp.Expr:
        return (sp.diff(e, x) * x + sp.diff(e, y) * y) / radius

    conditions = [
        tn.on("boundary", sp.Eq(u, exact["shell"])),
        tn.on(
            "core|shell",
            sp.Eq(tn.jump(u), exact["shell"] - exact["core"]),
            sp.Eq(tn.jump(k * tn.normal_derivative(u)), slope(exact["shell"]) - 3 * slope(exact["core"])),
        ),
    ]
    solution = tn.solve(tn.Problem(domain, [sp.Eq(-tn.div(k * tn.grad(u)), source)], conditions))
    assert relative_error(solution, exact) < 1e-9
    # The other way round the jumps change their signs, and so does the normal of the flux: twice.
    turned = tn.on(
        "shell|core",
        sp.Eq(tn.jump(u), exact["core"] - exact["shell"]),
        sp.Eq(tn.jump(k * tn.normal_derivative(u)), slope(exact["shell"]) - 3 * slope(exact["core"])),
    )
    problem = tn.Problem(domain, [sp.Eq(-tn.div(k * tn.grad(u)), source)], [conditions[0], turned])
    assert relative_error(tn.solve(problem), exact) < 1e-9


def test_the_solution_of_pieces_is_a_function_like_any_other(tmp_path) -> None:
    problem, exact = inclusion(10, 1)
    solution = tn.solve(problem, tol=1e-5)
    k = tn.by_piece(core=10, shell=1)
    points = np.array([[0.1, 0.05], [0.4, 0.4]])
    flux = solution.evaluate(k * sp.diff(u, x), points)
    names = ("core", "shell")
    true = [
        float((factor * sp.diff(exact[name], x)).subs({x: a, y: b}))
        for factor, name, (a, b) in zip((10, 1), names, points, strict=True)
    ]
    assert np.allclose(flux, true, rtol=1e-4)
    again = tn.load(solution.save(tmp_path / "pieces"))
    assert np.array_equal(again(points), solution(points))
    assert solution.basis.summary() in solution.report()
    solution.plot()


def test_a_conductivity_that_depends_on_the_solution_in_one_piece() -> None:
    """With exp(u) u' = -r / 2 in the shell exp(u) = 1 + (1 - r^2) / 4; the same flux enters the core."""
    core, r2, rim = tn.Disk(radius=0.4), x**2 + y**2, sp.Rational(4, 25)
    k = tn.by_piece(core=3, shell=sp.exp(u))
    exact = {"core": sp.log(1 + (1 - rim) / 4) + (rim - r2) / 12, "shell": sp.log(1 + (1 - r2) / 4)}
    domain = tn.Pieces(core=core, shell=tn.Disk(radius=1) - core)
    solution = tn.solve(tn.Problem(domain, [sp.Eq(-tn.div(k * tn.grad(u)), 1)], [tn.on("boundary", u)]), tol=1e-6)
    assert relative_error(solution, exact) < 2 * solution.error < 1e-6
    assert np.allclose(solution.evaluate(k, [[0.1, 0.0], [0.7, 0.0]]), [3, 1 + 0.51 / 4], atol=1e-6)


# -- the flux of a stated equation ----------------------------------------------------------------------------------
def flux(equations: list[sp.Expr], number: int) -> sp.Expr:
    orders = orders_of(equations, (x, y))
    return sp.expand(flux_of(equations[number].doit(), (x, y), orders, "an equation"))


def test_the_flux_is_what_stands_under_the_divergence() -> None:
    n = [NormalComponent(c) for c in (x, y)]
    k = tn.by_piece(a=2, b=x)
    assert flux([-tn.div(k * tn.grad(u)) + u], 0) == sp.expand(
        sp.Mul(-1, k, n[0] * sp.diff(u, x) + n[1] * sp.diff(u, y))
    )
    lam, mu = tn.by_piece(a=1, b=2), tn.by_piece(a=3, b=5)
    strain = sp.Matrix(2, 2, lambda i, j: (sp.diff((u, v)[i], (x, y)[j]) + sp.diff((u, v)[j], (x, y)[i])) / 2)
    stress = lam * strain.trace() * sp.eye(2) + 2 * mu * strain
    balance = [tn.div(stress.row(i), x, y) for i in range(2)]
    for i in range(2):
        assert sp.expand(flux(balance, i) - (stress * sp.Matrix(n))[i]) == 0


def test_a_piecewise_coefficient_across_a_line_becomes_pieces() -> None:
    k = sp.Piecewise((4, x < sp.Rational(1, 4)), (1, True))
    exact = sp.Piecewise((x / 4, x < sp.Rational(1, 4)), (x - sp.Rational(3, 16), True))
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(-tn.div(k * tn.grad(u)), 0)], [tn.on("boundary", sp.Eq(u, exact))]
    )
    solution = tn.solve(problem)
    points = np.random.default_rng(0).random((200, 2))
    assert np.allclose(solution(points), sp.lambdify((x, y), exact)(*points.T), atol=1e-9)


# -- what is refused ---------------------------------------------------------------------------------------------------
BOTH = tn.Pieces(core=CORE, shell=SQUARE - CORE)
K = tn.by_piece(core=2, shell=1)
EQUATION = sp.Eq(-tn.div(K * tn.grad(u)), 1)
VALUES = tn.on("boundary", u)
WRONG = {
    "overlap": (lambda: tn.Pieces(a=tn.Disk(radius=1), b=tn.Box(x=(0, 3), y=(-1, 1))), "overlap.*area of"),
    "gap": (lambda: tn.Pieces(a=tn.Disk(radius=0.29), b=SQUARE - CORE), "gap of about 0.01"),
    "loose": (lambda: tn.Pieces(a=CORE, b=tn.Box(x=(2, 3), y=(0, 1))), "touches no other.*1.7"),
    "no domain": (lambda: tn.Pieces(a=CORE, b=3), "is not a domain"),
    "no interface": (lambda: tn.Problem(BOTH, [EQUATION], [VALUES, tn.on("core|rest", tn.jump(u))]), "no piece 'rest'"),
    "no sides": (lambda: tn.Problem(BOTH, [EQUATION], [tn.on("boundary", tn.jump(u))]), "two sides"),
    "missing value": (
        lambda: tn.Problem(BOTH, [sp.Eq(tn.by_piece(core=1) * u, 1)], [VALUES]), "no value for 'shell'"
    ),
    "unknown piece": (
        lambda: tn.Problem(BOTH, [sp.Eq(tn.by_piece(core=1, shell=2, rim=3) * u, 1)], [VALUES]), "names 'rim'"
    ),
    "no pieces": (lambda: tn.Problem(SQUARE, [EQUATION], [VALUES]), "single one"),
    "equation missing": (lambda: tn.Problem(BOTH, [tn.inside("core", EQUATION)], [VALUES]), "'shell' has no equation"),
    "one too many": (
        lambda: tn.solve(
            tn.Problem(BOTH, [EQUATION], [VALUES, tn.on("core|shell", tn.jump(u), sp.Eq(tn.jump(u), 1))])
        ),
        "one too many",
    ),
    "network": (lambda: tn.solve(tn.Problem(BOTH, [EQUATION], [VALUES]), neurons=100), "solved by 'cells'"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_told(case: str) -> None:
    make, message = WRONG[case]
    with pytest.raises((GeometryError, ProblemError), match=message):
        make()
