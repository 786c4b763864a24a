"""Outside bodies: series for disks, closed forms for potentials, the optical theorem, and statements that are wrong."""

import numpy as np
import pytest
import sympy as sp
from scipy.special import h1vp, hankel1, jv, jvp

import transnet as tn

x, y, k = sp.symbols("x y k", real=True)
s = sp.Symbol("s", real=True)
u = tn.unknown("u", x, y, complex=True)
v = tn.unknown("v", x, y)
c = tn.unknown("c")
r = sp.sqrt(x**2 + y**2)
helmholtz = sp.Eq(tn.laplacian(u) + k**2 * u, 0)
incident = sp.exp(sp.I * k * x)
disk = tn.Disk(radius=1)


def scattered(body, hard=False, **options):
    wall = sp.Eq(tn.normal_derivative(u), 0) if hard else sp.Eq(u, 0)
    problem = tn.Problem(tn.Exterior(body), [helmholtz], [tn.on("boundary", wall), tn.outgoing(u - incident, k)])
    return tn.solve(problem, **options)


def series(points, ka, hard):
    """The field around the unit disk."""
    rho, angle = np.hypot(*points.T), np.arctan2(points[:, 1], points[:, 0])
    total = np.exp(1j * ka * points[:, 0])
    for n in range(-int(ka + 40), int(ka + 41)):
        ratio = jvp(n, ka) / h1vp(n, ka) if hard else jv(n, ka) / hankel1(n, ka)
        total = total - 1j**n * ratio * hankel1(n, ka * rho) * np.exp(1j * n * angle)
    return total


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("ka", [0.1, 10.0, 100.0])
def test_a_plane_wave_on_a_disk_against_its_series(ka, hard):
    found = scattered(disk, hard, parameters={k: ka}, tol=1e-10)
    points = np.array([[1.1, 0.3], [-1.5, 2.0], [np.cos(2.0), np.sin(2.0)], [30.0, -7.0]])
    np.testing.assert_allclose(found(points), series(points, ka, hard), atol=1e-10)
    # Second derivatives in the equation have the size (k a)^2 and more.
    assert all(np.abs(left).max() < 1e-8 * max(ka, 1.0) ** 2 for left in found.residual_values().values())
    assert found.error <= 1e-10


BODIES = {
    "two disks close to each other": (disk | tn.Disk((2.05, 0), 1), False, 1e-8),
    "an ellipse": (tn.Region(tn.Curve((sp.cos(s), sp.sin(s) / 2), (s, 0, 2 * sp.pi))), True, 1e-7),
    "a square": (tn.Box(x=(-1, 1), y=(-1, 1)), False, 1e-4),
    "a hard square": (tn.Box(x=(-1, 1), y=(-1, 1)), True, 1e-3),
}


@pytest.mark.parametrize("name", BODIES)
def test_what_is_scattered_is_missing_behind(name):
    body, hard, tol = BODIES[name]
    found = scattered(body, hard, parameters={k: 3.0}, tol=tol)
    forward = complex(found.far_field(0.0))
    missing = 2 * np.sqrt(2 * np.pi / 3.0) * (np.exp(-0.25j * np.pi) * forward).imag
    section = found.cross_section()
    assert section == pytest.approx(missing, rel=10 * tol)
    assert section.error <= 3 * tol * section
    rim = found.problem.domain.boundary("boundary", 300).points
    if not hard:
        assert np.sqrt(np.mean(np.abs(found(rim)) ** 2)) < 10 * tol


def test_the_far_field_is_that_of_points_far_away():
    found = scattered(disk | tn.Disk((3, 1), 0.5), parameters={k: 2.0}, tol=1e-10)
    angles, distance = np.array([0.3, 2.0, 4.0]), 1e7
    points = distance * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    waves = (found(points) - np.exp(2j * points[:, 0])) * np.sqrt(distance) * np.exp(-2j * distance)
    np.testing.assert_allclose(found.far_field(angles), waves, atol=1e-6)


