"""As many conditions as the equations have orders in a coordinate, counted from the determinant of their symbol."""

from __future__ import annotations

import re

import pytest
import sympy as sp
from sympy import Eq
from sympy import diff as d

import transnet as tn
from transnet.errors import UniquenessWarning
from transnet.facts.conditions import missing_conditions

x, y, t, r, a = sp.symbols("x y t r a")
T = tn.Interval(t=(0, 1))
bar, square, ray = tn.Interval(x=(0, 1)) * T, tn.Box(x=(0, 1), y=(0, 1)), tn.Interval(r=(0, 1))
u, v = tn.unknown("u", x, t), tn.unknown("v", x, t)
w = tn.unknown("w", r)
h = tn.unknown("h", x, y)
a1, a2, a3 = (tn.unknown(n, x, y) for n in ("a1", "a2", "p"))
b1, b2, b3 = (tn.unknown(n, x, y, t) for n in ("b1", "b2", "p"))
wave = d(u, t, 2) - d(u, x, 2)
heat = d(u, t) - d(u, x, 2)
ends = [tn.on("x=0", u), tn.on("x=1", u)]
stokes = [-tn.laplacian(a1) + d(a3, x), -tn.laplacian(a2) + d(a3, y), d(a1, x) + d(a2, y)]
flow = [
    d(b1, t) + b1 * d(b1, x) + b2 * d(b1, y) + d(b3, x) - tn.laplacian(b1),
    d(b2, t) + b1 * d(b2, x) + b2 * d(b2, y) + d(b3, y) - tn.laplacian(b2),
    d(b1, x) + d(b2, y),
]
# Written as a system with a redundant derivative: v = u_t, and v_t in place of half of u_tt.
doubled = [Eq(v, d(u, t)), d(u, t, 2) + d(v, t) - d(u, x, 2)]

# A disk with a hole that has a name, an elastic one, and one of two materials.
ring = tn.Disk(radius=1, name="rim") - tn.Disk(radius=0.3, name="hole")
elastic = list(tn.laplacian(sp.Matrix([a1, a2])) + 2 * tn.grad(d(a1, x) + d(a2, y)))
traction = list(sp.Matrix([[2 * d(a1, x) + d(a2, y), d(a1, y)], [d(a2, x), 2 * d(a2, y) + d(a1, x)]]) * tn.normal(x, y))
shells = tn.Pieces(core=tn.Disk(radius=0.3), shell=tn.Disk(radius=1, name="rim") - tn.Disk(radius=0.3))

