"""Conditions that hold on some of a part of the boundary: values give way to fluxes, data jump, a strip is loaded."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y", real=True)
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
r, angle = sp.sqrt(x**2 + y**2), sp.atan2(y, x)
BAR = tn.Box(x=(-1, 1.3), y=(0, 1)) - tn.Disk(center=(0.5, 0.6), radius=0.2)
JUMPS = {
    "values give way to fluxes": (sp.sqrt(r) * sp.sin(angle / 2), u, tn.normal_derivative(u)),
    "fluxes jump": (x * sp.log(r) - y * angle, tn.normal_derivative(u), tn.normal_derivative(u) - sp.pi),
    "values jump": (angle + x, u - x, u - x - sp.pi),
}


@pytest.mark.filterwarnings("ignore:Two conditions prescribe different values")
@pytest.mark.parametrize("name", JUMPS)
def test_jumps_of_conditions(name: str) -> None:
    true, right, left = JUMPS[name]
    rest = [tn.on(part, u - true) for part in ("left", "right", "top", "circle")]
    bottom = [tn.on("bottom", right, where=x > 0), tn.on("bottom", left, where=x < 0)]
    problem = tn.Problem(BAR, [sp.Eq(tn.laplacian(u), 0)], [*rest, *bottom])
    solution = tn.solve(problem, method="cells", tol=1e-6)
    points = BAR.interior(400, "quasi", 1)
    exact = sp.lambdify((x, y), true, "numpy")(*points.T)
    error = np.linalg.norm(solution(points) - exact) / np.linalg.norm(exact)
    assert error < 10 * solution.error + 1e-12
    assert error < 1e-6


def under_a_strip(size: float, E: float, nu: float) -> tuple[sp.Expr, sp.Expr]:
    """The displacements of a half plane y < 0 in plane stress under a pressure 1 on |x| < size (Muskhelishvili)."""
    logs = [sp.log(sp.sqrt((x - s) ** 2 + y**2)) - sp.I * sp.atan2(-y, x - s) for s in (size, -size)]
    z = x + sp.I * y
    slope = -sp.I * (logs[0] - logs[1]) / (2 * sp.pi)
    phi = -sp.I * ((z - size) * logs[0] - (z + size) * logs[1]) / (2 * sp.pi)
    kappa, mu = (3 - nu) / (1 + nu), E / (2 * (1 + nu))
    moved = (kappa * phi - z * sp.conjugate(slope) - sp.conjugate(phi - z * slope)) / (2 * mu)
    return sp.re(sp.expand(moved)), sp.im(sp.expand(moved))


def test_a_strip_of_an_elastic_body_is_loaded() -> None:
    law = tn.elasticity((u, v), E=1.0, nu=0.3, plane="stress")
    across, down = under_a_strip(0.5, 1.0, 0.3)
    body = tn.Box(x=(-2, 2), y=(-2, 0))
    tx, ty = law.traction
    loaded = sp.Abs(x) < sp.Rational(1, 2)
    sides = [tn.on(side, u - across, v - down) for side in ("left", "right", "bottom")]
    top = [tn.on("top", tx), tn.on("top", ty + 1, where=loaded), tn.on("top", ty, where=~loaded)]
    solution = tn.solve(tn.Problem(body, law.equations, [*sides, *top]), tol=1e-5)
    points = body.interior(200, "quasi", 2)
    for unknown, true in ((u, across), (v, down)):
        exact = sp.lambdify((x, y), true, "numpy")(*points.T)
        assert np.abs(solution.evaluate(unknown, points) - exact).max() < 1e-4 * np.abs(exact).max()
    assert solution.error < 1e-5


def test_values_at_points_hold_a_free_body() -> None:
    """A bar pulled at both ends, held in two corners: u = x, v = -nu y."""
    law = tn.elasticity((u, v), E=1.0, nu=0.3, plane="stress")
    tx, ty = law.traction
    bar = tn.Box(x=(0, 2), y=(0, 1))
    loads = [tn.on("left", tx + 1, ty), tn.on("right", tx - 1, ty), tn.on("bottom", tx, ty), tn.on("top", tx, ty)]
    pins = [tn.at([(0, 0)], u, v), tn.at([(0, 1)], u)]
    solution = tn.solve(tn.Problem(bar, law.equations, [*loads, *pins]), method="cells", tol=1e-8)
    points = bar.interior(50, "quasi", 0)
    assert np.allclose(solution.evaluate(u, points), points[:, 0], atol=1e-10)
    assert np.allclose(solution.evaluate(v, points), -0.3 * points[:, 1], atol=1e-10)


def test_a_value_at_a_point_that_the_boundary_determines_is_not_for_cells() -> None:
    box = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(box, [sp.Eq(tn.laplacian(u), 1)], [tn.on("boundary", u), tn.at([(0.5, 0.5)], u)])
    assert "the boundary determines" in str(tn.methods(problem))


def test_a_bar_bends_between_short_supports() -> None:
    """Pure bending between two couples: the middle bends to a circle, M = E I kappa, whatever the supports do."""
    field = tn.vector("w", x, y)
    body = tn.elasticity(field, E=1000.0, nu=0.3, plane="stress")
    bar = tn.Box(x=(-4, 4), y=(0, 1))
    inner, outer = sp.Abs(sp.Abs(x) - 2) < 0.1, sp.Abs(sp.Abs(x) - 3.5) < 0.1
    conditions = [
        body.load("top", 0, 1, where=inner),
        body.free("top", where=~inner),
        body.load("bottom", 0, -1, where=outer),
        body.free("bottom", where=~outer),
        body.free("left"),
        body.free("right"),
        tn.at([(0, 0)], field[0], field[1]),
        tn.at([(0, 1)], field[0]),
    ]
    solution = tn.solve(tn.Problem(bar, body.equations, conditions), tol=1e-4)
    moment = 0.2 * 1.5  # two forces of 0.2 with arms of 3.5 and 2
    curvature = (solution.evaluate(field[1], x=0.5, y=0.0) + solution.evaluate(field[1], x=-0.5, y=0.0)) / 0.25
    assert abs(curvature) == pytest.approx(12 * moment / 1000.0, rel=2e-2)
    assert solution.error < 1e-4
