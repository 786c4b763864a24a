"""Domains from files and other libraries: the same shape, the same names, and what is wrong said in words."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely
import sympy as sp

import transnet as tn
from transnet.errors import FileError, GeometryError

CORNERS = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 3.0), (0.0, 2.0)]
HOLE = [(1.0, 0.5), (2.0, 0.5), (2.0, 1.5), (1.0, 1.5)]
AREA = 10.0 - 1.0


def alike(domain, area=AREA, bounds=((0, 0), (4, 3))):
    assert abs(domain.volume - area) < 1e-9 * area
    np.testing.assert_allclose(domain.bounds, bounds, atol=1e-9)
    inside = domain.contains([(0.5, 0.5), (1.5, 1.0), (3.9, 2.9), (2.0, 2.9)])
    assert inside.tolist() == [True, False, False, True]


def test_shapely_there_and_back():
    domain = tn.from_shapely(shapely.Polygon(CORNERS, [HOLE]), names=["floor", "right", "roof", "roof", "left"])
    alike(domain)
    assert set(domain.parts) >= {"floor", "right", "roof", "left"}
    assert abs(domain.measure("roof") - 2 * np.sqrt(5)) < 1e-12
    two = tn.from_shapely(shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)]))
    assert abs(two.volume - 2) < 1e-12
    with pytest.raises(GeometryError, match="A polygon is needed"):
        tn.from_shapely(shapely.LineString([(0, 0), (1, 1)]))
    with pytest.raises(GeometryError, match="5 outer edges, but 2 names"):
        tn.from_shapely(shapely.Polygon(CORNERS), names=["a", "b"])


def feature(polygon, **properties):
    return {"type": "Feature", "properties": properties, "geometry": shapely.geometry.mapping(polygon)}


def test_geojson(tmp_path):
    file = tmp_path / "plate.geojson"
    file.write_text(
        json.dumps({"type": "FeatureCollection", "features": [feature(shapely.Polygon(CORNERS, [HOLE]), name="plate")]})
    )
    domain = tn.read_domain(file)
    alike(domain)
    assert "plate" in domain.parts
    materials = [feature(shapely.box(0, 0, 1, 1), name="steel"), feature(shapely.box(1, 0, 2, 1), name="glass")]
    file.write_text(json.dumps({"type": "FeatureCollection", "features": materials}))
    pieces = tn.read_domain(file)
    assert isinstance(pieces, tn.Pieces)
    assert pieces.piece_names == ("steel", "glass")


def test_svg_paths_with_lines_curves_and_transforms(tmp_path):
    file = tmp_path / "part.svg"
    flipped = [(x, 3 - y) for x, y in CORNERS]
    outer = "M " + " L ".join(f"{x},{y}" for x, y in flipped) + " Z"
    file.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><g id="layer"><path id="rim" d="{outer}"/>'
        '<g transform="translate(1,1.5)"><rect id="slot" width="1" height="1"/></g></g></svg>'
    )
    domain = tn.read_domain(file)
    alike(domain)
    assert set(domain.parts) == {"rim", "slot"}
    file.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 4 4">'
        '<path id="disk" d="M -1.5 0 a 1.5 1.5 0 1 0 3 0 a1.5,1.5 0 1 0 -3 0 z"/><circle id="bore" r="0.5"/></svg>'
    )
    ring = tn.read_domain(file)
    assert set(ring.parts) == {"disk", "bore"}
    assert abs(ring.volume - np.pi * (1.5**2 - 0.5**2)) < 1e-9
    assert abs(ring.measure("disk") - 3 * np.pi) < 1e-9
    # A cubic that is a straight line, and a quadratic that is a parabola: areas are known.
    file.write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0 Q 1 -2 2 0 C 1.5 0 0.5 0 0 0"/></svg>')
    assert abs(tn.read_domain(file).volume - 4 / 3) < 1e-9


def pairs(*items):
    return "\n".join(f"{c}\n{v}" for c, v in items)


def dxf(*entities):
    return "\n".join(["0\nSECTION\n2\nENTITIES", *entities, "0\nENDSEC\n0\nEOF"]) + "\n"


def test_dxf_lines_in_layers_arcs_and_circles(tmp_path):
    file = tmp_path / "part.dxf"
    layers = ["floor", "right", "roof", "roof", "left"]
    lines = [
        pairs((0, "LINE"), (8, layer), (10, a[0]), (20, a[1]), (11, b[0]), (21, b[1]))
        for layer, a, b in zip(layers, CORNERS, CORNERS[1:] + CORNERS[:1], strict=True)
    ]
    hole = pairs((0, "LWPOLYLINE"), (8, "hole"), (90, 4), (70, 1), *(q for x, y in HOLE for q in ((10, x), (20, y))))
    file.write_text(dxf(lines[2], lines[0], hole, lines[4], lines[1], lines[3]))  # in no order
    domain = tn.read_domain(file)
    alike(domain)
    assert set(domain.parts) == {"floor", "right", "roof", "left", "hole"}
    # A slot: two straight sides and two half circles, by bulges of one; and a bore.
    slot = pairs(
        (0, "LWPOLYLINE"),
        (8, "slot"),
        (70, 1),
        (10, 0),
        (20, -1),
        (10, 2),
        (20, -1),
        (42, 1),
        (10, 2),
        (20, 1),
        (10, 0),
        (20, 1),
        (42, 1),
    )
    bore = pairs((0, "CIRCLE"), (8, "bore"), (10, 1), (20, 0), (40, 0.5))
    file.write_text(dxf(slot, bore))
    domain = tn.read_domain(file)
    assert abs(domain.volume - (4 + np.pi - np.pi / 4)) < 1e-9
    assert set(domain.parts) == {"slot", "bore"}
    file.write_text(dxf(*lines[:3]))
    with pytest.raises(GeometryError, match="is open"):
        tn.read_domain(file)


def test_gmsh_with_physical_names(tmp_path):
    meshio = pytest.importorskip("meshio")
    grid = np.array([(i, j, 0.0) for i in range(5) for j in range(3)], float)
    number = lambda i, j: 3 * i + j  # noqa: E731
    triangles = [t for i in range(4) for j in range(2)
                 for t in ((number(i, j), number(i + 1, j), number(i + 1, j + 1)),
                           (number(i, j), number(i + 1, j + 1), number(i, j + 1)))]  # fmt: skip
    floor = [(number(i, 0), number(i + 1, 0)) for i in range(4)]
    rest = [(number(i, 2), number(i + 1, 2)) for i in range(4)]
    rest += [(number(k, j), number(k, j + 1)) for k in (0, 4) for j in range(2)]
    tags = [np.full(len(floor), 1), np.full(len(rest), 2), np.full(len(triangles), 3)]
    mesh = meshio.Mesh(
        grid,
        [("line", floor), ("line", rest), ("triangle", triangles)],
        cell_data={"gmsh:physical": tags, "gmsh:geometrical": tags},
        field_data={"floor": np.array([1, 1]), "walls": np.array([2, 1]), "plate": np.array([3, 2])},
    )
    for version in ("gmsh22",):
        file = tmp_path / f"{version}.msh"
        mesh.write(file, file_format=version, binary=False)
        domain = tn.read_domain(file)
        assert set(domain.parts) == {"floor", "walls"}
        assert abs(domain.volume - 8) < 1e-12
        assert abs(domain.measure("floor") - 4) < 1e-12
        assert len(domain.vertices) == 4  # corners only


GMSH_4 = """$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
1 1 "floor"
1 2 "other walls"
2 3 "plate"
$EndPhysicalNames
$Entities
0 2 1 0
1 0 0 0 2 0 0 1 1 0
2 0 0 0 2 1 0 1 2 0
1 0 0 0 2 1 0 1 3 0
$EndEntities
$Nodes
1 4 1 4
2 1 0 4
1
2
3
4
0 0 0
2 0 0
2 1 0
0 1 0
$EndNodes
$Elements
3 6 1 6
1 1 1 1
1 1 2
1 2 1 3
2 2 3
3 3 4
4 4 1
2 1 2 2
5 1 2 3
6 1 3 4
$EndElements
"""


def test_gmsh_in_its_newer_format(tmp_path):
    pytest.importorskip("meshio")
    file = tmp_path / "plate.msh"
    file.write_text(GMSH_4)
    domain = tn.read_domain(file)
    assert set(domain.parts) == {"floor", "other walls"}
    assert abs(domain.volume - 2) < 1e-12
    assert abs(domain.measure("floor") - 2) < 1e-12
    assert abs(domain.measure("other walls") - 4) < 1e-12


def test_a_problem_on_a_drawing_is_solved(tmp_path):
    file = tmp_path / "ring.svg"
    file.write_text('<svg xmlns="http://www.w3.org/2000/svg"><circle id="rim" r="1"/><circle id="bore" r="0.5"/></svg>')
    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    conditions = [tn.on("rim", sp.Eq(u, 0)), tn.on("bore", sp.Eq(u, 1))]
    solution = tn.solve(tn.Problem(tn.read_domain(file), [sp.Eq(tn.laplacian(u), 0)], conditions))
    assert abs(solution.flux("rim") + 2 * np.pi / np.log(2)) < 1e-6


def test_what_is_wrong_with_a_file_is_said(tmp_path):
    (tmp_path / "part.svg").write_text("<svg></svg>")
    with pytest.raises(FileError, match=r"Did you mean '.*part\.svg'"):
        tn.read_domain(tmp_path / "prat.svg")
    with pytest.raises(GeometryError, match="no closed outline"):
        tn.read_domain(tmp_path / "part.svg")
    (tmp_path / "part.svg").write_text("no xml")
    with pytest.raises(FileError, match="is not an SVG file"):
        tn.read_domain(tmp_path / "part.svg")
    (tmp_path / "part.xyz").write_text("")
    with pytest.raises(FileError, match="not a kind of drawing"):
        tn.read_domain(tmp_path / "part.xyz")
    (tmp_path / "crossed.geojson").write_text(json.dumps(feature(shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]))))
    with pytest.raises(GeometryError, match="crosses"):
        tn.read_domain(tmp_path / "crossed.geojson")


def test_loose_lines_in_any_order_are_one_outline(tmp_path):
    n = 4000
    angles = 2 * np.pi * np.arange(n + 1) / n
    ends = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lines = ["0", "SECTION", "2", "ENTITIES"]
    for k in np.random.default_rng(0).permutation(n):
        a, b = (ends[k], ends[k + 1]) if k % 2 else (ends[k + 1], ends[k])
        lines += ["0", "LINE", "8", "0", "10", repr(float(a[0])), "20", repr(float(a[1]))]
        lines += ["11", repr(float(b[0])), "21", repr(float(b[1]))]
    (tmp_path / "a.dxf").write_text("\n".join([*lines, "0", "ENDSEC", "0", "EOF"]))
    assert tn.read_domain(tmp_path / "a.dxf").volume == pytest.approx(n / 2 * np.sin(2 * np.pi / n), rel=1e-9)


def drawn(tmp_path, shapes):
    (tmp_path / "a.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{shapes}</svg>')
    return tn.read_domain(tmp_path / "a.svg")


def rect(x, y, w, h, more=""):
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" {more}/>'


def test_five_thousand_rectangles_are_read_side_by_side_as_holes_and_across_each_other(tmp_path):
    import shapely

    grid = "".join(rect(2 * (k % 80), 2 * (k // 80), 1, 1) for k in range(5000))
    assert drawn(tmp_path, grid).volume == pytest.approx(5000)
    plate = drawn(tmp_path, rect(-1, -1, 161, 127) + grid)
    assert plate.volume == pytest.approx(161 * 127 - 5000)
    assert plate.contains([[1.5, -0.5], [0.5, -0.5]]).tolist() == [True, False]
    places = np.random.default_rng(2).uniform(0, 70, (5000, 2))
    whole = shapely.union_all([shapely.box(x, y, x + 1, y + 1) for x, y in places])
    found = drawn(tmp_path, "".join(rect(x, y, 1, 1) for x, y in places))
    assert found.volume == pytest.approx(whole.area, rel=1e-9)
    assert found.measure() == pytest.approx(whole.length, rel=1e-9)


def test_tabs_across_the_rim_are_cut_by_what_is_near(tmp_path, monkeypatch):
    """A tab is compared with the rim and not with the holes far away: four times as many take four times the work."""
    asked = []
    plain = tn.Polygon._inside
    monkeypatch.setattr(tn.Polygon, "_inside", lambda self, points, sign: asked.append(1) or plain(self, points, sign))
    work = []
    for rows in (10, 40):
        holes = "".join(rect(2 * k + 1, 2 * j + 1, 1, 0.5) for j in range(rows) for k in range(6))
        tabs = "".join(rect(12.5, 2 * j + 0.5, 1, 1) for j in range(rows))
        asked.clear()
        assert drawn(tmp_path, rect(0, 0, 13, 2 * rows) + holes + tabs).volume == pytest.approx(23.5 * rows)
        work.append(len(asked))
    assert work[1] <= 5 * work[0]


def test_rectangles_that_cross_keep_the_names_of_their_edges(tmp_path):
    crossed = drawn(tmp_path, rect(0, 0, 3, 1, 'id="bar"') + rect(1, -1, 1, 3, 'id="post"'))
    assert sorted(crossed.parts) == ["bar", "post"]
    assert crossed.measure("bar") == pytest.approx(6)
    assert crossed.measure("post") == pytest.approx(6)
    ring = "".join(rect(*r, f'id="{n}"') for n, r in {"a": (0, 0, 3, 1), "b": (0, 2, 3, 1), "c": (0, 0, 1, 3)}.items())
    ring = drawn(tmp_path, ring + rect(2, 0, 1, 3, 'id="d"'))
    assert ring.volume == pytest.approx(8)
    assert ring.measure() == pytest.approx(16)
    assert ring.measure("c") == pytest.approx(3 + 1)  # what is left of it outside, and inside


def test_rings_in_rings_and_holes_that_touch_the_rim(tmp_path):
    nest = drawn(tmp_path, "".join(rect(k, k, 100 - 2 * k, 100 - 2 * k) for k in range(40)))
    assert nest.volume == pytest.approx(sum((-1) ** k * (100 - 2 * k) ** 2 for k in range(40)))
    notched = drawn(tmp_path, rect(0, 0, 4, 4) + rect(0, 1, 1, 1))
    assert notched.volume == pytest.approx(15)
    assert notched.measure() == pytest.approx(18)
    overlapping = drawn(tmp_path, rect(0, 0, 9, 9) + rect(1, 1, 3, 3) + rect(2, 2, 3, 3))
    assert overlapping.volume == pytest.approx(81 - 14)


def test_drawings_that_would_take_long_are_refused_with_the_reason(tmp_path):
    circles = "".join(f'<circle cx="{0.01 * k}" cy="{0.01 * (k % 7)}" r="1"/>' for k in range(60))
    with pytest.raises(tn.errors.GeometryError, match="cross each other"):
        drawn(tmp_path, circles)
    with pytest.raises(tn.errors.GeometryError, match="which are holes"):
        drawn(tmp_path, "".join(rect(k, k, 4000 - 2 * k, 4000 - 2 * k) for k in range(2000)))
    named = "".join(rect(k % 30, k // 30, 1, 1, f'id="r{k}"') for k in range(500))
    with pytest.raises(tn.errors.GeometryError, match="pieces are not read"):
        drawn(tmp_path, named)
