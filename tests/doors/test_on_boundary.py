"""Functions that solve the equation, fitted on the boundary: they are taken where they reach what is asked for."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.drive.driver import drive
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.method import known_methods
from transnet.method.trefftz import Trefftz

x, y, k = sp.symbols("x y k")
u = tn.unknown("u", x, y)
RING = tn.Disk(radius=1) - tn.Disk((0.2, 0.1), radius=0.3)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
ELL = tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Box(x=(0, 1), y=(-1, 0))
LENS = tn.Disk((-0.5, 0), radius=1) & tn.Disk((0.5, 0), radius=1)
DOMAINS = {"ring": RING, "square": SQUARE, "ell": ELL, "lens": LENS, "far": tn.Disk((100, 50), radius=2)}
EXACT = {"waves": sp.sin(x + 2 * y) + x * y, "exponential": x * sp.exp(-y / 4) + 1, "pole": 1 / (1 + x**2 / 4)}


def on_boundary(plan: Plan) -> tn.Solution | None:
    """The solution by functions that solve the equation alone, if it reaches what is asked for."""
    try:
        found = drive(plan, (Trefftz(),))
    except ProblemError:
        return None
    return found if found.error <= (plan.tol or 1e-6) else None


def slope(e: sp.Expr) -> sp.Expr:
    return sum(sp.diff(e, c) * n for c, n in zip((x, y), tn.normal(x, y), strict=True))


def error(solution: tn.Solution, exact: sp.Expr) -> float:
    points = solution.problem.domain.interior(500, "random", 3)
    truth = sp.lambdify((x, y), exact)(*points.T)
    return float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))


@pytest.mark.parametrize("tol", [1e-3, 1e-8])
@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
@pytest.mark.parametrize("exact", [EXACT["waves"], EXACT["exponential"]], ids=["waves", "exponential"])
def test_values_and_slopes_of_a_known_solution(domain, exact, tol):
    operator = lambda e: 2 * sp.diff(e, x, 2) + sp.diff(e, x, y) + sp.diff(e, y, 2)  # noqa: E731
    mixed = [
        tn.on(part, sp.Eq(tn.normal_derivative(u), slope(exact)) if number % 2 else sp.Eq(u, exact))
        for number, part in enumerate(domain.parts)
    ]
    for stated in ([tn.on("boundary", sp.Eq(u, exact))], mixed):
        problem = tn.Problem(domain, [sp.Eq(operator(u), sp.expand(operator(exact)))], stated)
        found = on_boundary(Plan(problem, tol=tol))
        assert found is not None
        assert error(found, exact) <= found.error <= tol
        assert not found.diagnostics.messages


@pytest.mark.parametrize(
    ("domain", "source", "value"),
    [
        pytest.param(ELL, sp.Integer(1), sp.Integer(0), id="a corner"),
        pytest.param(SQUARE, sp.Integer(1), sp.Integer(0), id="corners that are forced"),
        pytest.param(RING, sp.exp(x) * y, sp.cos(3 * x), id="a hole"),
        pytest.param(LENS, x * y + 1, sp.Integer(0), id="curved edges"),
        pytest.param(LENS, sp.exp(sp.sin(3 * x) + y), y, id="a source that is no sum of exponentials"),
    ],
)
def test_waves_find_the_same(domain, source, value):
    problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), source)], [tn.on("boundary", sp.Eq(u, value))])
    found, waves = on_boundary(Plan(problem, tol=1e-6)), drive(Plan(problem, tol=1e-6), known_methods()[1:])
    assert found is not None
    points = domain.interior(500, "random", 3)
    gap = np.linalg.norm(found(points) - waves(points)) / np.linalg.norm(waves(points))
    assert found.error <= 1e-6
    assert gap <= found.error + 2 * waves.error


def test_it_is_what_solve_takes_and_a_solution_like_any_other(tmp_path):
    problem = tn.Problem(RING, [sp.Eq(tn.laplacian(u), -sp.exp(x) * y)], [tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))])
    solution = tn.solve(problem, tol=1e-9)
    assert solution.basis.spaces[0].neurons == 0
    assert [tried.error for tried in solution.history][-1] == solution.error
    again = tn.load(solution.save(tmp_path / "ring.npz"))
    points = RING.interior(50)
    assert np.array_equal(again(points), solution(points))
    assert np.abs(solution.evaluate(tn.laplacian(u) + sp.exp(x) * y, points)).max() < 1e-10
    # What flows out is what is inside, and its error is known.
    flux, inside = solution.flux("boundary"), solution.integral(-sp.exp(x) * y)
    assert abs(flux.value - inside.value) <= flux.error + inside.error + 1e-9
    gradient = solution.evaluate(sp.diff(u, x), points, error=True)
    closer = tn.solve(problem, tol=1e-12)
    assert (np.abs(gradient.value - closer.evaluate(sp.diff(u, x), points)) <= gradient.error).all()
    assert "solve the equation" in solution.report()


@pytest.mark.parametrize(
    ("equation", "value"),
    [
        pytest.param(tn.laplacian(u) - u, sp.Integer(1), id="a term of lower order"),
        pytest.param(tn.div((1 + x**2) * tn.grad(u)), x, id="a coefficient that varies"),
        pytest.param(
            tn.laplacian(u) - 1 / ((x - 0.2) ** 2 + (y - 0.1) ** 2), x, id="a source that is singular in a hole"
        ),
        pytest.param(tn.laplacian(u), sp.Abs(x - sp.Rational(1, 3)), id="values with an edge"),
        pytest.param(tn.laplacian(u), sp.cos(60 * x) * y, id="values that oscillate"),
    ],
)
def test_other_problems_are_left_to_networks(equation, value):
    problem = tn.Problem(RING, [sp.Eq(equation, 0)], [tn.on("boundary", sp.Eq(u, value))])
    assert on_boundary(Plan(problem, tol=1e-6)) is None


def test_what_was_said_about_a_network_is_heeded():
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), k)], [tn.on("boundary", sp.Eq(u, k * x))])
    assert on_boundary(Plan(problem, parameters={k: 2.0}, tol=1e-6)) is not None
    assert tn.solve(problem, parameters={k: 2.0}, neurons=100).basis.spaces[0].neurons == 100
    nothing = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 1)], [tn.on("x=0", sp.Eq(u, 0))])
    assert on_boundary(Plan(nothing, tol=1e-6)) is None
    level = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(tn.normal_derivative(u), 0))])
    assert on_boundary(Plan(level, tol=1e-6)) is None


def test_the_largest_value_is_no_farther_off_than_it_says():
    problem = tn.Problem(RING, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))])
    top = tn.solve(problem).maximum(u)
    assert abs(top.value - 1.0) <= top.error < 1e-9


def perforated(rows: int, seed: int) -> tuple[tn.Domain, sp.Expr]:
    """A square with holes of many sizes, and a solution with sources in all of them and in the mirror image of one."""
    rng = np.random.default_rng(seed)
    middles = (np.stack(np.meshgrid(range(rows), range(rows)), axis=-1).reshape(-1, 2) + 0.5) / rows
    domain, exact = SQUARE, x * y
    for a, b in middles + rng.uniform(-0.1, 0.1, middles.shape) / rows:
        domain = domain - tn.Disk((a, b), radius=rng.uniform(0.1, 0.35) / rows)
        exact = exact + rng.normal() * sp.log((x - a) ** 2 + (y - b) ** 2) / 2
    return domain, exact + sp.log((x + middles[0, 0]) ** 2 + (y - middles[0, 1]) ** 2)


@pytest.mark.parametrize("slopes", [False, True], ids=["values", "heat transfer"])
def test_a_plate_with_many_holes_close_to_its_sides(slopes):
    domain, exact = perforated(4, 1)
    rim = sp.Eq(tn.normal_derivative(u) + u, slope(exact) + exact) if slopes else sp.Eq(u, exact)
    outer = [tn.on(side, sp.Eq(u, exact)) for side in ("left", "right", "bottom", "top")]
    found = on_boundary(Plan(tn.Problem(domain, [tn.laplacian(u)], [*outer, tn.on("circle", rim)]), tol=1e-6))
    assert found is not None
    assert error(found, exact) <= found.error <= 1e-6


@pytest.mark.parametrize("radii", [(0.2, 0.2), (0.3, 0.1)], ids=["equal", "different"])
def test_a_thin_gap_between_two_disks(radii):
    """Charges in the two points which the reflections of the disks approach: constant values on both rims."""
    a, b = radii
    c = a + b + 0.01
    at = (c**2 + a**2 - b**2) / (2 * c)
    low, high = at - sp.sqrt(at**2 - a**2), at + sp.sqrt(at**2 - a**2)
    exact = sp.log(((x - low) ** 2 + y**2) / ((x - high) ** 2 + y**2))
    domain = tn.Box(x=(-1, 1.5), y=(-1, 1)) - tn.Disk((0, 0), radius=a) - tn.Disk((c, 0), radius=b)
    problem = tn.Problem(domain, [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, sp.N(exact)))])
    found = on_boundary(Plan(problem))
    assert found is not None
    assert error(found, exact) <= found.error <= 1e-6
