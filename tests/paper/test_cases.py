"""The cases: the exact solutions satisfy them, the points are the paper's, the recipe gives the published errors."""

import csv
from importlib.resources import files

import numpy as np
import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

import transnet as tn
from transnet.paper.cases import NAMES, case
from transnet.problem import expressions_of
from transnet.problem.unknowns import Lagged
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of


def published(method: str) -> dict[tuple[str, int], float]:
    text = (files("transnet.paper") / "data" / "published_mse.csv").read_text()
    return {
        (r["case"], int(r["neurons"])): float(r["mse"])
        for r in csv.DictReader(text.splitlines())
        if r["method"] == method
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_exact_solution_satisfies_every_equation_and_condition(name):
    c = case(name)
    exact = {u: c.exact[u.func.__name__] for u in c.problem.unknowns}
    rng = np.random.default_rng(0)

    def largest(equation, points):
        worst = 0.0
        for residual in expressions_of(equation):
            expression = residual.replace(Lagged, lambda a: a).subs(exact).doit()
            assert not expression.atoms(AppliedUndef)
            value = sp.lambdify(c.problem.coordinates, expression, "numpy")(*points.T)
            worst = max(worst, float(np.abs(value).max()))
        return worst

    inside = c.problem.domain.interior(200, "random", rng)
    assert all(largest(e, inside) < 1e-11 for e in c.problem.equations)
    for condition in c.problem.conditions:
        surface = c.problem.domain.boundary(condition.part, 100, "random", rng)
        assert all(largest(e, surface.points) < 1e-12 for e in condition.equations)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("C1", [2500, 200]), ("C2", [1876, 200]), ("C3", [1875, 200]), ("C4", [1408, 200]), ("C5", [10000, 2400]),
        ("C6", [2500] * 3 + [50] * 12), ("C7", [10000] + [1000] * 3), ("C8", [10000, 2500] + [1000] * 4),
        ("C9", [5000] + [500] * 4),
    ],
)  # fmt: skip
def test_points_are_as_many_as_in_the_appendix(name, rows):
    c = case(name)
    blocks = collocate(c.problem, statements_of(c.problem), 100, c.points)
    assert [b.rows for b in blocks] == rows


def test_grids_of_the_paper_have_its_shape():
    c = case("C8")
    start, face = collocate(c.problem, statements_of(c.problem), 100, c.points)[1:3]
    assert [len(np.unique(start.points[:, k].round(9))) for k in (0, 1)] == [50, 50]
    assert [len(np.unique(face.points[:, k].round(9))) for k in (1, 2)] == [50, 20]


def test_test_points_are_inside_and_always_the_same():
    c = case("C3")
    assert c.test_points.shape == (10_000, 2)
    assert c.problem.domain.contains(c.test_points).all()
    assert case("c3") is c


def test_errors_are_averaged_over_the_unknowns():
    c = case("C6")
    exact = c.exact_values(c.test_points)
    found = c.errors_of(exact + np.array([0.0, 0.3, 0.0]))
    assert np.isclose(found.mse, 0.03)
    assert np.isclose(found.max_error, 0.3)
    assert np.isclose(found.relative_l2, np.sqrt(0.03 / np.mean(exact**2)))


def test_an_unknown_case_is_told_what_there_is():
    with pytest.raises(tn.errors.ProblemError, match=r"C10.*C1, C2, .*C9"):
        case("C10")


@pytest.mark.parametrize(
    ("name", "neurons"), [("C1", 100), ("C1", 500), ("C2", 300), ("C3", 400), ("C4", 500), ("C7", 300), ("C9", 300)]
)
def test_the_published_recipe_gives_the_published_errors(name, neurons):
    c = case(name)
    solution = tn.Published(neurons, c.points, c.condition_weight).solve(c.problem)
    ratio = c.errors_of(solution(c.test_points)).mse / published("transnet")[name, neurons]
    assert abs(np.log10(ratio)) < 1.5


def test_picard_reproduces_the_published_navier_stokes_error():
    c = case("C6")
    method = tn.Published(100, c.points)
    ratio = c.errors_of(method.solve(c.problem)(c.test_points)).mse / published("transnet")["C6", 100]
    assert abs(np.log10(ratio)) < 1.5


@pytest.mark.parametrize(("name", "neurons"), [("C1", 300), ("C7", 200)])
def test_random_features_give_the_published_errors(name, neurons):
    c = case(name)
    solution = tn.RandomFeatures(neurons, c.points, c.condition_weight).solve(c.problem)
    ratio = c.errors_of(solution(c.test_points)).mse / published("random_features")[name, neurons]
    assert abs(np.log10(ratio)) < 1.5


@pytest.mark.parametrize(
    ("name", "neurons", "bound"),
    [("C1", 500, 1e-18), ("C2", 500, 1e-17), ("C3", 500, 1e-18), ("C4", 500, 1e-17), ("C9", 400, 1e-19),
     ("C7", 1000, 2e-16), ("C8", 1000, 1e-5), ("C5", 1500, 1e-6)],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::transnet.errors.AccuracyWarning")
def test_the_defaults_are_far_below_the_published_errors(name, neurons, bound):
    """With the paper's points and nothing picked by hand; half of the paper's neurons are enough for most."""
    c = case(name)
    solution = tn.solve(c.problem, neurons=neurons, points=c.points)
    assert c.errors_of(solution(c.test_points)).mse < bound