def test_the_other_sign_of_time_is_the_conjugate():
    point = [[1.5, 0.7]]
    other = [tn.on("boundary", sp.Eq(u, 0)), tn.outgoing(u - sp.exp(-sp.I * k * x), -k)]
    found = tn.solve(tn.Problem(tn.Exterior(disk), [helmholtz], other), parameters={k: 3.0})
    np.testing.assert_allclose(found(point), scattered(disk, parameters={k: 3.0})(point).conj(), atol=1e-9)


def potential(body, *conditions, **options):
    return tn.solve(tn.Problem(tn.Exterior(body), [sp.Eq(tn.laplacian(v), 0)], conditions), **options)


def test_flow_around_a_disk():
    found = potential(disk, tn.on("circle", sp.Eq(tn.normal_derivative(v), 0)), tn.at_infinity(v, x), tol=1e-10)
    assert found.compare(x + x / r**2).relative < 1e-12


def test_capacities():
    grounded = tn.on("boundary", sp.Eq(v, 0)), tn.at_infinity(v, sp.log(r) + c)
    round_ = potential(tn.Disk(radius=2), *grounded)
    assert np.exp(-round_.evaluate(c, [[5, 0]])[0]) == pytest.approx(2, rel=1e-12)
    square = potential(tn.Box(x=(-1, 1), y=(-1, 1)), *grounded, tol=1e-6)
    known = sp.gamma(sp.Rational(1, 4)) ** 2 / (2 * sp.pi ** sp.Rational(3, 2))
    assert np.exp(-square.evaluate(c, [[5, 0]])[0]) == pytest.approx(float(known), rel=1e-7)


def test_two_wires_have_the_capacitance_of_the_book():
    wires = tn.Disk((-2, 0), 1, name="a") | tn.Disk((2, 0), 1, name="b")
    found = potential(wires, tn.on("a", sp.Eq(v, 1)), tn.on("b", sp.Eq(v, -1)), tn.at_infinity(v, c), tol=1e-10)
    flux = -found.integral(tn.normal_derivative(v), over="b")
    assert flux == pytest.approx(2 * np.pi / np.arccosh(2.0), rel=1e-10)


def test_a_field_that_decays():
    screened = tn.Problem(
        tn.Exterior(disk),
        [sp.Eq(tn.laplacian(v) - 4 * v, 0)],
        [tn.on("circle", sp.Eq(v, 1)), tn.at_infinity(v, 0)],
    )
    found = tn.solve(screened, tol=1e-10)
    points = np.array([[1.2, 0.5], [3, 4]])
    exact = hankel1(0, 2j * np.hypot(*points.T)) / hankel1(0, 2j)
    np.testing.assert_allclose(found(points), exact.real, atol=1e-12)


