"""What must hold for every shape: one table of shapes crossed with one list of properties."""

import numpy as np
import pytest
import sympy as sp

from transnet.geometry import Annulus, Ball, Box, Curve, Disk, Interval, LevelSet, Mesh, Polygon, Region, Shell

s, x, y, z = sp.symbols("s x y z")
CUBE = np.array([[i, j, k] for i in (0.0, 1.0) for j in (0.0, 1.0) for k in (0.0, 1.0)])
CUBE_FACES = [
    *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
    *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
]


def flower(size=1.0, shift=0.0):
    r = size * (1 + sp.Rational(3, 10) * sp.cos(5 * s))
    return Curve((r * sp.cos(s) + shift, r * sp.sin(s) + shift), (s, 0, 2 * sp.pi), name="flower")


def box(a=1.0, c=0.0, d=2):
    return Box(**{name: (c, c + a * k) for name, k in zip("xyzw"[:d], (1, 2, 1.5, 1), strict=False)})


def level(a=1.0, c=0.0):
    return LevelSet(((x - c) / a) ** 2 + 4 * ((y - c) / a) ** 2 - 1, x=(c - 2 * a, c + 2 * a), y=(c - a, c + a))


def level3(a=1.0, c=0.0):
    sides = dict.fromkeys("xyz", (c - 1.5 * a, c + 1.5 * a))
    return LevelSet(((x - c) ** 2 + (y - c) ** 2 + 2 * (z - c) ** 2) / a**2 - 1, **sides)


# Each shape of size a at (c, c, ...), how accurate samples of its boundary integrate, and its integration rule.
SHAPES = {
    "interval": (lambda a, c: Interval(x=(c, c + a)), 1e-12, 1e-12),
    "box 1D": (lambda a, c: box(a, c, 1), 1e-12, 1e-12),
    "box 2D": (box, 1e-12, 1e-12),
    "box 3D": (lambda a, c: box(a, c, 3), 1e-12, 1e-12),
    "box 4D": (lambda a, c: box(a, c, 4), 1e-12, 1e-12),
    "disk": (lambda a, c: Disk((c, c), a), 1e-12, 1e-12),
    "ball": (lambda a, c: Ball((c, c, c), a), 1e-3, 1e-12),
    "ball 4D": (lambda a, c: Ball((c,) * 4, a), 1e-2, 1e-12),
    "annulus": (lambda a, c: Annulus((c, c), a / 2, a), 1e-12, 1e-12),
    "shell": (lambda a, c: Shell((c, c, c), a / 2, a), 1e-3, 1e-12),
    "polygon": (
        lambda a, c: Polygon(
            np.array([(0, 0), (2, 0), (2, 2), (1, 0.5), (0, 2)]) * a + c,
            holes=[np.array([(0.2, 0.2), (0.4, 0.2), (0.3, 0.5)]) * a + c],
        ),
        1e-12,
        1e-12,
    ),
    "region": (lambda a, c: Region(flower(a, c)), 1e-9, 1e-9),
    "region with hole": (
        lambda a, c: Region(flower(a, c), Curve((a * sp.cos(s) / 5 + c, a * sp.sin(s) / 3 + c), (s, 0, 2 * sp.pi))),
        1e-9,
        1e-9,
    ),
    "level set": (level, 1e-7, 1e-10),
    "level set 3D": (level3, 5e-3, 1e-6),
    "mesh": (lambda a, c: Mesh(a * CUBE + c, CUBE_FACES), 1e-3, 1e-12),
    "hole": (lambda a, c: Disk((c, c), a) - Disk((c + a / 4, c), a / 4, name="hole"), 1e-12, 1e-12),
    "bite": (lambda a, c: Disk((c, c), a) - Disk((c + a, c), a / 2, name="bite"), 1e-6, 1e-8),
    "L": (lambda a, c: box(a, c) - box(a, c + a / 2), 1e-10, 1e-10),
    "two disks": (lambda a, c: Disk((c, c), a) | Disk((c + a, c), a, name="other"), 1e-6, 1e-8),
    "lens": (lambda a, c: Disk((c, c), a) & Disk((c + a, c), a, name="other"), 1e-6, 1e-8),
    "flower bitten": (lambda a, c: Region(flower(a, c)) - Disk((c + a, c), a / 2), 1e-6, 1e-6),
    "sphere minus sphere": (lambda a, c: Ball((c,) * 3, a) - Ball((c,) * 3, a / 2, name="in"), 1e-3, 1e-12),
    "bitten ball": (lambda a, c: Ball((c,) * 3, a) - Ball((c + a, c, c), a / 2, name="bite"), 1e-2, 1e-2),
    "two intervals": (lambda a, c: Interval(x=(c, c + a)) | Interval(x=(c + 2 * a, c + 3 * a)), 1e-12, 1e-12),
    "interval x time": (lambda a, c: Interval(x=(c, c + a)) * Interval(t=(0, 2)), 1e-12, 1e-12),
    "disk x time": (lambda a, c: Disk((c, c), a) * Interval(t=(0, 2)), 1e-12, 1e-12),
    "ball x time": (lambda a, c: Ball((c, c, c), a) * Interval(t=(0, 2)), 5e-3, 1e-12),
    "time x L": (lambda a, c: Interval(t=(0, 2)) * (box(a, c) - box(a, c + a / 2)), 1e-8, 1e-8),
}
PLACES = {"": (1.0, 0.0), "far": (1.0, 1e6), "large": (1e3, 0.0), "small": (1e-3, 0.0)}