ENOUGH = {
    "a wave": (bar, wave, [*ends, tn.on("t=0", u, d(u, t))]),
    "a wave from its end": (bar, wave, [*ends, tn.on("t=1", u, d(u, t))]),
    "elliptic in a coordinate called t": (bar, d(u, t, 2) + d(u, x, 2), [*ends, tn.on("t=0", u), tn.on("t=1", u)]),
    "a state and its adjoint": (
        bar,
        [heat - v, d(v, t) + d(v, x, 2) + u],
        [tn.on("sides", u, v), tn.on("t=0", u), tn.on("t=1", v)],
    ),
    "transport with its inflow": (bar, d(u, t) + d(u, x), [tn.on("x=0", u), tn.on("t=0", u)]),
    "transport with what flows in through a circle": (
        tn.Disk(radius=1),
        d(h, x) + h,
        [tn.on("boundary", h, where=x < 0)],
    ),
    "transport against itself": (tn.Disk(radius=1), d(h, x) + h, [tn.on("boundary", h, where=x > 0)]),
    "transport in time through a circle": (
        tn.Disk(radius=1, name="rim") * T,
        d(b1, t) + d(b1, x),
        [tn.on("t=0", b1), tn.on("rim", b1, where=x < 0)],
    ),
    "transport along circles": (tn.Disk(radius=1), -y * d(h, x) + x * d(h, y) + h - x, []),
    "two portions without a gap": (
        tn.Disk(radius=1),
        tn.laplacian(h),
        [tn.on("boundary", h, where=x < 0.3), tn.on("boundary", d(h, x), where=x >= 0.3)],
    ),
    "a hole with a flux": (ring, tn.laplacian(h), [tn.on("boundary", tn.normal_derivative(h))]),
    "a part in two portions": (
        ring,
        tn.laplacian(h),
        [tn.on("rim", h), tn.on("hole", h, where=x < 0), tn.on("hole", d(h, y), where=x >= 0)],
    ),
    "a wall that the equation does not see": (
        square,
        x * d(h, x, 2) + d(h, x) + x * d(h, y, 2),
        [tn.on("x=1", h), tn.on("y=0", h), tn.on("y=1", h)],
    ),
    "a number to be found": (ring, tn.laplacian(h) - tn.unknown("c"), [tn.on("boundary", h), tn.mean(h)]),
    "elastic": (ring, elastic, [tn.on("rim", a1, a2), tn.on("hole", *traction)]),
    "materials": (shells, tn.div(tn.by_piece(core=2, shell=1) * tn.grad(h)), [tn.on("rim", h)]),
    "heat": (bar, heat, [*ends, tn.on("t=0", u)]),
    "heat backwards": (bar, heat, [*ends, tn.on("t=1", u)]),
    "heat in a ring": (bar, heat, [tn.periodic(x), tn.on("t=0", u)]),
    "third order in a ring": (bar, d(u, t) + d(u, x, 3), [tn.periodic(x), tn.on("t=0", u)]),
    "a first-order system": (bar, [Eq(d(u, t), d(v, x)), Eq(d(v, t), d(u, x))], [*ends, tn.on("t=0", u, v)]),
    "a redundant derivative": (bar, doubled, [*ends, tn.on("t=0", u, d(u, t))]),
    "characteristics that leave": (bar, d(u, t) + (x - 0.5) * d(u, x), [tn.on("t=0", u)]),
    "a speed of either sign": (bar, d(u, t) + u * d(u, x), [tn.on("t=0", u)]),
    "an axis": (ray, d(w, r, 2) + d(w, r) / r - 1, [tn.on("r=1", w)]),
    "an axis, multiplied out": (ray, r * d(w, r, 2) + d(w, r) - r, [tn.on("r=1", w)]),
    "all at one end": (ray, d(w, r, 2) - 1, [tn.on("r=0", w, d(w, r))]),
    "a mean": (ray, d(w, r, 2) - 1, [tn.on("r=0", w), tn.mean(w)]),
    "a point": (ray, d(w, r, 2) - 1, [tn.on("r=0", w), tn.at([[0.3]], w)]),
    "pure Neumann": (ray, d(w, r, 2) - 1, [tn.on("r=0", d(w, r)), tn.on("r=1", d(w, r))]),
    "Stokes": (square, stokes, [tn.on("boundary", a1, a2), tn.mean(a3)]),
    "a flow in time": (square * T, flow, [tn.on("sides", b1, b2), tn.on("t=0", b1, b2)]),
    "Tricomi": (tn.Box(x=(0, 1), y=(-1, 1)), y * d(h, x, 2) + d(h, y, 2), [tn.on("y=-1", h), tn.on("y=1", h)]),
    "measurements": (bar, heat, [*ends, tn.data(u, [[0.5, 0.5], [0.2, 0.3]], [1, 2])]),
}
TOO_FEW = {
    "a wave without its velocity": (bar, wave, [*ends, tn.on("t=0", u)], r"order 2 in t .* on 't=0', .* only one"),
    "a tangential derivative": (bar, wave, [*ends, tn.on("t=0", u, d(u, x))], "only one"),
    "the same twice": (bar, wave, [*ends, tn.on("t=0", u), tn.on("t=0", 2 * u)], "only one"),
    "heat without a start": (bar, heat, ends, "order 1 in t and needs a condition on 't=0', but there is none"),
    "a wave between two times": (bar, wave, [*ends, tn.on("t=0", u), tn.on("t=1", u)], "both ends of time"),
    "heat with one end": (bar, heat, [ends[0], tn.on("t=0", u)], "nothing is stated on 'x=1'"),
    "transport with its outflow": (
        bar,
        d(u, t) + d(u, x),
        [tn.on("x=1", u), tn.on("t=0", u)],
        "nothing is stated on 'x=0'",
    ),
    "transport with a part of what flows in": (
        tn.Disk(radius=1),
        d(h, x) + h,
        [tn.on("boundary", h, where=(x < 0) & (y > 0))],
        "meet no condition at either end",
    ),
    "transport that turns": (
        tn.Disk(center=(2, 0), radius=1),
        -y * d(h, x) + x * d(h, y) + h,
        [tn.on("boundary", h, where=x > 2)],
        "meet no condition at either end",
    ),
    "transport in time with a part of what flows in": (
        tn.Disk(radius=1, name="rim") * T,
        d(b1, t) + d(b1, x),
        [tn.on("t=0", b1), tn.on("rim", b1, where=(x < 0) & (y > 0))],
        "a portion of 'rim'.*State what flows in",
    ),
    "a narrow gap between two portions": (
        tn.Disk(radius=1),
        tn.laplacian(h),
        [tn.on("boundary", h, where=x < 0.3), tn.on("boundary", h, where=x > 0.31)],
        "a portion of 'circle'",
    ),
    "a redundant derivative": (bar, doubled, [*ends, tn.on("t=0", u)], "together of order 2 in t"),
    "a parameter": (bar, d(u, t, 2) - a * d(u, x, 2), [*ends, tn.on("t=0", u)], "order 2 in t"),
    "a beam": (ray, d(w, r, 4) - 1, [tn.on("boundary", w)], "order 4 in r .* only 2"),
    "a plate": (square, tn.biharmonic(h) - 1, [tn.on("boundary", h)], "only one condition is stated on .* needs 2"),
    "Stokes": (square, stokes, [tn.on("boundary", a1), tn.mean(a3)], "only one condition is stated on .* needs 2"),
    "a flow in time": (square * T, flow, [tn.on("sides", b1, b2)], "order 1 in t"),
    "a hole": (ring, tn.laplacian(h), [tn.on("rim", h)], "nothing is stated on 'hole'"),
    "a hole of a nonlinear equation": (
        ring,
        tn.laplacian(h) - sp.sqrt(h),
        [tn.on("rim", h)],
        "nothing is stated on 'hole'",
    ),
    "a portion of a hole": (
        ring,
        tn.laplacian(h),
        [tn.on("rim", h), tn.on("hole", h, where=x < 0.1)],
        "a portion of 'hole'",
    ),
    "a hole while time passes": (
        ring * T,
        d(b1, t) - tn.laplacian(b1),
        [tn.on("rim", b1), tn.on("t=0", b1)],
        "nothing is stated on 'hole'",
    ),
    "a hole in an elastic plate": (ring, elastic, [tn.on("rim", a1, a2)], "nothing is stated on 'hole'"),
    "half of a hole's traction": (
        ring,
        elastic,
        [tn.on("rim", a1, a2), tn.on("hole", a1)],
        "only one condition is stated on 'hole'",
    ),
    "a hole of a layer": (shells, tn.div(tn.by_piece(core=2, shell=1) * tn.grad(h)), [], "nothing is stated on 'rim'"),
}


