"""Half planes and half spaces: Poisson's integral, images, wires and balls above ground, waves beside walls."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import EstimateWarning, ProblemError

x, y, z, k = sp.symbols("x y z k", real=True)
u = tn.unknown("u", x, y)
w = tn.unknown("w", x, y, complex=True)
half = tn.Box(x=(-sp.oo, sp.oo), y=(0, sp.oo))
rod = tn.Disk((0.3, 1.5), 1, name="rod")
field = (y + 1) / (x**2 + (y + 1) ** 2)
points = np.array([[0.3, 3.0], [2.0, 0.1], [-3.0, 1e-3], [50.0, 30.0]])
WALLS = {
    "value": u,
    "flux": tn.normal_derivative(u),
    "heat transfer": tn.normal_derivative(u) + 2 * u,
}


@pytest.mark.parametrize("body", [None, rod])
@pytest.mark.parametrize("kind", WALLS)
def test_a_potential_with_data_on_a_wall(kind, body):
    data = {"value": field, "flux": -sp.diff(field, y), "heat transfer": 2 * field - sp.diff(field, y)}[kind]
    conditions = [tn.on("y=0", sp.Eq(WALLS[kind], data.subs(y, 0))), tn.at_infinity(u, 0)]
    if body is not None:
        conditions.append(tn.on("rod", sp.Eq(u, field)))
    found = tn.solve(tn.Problem(half if body is None else half - body, [sp.Eq(tn.laplacian(u), 0)], conditions))
    exact = sp.lambdify((x, y), field)(*points.T)
    off = np.abs(found(points) - exact).max()
    assert off < 1e-8
    assert off < 10 * found.error < 1e-5


def test_a_jump_of_the_data_is_an_angle():
    step = sp.Piecewise((1, sp.Abs(x) < 1), (0, True))
    problem = tn.Problem(half, [sp.Eq(tn.laplacian(u), 0)], [tn.on("y=0", sp.Eq(u, step)), tn.at_infinity(u, 0)])
    with pytest.warns(EstimateWarning):
        found = tn.solve(problem)
    angle = np.arctan2(points[:, 1], points[:, 0] - 1) - np.arctan2(points[:, 1], points[:, 0] + 1)
    np.testing.assert_allclose(found(points), angle / np.pi, atol=1e-6)


def test_a_wire_and_a_ball_above_the_ground_have_their_capacities(tmp_path):
    ground = [tn.on("y=0", sp.Eq(u, 0)), tn.on("wire", sp.Eq(u, 1)), tn.at_infinity(u, 0)]
    wire = tn.solve(tn.Problem(half - tn.Disk((0, 2), 1, name="wire"), [sp.Eq(tn.laplacian(u), 0)], ground))
    assert wire.flux("wire") == pytest.approx(2 * np.pi / np.arccosh(2.0), rel=1e-10)
    wire.save(tmp_path / "wire.npz")
    np.testing.assert_array_equal(tn.load(tmp_path / "wire.npz")(points), wire(points))
    v = tn.unknown("v", x, y, z)
    space = tn.Box(x=(-sp.oo, sp.oo), y=(-sp.oo, sp.oo), z=(0, sp.oo))
    ground = [tn.on("z=0", sp.Eq(v, 0)), tn.on("ball", sp.Eq(v, 1)), tn.at_infinity(v, 0)]
    ball = tn.solve(tn.Problem(space - tn.Ball((0, 0, 2), 1, name="ball"), [sp.Eq(tn.laplacian(v), 0)], ground))
    a = np.arccosh(2.0)
    images = 4 * np.pi * np.sinh(a) * sum(1 / np.sinh(n * a) for n in range(1, 40))
    assert ball.flux("ball") == pytest.approx(images, rel=1e-9)


def test_flow_over_a_bump_and_into_a_corner():
    around = sp.Eq(tn.laplacian(u), 0)
    wall = [tn.on("y=0", sp.Eq(u, 0)), tn.on("bump", sp.Eq(u, 0)), tn.at_infinity(u, y)]
    bump = tn.solve(tn.Problem(half - tn.Disk((0, 0), 1, name="bump"), [around], wall))
    np.testing.assert_allclose(bump([[2.0, 1.0]]), 1 - 1 / 5, atol=1e-12)
    quarter = tn.Box(x=(0, sp.oo), y=(0, sp.oo)) - tn.Disk((0, 0), 1, name="bump")
    wall = [tn.on(part, sp.Eq(u, 0)) for part in ("x=0", "y=0", "bump")]
    corner = tn.solve(tn.Problem(quarter, [around], [*wall, tn.at_infinity(u, 2 * x * y)]))
    np.testing.assert_allclose(corner([[2.0, 1.0]]), 4 - 4 / 25, atol=1e-12)


@pytest.mark.parametrize("hard", [False, True])
def test_waves_beside_a_wall_are_those_of_a_body_and_its_image(hard):
    wave = sp.Eq(tn.laplacian(w) + k**2 * w, 0)
    incident = sp.exp(sp.I * k * (3 * x - 4 * y) / 5)
    stated = sp.Eq(tn.normal_derivative(w) if hard else w, 0)
    beside = [tn.on("y=0", stated), tn.on("rod", stated), tn.outgoing(w - incident, k)]
    found = tn.solve(tn.Problem(half - rod, [wave], beside), parameters={k: 3.0})
    both = incident + (1 if hard else -1) * incident.subs(y, -y)
    image = tn.Exterior(rod | tn.Disk((0.3, -1.5), 1, name="image"))
    alone = tn.solve(
        tn.Problem(image, [wave], [tn.on("boundary", stated), tn.outgoing(w - both, k)]), parameters={k: 3.0}
    )
    np.testing.assert_allclose(found(points), alone(points), atol=1e-10)
    np.testing.assert_allclose(found.far_field([0.3, 2.0]), alone.far_field([0.3, 2.0]), atol=1e-10)
    assert found.cross_section() == pytest.approx(0.5 * alone.cross_section(), rel=1e-10)


def test_statements_that_are_wrong_are_told():
    with pytest.raises(ProblemError, match="Laplace's equation has none"):
        tn.solve(tn.Problem(half, [sp.Eq(tn.laplacian(w), 0)], [tn.on("y=0", sp.Eq(w, 0)), tn.outgoing(w, 2.0)]))
    with pytest.raises(ProblemError, match="nothing is stated there"):
        tn.Problem(half, [sp.Eq(tn.laplacian(u), 0)], [tn.on("y=0", sp.Eq(u, 0))])
    absorbing = sp.Eq(tn.normal_derivative(w), 2j * w)
    with pytest.raises(ProblemError, match="not for both together"):
        tn.solve(tn.Problem(half, [sp.Eq(tn.laplacian(w) + 4 * w, 0)], [tn.on("y=0", absorbing), tn.outgoing(w, 2.0)]))
