"""Statements, domains and solutions go through pickle and come back: for joblib, multiprocessing and Dask."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y, s, a = sp.symbols("x y s a")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
POINTS = np.array([[0.3, 0.4], [0.7, 0.2]])


def conductivity(x, y):
    return 1 + x * y


def slope(x, y):
    return y + 0 * x


k = tn.given("k", conductivity, x, y)
exact = tn.given("k", conductivity, x, y, derivatives={x: slope})
DOMAINS = {
    "interval": tn.Interval(x=(0, 1)),
    "box": SQUARE,
    "ball": tn.Ball(),
    "annulus": tn.Annulus(),
    "difference": SQUARE - tn.Disk(center=(0.5, 0.5), radius=0.2),
    "union in space": tn.Ball() | tn.Ball(center=(1, 0, 0)),
    "polygon": tn.Polygon([(0, 0), (1, 0), (0, 1)]),
    "region": tn.Region(tn.Curve((sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi))),
    "level set": tn.LevelSet(x**2 + y**2 - 1, x=(-2, 2), y=(-2, 2)),
    "product": SQUARE * tn.Interval(t=(0, 1)),
    "many": SQUARE - tn.Disk(center=(0.2, 0.2), radius=0.1) - tn.Disk(center=(0.7, 0.7), radius=0.1),
}


def again(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("name", DOMAINS)
def test_domains(name):
    domain = DOMAINS[name]
    inside = domain.interior(20)
    rim = domain.boundary(n=20)  # what was found meanwhile does not travel
    for other in (again(domain), copy.deepcopy(domain)):
        assert other.parts == domain.parts
        np.testing.assert_array_equal(other.interior(20), inside)
        np.testing.assert_array_equal(other.boundary(n=20).points, rim.points)


@pytest.mark.parametrize(
    "expression",
    [u, sp.diff(u, x, y), tn.normal_derivative(u), tn.lagged(u) * u, k * u, sp.diff(k * sp.diff(u, x), x), exact],
    ids=str,
)
def test_expressions(expression):
    other = again(expression)
    assert again(other) == other
    assert str(other) == str(expression)


def problem_of(factor):
    equation = sp.Eq(tn.div(factor * tn.grad(u)), a)
    return tn.Problem(SQUARE, [equation], [tn.on("boundary", sp.Eq(u, x))])


@pytest.mark.parametrize("factor", [1 + x * y, k, exact], ids=["formula", "given", "given with a derivative"])
def test_problems_solutions_and_what_is_prepared(factor):
    problem = problem_of(factor)
    solution = tn.solve(problem, neurons=60, parameters={a: 1.0})
    np.testing.assert_allclose(tn.solve(again(problem), neurons=60, parameters={a: 1.0})(POINTS), solution(POINTS))
    other = again(solution)
    np.testing.assert_array_equal(other(POINTS), solution(POINTS))
    np.testing.assert_array_equal(other.evaluate(sp.diff(u, x), POINTS), solution.evaluate(sp.diff(u, x), POINTS))
    assert other.report() == solution.report()
    prepared = tn.prepare(problem, neurons=60)
    expected = prepared.solve({a: 2.0})(POINTS)
    np.testing.assert_allclose(again(prepared).solve({a: 2.0})(POINTS), expected, rtol=1e-9)
    many = prepared.solve_many({a: np.array([1.0, 2.0])})
    np.testing.assert_array_equal(again(many)(POINTS), many(POINTS))
    assert again(many)[1].report() == many[1].report()


def test_spaces():
    space = tn.FeatureSpace.uniform(2, 20, 1.3, activation="gauss")
    np.testing.assert_array_equal(again(space).weights, space.weights)


def test_a_lambda_is_refused_with_that_reason():
    with pytest.raises(ProblemError, match="lambda"):
        pickle.dumps(problem_of(tn.given("k", lambda x, y: x, x, y)))


def solved(problem):
    return tn.solve(problem, neurons=60, parameters={a: 1.0})


def test_another_process_solves_and_sends_the_solution_back():
    problem = problem_of(1 + x * y)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        solution = pool.submit(tn.solve, problem, neurons=60, parameters={a: 1.0}).result()
    np.testing.assert_allclose(solution(POINTS), solved(problem)(POINTS), rtol=1e-10)


def pieces_of():
    halves = tn.Pieces(left=tn.Box(x=(0, 0.5), y=(0, 1)), right=tn.Box(x=(0.5, 1), y=(0, 1)))
    flux = tn.by_piece(left=1, right=5) * tn.grad(u)
    return tn.Problem(halves, [sp.Eq(tn.div(flux), a * sp.sin(3 * x))], [tn.on("boundary", sp.Eq(u, a * x))])


def with_operator():
    return tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) - a * u, sp.sin(3 * x))], [tn.on("boundary", sp.Eq(u, x))])


def with_source():
    plate = SQUARE - tn.Disk(center=(0.5, 0.5), radius=0.2)
    return tn.Problem(plate, [sp.Eq(tn.laplacian(u), a * sp.sin(3 * x) * y)], [tn.on("boundary", sp.Eq(u, a * x))])


@pytest.mark.parametrize(
    ("stated", "size"), [(pieces_of, {}), (with_operator, {"neurons": 60}), (with_source, {"neurons": 80})]
)
def test_what_is_prepared_solves_the_same_whatever_was_solved_before_and_after_pickling(stated, size):
    problem = stated()
    expected = tn.prepare(problem, **size).solve({a: 1.0})(POINTS)
    used = tn.prepare(problem, **size)
    for value in (2.0, 0.5, 1.0, 3.0, 2.0, 1.0):
        used.solve({a: value})
    for prepared in (used, again(used)):
        np.testing.assert_array_equal(prepared.solve({a: 1.0})(POINTS), expected)
