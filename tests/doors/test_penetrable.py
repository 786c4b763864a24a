"""Bodies that waves and fields enter: series, closed forms, the optical theorem, files and refusals."""

import numpy as np
import pytest
import sympy as sp
from scipy.special import h1vp, hankel1, jv, jvp, spherical_jn, spherical_yn

import transnet as tn

x, y, s = sp.symbols("x y s", real=True)
u = tn.unknown("u", x, y, complex=True)
v = tn.unknown("v", x, y)
disk = tn.Disk(radius=1)


def inside_and_outside(ka, pieces, indices, *conditions, stiffness=None, **options):
    index = tn.by_piece(**indices)
    a = 1 if stiffness is None else tn.by_piece(**stiffness)
    equation = tn.div(a * tn.grad(u, x, y), x, y) + a * (ka * index) ** 2 * u
    incident = sp.exp(sp.I * ka * x)
    problem = tn.Problem(tn.Pieces(**pieces), [sp.Eq(equation, 0)], [*conditions, tn.outgoing(u - incident, ka)])
    return tn.solve(problem, **options)


def series(points, ka, index, stiffness):
    """The exact field of a disk that a plane wave enters."""
    r, angle = np.hypot(*points.T), np.arctan2(points[:, 1], points[:, 0])
    total = np.where(r > 1, np.exp(1j * ka * points[:, 0]), 0)
    for n in range(-int(index * ka + 30), int(index * ka + 31)):
        rows = np.array(
            [
                [hankel1(n, ka), -jv(n, index * ka)],
                [ka * h1vp(n, ka), -stiffness * index * ka * jvp(n, index * ka)],
            ]
        )
        size = np.abs(rows).max(axis=0)
        c = np.linalg.solve(rows / size, -(1j**n) * np.array([jv(n, ka), ka * jvp(n, ka)])) / size
        out = c[0] * hankel1(n, ka * np.maximum(r, 1))
        total = total + np.where(r > 1, out, c[1] * jv(n, index * ka * r)) * np.exp(1j * n * angle)
    return total


@pytest.mark.parametrize(("ka", "index", "stiffness"), [(0.1, 3.0, 1.0), (2.0, 0.5, 4.0), (10.0, 1.5, 0.3)])
def test_a_disk_against_its_series(ka, index, stiffness):
    found = inside_and_outside(
        ka, {"glass": disk, "air": tn.Exterior(disk)}, {"glass": index, "air": 1},
        stiffness={"glass": stiffness, "air": 1}, tol=1e-10,
    )  # fmt: skip
    points = np.array([[0.3, 0.2], [-0.9, 0.1], [1.1, 0.3], [-1.5, 2.0], [20.0, -3.0]])
    np.testing.assert_allclose(found(points), series(points, ka, index, stiffness), atol=1e-10)
    assert found.error <= 1e-10


