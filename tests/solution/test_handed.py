"""Solutions and prepared problems as the objects of other libraries."""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
EXACT = sp.exp(x) * sp.sin(y)
PLACES = np.array([[0.2, 0.3], [-0.5, 0.1], [0.0, 0.0]])
VALUES = np.exp(PLACES[:, 0]) * np.sin(PLACES[:, 1])


@pytest.fixture(scope="module")
def solution():
    problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, EXACT))])
    return tn.solve(problem)


# -- arrays in, the same kind out --------------------------------------------------------------------------------------
def test_tensors_give_tensors_of_their_precision(solution):
    torch = pytest.importorskip("torch")
    for kind in (torch.float32, torch.float64):
        points = torch.tensor(PLACES, dtype=kind, requires_grad=True)
        for found in (solution(points), solution["u"](points), solution(x=points[:, 0], y=points[:, 1])):
            assert found.dtype == kind
            np.testing.assert_allclose(found.numpy(), VALUES, atol=1e-6)
    slope = solution.evaluate(sp.diff(u, x), torch.tensor(PLACES))
    np.testing.assert_allclose(slope.numpy(), VALUES, atol=1e-7)


class Strict:
    """An array of another library with the names of the array API, as JAX has them."""

    def __init__(self, values, dtype=None):
        self.held = np.asarray(values, dtype)
        self.dtype = self.held.dtype

    def __array__(self, dtype=None, copy=None):
        return self.held.astype(dtype) if dtype else self.held

    def __array_namespace__(self):
        return SimpleNamespace(asarray=Strict)


def test_arrays_of_jax_give_arrays_of_jax(solution):
    jax = pytest.importorskip("jax")
    points = jax.numpy.asarray(PLACES)
    for found in (solution(points), solution["u"](points), solution.evaluate(sp.diff(u, x), points)):
        assert isinstance(found, jax.Array)
        assert found.dtype == points.dtype
        np.testing.assert_allclose(np.asarray(found), VALUES, atol=1e-6)


def test_arrays_of_the_array_api_give_such_arrays(solution):
    found = solution(Strict(PLACES, np.float32))
    assert isinstance(found, Strict)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.held, VALUES, atol=1e-6)
    assert isinstance(solution(PLACES), np.ndarray)
    assert isinstance(solution(np.float64(0.1), 0.2), np.ndarray | float)


def test_a_solution_is_called_like_an_interpolant_of_scipy(solution):
    a, b = np.meshgrid([-0.2, 0.1], [0.3, 0.4, 0.5], indexing="ij")
    np.testing.assert_allclose(solution((a, b)), np.exp(a) * np.sin(b), atol=1e-8)
    np.testing.assert_allclose(solution(np.stack([a, b], axis=-1)), np.exp(a) * np.sin(b), atol=1e-8)
    pair = (np.array([0.2, -0.5]), np.array([0.3, 0.1]))
    np.testing.assert_allclose(solution(pair), VALUES[:2], atol=1e-8)
    np.testing.assert_allclose(solution(((0.2, 0.3), (-0.5, 0.1))), VALUES[:2], atol=1e-8)


def test_arrays_of_xarray_are_broadcast_by_their_dimensions(solution):
    xarray = pytest.importorskip("xarray")
    a = xarray.DataArray(np.linspace(-0.5, 0.5, 4), dims="x", coords={"x": np.linspace(-0.5, 0.5, 4)})
    b = xarray.DataArray([0.1, 0.2, 0.3], dims="y")
    found = solution(x=a, y=b)
    assert found.dims == ("x", "y")
    np.testing.assert_allclose(found, np.exp(a) * np.sin(b), atol=1e-8)
    assert found.sel(x=0.5).shape == (3,)
    np.testing.assert_allclose(solution(x=a, y=0.2), np.exp(a) * np.sin(0.2), atol=1e-8)


# -- frames ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_go_out_and_come_in(solution, library):
    pytest.importorskip(library)
    frame = solution.to_frame([u, sp.diff(u, y)], library=library, resolution=8)
    assert list(frame.columns)[:3] == ["x", "y", "u"]
    assert len(frame) > 20
    np.testing.assert_array_equal(solution(frame), np.asarray(frame["u"]))


def test_other_frames_are_refused(solution):
    with pytest.raises(ProblemError, match="pandas"):
        solution.to_frame(library="os")


# -- meshes ------------------------------------------------------------------------------------------------------------
def test_meshes_cover_the_disk_and_carry_the_values(solution):
    pytest.importorskip("meshio")
    mesh = solution.to_meshio(resolution=40)
    corners = mesh.points[mesh.cells_dict["triangle"]]
    (a, b), (c, d) = np.moveaxis(corners[:, 1:] - corners[:, :1], 0, -1)
    assert abs(np.abs(a * d - b * c).sum() / 2 - np.pi) < 0.02
    np.testing.assert_allclose(mesh.point_data["u"], np.exp(mesh.points[:, 0]) * np.sin(mesh.points[:, 1]), atol=1e-7)