@pytest.mark.parametrize("case", ENOUGH)
def test_enough(case: str) -> None:
    domain, equations, conditions = ENOUGH[case]
    assert missing_conditions(tn.Problem(domain, equations, conditions)) is None


@pytest.mark.parametrize("case", TOO_FEW)
def test_too_few(case: str) -> None:
    domain, equations, conditions, words = TOO_FEW[case]
    assert re.search(words, str(missing_conditions(tn.Problem(domain, equations, conditions))))


@pytest.mark.parametrize("neurons", [60, 150])
def test_a_solve_warns_however_small_the_network(neurons: int) -> None:
    start = sp.Abs(x - sp.Rational(1, 2)) - sp.Rational(1, 2)
    problem = tn.Problem(bar, [wave], [*ends, tn.on("t=0", Eq(u, start))])
    with pytest.warns(tn.errors.TransnetWarning) as caught:
        tn.solve(problem, neurons=neurons)
    told = [str(c.message) for c in caught if c.category is UniquenessWarning]
    assert len(told) == 1
    assert "A start at rest is tn.on('t=0'" in told[0]


@pytest.mark.parametrize("right", [0, sp.exp(x), h**3 - 1])
def test_a_hole_without_a_condition_is_told_by_its_name_however_well_it_is_solved(right: sp.Expr) -> None:
    problem = tn.Problem(ring, [Eq(tn.laplacian(h), right)], [tn.on("rim", Eq(h, x))])
    with pytest.warns(UniquenessWarning, match=r"nothing is stated on 'hole'.*tn.on\('hole', sympy.Eq\(h, 0\)\)"):
        tn.solve(problem, tol=1e-4)


def test_a_wall_of_a_vibrating_body_without_a_condition_is_told() -> None:
    lam = sp.Symbol("lam")
    with pytest.warns(UniquenessWarning, match="nothing is stated on 'hole'"):
        tn.eigenpairs(tn.Problem(ring, [Eq(-tn.laplacian(h), lam * h)], [tn.on("rim", h)]), lam, count=1, tol=1e-2)