ellipse = tn.Region(tn.Curve((sp.cos(s), sp.sin(s) / 2), (s, 0, 2 * sp.pi)))
square = tn.Box(x=(-0.7, 0.7), y=(-0.7, 0.7))
core, wall = tn.Disk(radius=0.5), tn.Disk((2.5, 0.3), 1, name="wall")
SHAPES = {
    "an ellipse": ({"a": ellipse, "air": tn.Exterior(ellipse)}, {"a": 1.5, "air": 1}, (), 1e-8),
    "a square": ({"a": square, "air": tn.Exterior(square)}, {"a": 1.5, "air": 1}, (), 1e-4),
    "a coated rod": (
        {"core": core, "coat": disk - core, "air": tn.Exterior(disk)}, {"core": 3, "coat": 1.5, "air": 1}, (), 1e-8
    ),
    "beside a wall": (
        {"a": disk, "air": tn.Exterior(disk | wall)}, {"a": 2, "air": 1}, (tn.on("wall", sp.Eq(u, 0)),), 1e-8
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_scattered_is_missing_behind(name):
    pieces, indices, conditions, tol = SHAPES[name]
    found = inside_and_outside(3.0, pieces, indices, *conditions, tol=tol)
    forward = complex(found.far_field(0.0))
    missing = 2 * np.sqrt(2 * np.pi / 3.0) * (np.exp(-0.25j * np.pi) * forward).imag
    assert found.cross_section() == pytest.approx(missing, rel=10 * tol)
    assert found.error <= tol


def potential(pieces, values, far=x):
    factor = tn.by_piece(**values)
    return tn.Problem(
        tn.Pieces(**pieces), [sp.Eq(tn.div(factor * tn.grad(v, x, y), x, y), 0)], [tn.at_infinity(v, far)]
    )


def test_polarisability_of_a_disk(tmp_path):
    """Inside the field is 2 / (1 + eps) of that far away; outside it has the dipole (eps - 1) / (eps + 1)."""
    problem = potential({"rod": disk, "air": tn.Exterior(disk)}, {"rod": 4, "air": 1})
    found = tn.solve(problem)
    points = np.array([[0.3, 0.2], [2.0, 1.0], [300.0, 0.0]])
    exact = [0.4 * 0.3, 2 - 0.6 * 0.4, 300 - 0.6 / 300]
    np.testing.assert_allclose(found(points), exact, rtol=1e-12)
    found.save(tmp_path / "rod.npz")
    np.testing.assert_array_equal(tn.load(tmp_path / "rod.npz")(points), found(points))
    tn.write_problem(problem, tmp_path / "rod.toml")
    np.testing.assert_allclose(tn.solve(tn.read_problem(tmp_path / "rod.toml").problem)(points), exact, rtol=1e-12)


def test_a_coat_that_hides_the_core():
    """Hashin's coated disk with the conductivity of what is around it leaves the field outside as it was."""
    share, inner = 0.25, 5.0
    roots = np.roots([1 - share, inner * (1 + share) - (1 + share), -inner * (1 - share)])
    coat = float(roots[roots > 0][0])
    pieces = {"core": core, "coat": disk - core, "air": tn.Exterior(disk)}
    found = tn.solve(potential(pieces, {"core": inner, "coat": coat, "air": 1}))
    points = np.array([[1.1, 0.4], [0.0, 3.0], [-2.0, 1.0]])
    np.testing.assert_allclose(found(points), points[:, 0], atol=1e-11)


def test_what_is_refused():
    pieces = {"rod": disk, "air": tn.Exterior(disk)}
    with pytest.raises(tn.errors.ProblemError, match="nothing is stated there"):
        tn.Problem(tn.Pieces(**pieces), [sp.Eq(tn.laplacian(v), 0)], [])
    sourced = sp.Eq(tn.laplacian(v), tn.by_piece(rod=1, air=0))
    with pytest.raises(tn.errors.ProblemError, match="without a source"):
        tn.solve(tn.Problem(tn.Pieces(**pieces), [sourced], [tn.at_infinity(v, x)]))
    with pytest.raises(tn.errors.ProblemError, match="a part of the boundary without a condition"):
        inside_and_outside(3.0, {"a": disk, "air": tn.Exterior(disk | wall)}, {"a": 2, "air": 1})


z = sp.symbols("z", real=True)
w, sound = tn.unknown("w", x, y, z), tn.unknown("sound", x, y, z, complex=True)
ball, kernel = tn.Ball(), tn.Ball(radius=0.5)


def potential_in_space(pieces, values):
    factor = tn.by_piece(**values)
    equation = sp.Eq(tn.div(factor * tn.grad(w, x, y, z), x, y, z), 0)
    return tn.solve(tn.Problem(tn.Pieces(**pieces), [equation], [tn.at_infinity(w, z)]))


def test_polarisability_of_a_ball():
    """Inside the field is 3 / (2 + eps) of that far away; outside it has the dipole (eps - 1) / (eps + 2)."""
    found = potential_in_space({"body": ball, "air": tn.Exterior(ball)}, {"body": 4, "air": 1})
    np.testing.assert_allclose(found([[0.3, 0.2, 0.5], [2.0, 1.0, 2.0]]), [0.25, 2 - 0.5 * 2 / 27], rtol=1e-12)


def test_a_coat_that_hides_the_core_in_space():
    """Hashin's coated ball: the conductivity of core and coat together is that of what is around them."""
    share, inner = 0.125, 5.0
    # s + f (c - s) / (1 + (1 - f) (c - s) / 3 s) = 1 for the conductivity s of the coat and c of the core.
    roots = np.roots([2 - 2 * share, inner * (1 + 2 * share) - (2 + share), -inner * (1 - share)])
    coat = float(roots[roots > 0][0])
    pieces = {"core": kernel, "coat": ball - kernel, "air": tn.Exterior(ball)}
    found = potential_in_space(pieces, {"core": inner, "coat": coat, "air": 1})
    points = np.array([[1.1, 0.4, 0.6], [0.0, 3.0, 1.0]])
    np.testing.assert_allclose(found(points), points[:, 2], atol=1e-11)


def test_sound_that_enters_a_ball():
    """Its series, and the optical theorem."""
    ka, index, a = 2.0, 1.5, 0.5
    factor, ratio = tn.by_piece(body=a, air=1), tn.by_piece(body=index, air=1)
    equation = tn.div(factor * tn.grad(sound, x, y, z), x, y, z) + factor * (ka * ratio) ** 2 * sound
    incident = sp.exp(sp.I * ka * z)
    domain = tn.Pieces(body=ball, air=tn.Exterior(ball))
    found = tn.solve(tn.Problem(domain, [sp.Eq(equation, 0)], [tn.outgoing(sound - incident, ka)]), tol=1e-8)
    points = np.array([[0.0, 0.0, 0.5], [0.0, 0.0, -1.5]])  # on the axis Legendre polynomials are one, up to the sign
    total = np.array([0.0, np.exp(-1.5j * ka)])
    for n in range(30):
        j, dj = spherical_jn(n, index * ka), spherical_jn(n, index * ka, True)
        h, dh = (spherical_jn(n, ka, d) + 1j * spherical_yn(n, ka, d) for d in (False, True))
        rows = np.array([[h, -j], [ka * dh, -a * index * ka * dj]])
        size = np.abs(rows).max(axis=0)
        c = np.linalg.solve(rows / size, -np.array([spherical_jn(n, ka), ka * spherical_jn(n, ka, True)])) / size
        away = spherical_jn(n, 1.5 * ka) + 1j * spherical_yn(n, 1.5 * ka)
        total += (2 * n + 1) * 1j**n * np.array([c[1] * spherical_jn(n, 0.5 * index * ka), (-1) ** n * c[0] * away])
    np.testing.assert_allclose(found(points), total, atol=1e-8)
    forward = complex(found.far_field([0, 0, 1]))
    assert found.cross_section() == pytest.approx(4 * np.pi / ka * forward.imag, rel=1e-7)