fixed = tn.on("circle", sp.Eq(v, 1))
free = tn.on("circle", sp.Eq(tn.normal_derivative(v), 1))
laplace = sp.Eq(tn.laplacian(v), 0)
soft = tn.on("circle", sp.Eq(u, 0))
WRONG = {
    "nothing at infinity": (laplace, [fixed], "nothing is stated there"),
    "two conditions at infinity": (laplace, [fixed, tn.at_infinity(v, 0), tn.at_infinity(v, 1)], "two conditions"),
    "outgoing for Laplace": (
        sp.Eq(tn.laplacian(u), 0), [soft, tn.outgoing(u, 2)], "is for waves, but Laplace's equation has none"
    ),
    "another wave number": (
        sp.Eq(tn.laplacian(u) + 9 * u, 0), [soft, tn.outgoing(u, 2)], r"the equation has k\*\*2 = 9"
    ),
    "waves that decay": (sp.Eq(tn.laplacian(u) + 9 * u, 0), [soft, tn.at_infinity(u, 0)], r"state tn.outgoing\(u, 3\)"),
    "an incident wave of another length": (
        sp.Eq(tn.laplacian(u) + 9 * u, 0), [soft, tn.outgoing(u - sp.exp(sp.I * x), 3)], "does not satisfy the equation"
    ),
    "values and a value at infinity": (laplace, [fixed, tn.at_infinity(v, 0)], "cannot have this value at infinity"),
    "a flux that must go somewhere": (laplace, [free, tn.at_infinity(v, 0)], "cannot have this flux"),
    "a constant that nothing determines": (laplace, [free, tn.at_infinity(v, c + sp.log(r))], "do not determine"),
    "a source": (sp.Eq(tn.laplacian(v), sp.exp(-r)), [fixed, tn.at_infinity(v, c)], "without a source"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_statements_are_refused_in_words(name):
    equation, conditions, words = WRONG[name]
    with pytest.raises(tn.errors.ProblemError, match=words):
        tn.solve(tn.Problem(tn.Exterior(disk), [equation], conditions))


def test_what_needs_a_bounded_domain_says_so():
    exterior = tn.Exterior(disk)
    problem = tn.Problem(exterior, [laplace], [fixed, tn.at_infinity(v, c)])
    for call in (lambda: tn.prepare(problem), lambda: tn.eigenpairs(problem, k)):
        with pytest.raises(tn.errors.ProblemError, match="needs a bounded domain"):
            call()
    with pytest.raises(tn.errors.GeometryError, match="extends to infinity"):
        tn.solve(problem).integral(v)
    with pytest.raises(tn.errors.ProblemError, match="is bounded"):
        tn.Problem(disk, [laplace], [fixed, tn.at_infinity(v, 0)])
    with pytest.raises(tn.errors.ProblemError, match="complex=True"):
        tn.outgoing(v, 2)
    for wrong in (
        lambda: tn.Exterior(tn.Annulus()),
        lambda: tn.Exterior(tn.Sphere()),
        lambda: tn.Exterior(tn.Interval(x=(0, 1))),
        lambda: exterior * tn.Interval(t=(0, 1)),
    ):
        with pytest.raises(tn.errors.GeometryError):
            wrong()


def test_files(tmp_path):
    problem = tn.Problem(
        tn.Exterior(disk, margin=3), [helmholtz], [tn.on("circle", sp.Eq(u, 0)), tn.outgoing(u - incident, k)]
    )
    tn.write_problem(problem, tmp_path / "wave.toml")
    assert repr(tn.read_problem(tmp_path / "wave.toml").problem) == repr(problem)
    found = tn.solve(problem, parameters={k: 3.0})
    found.save(tmp_path / "wave.npz")
    again = tn.load(tmp_path / "wave.npz")
    np.testing.assert_array_equal(again([[2, 1]]), found([[2, 1]]))
    np.testing.assert_allclose(again.far_field([0.0, 1.0]), found.far_field([0.0, 1.0]))
    text = tmp_path / "flow.toml"
    text.write_text(
        'coordinates = ["x", "y"]\nunknowns = ["v"]\ndomain = "Exterior(Disk(radius=1))"\n'
        'equations = "laplacian(v) = 0"\nconditions = ["dn(v) = 0 on circle", "v = x at infinity"]\n'
    )
    assert tn.solve(tn.read_problem(text).problem)([[2, 0]])[0] == pytest.approx(2.5)


def test_an_exterior_is_a_domain():
    exterior = tn.Exterior(disk | tn.Disk((3, 0), 0.5, name="small"))
    assert exterior.parts == ("circle", "small")
    assert exterior.contains([[0, 0], [100, 100]]).tolist() == [False, True]
    surface = exterior.boundary("small", 50)
    np.testing.assert_allclose(surface.normals, -(surface.points - [3, 0]) / 0.5)
    assert (exterior & tn.Disk(radius=9)).volume == pytest.approx(np.pi * (81 - 1.25))
    assert (exterior - tn.Disk((0, 5), 1, name="third")).parts == ("circle", "small", "third")
