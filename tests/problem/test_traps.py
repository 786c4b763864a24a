"""Words that a newcomer trips over: each is taken as meant, or answered with what to write."""

from __future__ import annotations

import re

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.facts.conditions import missing_conditions
from transnet.language.domains import domain as read_domain
from transnet.language.errors import FormulaError
from transnet.language.grammar import parse, parse_equation

x, y, z, t = sp.symbols("x y z t")
u = tn.unknown("u", x, y)
triangle = tn.Polygon([(0, 0), (1, 0), (0, 1)])


@pytest.mark.parametrize("word", ["left", "right", "bottom", "top", "front", "back"])
def test_ends_of_time_are_not_places(word: str) -> None:
    for timed in (triangle * tn.Interval(t=(0, 1)), tn.Box(x=(0, 1), t=(0, 1)), tn.Box(x=(0, 1), y=(0, 1), t=(0, 1))):
        assert not {"t=0", "t=1"} & set(timed.aliases.get(word, ()))
    assert word not in (triangle * tn.Interval(z=(0, 1))).aliases
    with pytest.raises(tn.errors.GeometryError, match="'edge 0'"):
        (triangle * tn.Interval(t=(0, 1))).resolve(word)


def test_sides_in_space_keep_their_words_whatever_the_order() -> None:
    swapped = tn.Interval(t=(0, 1)) * tn.Box(x=(0, 1), y=(0, 2))
    assert swapped.resolve("left") == ("x=0",)
    assert swapped.resolve("top") == ("y=2",)
    assert tn.Box(t=(0, 3), x=(0, 1), y=(0, 2)).resolve("top") == ("y=2",)


def test_a_box_has_a_name() -> None:
    slot = tn.Box(x=(0.2, 0.4), y=(0.2, 0.4), name="slot")
    plate = tn.Box(x=(0, 1), y=(0, 1)) - slot
    assert plate.measure("slot") == pytest.approx(0.8)
    assert plate.resolve("slot x = 0.2") == plate.resolve("slot left") == ("slot x=0.2",)
    assert plate.resolve("left") == ("x=0",)
    assert read_domain("Box(x=(0.2, 0.4), y=(0.2, 0.4), name='slot')") == slot
    with pytest.raises(tn.errors.GeometryError, match="name of a Box is a text"):
        tn.Box(x=(0, 1), name=(0, 1))


def test_the_words_of_others_are_known() -> None:
    for word, own in {
        "Circle": "Disk",
        "Rectangle": "Box",
        "Rect": "Box",
        "laplacien": "laplacian",
        "DirichletBC": "on",
    }.items():
        with pytest.raises(AttributeError, match=f"Did you mean tn.{own}?"):
            getattr(tn, word)
    with pytest.raises(AttributeError, match=r"'zebra'$"):
        _ = tn.zebra
    with pytest.raises(FormulaError, match="Did you mean 'Disk'"):
        read_domain("Circle(radius=1)")


@pytest.mark.parametrize(
    ("text", "product"), {"2u_xx = 1": "2*u_xx", "(x + 1)(y + 1) = u": ")*(", "sin(2(x + 1)) = u": "2*("}.items()
)
def test_a_product_without_its_sign(text: str, product: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(f"Write a product with *: {product}.")):
        parse_equation(text)


@pytest.mark.parametrize(("text", "words"), {"x > 0 & y > 0": "Join inequalities", "0 < x < 1": "as two"}.items())
def test_inequalities_are_joined_by_words(text: str, words: str) -> None:
    with pytest.raises(FormulaError, match=f"{words}.*a < x and x < b"):
        parse(text)


def test_python_comparisons_are_no_equations() -> None:
    for made in (lambda: tn.on("boundary", u == 0), lambda: tn.at([(0, 0)], u == 0)):
        with pytest.raises(tn.errors.ProblemError, match=r"sympy.Eq\(left, right\) is needed"):
            made()


FORMULAS = {
    np.sin(sp.pi * x): sp.sin(sp.pi * x), np.exp(-(x**2)): sp.exp(-(x**2)), np.sqrt(u): sp.sqrt(u),
    np.cosh(u.diff(x)): sp.cosh(u.diff(x)), np.arctan2(y, x): sp.atan2(y, x), np.maximum(x, 0): sp.Max(x, 0),
    np.hypot(x, y): sp.sqrt(x**2 + y**2), np.abs(x): sp.Abs(x), np.log10(x): sp.log(x, 10),
    np.float64(2) * x: 2.0 * x, np.float64(2) < x: sp.Lt(2.0, x), np.pi * np.cos(x): np.pi * sp.cos(x),
}  # fmt: skip


@pytest.mark.parametrize("made", FORMULAS, ids=str)
def test_numpy_functions_of_formulas_are_formulas(made: sp.Basic) -> None:
    assert made == FORMULAS[made]


def test_arrays_and_formulas_together_are_what_numpy_makes_of_them() -> None:
    grid = np.array([1.0, 2.0])
    for made in (grid * x, x * grid, np.multiply(grid, x), np.multiply.outer(grid, x)):
        assert made.dtype == object
        assert list(made) == [1.0 * x, 2.0 * x]
    assert (np.eye(2) @ np.array([x, y])).tolist() == [1.0 * x, 1.0 * y]
    assert sp.Float(2.0) in [np.float64(2)]
    assert (np.float64(2) == x) is False
    with pytest.raises(TypeError, match="isfinite"):
        np.isfinite(x)


def test_a_problem_stated_with_numpy_functions() -> None:
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)),
        [sp.Eq(tn.laplacian(u), -2 * np.pi**2 * np.sin(np.pi * x) * np.sin(np.pi * y))],
        [tn.on("boundary", sp.Eq(u, 0))],
    )
    assert tn.solve(problem, tol=1e-6)((0.5, 0.5)) == pytest.approx(1, abs=1e-5)


def test_a_problem_without_conditions_is_noticed_on_any_domain() -> None:
    bare = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), 1)], [])
    assert "nothing is stated on" in str(missing_conditions(bare))
    algebraic = tn.Problem(tn.Disk(), [sp.Eq(u, x)], [])
    degenerate = tn.Problem(tn.Disk(), [sp.Eq(tn.div((1 - x**2 - y**2) * tn.grad(u)) - u, x)], [])
    assert missing_conditions(algebraic) is None
    assert missing_conditions(degenerate) is None


def test_values_at_points_are_compared() -> None:
    problem = tn.Problem(tn.Disk(), [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, x * y))])
    solution = tn.solve(problem, neurons=100)
    points = problem.domain.interior(30)
    exact = points[:, 0] * points[:, 1]
    assert solution.compare((points, exact + 0.25)).norm == pytest.approx(0.25, rel=1e-4)
    with pytest.raises(tn.errors.ProblemError, match=r"\(points, values\).*not \(30, 2\) and \(29,\)"):
        solution.compare((points, exact[:-1]))
    assert np.isfinite(solution.compare([points, exact]).relative)
