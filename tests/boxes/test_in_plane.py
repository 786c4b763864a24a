"""Steady problems on rectangles and intervals: exact solutions, all kinds of conditions, and what is left to others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.boxes.axis import axis_basis
from transnet.boxes.levels import BoxLevel, box_levels
from transnet.boxes.statement import steady_of
from transnet.slabs.axes import Fourier
from transnet.slabs.decay import degree_needed

x, y = sp.symbols("x y")
u, v, w = tn.unknown("u", x, y), tn.unknown("v", x, y), tn.unknown("w", x)
BOX = tn.Box(x=(0, 1), y=(-1, 2))
WAVY, OTHER = sp.sin(2 * x + y) * sp.exp(x * y / 2), sp.cos(x - y)
diff, Eq = sp.diff, sp.Eq


def laplacian(f: sp.Expr) -> sp.Expr:
    return diff(f, x, 2) + diff(f, y, 2)


def levels(problem: tn.Problem, wanted: float, most: int = 6) -> list[BoxLevel]:
    """The levels until one reaches what is wanted."""
    steady = steady_of(problem)
    assert steady is not None
    found: list[BoxLevel] = []
    for level in box_levels(steady, (), wanted):
        found.append(level)
        if level.error <= wanted or len(found) == most:
            break
    return found


def error_of(level: BoxLevel, exact: Sequence[sp.Expr]) -> float:
    """The largest relative error of all unknowns at random points."""
    ends = [(a.low, a.high) if isinstance(a, Fourier) else (a.edges[0], a.edges[-1]) for a in level.space.axes]
    low, high = np.array(ends).T
    points = low + (high - low) * np.random.default_rng(0).random((300, len(low)))
    made = level.space.values(level.coefficients, points, (0,) * len(low)).reshape(300, -1)
    errors = []
    for column, formula in zip(made.T, exact, strict=True):
        truth = sp.lambdify((x, y)[: len(low)], formula)(*points.T)
        errors.append(float(np.linalg.norm(column - truth) / np.linalg.norm(truth)))
    return max(errors)


OPERATORS = {
    "Poisson": laplacian,
    "coefficients that vary, carried": lambda f: (
        diff((1 + x * (y + 2)) * diff(f, x), x) + (2 + sp.sin(x)) * diff(f, y, 2) + 10 * y * diff(f, x) - f
    ),
    "mixed derivatives": lambda f: 10 * diff(f, x, 2) + diff(f, y, 2) + 3 * diff(f, x, y) + sp.sin(y) * diff(f, x),
    "Helmholtz with k(x)": lambda f: laplacian(f) + 200 * (1 + x / 2 + sp.sin(y)) * f,
    "nonlinear": lambda f: laplacian(f) - f**3 - f * diff(f, x),
    "wind that turns": lambda f: laplacian(f) + 40 * (y * diff(f, x) - (x - sp.Rational(1, 2)) * diff(f, y)),
}


@pytest.mark.parametrize("wanted", [1e-4, 1e-9])
@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_an_estimate_that_holds_after_few_levels(operator, wanted: float) -> None:
    problem = tn.Problem(BOX, [Eq(operator(u), sp.expand(operator(WAVY)))], [tn.on("boundary", Eq(u, WAVY))])
    found = levels(problem, wanted)
    assert len(found) <= 3
    assert error_of(found[-1], [WAVY]) < 3 * found[-1].error <= 3 * wanted


def outward(part: str, f: sp.Expr) -> sp.Expr:
    coordinate, place = (x, y)[part[0] == "y"], sp.Integer(part[2:])
    return (diff(f, coordinate) * (1 if place > 0 else -1)).subs(coordinate, place)


def on(part: str, f: sp.Expr) -> sp.Expr:
    return f.subs((x, y)[part[0] == "y"], sp.Integer(part[2:]))


CONDITIONS = {
    "values and fluxes": [("x=0", None), ("x=1", 0), ("y=-1", 0), ("y=2", None)],
    "fluxes alone": [("x=0", 0), ("x=1", 0), ("y=-1", 0), ("y=2", 0)],
    "heat transfer": [("x=0", None), ("x=1", 2), ("y=-1", 3), ("y=2", 1)],
    "heat transfer that varies": [("x=0", None), ("x=1", 2 + y), ("y=-1", 0), ("y=2", 1 + x)],
}


@pytest.mark.parametrize("kind", CONDITIONS.values(), ids=CONDITIONS)
def test_conditions_of_every_kind(kind: list[tuple[str, sp.Expr | None]]) -> None:
    stated = [
        tn.on(part, Eq(u, on(part, WAVY)))
        if h is None
        else tn.on(part, Eq(tn.normal_derivative(u) + h * u, outward(part, WAVY) + on(part, h * WAVY)))
        for part, h in kind
    ]
    operator = lambda f: laplacian(f) - (1 + x) * f  # noqa: E731
    found = levels(tn.Problem(BOX, [Eq(operator(u), operator(WAVY))], stated), 1e-9)
    assert error_of(found[-1], [WAVY]) < 3 * found[-1].error <= 3e-9


def test_a_system_with_mixed_derivatives() -> None:
    def left(a: sp.Expr, b: sp.Expr) -> sp.Expr:
        return 2 * diff(a, x, 2) + diff(a, y, 2) + diff(b, x, y)

    def right(a: sp.Expr, b: sp.Expr) -> sp.Expr:
        return 2 * diff(b, y, 2) + diff(b, x, 2) + diff(a, x, y)

    equations = [Eq(left(u, v), left(WAVY, OTHER)), Eq(right(u, v), right(WAVY, OTHER))]
    problem = tn.Problem(BOX, equations, [tn.on("boundary", Eq(u, WAVY), Eq(v, OTHER))])
    found = levels(problem, 1e-8)
    assert error_of(found[-1], [WAVY, OTHER]) < 3 * found[-1].error <= 3e-8


def test_a_periodic_axis() -> None:
    exact = sp.sin(2 * sp.pi * x) * sp.exp(y) + sp.cos(4 * sp.pi * x)
    operator = lambda f: laplacian(f) + diff(f, x) - (2 + sp.cos(2 * sp.pi * x)) * f  # noqa: E731
    ends = [tn.on(part, Eq(u, on(part, exact))) for part in ("y=-1", "y=2")]
    found = levels(tn.Problem(BOX, [Eq(operator(u), operator(exact))], [tn.periodic(x), *ends]), 1e-9)
    assert error_of(found[-1], [exact]) < 3 * found[-1].error <= 3e-9


@pytest.mark.parametrize(
    "operator",
    [
        pytest.param(lambda f: diff((1 + x) * diff(f, x), x) + 5 * diff(f, x) - x * f, id="coefficients that vary"),
        pytest.param(lambda f: diff(f, x, 2) - sp.exp(f) + f * diff(f, x), id="nonlinear"),
        pytest.param(lambda f: diff(f, x, 2) + 900 * f, id="waves"),
    ],
)
def test_an_interval(operator) -> None:
    exact = sp.exp(sp.sin(3 * x))
    problem = tn.Problem(tn.Interval(x=(0, 2)), [Eq(operator(w), operator(exact))], [tn.on("boundary", Eq(w, exact))])
    found = levels(problem, 1e-9)
    assert error_of(found[-1], [exact]) < 3 * found[-1].error <= 3e-9


@pytest.mark.parametrize(
    ("operator", "exact"),
    [
        pytest.param(laplacian, sp.sin(60 * sp.pi * x) * sp.sin(60 * sp.pi * y), id="sixty waves along a side"),
        pytest.param(lambda f: laplacian(f) + 10_000 * f, sp.sin(100 * (x * sp.cos(1) + y * sp.sin(1))), id="k = 100"),
    ],
)
def test_many_waves(operator, exact: sp.Expr) -> None:
    square = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(square, [Eq(operator(u), operator(exact))], [tn.on("boundary", Eq(u, exact))])
    found = levels(problem, 1e-6)
    assert len(found) <= 2
    assert error_of(found[-1], [exact]) < 3 * found[-1].error <= 3e-6


@pytest.mark.parametrize("frequency", [5, 50])
def test_fourth_order_with_values_and_slopes(frequency: int) -> None:
    exact = sp.sin(frequency * x + 1) * sp.cos(frequency * y / 2)
    operator = lambda f: laplacian(laplacian(f)) + diff(f, x) - (1 + y) * f  # noqa: E731
    slope = sum(diff(exact, c) * n for c, n in zip((x, y), tn.normal(x, y), strict=True))
    both = tn.on("boundary", Eq(u, exact), Eq(tn.normal_derivative(u), slope))
    found = levels(tn.Problem(BOX, [Eq(operator(u), sp.expand(operator(exact)))], [both]), 1e-7)
    assert error_of(found[-1], [exact]) < 3 * found[-1].error <= 3e-7


def test_a_clamped_plate_bends_by_what_is_in_the_tables() -> None:
    plate = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(plate, [Eq(laplacian(laplacian(u)), 1)], [tn.on("boundary", u, tn.normal_derivative(u))])
    found = levels(problem, 1e-6)[-1]
    middle = found.space.values(found.coefficients, np.array([[0.5, 0.5]]), (0, 0)).item()
    assert found.error <= 1e-6
    assert abs(middle - 0.00126531908) < 1e-8


def test_corners_whose_source_does_not_fit_cost_degrees_and_the_estimate_holds() -> None:
    """u = 0 with a source of one in the corners has a term r^2 log r there; compare with the series of sines."""
    square = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(square, [Eq(-laplacian(u), 1)], [tn.on("boundary", u)])
    found = levels(problem, 1e-8, 8)[-1]
    m = np.arange(1, 2000, 2)[:, None]
    points = np.random.default_rng(0).random((60, 2))
    a, b = points.T
    decay = (np.exp(-np.pi * m * b) + np.exp(-np.pi * m * (1 - b))) / (1 + np.exp(-np.pi * m))
    exact = (4 / (np.pi * m) ** 3 * np.sin(np.pi * m * a) * (1 - decay)).sum(axis=0)
    error = np.linalg.norm(found.space.values(found.coefficients, points, (0, 0)).ravel() - exact)
    assert error / np.linalg.norm(exact) < 3 * found.error <= 3e-8


@pytest.mark.parametrize(
    "conditions",
    [
        pytest.param(
            [tn.on("y=2", Eq(u, 1)), tn.on("x=0", u), tn.on("x=1", u), tn.on("y=-1", u)], id="values that jump"
        ),
        pytest.param(
            [tn.on("x=0", Eq(u, y)), tn.on("x=1", u - y), tn.on("y=2", Eq(u, 2)), tn.on("y=-1", diff(u, y))],
            id="a slope against a value",
        ),
    ],
)
def test_data_that_contradict_each_other_at_a_corner_are_left_to_others(conditions) -> None:
    found = levels(tn.Problem(BOX, [Eq(laplacian(u) - u, x)], conditions), 1e-6)
    assert len(found) <= 2
    assert all(level.error > 1e-2 for level in found)


def test_next_to_an_eigenvalue_rounding_grows() -> None:
    square = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(square, [Eq(laplacian(u) + (2 * sp.pi**2 + 1e-8) * u, x)], [tn.on("boundary", u)])
    assert all(level.error > 1e-7 for level in levels(problem, 1e-10))


def test_a_problem_that_leaves_a_constant_free_is_not_answered() -> None:
    problem = tn.Problem(BOX, [Eq(laplacian(u), x)], [tn.on("boundary", tn.normal_derivative(u))])
    assert all(level.error > 1e-2 for level in levels(problem, 1e-6))


def test_modes_along_an_axis_fulfil_the_conditions_at_its_ends() -> None:
    made = axis_basis(24, ((0, (0.5, 1.0)), (1, (1.0, 0.0))))
    assert np.abs(made.conditions @ made.made).max() < 1e-10
    assert np.allclose(made.tables[2], made.tables[0] * made.values, atol=1e-9 * np.abs(made.values).max())
    assert np.allclose(made.conditions @ made.lift, np.eye(2), atol=1e-10)


@pytest.mark.parametrize(
    ("line", "low", "high"),
    [
        pytest.param(10.0 ** (-0.25 * np.arange(20)), 40, 48, id="geometric"),
        pytest.param((1.0 + np.arange(40)) ** -4.0, 200, 800, id="a power"),
        pytest.param(10.0 ** (-1.0 * np.arange(20)), 9, 11, id="more than enough"),
    ],
)
def test_the_degree_that_is_needed(line: np.ndarray, low: int, high: int) -> None:
    assert low <= degree_needed(line, 1e-10) <= high