def test_grids_of_pyvista_are_made_of_the_same_cells(solution, monkeypatch):
    made = []

    def grid(cells, points):
        made.append((cells, points))
        return SimpleNamespace(point_data={})

    real = importlib.import_module
    fake = SimpleNamespace(UnstructuredGrid=grid)
    monkeypatch.setattr(
        "transnet.solution.handed.import_module", lambda name: fake if name == "pyvista" else real(name)
    )
    found = solution.to_pyvista(resolution=10)
    ((cells, points),) = made
    assert list(cells) == [5]  # VTK's triangles
    assert points.shape == (len(found.point_data["u"]), 3)
    assert cells[5].max() == len(points) - 1


# -- linear operators and parameters -----------------------------------------------------------------------------------
def test_a_prepared_problem_is_a_linear_operator_of_scipy():
    from scipy.sparse.linalg import LinearOperator, lsqr

    problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, 0))])
    prepared = tn.prepare(problem, neurons=200)
    green = prepared.linear_operator(PLACES)
    assert isinstance(green, LinearOperator)
    statements = list(prepared.points.values())
    assert green.shape == (3, sum(map(len, statements)))
    inside, rim = statements
    right = np.concatenate([np.zeros(len(inside)), np.exp(rim[:, 0]) * np.sin(rim[:, 1])])
    np.testing.assert_allclose(green @ right, VALUES, atol=1e-6)
    # It is linear, its transpose is its transpose, and iterations of SciPy accept it.
    other, weights = np.concatenate([np.cos(inside[:, 0]), rim[:, 0] ** 3]), np.array([1.0, 2.0, -1.0])
    np.testing.assert_allclose(green @ (2 * other + right), 2 * (green @ other) + green @ right, rtol=1e-10)
    assert weights @ (green @ other) == pytest.approx((green.T @ weights) @ other, rel=1e-3)
    found = lsqr(green, VALUES)[0]
    np.testing.assert_allclose(green @ found, VALUES, atol=1e-3)


def test_what_a_solver_was_made_with_makes_it_again():
    solver = tn.TransNet(neurons=70, seed=3)
    again = tn.TransNet(**solver.get_params())
    assert again == solver
    assert again.get_params()["neurons"] == 70


# -- xarray's accessor -------------------------------------------------------------------------------------------------
def test_a_grid_of_xarray_samples_a_solution_by_the_names_of_its_coordinates(solution):
    xarray = pytest.importorskip("xarray")
    importlib.import_module("transnet.xarray")
    a, b = np.linspace(-0.5, 0.5, 3), np.linspace(-0.2, 0.6, 4)
    grid = xarray.Dataset(coords={"y": b, "x": a, "run": 7})
    truth = np.exp(a)[:, None] * np.sin(b)[None]
    found = grid.transnet(solution)
    assert found.name == "u"
    np.testing.assert_allclose(found.transpose("x", "y"), truth, atol=1e-8)
    np.testing.assert_allclose(grid.transnet(solution, sp.diff(u, x)).transpose("x", "y"), truth, atol=1e-6)
    measured = xarray.DataArray(truth + 0.25, dims=("x", "y"), coords={"x": a, "y": b})
    np.testing.assert_allclose(measured.transnet.difference(solution), 0.25, atol=1e-8)
    with pytest.raises(ProblemError, match="no coordinate 'y'"):
        xarray.Dataset(coords={"x": a}).transnet(solution)


def test_a_system_on_a_grid_of_xarray_is_a_dataset():
    xarray = pytest.importorskip("xarray")
    importlib.import_module("transnet.xarray")
    v = tn.unknown("v", x, y)
    equations = [sp.Eq(tn.laplacian(u), 0), sp.Eq(tn.laplacian(v), 0)]
    conditions = [tn.on("boundary", sp.Eq(u, x)), tn.on("boundary", sp.Eq(v, y))]
    pair = tn.solve(tn.Problem(tn.Disk(radius=1), equations, conditions))
    found = xarray.Dataset(coords={"x": [0.1, 0.2], "y": [0.3]}).transnet(pair)
    np.testing.assert_allclose(found.v.transpose("x", "y"), [[0.3], [0.3]], atol=1e-8)


# -- scikit-learn's words ----------------------------------------------------------------------------------------------
def test_a_prepared_problem_is_made_again_from_its_parameters():
    k = sp.Symbol("k")
    problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(tn.laplacian(u), k)], [tn.on("boundary", u)])
    prepared = tn.prepare(problem, neurons=60, seed=3)
    stated = prepared.get_params(deep=False)
    assert (stated["neurons"], stated["seed"], stated["problem"]) == (60, 3, problem)
    again = tn.prepare(**{**stated, "seed": 4})
    assert again.get_params()["seed"] == 4
    same = tn.prepare(**stated)
    np.testing.assert_array_equal(same.solve({k: 2})(PLACES), prepared.solve({k: 2})(PLACES))
