"""Space outside bodies: capacities, sound and slow flow against closed forms and series."""

import numpy as np
import pytest
import sympy as sp
from scipy.special import spherical_jn, spherical_yn

import transnet as tn
from transnet.features.spherical import Spherical

x, y, z = sp.symbols("x y z", real=True)
u = tn.unknown("u", x, y, z, complex=True)
v = tn.unknown("v", x, y, z)
flow, p = tn.vector("w", x, y, z), tn.unknown("p", x, y, z)
laplace = sp.Eq(tn.laplacian(v), 0)
spheroid = tn.LevelSet(x**2 + y**2 + z**2 / 4 - 1, x=(-1.2, 1.2), y=(-1.2, 1.2), z=(-2.2, 2.2))


@pytest.mark.parametrize("regular", [False, True])
@pytest.mark.parametrize("wavenumber", [0.0, 2.0, 1.5j])
def test_derivatives_of_spherical_functions(wavenumber, regular):
    """The equation, and central differences."""
    made = Spherical(wavenumber, np.array([[0.1, 0.2, 0.3]]), np.array([0.7]), np.array([[0, 4]]), regular)
    points, step = np.array([[1.5, 0.3, -0.8], [0.2, 0.1, 1.4]]), 1e-5
    value, dy, dyz, xx, yy, zz = made.derivatives(
        points, [(0, 0, 0), (0, 1, 0), (0, 1, 1), (2, 0, 0), (0, 2, 0), (0, 0, 2)]
    )
    np.testing.assert_allclose(xx + yy + zz, -(wavenumber**2) * value, atol=1e-12 * np.abs(xx).max())
    for axis, index, exact in ((1, (0, 0, 0), dy), (2, (0, 1, 0), dyz)):
        away = step * np.eye(3)[axis]
        above, below = (made.derivatives(points + s * away, [index])[0] for s in (1, -1))
        np.testing.assert_allclose((above - below) / (2 * step), exact, atol=1e-8 * np.abs(exact).max())
    factors = np.arange(1, len(made) + 1)[:, None] * (1 + 0.3j)
    np.testing.assert_allclose(made.summed(points, [(0, 1, 1)], factors)[0], dyz.T @ factors, rtol=1e-12)


def charge(body, **options):
    """The flux of the potential that is one on a body and zero far away, over 4 pi."""
    problem = tn.Problem(tn.Exterior(body), [laplace], [tn.on("boundary", sp.Eq(v, 1)), tn.at_infinity(v, 0)])
    found = tn.solve(problem, **options)
    return found, found.integral(tn.normal_derivative(v), over="boundary") / (4 * np.pi)


def test_capacity_of_a_ball():
    found, capacity = charge(tn.Ball((1, 2, 3), 2))
    assert capacity == pytest.approx(2, rel=1e-12)
    assert found([[1, 2, 8]])[0] == pytest.approx(2 / 5, rel=1e-12)


def test_capacity_of_two_balls():
    """The series in coordinates of two poles."""
    _, capacity = charge(tn.Ball() | tn.Ball((3, 0, 0), 1))
    beta, n = np.arccosh(1.5), np.arange(1, 80)
    assert capacity == pytest.approx(2 * np.sinh(beta) * np.sum((-1.0) ** (n + 1) / np.sinh(n * beta)), rel=1e-8)


def test_capacity_of_a_spheroid():
    found, capacity = charge(spheroid, tol=1e-3)
    assert found.error < 1e-3
    assert capacity == pytest.approx(np.sqrt(3) / np.arccosh(2), rel=1e-4)


def test_polarisability_of_a_ball():
    problem = tn.Problem(tn.Exterior(tn.Ball()), [laplace], [tn.on("sphere", sp.Eq(v, 0)), tn.at_infinity(v, z)])
    r = sp.sqrt(x**2 + y**2 + z**2)
    assert tn.solve(problem).compare(z - z / r**3).relative < 1e-12


@pytest.mark.parametrize("ka", [0.1, 1.0, 5.0])
def test_sound_on_a_soft_ball(ka):
    """The sum of the coefficients of the series, and the optical theorem."""
    incident = sp.exp(sp.I * ka * z)
    problem = tn.Problem(
        tn.Exterior(tn.Ball()),
        [sp.Eq(tn.laplacian(u) + ka**2 * u, 0)],
        [tn.on("sphere", sp.Eq(u, 0)), tn.outgoing(u - incident, ka)],
    )
    found = tn.solve(problem, tol=1e-8)
    n = np.arange(40)
    share = (2 * n + 1) * np.abs(spherical_jn(n, ka) / (spherical_jn(n, ka) + 1j * spherical_yn(n, ka))) ** 2
    assert found.cross_section() == pytest.approx(4 * np.pi / ka**2 * share.sum(), rel=1e-8)
    forward = complex(found.far_field([0, 0, 2]))
    assert found.cross_section() == pytest.approx(4 * np.pi / ka * forward.imag, rel=1e-8)
    way = np.array([[2.0, -1.0, 2.0]]) / 3
    far = 1e7 * way
    waves = (found(far) - np.exp(1j * ka * far[:, 2])) * 1e7 * np.exp(-1j * ka * 1e7)
    np.testing.assert_allclose(found.far_field(way), waves, atol=1e-5)
    with pytest.raises(tn.errors.TransnetError, match="three components"):
        found.far_field([0.1, 0.2])


