"""What is particular to one shape: counts, names, exact values."""

import numpy as np
import pytest
import sympy as sp

from transnet.errors import GeometryError
from transnet.geometry import Annulus, Ball, Box, Curve, Disk, Interval, LevelSet, Mesh, Polygon, Region, Shell

s, x, y, z = sp.symbols("s x y z")


def exact(domain, f, n=3000):
    nodes, weights = domain.quadrature(n)
    return float(weights @ f(nodes))


def test_grids_of_the_paper():
    assert len(Box(x=(-1, 1), y=(-1, 1)).grid(50)) == 2500
    assert len(Disk().grid(50)) == 1876
    assert len(Box(x=(0, 1), y=(0, 1), t=(0, 1)).grid((3, 4, 5))) == 60


def test_names_of_box_and_interval():
    box = Box(x=(0, 1), y=(-0.0, 2 * np.pi))
    assert box.names == ("x", "y")
    assert box.parts == ("x=0", "x=1", "y=0", "y=6.28319")
    assert box.resolve("top") == ("y=6.28319",) == box.resolve("y=max") == box.resolve(f"y={2 * np.pi!r}")
    assert box.resolve("x = 0") == ("x=0",) == box.resolve("left")
    assert box.resolve("boundary") == box.parts
    assert Box(x=(0, 1), y=(0, 1), z=(0, 1)).resolve("back") == ("y=1",)
    far = Interval(x=(1e6, 1e6 + 0.5))
    assert far.parts == ("x=1000000.0", "x=1000000.5")
    assert Interval(x=(0, sp.pi)).resolve("right") == ("x=3.14159",)
    ends = far.boundary(n=50)
    np.testing.assert_array_equal(ends.points[:, 0], [1e6, 1e6 + 0.5])
    np.testing.assert_array_equal(ends.normals[:, 0], [-1, 1])
    assert far.measure() == 2


def test_text_of_domains():
    domain = (Disk() - Disk((0.5, 0), 0.25)) * Interval(t=(0, 2))
    assert str(domain) == "(Disk(center=(0, 0), radius=1) - Disk(center=(0.5, 0), radius=0.25)) * Interval(t=(0, 2))"
    assert str(Ball(name="skin")) == "Ball(center=(0, 0, 0), radius=1, name='skin')"
    for shape in (Annulus(), Shell(), Box(x=(0, 1)), Polygon([(0, 0), (1, 0), (0, 1)])):
        assert str(shape) == repr(shape)


def test_points_are_split_by_measure_and_evenly_spaced():
    box = Box(x=(0, 1), y=(0, 3))
    samples = box.boundary(n=80)
    assert [int(np.sum(samples.normals[:, k] == sign)) for k in (0, 1) for sign in (-1, 1)] == [30, 30, 10, 10]
    edge = np.sort(box.boundary("left", 50, "grid").points[:, 1])
    np.testing.assert_allclose(edge, 3 * (np.arange(50) + 0.5) / 50)
    face = Box(x=(0, 1), y=(0, 1), z=(0, 1)).boundary("top", 16, "grid").points
    assert len(np.unique(face[:, 0].round(12))) == 4
    angles = np.sort(np.arctan2(*Disk().boundary(n=100).points.T))
    np.testing.assert_allclose(np.diff(angles), 2 * np.pi / 100)
    many = Polygon([(np.cos(t), np.sin(t)) for t in 2 * np.pi * np.arange(200) / 200])
    few = many.boundary(n=50).points  # fewer points than edges: still all the way round
    assert len(few) == 50
    assert np.max(np.diff(np.sort(np.arctan2(few[:, 1], few[:, 0])))) < 0.2


