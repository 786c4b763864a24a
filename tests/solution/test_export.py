"""What is exported is read back by other programs."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import FileError, ProblemError

meshio = pytest.importorskip("meshio")
x, y, z, t = sp.symbols("x y z t")


def solved(domain, *coordinates, neurons=80):
    u = tn.unknown("u", *coordinates)
    exact = sum((k + 1) * c for k, c in enumerate(coordinates)) + 1
    problem = tn.Problem(domain, [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, exact))])
    return tn.solve(problem, neurons=neurons), u


@pytest.fixture(scope="module")
def ring():
    return solved(tn.Disk() - tn.Disk(radius=0.5), x, y)


@pytest.mark.parametrize(
    ("domain", "coordinates", "kind"),
    [
        (tn.Interval(x=(0, 1)), (x,), "line"),
        (tn.Disk() - tn.Disk(radius=0.5), (x, y), "triangle"),
        (tn.Ball(), (x, y, z), "tetra"),
        (tn.Disk() * tn.Interval(z=(0, 1)), (x, y, z), "tetra"),
    ],
    ids=str,
)
def test_vtu_is_read_by_meshio(domain, coordinates, kind, tmp_path):
    solution, _ = solved(domain, *coordinates, neurons=(15, 60, 200)[len(coordinates) - 1])
    path = solution.export(tmp_path / "out.vtu", resolution=20 if len(coordinates) < 3 else 8)
    mesh = meshio.read(path)
    assert [block.type for block in mesh.cells] == [kind]
    points = mesh.points[:, : len(coordinates)]
    assert domain.contains(points).all()
    np.testing.assert_array_equal(mesh.point_data["u"], solution(points))
    corners = points[mesh.cells[0].data]
    measure = np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])).sum() / (1, 2, 6)[len(coordinates) - 1]
    assert abs(measure / domain.volume - 1) < 0.05


def test_several_fields_with_awkward_names(ring, tmp_path):
    solution, u = ring
    expression = sp.diff(u, x) * sp.Symbol("x") < 3
    path = solution.export(tmp_path / "out.vtu", ["u", sp.diff(u, x) + y], resolution=15)
    mesh = meshio.read(path)
    (name,) = set(mesh.point_data) - {"u"}
    assert "y" in name
    np.testing.assert_allclose(mesh.point_data[name], 1 + mesh.points[:, 1], atol=1e-3)
    assert expression is not None


def test_a_series_in_time(tmp_path):
    u = tn.unknown("u", x, y, t)
    domain = tn.Disk() * tn.Interval(t=(0, 2))
    problem = tn.Problem(
        domain, [sp.Eq(sp.diff(u, t), tn.laplacian(u))], [tn.on("sides", sp.Eq(u, x)), tn.on("t=0", sp.Eq(u, x))]
    )
    solution = tn.solve(problem, neurons=60)
    path = solution.export(tmp_path / "heat.pvd", times=[0, 0.5, 2], resolution=10)
    sets = ElementTree.parse(path).getroot().findall("Collection/DataSet")
    assert [float(s.get("timestep")) for s in sets] == [0, 0.5, 2]
    for entry, moment in zip(sets, (0, 0.5, 2), strict=True):
        mesh = meshio.read(path.parent / entry.get("file"))
        assert mesh.cells[0].type == "triangle"
        where = np.column_stack([mesh.points[:, :2], np.full(len(mesh.points), moment)])
        np.testing.assert_array_equal(mesh.point_data["u"], solution(where))
    snapshot = meshio.read(solution.export(tmp_path / "end.vtu", t=2, resolution=10))
    assert snapshot.cells[0].type == "triangle"
    with pytest.raises(ProblemError, match="between"):
        solution.export(tmp_path / "heat.pvd", times=[3])


def test_csv(ring, tmp_path):
    solution, _ = ring
    path = solution.export(tmp_path / "out.csv", resolution=15)
    table = np.genfromtxt(path, delimiter=",", names=True)
    assert table.dtype.names == ("x", "y", "u")
    points = np.column_stack([table["x"], table["y"]])
    np.testing.assert_array_equal(solution(points), table["u"])


def test_arrays_on_a_grid(ring, tmp_path):
    solution, _ = ring
    with np.load(solution.export(tmp_path / "grid.npz", resolution=21)) as grid:
        assert grid["u"].shape == (21, 21)
        assert np.isnan(grid["u"][10, 10])
        assert np.isnan(grid["u"][0, 0])
        value = solution(x=grid["x"][10], y=grid["y"][19])
        np.testing.assert_allclose(grid["u"][10, 19], value, rtol=1e-12)


def test_netcdf(ring, tmp_path):
    from scipy.io import netcdf_file

    solution, _ = ring
    path = solution.export(tmp_path / "grid.nc", resolution=11)
    with netcdf_file(path, "r", mmap=False) as file:
        assert file.variables["u"].dimensions == ("x", "y")
        value = file.variables["u"][:][5, 10]
        np.testing.assert_allclose(value, solution(x=0.0, y=1.0), rtol=1e-12)


def test_xarray(ring):
    pytest.importorskip("xarray")
    solution, _ = ring
    data = solution.to_xarray(resolution=11)
    assert data["u"].dims == ("x", "y")
    np.testing.assert_allclose(float(data["u"].sel(x=0.0, y=1.0)), solution(x=0.0, y=1.0), rtol=1e-12)


def test_wrong_requests(ring, tmp_path):
    solution, _ = ring
    with pytest.raises(FileError, match="kind of file"):
        solution.export(tmp_path / "out.docx")
    with pytest.raises(FileError, match="cannot be written"):
        solution.export(tmp_path / "nowhere" / "out.vtu", resolution=8)
    with pytest.raises(ProblemError, match="series in time"):
        solution.export(tmp_path / "out.pvd")
    with pytest.raises(ProblemError, match="neither an option"):
        solution.export(tmp_path / "out.vtu", z=1)


def test_a_zarr_store_is_read_by_xarray(ring, tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("zarr")
    path = ring[0].export(tmp_path / "ring.zarr", resolution=11)
    again = xarray.open_zarr(path)
    assert again.sizes == {"x": 11, "y": 11}


def test_a_comparison_reads_what_was_exported(ring, tmp_path):
    solution, _ = ring
    pytest.importorskip("meshio")
    for name in ("ring.vtu", "ring.csv"):
        assert solution.compare(solution.export(tmp_path / name, resolution=12)).relative < 1e-12


def test_a_table_of_parquet_is_matched_by_name(ring, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    solution, _ = ring
    points = solution.problem.domain.interior(20)
    table = pyarrow.table({"u": solution(points), "y": points[:, 1], "x": points[:, 0]})
    parquet.write_table(table, tmp_path / "ring.parquet")
    assert solution.compare(tmp_path / "ring.parquet").relative < 1e-14


def test_a_series_is_read_by_pyvista(tmp_path):
    pyvista = pytest.importorskip("pyvista")
    u = tn.unknown("u", x, y, t)
    domain = tn.Disk() * tn.Interval(t=(0, 1))
    held = [tn.on("sides", sp.Eq(u, x)), tn.on("t=0", sp.Eq(u, x))]
    solution = tn.solve(tn.Problem(domain, [sp.Eq(sp.diff(u, t), tn.laplacian(u))], held), neurons=40)
    reader = pyvista.get_reader(solution.export(tmp_path / "heat.pvd", times=[0, 0.5, 1], resolution=10))
    assert list(reader.time_values) == [0, 0.5, 1]
    reader.set_active_time_value(0.5)
    mesh = reader.read()[0]
    values = solution(x=mesh.points[:, 0], y=mesh.points[:, 1], t=0.5)
    np.testing.assert_allclose(mesh["u"], values, atol=1e-12)