@pytest.fixture(
    scope="module", params=[(n, p) for n in SHAPES for p in PLACES], ids=lambda pair: " ".join(pair).strip()
)
def case(request):
    name, place = request.param
    make, surface, volume = SHAPES[name]
    a, c = PLACES[place]
    loose = 1e-7 if place == "far" else 0.0  # coordinates near 1e6 have ten digits after the point
    return make(a, c), surface + loose, volume + loose, a


def step(domain, normals):
    """A small step along normals, in proportion to the sides of the bounding box."""
    extent = domain.bounds[1] - domain.bounds[0]
    scaled = normals * extent
    return 1e-5 * extent * scaled / np.linalg.norm(scaled, axis=1, keepdims=True)


def test_samples_are_on_the_boundary_with_outward_unit_normals(case):
    domain, *_ = case
    for kind in ("quasi", "random", "grid"):
        surface = domain.boundary(n=120, kind=kind, seed=3)
        assert surface.points.shape == surface.normals.shape
        assert len(surface.points) == (120 if domain.dimension > 1 else len(domain.parts))
        np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1, atol=1e-12)
        assert domain.contains(surface.points).all()
        assert domain.contains(surface.points - step(domain, surface.normals)).all()
        assert not domain.contains(surface.points + step(domain, surface.normals)).any()


def test_interior_points_are_inside_spread_and_seeded(case):
    domain, *_ = case
    for kind in ("quasi", "random"):
        points = domain.interior(300, kind, seed=1)
        assert points.shape == (300, domain.dimension)
        assert domain.contains(points).all()
        np.testing.assert_array_equal(points, domain.interior(300, kind, np.random.default_rng(1)))
        assert not np.array_equal(points, domain.interior(300, kind, seed=2))
    grid = domain.interior(300, "grid")
    assert 100 <= len(grid) <= 900
    assert domain.contains(grid).all()


def test_divergence_theorem(case):
    """The flux of (y - centre) through the boundary is d times the volume."""
    domain, surface_tol, volume_tol, _ = case
    centre = domain.bounds.mean(axis=0)
    # Shifted samples of an open arc are first-order accurate, midpoints of second order.
    for kind, tol in (("quasi", max(surface_tol, 2e-3)), ("grid", surface_tol)):
        flux = 0.0
        for part in domain.parts:
            samples = domain.boundary(part, 2000, kind)
            flux += domain.measure(part) * np.mean(np.sum((samples.points - centre) * samples.normals, axis=1))
        assert flux == pytest.approx(domain.dimension * domain.volume, rel=tol)
    nodes, weights = domain.quadrature(2000)
    assert nodes.shape == (len(weights), domain.dimension)
    assert weights.sum() == pytest.approx(domain.volume, rel=volume_tol)


def test_constant_fields_have_no_net_flux(case):
    domain, surface_tol, _, _ = case
    net = np.zeros(domain.dimension)
    for part in domain.parts:
        net += domain.measure(part) * domain.boundary(part, 2000, "grid").normals.mean(axis=0)
    assert np.max(np.abs(net)) <= 10 * surface_tol * domain.measure()


def test_bounds_hold_the_domain(case):
    domain, *_ = case
    low, high = domain.bounds
    extent = high - low
    points = domain.boundary(n=500).points
    assert np.all(points >= low - 1e-3 * extent)
    assert np.all(points <= high + 1e-3 * extent)


def test_sizes_scale():
    for name, (make, surface, volume) in SHAPES.items():
        if "time" in name:
            continue
        one, other = make(1.0, 0.0), make(1e3, 0.0)
        d = one.dimension
        assert other.volume == pytest.approx(one.volume * 1e3**d, rel=max(volume, 1e-9)), name
        assert other.measure() == pytest.approx(one.measure() * 1e3 ** (d - 1), rel=max(surface, 1e-9)), name