@pytest.mark.parametrize("kind", ["quasi", "random"])
def test_samples_are_uniform_by_measure(kind):
    """Chi-square over cells of equal measure: few degrees of freedom, far below any lopsided sampling."""
    sphere = Ball().boundary(n=4000, kind=kind).points
    ball = Ball().interior(4000, kind)
    torus_free = LevelSet(x**2 + y**2 + z**2 - 1, x=(-2, 2), y=(-2, 2), z=(-2, 2)).boundary(n=4000, kind=kind).points
    ellipse = Region(Curve((4 * sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi)))
    lengths = ellipse.boundary(n=4000, kind=kind).points
    quarter = (lengths[:, 0] > 0) * 2 + (lengths[:, 1] > 0)
    cells = {
        "sphere by height": np.floor((sphere[:, 2] + 1) * 5),
        "level set by height": np.floor((torus_free[:, 0] + 1) * 5),
        "ball by radius": np.floor(np.linalg.norm(ball, axis=1) ** 3 * 10),
        "ellipse by quarter": quarter,
    }
    for name, cell in cells.items():
        counts = np.bincount(cell.astype(int))
        expected = 4000 / len(counts)
        assert np.sum((counts - expected) ** 2 / expected) < 30, name


@pytest.mark.parametrize(
    ("domain", "f", "value"),
    [
        (Interval(x=(0, 1)), lambda p: np.exp(p[:, 0]), np.e - 1),
        (Box(x=(0, 1), y=(0, 2)), lambda p: np.exp(p[:, 0] + p[:, 1]), (np.e - 1) * (np.e**2 - 1)),
        (Disk((1, 2), 2), lambda p: (p[:, 0] - 1) ** 2, np.pi * 2**4 / 4),
        (Ball((1, 2, 3), 2), lambda p: (p[:, 2] - 3) ** 2, 4 * np.pi / 15 * 2**5),
        (Ball((0,) * 4), lambda p: p[:, 3] ** 2, np.pi**2 / 12),
        (Annulus((0, 0), 1, 2), lambda p: np.sum(p**2, axis=1), np.pi / 2 * 15),
        (Shell((0, 0, 0), 1, 2), lambda p: np.sum(p**2, axis=1), 4 * np.pi / 5 * 31),
        (Polygon([(0, 0), (1, 0), (0, 1)]), lambda p: p[:, 0] * p[:, 1] ** 2, 1 / 60),
        (Disk() - Disk(radius=0.5), lambda p: p[:, 0] ** 2, np.pi / 4 * (1 - 1 / 16)),
        (Ball() - Ball(radius=0.5), lambda p: p[:, 0] ** 2, 4 * np.pi / 15 * (1 - 1 / 32)),
        (LevelSet(x**2 / 4 + y**2 - 1, x=(-3, 3), y=(-2, 2)), lambda p: p[:, 0] ** 2, 2 * np.pi),
        (
            LevelSet(x**2 + y**2 + z**2 - 1, x=(-2, 2), y=(-2, 2), z=(-2, 2)),
            lambda p: p[:, 0] ** 2,
            4 * np.pi / 15,
        ),
        (Region(Curve((2 * sp.cos(s), -sp.sin(s)), (s, 0, 2 * sp.pi))), lambda p: p[:, 0] ** 2, 2 * np.pi),
        (Disk() * Interval(t=(0, 1)), lambda p: p[:, 0] ** 2 * p[:, 2], np.pi / 8),
    ],
    ids=lambda value: "f" if callable(value) else str(value),
)
def test_integrals(domain, f, value):
    assert exact(domain, f) == pytest.approx(value, rel=1e-10)


def test_polygon_names_and_orientation():
    corners = [(0, 0), (2, 0), (2, 1), (0, 1)]
    hole = [(0.5, 0.4), (1, 0.4), (1, 0.6)]
    for ring in (corners, [*corners, corners[0]]):
        square = Polygon(ring, holes=[hole], names=["floor", None, "wall", "wall"])
        assert square.parts == ("floor", "edge 1", "wall", "hole 0 edge 0", "hole 0 edge 1", "hole 0 edge 2")
        assert square.resolve("hole 0") == square.parts[3:]
        assert square.resolve("outer") == square.parts[:3]
        assert square.measure("wall") == pytest.approx(3)
        np.testing.assert_allclose(square.boundary("floor", 5).normals, [[0, -1]] * 5)
    clockwise = Polygon(corners[::-1])
    np.testing.assert_allclose(clockwise.boundary("edge 0", 5).normals, [[0, 1]] * 5)