def stokes(body, far, coordinates=(x, y, z), w=flow, pressure=p):
    momentum = [sp.Eq(2 * tn.laplacian(w[i]), sp.diff(pressure, c)) for i, c in enumerate(coordinates)]
    return tn.Problem(
        tn.Exterior(body),
        [*momentum, sp.Eq(tn.div(w), 0)],
        [
            tn.on("boundary", *(sp.Eq(component, 0) for component in w)),
            *(tn.at_infinity(component, value) for component, value in zip(w, far, strict=True)),
        ],
    )


def test_drag_of_a_ball(tmp_path):
    found = tn.solve(stokes(tn.Ball((1, 0, 0), 0.5), (0.3, 0, 2)))
    force = [0.3, 0, 2] * np.array(6 * np.pi * 2 * 0.5)
    np.testing.assert_allclose(found.force("sphere"), force, atol=1e-10)
    found.save(tmp_path / "drag.npz")
    np.testing.assert_allclose(tn.load(tmp_path / "drag.npz").force("sphere"), force, atol=1e-10)
    # Where the flow is along the ball, three quarters of a / r and a quarter of its cube are missing.
    along = tn.solve(stokes(tn.Ball(), (0, 0, 1)))([[2, 0, 0]])[0, 2]
    assert along == pytest.approx(1 - 3 / 8 - 1 / 32, rel=1e-10)


def test_torque_of_a_ball_in_shear():
    """In the shear w = (z, 0, 0) a ball that is held has the torque 4 pi mu a^3."""
    problem = stokes(tn.Ball(), (z, 0, 0))
    found = tn.solve(problem)
    nx, ny, nz = tn.normal(x, y, z)
    stress = sp.Matrix(3, 3, lambda i, j: 2 * (sp.diff(flow[i], (x, y, z)[j]) + sp.diff(flow[j], (x, y, z)[i])))
    stress -= p * sp.eye(3)
    traction = -stress * sp.Matrix([nx, ny, nz])
    torque = found.integral(z * traction[0] - x * traction[2], over="sphere")
    assert torque == pytest.approx(4 * np.pi * 2, rel=1e-9)


def test_what_is_refused():
    ball = tn.Exterior(tn.Ball())
    a, b = sp.symbols("a b")
    w, q = tn.vector("w", a, b), tn.unknown("q", a, b)
    with pytest.raises(tn.errors.ProblemError, match="Stokes' paradox"):
        tn.solve(stokes(tn.Disk(), (1, 0), (a, b), w, q))
    psi = tn.unknown("psi", a, b)
    still = tn.on("boundary", sp.Eq(psi, 0), sp.Eq(tn.normal_derivative(psi), 0))
    with pytest.raises(tn.errors.ProblemError, match="Stokes' paradox"):
        tn.solve(tn.Problem(tn.Exterior(tn.Disk()), [sp.Eq(tn.biharmonic(psi), 0)], [still, tn.at_infinity(psi, b)]))
    with pytest.raises(tn.errors.ProblemError, match="does not satisfy"):
        tn.solve(stokes(tn.Ball(), (x, 0, 0)))
    problem = stokes(tn.Ball(), (0, 0, 1))
    first, *others = problem.equations
    dragged = tn.Problem(ball, [sp.Eq(first.lhs - flow[0], first.rhs), *others], problem.conditions)
    with pytest.raises(tn.errors.ProblemError, match="without inertia"):
        tn.solve(dragged)
    with pytest.raises(tn.errors.ProblemError, match="two conditions"):
        tn.Problem(ball, [laplace], [tn.on("sphere", sp.Eq(v, 1)), tn.at_infinity(v, 0), tn.at_infinity(v, 1)])
    with pytest.raises(tn.errors.ProblemError, match="nothing is stated there"):
        tn.Problem(ball, [laplace], [tn.on("sphere", sp.Eq(v, 1))])
    with pytest.raises(tn.errors.ProblemError, match="without a source"):
        tn.solve(tn.Problem(ball, [sp.Eq(tn.laplacian(v), 1)], [tn.on("sphere", sp.Eq(v, 1)), tn.at_infinity(v, 0)]))
