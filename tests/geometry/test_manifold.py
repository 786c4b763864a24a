"""Surfaces as domains: their rules of integration against closed forms and identities, and what is refused."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import GeometryError

x, y, z = sp.symbols("x y z")
BOX = dict.fromkeys("xyz", (-2, 2))
EGG = tn.LevelSet(x**2 + 2 * y**2 + 3 * z**2 + x * y * z - 1, **BOX)
SURFACES = {
    "sphere": tn.Sphere((0.1, 0.2, 0.3), 1.5),
    "torus": tn.Torus(major=1.5, minor=0.4),
    "egg": tn.Surface(EGG),
}


@pytest.mark.parametrize("name", SURFACES)
def test_the_divergence_theorem_holds_along_a_closed_surface(name):
    """The integral of div_S F is that of (div n) F.n, for any field F around it."""
    surface = SURFACES[name]
    points, weights = surface.quadrature(160_000)
    field = sp.Matrix([sp.exp(x) * y, sp.sin(z + x), x * y * z])
    n = sp.Matrix(surface.normal((x, y, z)))
    slope = field.jacobian([x, y, z])
    along = slope.trace() - (n.T * slope * n)[0]
    across = surface.curvature((x, y, z)) * (field.T * n)[0]
    gap = sp.lambdify((x, y, z), along - across)(*points.T)
    size = sp.lambdify((x, y, z), sp.Abs(across))(*points.T)
    assert abs(weights @ gap) < 1e-9 * (weights @ size)


def test_areas_are_those_of_the_closed_forms_by_triangles_too():
    assert tn.Torus(major=2, minor=1)._area == pytest.approx(8 * np.pi**2, rel=1e-9)
    assert tn.Sphere(radius=0.5)._area == pytest.approx(np.pi, rel=1e-9)
    ball = tn.Surface(tn.LevelSet(x**2 + y**2 + z**2 - 1, **BOX))
    assert ball.volume == pytest.approx(4 * np.pi, rel=1e-9)


@pytest.mark.parametrize("name", SURFACES)
def test_points_lie_on_the_surface_and_are_spread_evenly(name):
    surface = SURFACES[name]
    points = surface.interior(4000)
    assert surface.contains(points).all()
    assert not surface.contains(points + 0.01 * surface.normals(points)).any()
    nodes, weights = surface.quadrature(20_000)
    for k in range(3):
        middle = weights @ nodes[:, k] / weights.sum()
        assert points[:, k].mean() == pytest.approx(middle, abs=0.01 * np.ptp(surface.bounds[:, k]))


def test_a_cap_has_the_area_and_the_edge_of_the_textbook():
    cap = tn.Surface(tn.Sphere(radius=2), where=z > 1)
    assert cap.parts == ("edge",)
    assert cap.volume == pytest.approx(4 * np.pi, rel=1e-8)  # 2 pi R h
    assert cap.measure("edge") == pytest.approx(2 * np.pi * np.sqrt(3), rel=1e-7)
    edge = cap.boundary("edge", 50)
    assert np.allclose(edge.points[:, 2], 1)
    assert np.allclose(np.sum(edge.points * edge.normals, axis=1), 0)  # along the surface
    assert (edge.normals[:, 2] < 0).all()  # and out of the cap


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tn.Torus(major=1, minor=2), "cut itself"),
        (lambda: tn.Sphere((0, 0), 1), "three coordinates"),
        (lambda: tn.Surface(tn.Disk()), "body of space"),
        (lambda: tn.Surface(tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))), "smooth surface"),
        (lambda: tn.Surface(tn.Sphere(), where=z), "inequality"),
        (lambda: tn.Surface(tn.Sphere(), where=z > 3), "Nothing is left"),
        (lambda: tn.Surface(tn.Sphere(), where=z > -3), "All of"),
        (lambda: tn.Surface(tn.Sphere(), where=sp.Symbol("w") > 0), "not a coordinate"),
    ],
)
def test_wrong_surfaces_are_refused_in_words(make, words):
    with pytest.raises(GeometryError, match=words):
        make()
