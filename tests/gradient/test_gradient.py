"""Derivatives of results against differences of converged solves, closed forms and Taylor's theorem."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError
from transnet.gradient.in_cells import polished
from transnet.gradient.variation import variations_of
from transnet.gradient.weighted import adjoint_slopes

x, y, t, k, a, b, r = sp.symbols("x y t k a b r")
u = tn.unknown("u", x, y)
v = tn.unknown("v", x, t)
square = tn.Box(x=(0, 1), y=(0, 1))
around = tn.on("boundary", sp.Eq(u, 0))
material = tn.by_piece(core=k, shell=1)
PROBLEMS = {
    "linear": (
        tn.Problem(
            tn.Disk(radius=1),
            [sp.Eq(-tn.laplacian(u) + k * u, a * sp.exp(x))],
            [tn.on("boundary", sp.Eq(u, sp.sin(k * x)))],
        ),
        {k: 2.0, a: 1.5},
    ),
    "nonlinear": (
        tn.Problem(
            tn.Disk(radius=1), [sp.Eq(-tn.laplacian(u) + k * u**3, a)], [tn.on("boundary", sp.Eq(u, a * x * y))]
        ),
        {k: 3.0, a: 1.2},
    ),
    "Robin": (
        tn.Problem(
            tn.Disk(radius=1),
            [sp.Eq(-tn.laplacian(u), 1)],
            [tn.on("boundary", sp.Eq(tn.normal_derivative(u) + k * u, a * x))],
        ),
        {k: 3.0, a: 1.2},
    ),
    "ring": (
        tn.Problem(
            tn.Disk(radius=1) - tn.Disk(center=(a, 0), radius=r),
            [sp.Eq(-tn.laplacian(u) + u, sp.exp(x))],
            [tn.on("boundary", sp.Eq(u, x))],
        ),
        {r: 0.3, a: 0.2},
    ),
}
RESULTS = {
    "integral": lambda s: s.integral(u),
    "mean": lambda s: s.mean(u**2),
    "norm": lambda s: s.norm(sp.diff(u, x)),
    "boundary": lambda s: s.integral(u**2 + x**2, over="boundary"),
    "flux": lambda s: s.flux("boundary"),
    "value": lambda s: s.evaluate(u, [[0.6, 0.4]], error=True)[0],
    "misfit": lambda s: s.misfit(u, [[0.6, 0.4], [-0.5, 0.3]], [0.1, 0.2]),
    "sums and products": lambda s: 2 * s.integral(u) ** 2 - s.integral(u**2) / 3 + 1,
}


def by_adjoint(solution, result, wrt):
    fine = polished(solution)  # which matters where the domain moves
    return adjoint_slopes(fine, result.of, variations_of(fine, wrt))


SIXTH = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))


WHOLE = [key for key in RESULTS if key not in ("value", "misfit")]
"""Those that are integrals: the adjoint of a value at a point is singular there."""


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_result_by_every_parameter_is_that_of_differences(name):
    problem, values = PROBLEMS[name]
    solution = tn.solve(problem, parameters=values, tol=1e-9)
    found = {key: solution.gradient(result(solution), wrt=list(values)) for key, result in RESULTS.items()}
    adjoint = {key: by_adjoint(solution, RESULTS[key](solution), list(values)) for key in WHOLE}
    for which, (p, value) in enumerate(values.items()):
        h = 0.02 * value
        moved = {j: tn.solve(problem, parameters={**values, p: value + j * h}, tol=1e-11) for j in range(-3, 4) if j}
        for key, result in RESULTS.items():
            exact = sum(w * float(result(moved[j]) - result(moved[-j])) for j, w in SIXTH) / h
            number = found[key][p]
            assert abs(number - exact) < 1e-7 * max(abs(exact), 0.1), (key, p)
            assert abs(number - exact) < 10 * number.error + 1e-8, (key, p)  # the differences have errors as well
            assert number.error < 1e-5, (key, p)
            if key in WHOLE:
                number = adjoint[key][which]
                assert abs(number - exact) < 1e-6 * max(abs(exact), 0.1), (key, p)
                assert abs(number - exact) < 10 * number.error + 1e-7, (key, p)


heat = tn.Problem(
    tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.3)),
    [sp.Eq(sp.diff(v, t), k * sp.diff(v, x, 2) - v**3)],
    [tn.on("t=0", sp.Eq(v, a * sp.sin(sp.pi * x))), tn.on("x=0", v), tn.on("x=1", v)],
)
layers = tn.Problem(
    tn.Pieces(core=tn.Disk(radius=0.5), shell=tn.Disk(radius=1) - tn.Disk(radius=0.5)),
    [tn.div(material * tn.grad(u), x, y) + a * sp.exp(x)],
    [tn.on("boundary", u)],
)
TAYLOR = {
    **{name: (problem, values, RESULTS["integral"], 0.1) for name, (problem, values) in PROBLEMS.items()},
    "marched": (heat, {k: 0.3, a: 2.0}, lambda s: s.integral(v**2, t=0.3), 0.05),
    "piecewise": (layers, {k: 4.0, a: 1.0}, lambda s: s.integral(u**2), 0.1),
}


@pytest.mark.parametrize("name", TAYLOR)
def test_what_the_gradient_leaves_is_of_second_order(name):
    # J(k + h d) - J(k) - h J'(k) d falls by four when h is halved.
    problem, values, result, step = TAYLOR[name]
    solution = tn.solve(problem, parameters=values, tol=1e-8)
    gradient, first = solution.gradient(result(solution), wrt=list(values)), float(result(solution))
    left = []
    for h in (step, step / 2):
        changed = {p: value * (1 + h / (1 + j)) for j, (p, value) in enumerate(values.items())}
        there = float(result(tn.solve(problem, parameters=changed, tol=1e-8)))
        left.append(there - first - sum(float(gradient[p]) * (changed[p] - values[p]) for p in values))
    assert 3.2 < left[0] / left[1] < 5.0


p, q = tn.unknown("p", x, y), tn.unknown("q", x, y)
ADJOINT = {
    "marched": (heat, {k: 0.3, a: 2.0}, lambda s: s.integral(v**2, t=0.3) + s.integral(v)),
    "piecewise": (layers, {k: 4.0, a: 1.0}, lambda s: s.integral(u**2, over="core") + s.integral(u)),
    "a wave": (  # whose adjoint is at rest at first
        tn.Problem(
            tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1.3)),
            [sp.Eq(sp.diff(v, t, 2) + a * sp.diff(v, t), k**2 * sp.diff(v, x, 2))],
            [
                tn.on("t=0", sp.Eq(v, sp.sin(sp.pi * x)), sp.Eq(sp.diff(v, t), a * sp.sin(2 * sp.pi * x))),
                tn.on("x=0", v),
                tn.on("x=1", v),
            ],
        ),
        {k: 1.2, a: 0.3},
        lambda s: s.integral(v**2, t=1.3),
    ),
    "carried along": (
        tn.Problem(
            tn.Disk(radius=1),
            [sp.Eq(-tn.div((1 + k * u**2) * tn.grad(u), x, y) + a * sp.diff(u, x), 1 + y)],
            [tn.on("boundary", sp.Eq(u, a * x))],
        ),
        {k: 1.0, a: 0.5},
        lambda s: s.flux("boundary") + s.integral(sp.diff(u, x) ** 2),
    ),
    "two unknowns": (
        tn.Problem(
            tn.Disk(radius=1),
            [sp.Eq(-tn.laplacian(p) + k * p * q, 1), sp.Eq(-tn.laplacian(q) + a * sp.diff(p, x) + q, x)],
            [tn.on("boundary", sp.Eq(p, a * x), sp.Eq(tn.normal_derivative(q) + q, k * y))],
        ),
        {k: 1.0, a: 0.5},
        lambda s: s.integral(p**2 + q**2) + s.integral(p * q, over="boundary"),
    ),
    "sides of a square": (
        tn.Problem(
            square,
            [sp.Eq(-tn.div((1 + k * x) * tn.grad(u), x, y), sp.exp(x * y))],
            [
                tn.on("left", sp.Eq(u, a * y * (1 - y))),
                tn.on("right", sp.Eq(u, 0)),
                tn.on("bottom", sp.Eq(tn.normal_derivative(u), 0)),
                tn.on("top", sp.Eq(tn.normal_derivative(u) + k * u, a)),
            ],
        ),
        {k: 1.0, a: 0.5},
        lambda s: s.integral(u**2),
    ),
}


@pytest.mark.parametrize("name", ADJOINT)
def test_the_adjoint_finds_what_the_tangents_find(name):
    problem, values, result = ADJOINT[name]
    solution = tn.solve(problem, parameters=values, tol=1e-8)
    tangents = solution.gradient(result(solution), wrt=list(values))
    for symbol, number in zip(values, by_adjoint(solution, result(solution), list(values)), strict=True):
        assert abs(number - tangents[symbol]) < 1e-6 * max(abs(number), 0.1)
        assert abs(number - tangents[symbol]) < number.error + tangents[symbol].error < 1e-4


def test_a_hundred_parameters_of_a_source_are_its_moments():
    # dJ/dp_j of int u with -lap u = sum_j p_j f_j, u = 0 on the disk, is int f_j (1 - r^2) / 4.
    symbols = sp.symbols("p:100")
    shapes = [sp.cos((j % 10) * x) * sp.cos((j // 10) * y) for j in range(100)]
    source = sum(p * f for p, f in zip(symbols, shapes, strict=True))
    problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(-tn.laplacian(u), source)], [around])
    solution = tn.solve(problem, parameters={p: 0.5 / (1 + j) for j, p in enumerate(symbols)})
    gradient = solution.gradient(solution.integral(u), wrt=symbols)
    r, w = np.polynomial.legendre.leggauss(40)
    radius, angle = (r + 1) / 2, np.linspace(0, 2 * np.pi, 80, endpoint=False)
    xs, ys = np.outer(radius, np.cos(angle)), np.outer(radius, np.sin(angle))
    weights = (w / 2 * radius * (1 - radius**2) / 4 * 2 * np.pi / 80)[:, None]
    for j, p in enumerate(symbols):
        exact = np.sum(weights * np.cos((j % 10) * xs) * np.cos((j // 10) * ys))
        assert abs(gradient[p] - exact) < 1e-8 + gradient[p].error < 1e-6


def test_Hadamard_for_the_torsional_rigidity_of_an_ellipse():
    s = sp.Symbol("s")
    ellipse = tn.Region(tn.Curve((a * sp.cos(s), b * sp.sin(s)), (s, 0, 2 * sp.pi)))
    problem = tn.Problem(ellipse, [sp.Eq(-tn.laplacian(u), 2)], [around])
    solution = tn.solve(problem, parameters={a: 2.0, b: 1.0}, tol=1e-9)
    rigidity = sp.pi * a**3 * b**3 / (a**2 + b**2)  # 2 int u
    gradient = solution.gradient(2 * solution.integral(u), wrt=[a, b])
    for p in (a, b):
        exact = float(sp.diff(rigidity, p).subs({a: 2, b: 1}))
        assert abs(gradient[p] - exact) < 1e-8 * exact
        assert abs(gradient[p] - exact) < gradient[p].error + 1e-12 < 1e-6


def test_a_tangent_predicts_to_second_order():
    problem, values = PROBLEMS["nonlinear"]
    solution = tn.solve(problem, parameters=values, tol=1e-9)
    points = np.array([[0.1, 0.2], [0.5, -0.4]])
    off = []
    for h in (0.2, 0.1):
        there = tn.solve(problem, parameters={**values, a: values[a] + h}, tol=1e-9)
        off.append(np.abs(solution.predict(a=values[a] + h)(points) - there(points)).max())
    assert 3.5 < off[0] / off[1] < 4.5
    tangent = solution.sensitivity(a)
    change = (
        tn.solve(problem, parameters={**values, a: values[a] + 1e-4}, tol=1e-10)(points) - solution(points)
    ) / 1e-4
    assert np.allclose(tangent(points), change, atol=1e-3)
    assert max(np.abs(v).max() for v in tangent.residual_values().values()) < 1e-5


def test_what_changes_nothing_has_a_derivative_of_zero_with_an_error_of_its_own():
    # With given displacements and no load Young's modulus changes stresses alone, which are proportional to it.
    E, nu, moved = sp.symbols("E nu moved")
    w = tn.vector("w", x, y)
    body = tn.elasticity(w, E=E, nu=nu, plane="strain")
    ring = tn.Disk(radius=2, name="out") - tn.Disk(radius=1, name="in")
    held = tn.on("in", sp.Eq(w[0], moved * x), sp.Eq(w[1], moved * y))
    problem = tn.Problem(ring, body.equations, [held, tn.on("out", *[sp.Eq(p, 0) for p in body.traction])])
    solution = tn.solve(problem, parameters={E: 10.0, nu: 0.3, moved: 0.1}, tol=1e-7)
    size, stress = solution.integral(w[0] ** 2 + w[1] ** 2), solution.integral(body.von_mises**2)
    assert abs(solution.gradient(size, wrt=E)[E]) < 1e-9 * float(size)
    for symbol, value in ((E, 10.0), (moved, 0.1)):
        slope = solution.gradient(stress, wrt=symbol)[symbol]
        assert abs(slope - 2 * float(stress) / value) < 1e-8 * abs(slope)
        assert slope.error < 1e-4 * abs(slope)


def test_an_evolution_and_pieces_have_tangents_that_are_solved_for():
    heat = tn.Problem(
        tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.5)),
        [sp.Eq(sp.diff(v, t), k * sp.diff(v, x, 2))],
        [tn.on("t=0", sp.Eq(v, a * sp.sin(sp.pi * x))), tn.on("x=0", v), tn.on("x=1", v)],
    )
    solution = tn.solve(heat, parameters={k: 0.3, a: 2.0}, tol=1e-8)
    total = 2.0 * 2 / sp.pi * sp.exp(-0.3 * sp.pi**2 * 0.5)
    gradient = solution.gradient(solution.integral(v, t=0.5), wrt=[k, a])
    assert abs(gradient[k] + float(total * sp.pi**2 * 0.5)) < 1e-6
    assert abs(gradient[a] - float(total / 2)) < 1e-7

    layers = tn.Problem(
        tn.Pieces(core=tn.Disk(radius=0.5), shell=tn.Disk(radius=1) - tn.Disk(radius=0.5)),
        [tn.div(material * tn.grad(u), x, y) + 1],
        [tn.on("boundary", u)],
    )
    found = tn.solve(layers, parameters={k: 4.0}, tol=1e-7)
    # u = (1 - r^2) / 4 outside, and (0.25 - r^2) / (4 k) more inside.
    exact = -2 * np.pi / (4 * 4.0**2) * (0.25 * 0.5**2 / 2 - 0.5**4 / 4)
    assert abs(found.gradient(found.integral(u), wrt=k)[k] - exact) < 1e-6 * abs(exact)


WRONG = {
    "not a parameter": (lambda s: s.gradient(s.integral(u), wrt=[sp.Symbol("z")]), "not a parameter"),
    "a plain number": (lambda s: s.gradient(float(s.integral(u)), wrt=[k]), "does not know what it is a result of"),
    "nothing": (lambda s: s.gradient(s.integral(u), wrt=[]), "with respect to which"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_differentiated_is_refused_in_words(name):
    ask, words = WRONG[name]
    problem, values = PROBLEMS["Robin"]
    solution = tn.solve(problem, parameters=values, neurons=60)
    with pytest.raises(ProblemError, match=words):
        ask(solution)


def test_a_shape_with_symbols_needs_their_values():
    disk = tn.Disk(radius=r)
    assert disk.parts == ("circle",)
    assert disk.with_values({r: 2}).radius == 2
    problem = tn.Problem(disk, [tn.laplacian(u) + 1], [around])
    assert problem.parameters == (r,)
    with pytest.raises(tn.errors.TransnetError, match="neither a coordinate nor given a value"):
        tn.solve(problem)
    with pytest.raises(tn.errors.TransnetError, match="depends on r"):
        _ = disk.volume