def test_curves_from_functions_match_formulas():
    formula = Curve((2 * sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi))
    function = Curve((lambda t: 2 * np.cos(t), np.sin), (0, 2 * np.pi))
    given = Curve((lambda t: 2 * np.cos(t), np.sin), (0, 2 * np.pi), derivative=(lambda t: -2 * np.sin(t), np.cos))
    want = Region(formula).boundary(n=64)
    for curve in (function, given):
        got = Region(curve).boundary(n=64)
        np.testing.assert_allclose(got.points, want.points, atol=1e-10)
        np.testing.assert_allclose(got.normals, want.normals, atol=1e-10)


def test_region_knows_inside_to_rounding():
    region = Region(Curve((2 * sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi)))
    rim = region.boundary(n=200)
    assert region.contains(rim.points - 1e-10 * rim.normals).all()
    assert not region.contains(rim.points + 1e-10 * rim.normals).any()


def test_level_set_accepts_inequalities_and_finds_all_pieces():
    lemniscate = (x**2 + y**2) ** 2 - 2 * (x**2 - y**2) + sp.Rational(1, 2)
    two = LevelSet(lemniscate < 0, name="ovals", x=(-3, 3), y=(-2, 2))
    assert two.parts == ("ovals",)
    right, left = (np.sum(np.sign(two.interior(2000)[:, 0]) == sign) for sign in (1, -1))
    assert abs(right - left) < 40
    assert LevelSet(sp.Gt(1, x**2 + y**2), x=(-2, 2), y=(-2, 2)).volume == pytest.approx(np.pi, rel=1e-10)
    torus = LevelSet((sp.sqrt(x**2 + y**2) - 1) ** 2 + z**2 < 0.16, x=(-2, 2), y=(-2, 2), z=(-2, 2))
    assert torus.volume == pytest.approx(2 * np.pi**2 * 0.16, rel=1e-3)
    assert torus.measure() == pytest.approx(4 * np.pi**2 * 0.4, rel=1e-3)


def test_mesh_from_a_file(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    body = trimesh.creation.icosphere(subdivisions=3)
    body.export(tmp_path / "ball.stl")
    ball = Mesh(tmp_path / "ball.stl", name="skin")
    assert ball.parts == ("skin",)
    assert ball.volume == pytest.approx(body.volume, rel=1e-6)
    assert ball.measure() == pytest.approx(body.area, rel=1e-6)
    points = np.random.default_rng(0).uniform(-1, 1, (5000, 3))
    radius = np.linalg.norm(points, axis=1)
    inside = ball.contains(points)
    assert inside[radius < 0.98].all()
    assert not inside[radius > 1].any()
    inverted = Mesh(body.vertices, body.faces[:, ::-1])
    assert np.all(np.sum(inverted.boundary(n=50).normals * inverted.boundary(n=50).points, axis=1) > 0)
    (tmp_path / "bad.stl").write_text("solid nothing")
    with pytest.raises(ValueError, match=r"Cannot read|not a surface"):
        Mesh(tmp_path / "bad.stl")


def test_mesh_contains_its_corners_and_edges():
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    body = Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    assert body.contains(corners).all()
    assert body.contains((corners + np.roll(corners, 1, axis=0)) / 2).all()
    assert body.volume == pytest.approx(1 / 6)


def test_a_part_is_found_by_the_value_of_its_number() -> None:
    thin = Interval(x=(0, 5e-3))
    assert thin.resolve("x=5e-3") == thin.resolve("x = 0.0050") == ("x=0.005",)
    assert Box(x=(-1, 1), y=(0, 2)).resolve("x=-1.0") == ("x=-1",)
    with pytest.raises(GeometryError, match="no boundary part"):
        thin.resolve("x=0.006")
