"""Systems and mean values on domains with holes: Goursat's functions, and integrals that stay out of the holes."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn
from transnet.choose.sectors import sectors_of
from transnet.features.mellin import mellin_exponents
from transnet.rows.statements import statements_of

x, y = sp.symbols("x y")
RING = tn.Disk(radius=1) - tn.Disk(center=(0.1, 0), radius=0.3)
POINTS = RING.interior(1000, "random", 3)


def relative(found: np.ndarray, exact: sp.Expr) -> float:
    truth = sp.lambdify((x, y), exact)(*POINTS.T)
    return float(np.linalg.norm(found - truth) / np.linalg.norm(truth))


def test_a_force_inside_a_hole_is_exact():
    """Kelvin's solution of plane elasticity: log r and x_i x_j / r^2 are functions of Goursat."""
    u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
    squared, poisson = (x - 0.1) ** 2 + y**2, 0.3
    exact = (-(3 - 4 * poisson) * sp.log(squared) / 2 + (x - 0.1) ** 2 / squared, (x - 0.1) * y / squared)
    ratio = 1 / (1 - 2 * poisson)
    equations = [sp.Eq(tn.laplacian(w) + ratio * sp.diff(tn.div([u, v]), c), 0) for w, c in ((u, x), (v, y))]
    conditions = [tn.on("boundary", sp.Eq(u, exact[0]), sp.Eq(v, exact[1]))]
    solution = tn.solve(tn.Problem(RING, equations, conditions), neurons=150)
    assert relative(solution["u"](POINTS), exact[0]) < 1e-11
    assert relative(solution["v"](POINTS), exact[1]) < 1e-11
    assert solution.error < 1e-10


def test_slow_flow_between_cylinders_is_exact():
    """Off centre there is no simple formula; between circles around one point the flow is u = (a + b / r^2) (-y, x)."""
    u, v, p = (tn.unknown(name, x, y) for name in "uvp")
    domain = tn.Disk(radius=1, name="outer") - tn.Disk(radius=0.5, name="inner")
    momentum = [sp.Eq(-tn.laplacian(w) + sp.diff(p, c), 0) for w, c in ((u, x), (v, y))]
    problem = tn.Problem(
        domain,
        [*momentum, sp.Eq(tn.div([u, v]), 0)],
        [tn.on("outer", sp.Eq(u, 0), sp.Eq(v, 0)), tn.on("inner", sp.Eq(u, -2 * y), sp.Eq(v, 2 * x)), tn.mean(p)],
    )
    solution = tn.solve(problem, neurons=150)
    points = domain.interior(500, "random", 1)
    speed = (-1 + 1 / np.sum(points**2, axis=1)) * 2 / 3
    assert np.abs(solution["u"](points) + speed * points[:, 1]).max() < 1e-9
    assert np.abs(solution["v"](points) - speed * points[:, 0]).max() < 1e-9


def test_a_mean_value_does_not_look_into_the_hole():
    """Fluxes alone leave a constant open, which the mean fixes; a pole inside the hole must not enter it."""
    u = tn.unknown("u", x, y)
    exact = sp.log((x - 0.1) ** 2 + y**2) + sp.exp(x) * sp.cos(y)
    flux = tn.on("boundary", sp.Eq(tn.normal_derivative(u, x, y), tn.normal_derivative(exact, x, y)))
    nodes, weights = RING.quadrature(5_000)
    assert RING.contains(nodes).all()
    level = float(weights @ sp.lambdify((x, y), exact)(*nodes.T) / weights.sum())
    solution = tn.solve(
        tn.Problem(RING, [sp.Eq(tn.laplacian(u), 0)], [flux, tn.mean(sp.Eq(u, level))]), method="network"
    )
    assert relative(solution(POINTS), exact) < 1e-9


def test_exponents_of_a_corner_do_not_depend_on_the_unit_of_stress():
    """Williams' exponents of a free right angle, sin(pi lambda / 2) = -+ lambda, for steel in pascals too."""
    found = []
    for modulus in (1.0, 210e9):
        body = tn.elasticity(tn.vector("u", x, y), E=modulus, nu=0.3, plane="stress")
        problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), body.equations, [body.free("boundary")])
        sectors = sectors_of(problem, statements_of(problem), ())
        assert sectors is not None
        found.append(np.array([p.value for p in mellin_exponents(sectors.sectors[0], 6.0)]))
    assert np.allclose(found[0], found[1], atol=1e-9)
    powers = found[1][1:]
    assert len(powers) == 2
    assert np.abs(np.sin(np.pi * powers / 2) ** 2 - powers**2).max() < 1e-7
