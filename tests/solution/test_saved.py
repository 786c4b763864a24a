"""What is saved comes back: the same numbers, the same problem; damaged and newer files are refused."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet import archive
from transnet.errors import FileError, ProblemError

x, y, t, z, s = sp.symbols("x y t z s")
nu = sp.Symbol("nu", positive=True)
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)


def poisson(domain):
    exact = sp.sin(x) * sp.exp(y)
    return tn.Problem(domain, [sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y))], [tn.on("boundary", sp.Eq(u, exact))])


@pytest.fixture(scope="module")
def disk():
    return tn.solve(poisson(tn.Disk() - tn.Disk((0.2, 0), 0.3, name="hole")), neurons=120)


def same(first, second, points):
    np.testing.assert_array_equal(first(points), second(points))


def test_values_derivatives_and_diagnostics(disk, tmp_path):
    again = tn.load(disk.save(tmp_path / "disk"))
    points = disk.problem.domain.interior(100)
    same(disk, again, points)
    for expression in (sp.diff(u, x, 2) * u, sp.diff(u, y)):
        np.testing.assert_array_equal(disk.evaluate(expression, points), again.evaluate(expression, points))
    np.testing.assert_array_equal(disk.points, again.points)
    assert again.report() == disk.report()
    assert repr(again) == repr(disk)
    assert repr(again.problem) == repr(disk.problem)
    first, second = disk.residual_values(), again.residual_values()
    assert first.keys() == second.keys()
    for key in first:
        np.testing.assert_allclose(first[key], second[key], atol=1e-12)
    same(again, tn.load(again.save(tmp_path / "again.npz")), points)


def test_every_kind_of_condition_comes_back(tmp_path):
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)),
        [sp.Eq(tn.laplacian(u) + nu * v, sp.Piecewise((x, y < sp.Rational(1, 2)), (0, True))), tn.laplacian(v) - u],
        [
            tn.on("top", sp.Eq(u, 1), sp.Eq(v, nu), weight=20.0),
            tn.on("bottom", sp.Eq(tn.normal_derivative(u), 0), v, where=(x > 0.25) | (x < 0.1)),
            tn.periodic(x, u),
            tn.at([(0.5, 0.5)], sp.Eq(u, 2)),
            tn.data(sp.diff(u, x), [(0.1, 0.2), (0.3, 0.4)], [1.0, 2.0], weight=0.5),
            tn.mean(v, nu / 3),
        ],
    )
    with pytest.warns(tn.errors.TransnetWarning):  # it is meant to be read, not to be solved
        solution = tn.solve(problem, neurons=30, parameters={nu: 0.25})
    again = tn.load(solution.save(tmp_path / "all.npz"))
    assert repr(again.problem) == repr(problem)
    assert again.problem.equations == problem.equations[:1] or len(again.problem.equations) == 2
    for old, new in zip(problem.conditions, again.problem.conditions, strict=True):
        assert type(old) is type(new)
        assert old.weight == new.weight
    assert again.problem.conditions[1].where == problem.conditions[1].where
    assert again.parameters == {nu: 0.25}
    points = problem.domain.interior(50)
    same(solution, again, points)
    for key, value in solution.residual_values().items():
        np.testing.assert_allclose(again.residual_values()[key], value, rtol=1e-9, atol=1e-9)


def test_symbols_match_by_name_whatever_their_assumptions(disk, tmp_path):
    again = tn.load(disk.save(tmp_path / "disk"))
    a, b = sp.symbols("x y", real=True)
    points = disk.problem.domain.interior(10)
    plain = disk.evaluate(x * sp.diff(u, x), points)
    np.testing.assert_array_equal(again.evaluate(a * sp.diff(tn.unknown("u", a, b), a), points), plain)


def test_a_problem_with_code_is_left_out_and_says_so(tmp_path):
    source = tn.given("source", lambda x, y: np.cos(x * y), x, y)
    problem = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), source)], [tn.on("boundary", u)])
    solution = tn.solve(problem, neurons=80)
    again = tn.load(solution.save(tmp_path / "given.npz"))
    points = problem.domain.interior(30)
    same(solution, again, points)
    np.testing.assert_array_equal(again.evaluate(sp.diff(u, x), points), solution.evaluate(sp.diff(u, x), points))
    assert "source" in repr(again.problem)
    with pytest.raises(ProblemError, match=r"not stored.*source"):
        again.residual_values()
    assert again.problem.domain.contains([[0.0, 0.0]]).all()
    again.report()


def test_a_domain_with_code_is_left_out_and_says_so(tmp_path):
    curve = tn.Curve((np.cos, np.sin), (0, 2 * np.pi))
    solution = tn.solve(poisson(tn.Region(curve)), neurons=60)
    again = tn.load(solution.save(tmp_path / "curve.npz"))
    same(solution, again, solution.points)
    np.testing.assert_array_equal(again.points, solution.points)
    with pytest.raises(ProblemError, match="not stored"):
        again.plot()
    assert "Region" in again.report()
    assert "<table>" in again._repr_html_()


def test_a_mesh_is_stored_as_arrays(tmp_path):
    w = tn.unknown("u", x, y, z)
    corners = np.array([(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)], dtype=float)
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6),
             (0, 6, 4), (1, 5, 7), (1, 7, 3)]  # fmt: skip
    problem = tn.Problem(tn.Mesh(corners, faces), [tn.laplacian(w)], [tn.on("boundary", sp.Eq(w, x + y * z))])
    solution = tn.solve(problem, neurons=60)
    again = tn.load(solution.save(tmp_path / "mesh.npz"))
    same(solution, again, again.problem.domain.interior(20))


def test_no_pickle_inside(disk, tmp_path):
    path = disk.save(tmp_path / "disk")
    with np.load(path, allow_pickle=False) as stored:
        assert all(stored[name].dtype.kind in "fiuU" for name in stored.files)


# -- what is not a solution ------------------------------------------------------------------------------------------
def changed(path, target, **changes):
    with np.load(path) as stored:
        arrays = {n: stored[n] for n in stored.files}
    meta = json.loads(bytes(arrays["meta"]))
    for key, value in changes.items():
        if key.startswith("meta_"):
            meta[key[5:]] = value
        elif value is None:
            del arrays[key]
        else:
            arrays[key] = np.asarray(value)
    arrays["meta"] = np.frombuffer(json.dumps(meta).encode(), np.uint8) if "meta" in arrays else np.zeros(1)
    kind, version = arrays.pop("format"), arrays.pop("version")
    del arrays["contents"]
    archive.write(target, kind, version, arrays)
    return target


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": 99}, "newer version"),
        ({"version": "one"}, "damaged"),
        ({"format": "transnet.FeatureSpace"}, "does not hold a solution"),
        ({"coefficients": None}, "damaged"),
        ({"coefficients": np.full(121, np.nan)}, "damaged.*finite"),
        ({"coefficients": np.zeros(7)}, "damaged.*sizes"),
        ({"basis_weights_0": np.zeros((120, 3))}, "damaged"),
        ({"meta_unknowns": ["w"]}, "damaged"),
        ({"meta_basis": {"kind": "network", "spaces": [["__import__", 1.0]], "space_of": [0]}}, "damaged"),
        ({"meta_basis": {"kind": "os"}}, "damaged.*kind"),
        ({"meta_problem": {"domain": {"text": "__import__('os')"}, "equations": [], "conditions": []}}, "damaged"),
        ({"meta_problem": {"domain": {"text": "Disk()"}, "equations": ["9**9**9**9 = u"], "conditions": []}}, "expon"),
        ({"meta_diagnostics": 3}, "damaged"),
    ],
)
def test_refused(disk, tmp_path, changes, words):
    path = disk.save(tmp_path / "good")
    with pytest.raises(FileError, match=words):
        tn.load(changed(path, tmp_path / "bad.npz", **changes))


def test_damage_at_every_place_is_noticed(disk, tmp_path):
    data = disk.save(tmp_path / "good").read_bytes()
    bad = tmp_path / "bad.npz"
    for cut in (0, 10, len(data) // 2, len(data) - 1):
        bad.write_bytes(data[:cut])
        with pytest.raises(FileError):
            tn.load(bad)
    rng = np.random.default_rng(0)
    with zipfile.ZipFile(tmp_path / "good.npz") as stored:
        offsets = [m.header_offset + 200 for m in stored.infolist() if m.file_size > 400]
    for offset in rng.choice(offsets, 4):
        bad.write_bytes(data[:offset] + bytes([data[offset] ^ 0xFF]) + data[offset + 1 :])
        with pytest.raises(FileError):
            tn.load(bad)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(FileError, match="no file"):
        tn.load(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(FileError, match="damaged or not"):
        tn.load(tmp_path / "text.npz")
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(FileError, match="damaged or not"):
        tn.load(tmp_path / "array.npy")
    np.savez(tmp_path / "pickle.npz", format=np.array([{}], dtype=object))
    with pytest.raises(FileError, match="damaged or not"):
        tn.load(tmp_path / "pickle.npz")


def test_a_failed_save_leaves_the_old_file(disk, tmp_path, monkeypatch):
    path = disk.save(tmp_path / "disk")
    before = path.read_bytes()

    def fail(file, **arrays):
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(KeyboardInterrupt):
        disk.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["disk.npz"]
