"""Which natural condition a stated one takes the place of: that of what jumps in it."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.pieces.laws import Laws

x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
RADIUS = sp.Rational(1, 2)
DOMAIN = tn.Pieces(a=tn.Disk(radius=0.5), b=tn.Disk(radius=1) - tn.Disk(radius=0.5))
K = tn.by_piece(a=2, b=1)
FLUX = K * tn.normal_derivative(u)


@pytest.mark.parametrize(
    ("stated", "left"),
    [
        ([sp.Eq(tn.jump(u), FLUX)], ["flux"]),  # a contact resistance
        ([sp.Eq(tn.jump(FLUX), u)], ["value"]),  # a surface that takes up heat
        ([sp.Eq(tn.jump(FLUX), 1)], ["value"]),
        ([sp.Eq(tn.jump(FLUX), tn.jump(u)), sp.Eq(tn.jump(u), 1)], []),
        ([sp.Eq(tn.jump(FLUX + u), 1)], ["value"]),  # a flux that is carried as well
        ([sp.Eq(u, 1)], []),  # given on both sides
        ([sp.Eq(tn.normal_derivative(u), 0)], []),  # a crack
    ],
    ids=["resistance", "taken up", "source", "both", "carried", "given", "crack"],
)
def test_what_is_not_stated_is_continuous(stated: list[sp.Eq], left: list[str]) -> None:
    problem = tn.Problem(DOMAIN, [sp.Eq(-tn.div(K * tn.grad(u)), 1)], [tn.on("boundary", u), tn.on("a|b", *stated)])
    natural = [s for s in Laws(problem).interface(0, 1) if s.source is None]
    assert [s.label.split()[1] for s in natural] == left


def test_a_hinge_lets_the_slope_of_a_plate_jump() -> None:
    plate = tn.Problem(
        DOMAIN,
        [sp.Eq(tn.laplacian(K * tn.laplacian(u)), 1)],
        [tn.on("boundary", u, tn.normal_derivative(u)), tn.on("a|b", sp.Eq(tn.jump(tn.normal_derivative(u)), 1))],
    )
    natural = [s.label.split()[1] for s in Laws(plate).interface(0, 1) if s.source is None]
    assert natural == ["value", "flux", "moment"]


def test_a_surface_that_takes_up_heat_in_proportion_to_the_temperature() -> None:
    r, a, b, c = sp.symbols("r a b c")
    inner, outer = c - r**2 / 8, -(r**2) / 4 + a * sp.log(r) + b
    jump = sp.diff(outer, r) - 2 * sp.diff(inner, r) - inner
    known = sp.solve([outer.subs(r, 1), (inner - outer).subs(r, RADIUS), jump.subs(r, RADIUS)], [a, b, c])
    law = tn.on("a|b", sp.Eq(tn.jump(FLUX), u))
    problem = tn.Problem(DOMAIN, [sp.Eq(-tn.div(K * tn.grad(u)), 1)], [tn.on("boundary", u), law])
    solution = tn.solve(problem, tol=1e-6)
    places = [0.1, 0.3, 0.6, 0.8]
    exact = [float((inner if at < RADIUS else outer).subs(known).subs(r, at)) for at in places]
    np.testing.assert_allclose(solution([(at, 0.0) for at in places]), exact, atol=1e-6)


def test_two_liquids_with_given_jumps_of_velocity_and_traction() -> None:
    viscosity = {"a": sp.Integer(1), "b": sp.Integer(10)}
    streams = {"a": sp.sin(x) * sp.cos(2 * y), "b": sp.exp(x / 2) * sp.sin(y + 1)}
    pressures = {"a": sp.cos(x * y), "b": x * y + x}

    def stress(m: sp.Expr, flow: tuple[sp.Expr, ...]) -> list[list[sp.Expr]]:
        s, t, q = flow
        shear = m * (sp.diff(s, y) + sp.diff(t, x))
        return [[2 * m * sp.diff(s, x) - q, shear], [shear, 2 * m * sp.diff(t, y) - q]]

    exact = {n: (sp.diff(f, y), -sp.diff(f, x), pressures[n]) for n, f in streams.items()}
    true = {n: stress(viscosity[n], exact[n]) for n in exact}
    stated = stress(tn.by_piece(viscosity), (u, v, p))
    normal = (x / RADIUS, y / RADIUS)

    def traction(row: list[sp.Expr]) -> sp.Expr:
        return row[0] * normal[0] + row[1] * normal[1]

    equations = [
        sp.Eq(tn.div(stated[i]), tn.by_piece({n: sp.diff(s[i][0], x) + sp.diff(s[i][1], y) for n, s in true.items()}))
        for i in range(2)
    ]
    across = [sp.Eq(tn.jump(f), exact["b"][i] - exact["a"][i]) for i, f in enumerate((u, v))]
    across += [sp.Eq(tn.jump(traction(stated[i])), traction(true["b"][i]) - traction(true["a"][i])) for i in range(2)]
    wall = [sp.Eq(u, exact["b"][0]), sp.Eq(v, exact["b"][1])]
    level = tn.at((0.8, 0.0), sp.Eq(p, exact["b"][2].subs({x: 0.8, y: 0})))
    problem = tn.Problem(
        DOMAIN,
        [*equations, sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)],
        [tn.on("boundary", *wall), tn.on("a|b", *across), level],
    )
    solution = tn.solve(problem, tol=1e-5)
    for name, points in (("a", [(0.1, 0.2), (-0.3, 0.1)]), ("b", [(0.6, 0.3), (-0.2, -0.8)])):
        for unknown, formula in zip((u, v, p), exact[name], strict=True):
            found = solution.evaluate(unknown, points)
            np.testing.assert_allclose(found, [float(formula.subs({x: a, y: b})) for a, b in points], atol=1e-4)
