"""Mistakes in the use of a prepared problem are named, with what to do about them."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y, k, a = sp.symbols("x y k a")
u = tn.unknown("u", x, y)
BOX = tn.Box(x=(-1, 1), y=(-1, 1))
SPACE = tn.FeatureSpace.uniform(2, 60, 1.2, 1.9)


def poisson() -> tn.Problem:
    return tn.Problem(BOX, [sp.Eq(tn.laplacian(u), k * x)], [tn.on("boundary", sp.Eq(u, a * y))])


@pytest.fixture(scope="module")
def prepared() -> tn.Prepared:
    return tn.prepare(poisson(), space=SPACE)


def nonlinear() -> tn.Problem:
    return tn.Problem(BOX, [sp.Eq(tn.laplacian(u), u**2)], [tn.on("boundary", sp.Eq(u, 1))])


MISTAKES = {
    r"neither a coordinate nor given a value.*a": lambda p: p.solve({k: 1}),
    r"no parameter q": lambda p: p.solve({k: 1, a: 1, "q": 2}),
    r"different lengths": lambda p: p.solve_many({k: [1, 2], a: [1, 2, 3]}),
    r"\(k, 2\)": lambda p: p.solve_many(np.zeros((4, 3))),
    r"list is empty": lambda p: p.solve_many([]),
    r"must be finite": lambda p: p.solve({k: np.nan, a: 1}),
    r"one number in each set": lambda p: p.solve_many([{k: [1, 2], a: 1}]),
    r"must be a number": lambda p: p.solve({k: "large", a: 1}),
    r"not a statement of the problem": lambda p: p.solve({k: 1, a: 1}, values={"top": 1.0}),
    r"has shape \(3,\), but the statement has": lambda p: p.solve(
        {k: 1, a: 1}, values={p.problem.equations[0]: np.ones(3)}
    ),
    r"not finite": lambda p: p.solve({k: 1, a: 1}, values={p.problem.equations[0]: np.inf}),
    r"Use solve_many": lambda p: p.solve(
        {k: 1, a: 1}, values={p.problem.equations[0]: np.ones((2, len(next(iter(p.points.values())))))}
    ),
    r"3 sets of parameters but 2": lambda p: p.solve_many(
        {k: [1, 2, 3], a: 1}, values={p.problem.equations[0]: np.ones((2, len(next(iter(p.points.values())))))}
    ),
    r"prepared on .*but the one given is on": lambda p: p.solve(
        {k: 1, a: 1}, problem=tn.Problem(tn.Disk(radius=1), p.problem.equations, p.problem.conditions)
    ),
    r"operator or its place differs": lambda p: p.solve(
        {k: 1, a: 1}, problem=tn.Problem(BOX, [sp.Eq(tn.laplacian(u) + u, k * a)], p.problem.conditions)
    ),
    r"other unknowns, parameters or statements": lambda p: p.solve(
        {k: 1, a: 1}, problem=tn.Problem(BOX, p.problem.equations, [*p.problem.conditions, tn.mean(u, 0)])
    ),
    r"takes a tn.Problem": lambda p: tn.prepare("poisson"),
    r"not linear": lambda p: tn.prepare(nonlinear(), space=SPACE),
    r"Sparse chooses the neurons": lambda p: tn.prepare(poisson(), space=SPACE, solver=tn.Sparse()),
    r"either tol": lambda p: tn.prepare(poisson(), space=SPACE, tol=1e-3),
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_named(prepared, text):
    with pytest.raises(ProblemError, match=text):
        MISTAKES[text](prepared)


def test_a_period_has_no_right_hand_side():
    problem = tn.Problem(BOX, [sp.Eq(tn.laplacian(u), 0)], [tn.periodic(x), tn.on("y=1", sp.Eq(u, 0))])
    ready = tn.prepare(problem, space=tn.FeatureSpace.spectral(2, 60, 3.0))
    with pytest.raises(ProblemError, match="periodic condition has no right-hand side"):
        ready.solve(values={problem.conditions[0]: 1.0})
