"""Calls with wrong arguments are answered with what was most likely meant."""

from __future__ import annotations

import inspect

import pytest
import sympy as sp

import transnet as tn
from transnet.calls import explained
from transnet.errors import ArgumentError, TransnetError, TransnetWarning

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
problem = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), 1)], [tn.on("boundary", u)])

WRONG = {
    "a misspelt keyword": (
        lambda: tn.solve(problem, neuron=10),
        "solve has no argument 'neuron'. Did you mean 'neurons'?",
    ),
    "a longer word": (lambda: tn.solve(problem, tolerance=1e-3), "Did you mean 'tol'?"),
    "without a name": (
        lambda: tn.solve(problem, 100),
        r"one argument without a name \(problem\), but 2 .* such as tol=",
    ),
    "nothing": (lambda: tn.solve(), "solve was called without 'problem'"),
    "a class": (lambda: tn.TransNet(neuron=3), "TransNet has no argument 'neuron'. Did you mean 'neurons'?"),
    "a subclass": (lambda: tn.RandomFeatures(neuron=3), "RandomFeatures has no argument 'neuron'"),
    "a method": (
        lambda: tn.TransNet(30).solve(problem, gues=1),
        "TransNet.solve has no argument 'gues'. Did you mean 'guess'",
    ),
    "a class method": (lambda: tn.FeatureSpace.uniform(2, neuron=3), "FeatureSpace.uniform .* Did you mean 'neurons'"),
    "prepare": (lambda: tn.prepare(problem, neuron=3), "prepare has no argument 'neuron'"),
    "a problem": (lambda: tn.Problem(tn.Disk(), equation=[u]), "Problem .* Did you mean 'equations'"),
    "a condition": (
        lambda: tn.on("boundary", u, weigth=3),
        r"Did you mean 'weight'\? It takes: part, \*equations, where",
    ),
    "half a polygon": (lambda: tn.Polygon(), "Polygon was called without 'vertices'"),
    "an interval": (lambda: tn.Interval(0, 1), r"Interval\(0, 1\) does not say which.*Interval\(x=\(0, 1\)\)"),
    "a box": (lambda: tn.Box((0, 1), (0, 2)), r"which coordinates these are.*Box\(x=\(0, 1\), y=\(0, 2\)\)"),
    "a radius": (lambda: tn.Disk(0.5), r"The center is 0\.5.*Disk\(radius=1\)"),
    "two radii": (lambda: tn.Shell(0.5, 1), r"The center is 0\.5.*Annulus\(inner=0\.5"),
    "a short word": (lambda: tn.Disk(r=1), "Did you mean 'radius'"),
    "a product": (lambda: tn.Disk() * 3, r"product of Disk.* and 3"),
    "a strategy": (lambda: tn.solve(problem, neurons=30, strategy="newton"), "strategy must be"),
    "a file": (lambda: tn.load(3), "name of a file is a text"),
    "a problem file": (lambda: tn.read_problem(3), "name of a file is a text"),
    "no normal": (lambda: tn.normal(), r"tn\.normal\(x, y\)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_explained(name: str) -> None:
    call, words = WRONG[name]
    with pytest.raises(TransnetError, match=words):
        call()


def test_it_is_a_type_error_still_and_hides_no_other() -> None:
    @explained
    def half(value: float) -> float:
        return value / 2

    assert half(3) == 1.5
    assert str(inspect.signature(half)).startswith("(value:")
    with pytest.raises(TypeError) as caught:
        half()
    assert isinstance(caught.value, ArgumentError)
    with pytest.raises(ArgumentError, match="value is a finite number, not 'a'"):
        half("a")

    @explained
    def broken(value: float) -> float:
        return value / "a"

    with pytest.raises(TypeError, match="unsupported operand") as caught:
        broken(3.0)
    assert not isinstance(caught.value, ArgumentError)


def test_warnings_point_to_the_line_of_the_user() -> None:
    w = tn.unknown("w", x)
    open_end = tn.Problem(tn.Interval(x=(0, 1)), [sp.diff(w, x, 2)], [tn.on("x=0", w)])
    bent = tn.Problem(tn.Interval(x=(0, 1)), [sp.diff(w, x, 2) + w**3 - 1], [tn.on("x=0", w)])
    for solve in (
        lambda: tn.solve(open_end),
        lambda: tn.solve(open_end, neurons=20),
        lambda: tn.TransNet(20).solve(open_end),
        lambda: tn.prepare(open_end, neurons=20).solve(),
        lambda: tn.solve(bent, neurons=20),
    ):
        with pytest.warns(TransnetWarning) as caught:
            solve()
        assert {c.filename for c in caught if issubclass(c.category, TransnetWarning)} == {__file__}


@pytest.mark.parametrize(("name", "meant"), [("gradient", "grad"), ("problem", "Problem"), ("cells", "not a function")])
def test_a_package_that_is_called_says_what_was_meant(name, meant):
    with pytest.raises(tn.errors.ProblemError, match=meant):
        getattr(tn, name)(1)


def test_only_public_names_are_listed():
    assert set(dir(tn)) == {"__version__", *tn.__all__}
