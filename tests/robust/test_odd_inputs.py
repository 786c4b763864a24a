"""Odd tables, drawings, names, lists and tensors end as a result or as a message, and what would fill the memory is
refused with its size."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.arrays import check_room
from transnet.errors import FileError, TransnetError
from transnet.sections.simplices import cells_of
from transnet.tables import read_table

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
PROBLEM = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])


k, t = sp.symbols("k t")
PULLED = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), k)], [tn.on("boundary", sp.Eq(u, 0))])
v = tn.unknown("v", t)
DECAY = tn.Problem(tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(v, t), -v)], [tn.on("t=0", sp.Eq(v, 1))])


@pytest.fixture(scope="module")
def solution():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tn.solve(PROBLEM, neurons=20)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16"])
def test_tables_of_spreadsheets(tmp_path, encoding):
    (tmp_path / "a.csv").write_bytes("x,Länge °,u\n0.1,0.2,3\n".encode(encoding))
    assert read_table(tmp_path / "a.csv") == {"x": [0.1], "Länge °": [0.2], "u": [3]}


@pytest.mark.parametrize("raw", [b"\0" * 50, b'x,y\n"1,2\n' + b"9" * 200_000 + b",1\n", b"x,y\n1\n", b"\xff\xfe\x00"])
def test_what_is_no_table_is_refused(tmp_path, raw):
    (tmp_path / "a.csv").write_bytes(raw)
    with pytest.raises(FileError):
        read_table(tmp_path / "a.csv")


def test_a_parquet_bomb_is_refused_with_its_size(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    schema = pyarrow.schema([("x", pyarrow.float64())])
    zeros = pyarrow.table({"x": np.zeros(10**6)})
    with parquet.ParquetWriter(tmp_path / "a.parquet", schema, compression="zstd", use_dictionary=True) as writer:
        for _ in range(150):
            writer.write_table(zeros)
    assert (tmp_path / "a.parquet").stat().st_size < 10**6
    with pytest.raises(TransnetError, match="GB"):
        read_table(tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(b"PAR1" + b"\0" * 100)
    with pytest.raises(FileError, match="Parquet"):
        read_table(tmp_path / "b.parquet")


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.along((0, 0), (1, 1), points=10**9),
        lambda s: SQUARE.grid((10**6, 10**6)),
        lambda s: SQUARE.interior(10**9),
        lambda s: SQUARE.boundary("boundary", 10**9),
        lambda s: tn.solve(PROBLEM, neurons=20, points=tn.Points(interior=(10**6, 10**6))),
        lambda s: tn.solve(PROBLEM, neurons=20, points=tn.Points(boundary=10**10)),
        lambda s: tn.FeatureSpace.waves(2, 10**9),
        lambda s: tn.FeatureSpace.spectral(2, 10**9, 1.0),
        lambda s: tn.FeatureSpace.uniform(3, 10**9, 1.0),
        lambda s: tn.random_fields(2, 0.5, realisations=10**9),
        lambda s: tn.prepare(PULLED, neurons=20).solve_many({k: np.zeros(10**7)}),
        lambda s: tn.solve(DECAY, slabs=10**9),
        lambda s: check_room(3.0, 2**30, "This"),
    ],
)
def test_what_would_fill_the_memory_is_refused_with_its_size(solution, ask):
    with pytest.raises(TransnetError, match=r"would take .* GB"):
        ask(solution)


@pytest.mark.parametrize("long", [1e6, 1e9, 1e18])
def test_domains_far_longer_than_wide_are_drawn_with_as_many_points(long):
    strip = tn.Box(x=(0, 1), y=(0, long)) - tn.Disk(center=(0.5, 0.5), radius=0.1)
    cells = cells_of(strip, 20)
    assert 50 < len(cells.points) < 100_000
    assert np.ptp(cells.points[:, 1]) == pytest.approx(long, rel=0.1)


@pytest.mark.parametrize("engine", [None, tn.Streamed()])
def test_neurons_that_do_not_fit_are_refused_before_any_work(monkeypatch, engine):
    monkeypatch.setattr("transnet.drive.plan.Plan.shown", property(lambda self: pytest.fail("it was solved")))
    with pytest.raises(TransnetError, match="do not fit into memory"):
        tn.solve(PROBLEM, neurons=10**7, engine=engine)


def test_what_memory_does_not_hold_is_told_in_words():
    from transnet.calls import explained

    with pytest.raises(tn.errors.MemoryShortError, match="Unable to allocate"):
        explained(lambda: np.empty(2**59))()


def test_a_series_has_a_file_for_each_time_and_not_too_many(tmp_path):
    with pytest.raises(TransnetError, match="1 to 10000"):
        tn.solve(DECAY).export(tmp_path / "a.pvd", times=10**8)


def test_a_program_without_standard_error_solves(monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    assert tn.solve(PROBLEM).error < 1e-6


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
@pytest.mark.parametrize(("where", "code"), [("> /dev/full", 3), ("2>&-", 0), (">&-", 0)])
def test_a_command_whose_output_cannot_be_written_says_so(tmp_path, where, code):
    pytest.importorskip("typer")
    command = f"{sys.executable} -m transnet new a.toml {where}"
    ran = subprocess.run(command, shell=True, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert (ran.returncode, "Traceback" in ran.stderr) == (code, False)


def test_a_union_of_specks_far_apart_has_no_points_soon():
    specks = tn.Disk(radius=1e-6) | tn.Disk(center=(1e6, 0), radius=1e-6)
    with pytest.raises(TransnetError, match="extremely thin"):
        specks.interior(2000)


RAGGED = [[0, 0], [1]]


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s(RAGGED),
        lambda s: s.evaluate(u, RAGGED),
        lambda s: SQUARE.contains(RAGGED),
        lambda s: tn.data(u, RAGGED, [1, 2]),
        lambda s: tn.data(u, [[0, 0], [1, 1]], [[1], [2, 3]]),
        lambda s: tn.at(RAGGED, sp.Eq(u, 0)),
        lambda s: tn.Polygon([(0, 0), (1,), (0, 1)]),
        lambda s: s.along(RAGGED, [1, 1]),
        lambda s: s.compare((RAGGED, [1, 2])),
    ],
)
def test_ragged_lists_are_told(solution, call):
    with pytest.raises(TransnetError):
        call(solution)


class Tensor:
    """Like a tensor of torch that requires gradients: NumPy may not read it before it is detached."""

    def __init__(self, values):
        self.values = np.asarray(values, float)

    def __array__(self, *_, **__):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def __len__(self):
        return len(self.values)

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.values


def test_tensors_that_require_gradients_are_read(solution):
    points = np.array([[0.1, 0.2], [0.3, 0.4]])
    tensor, values = Tensor(points), Tensor([1, 2])
    assert np.array_equal(solution(tensor), solution(points))
    assert SQUARE.contains(tensor).all()
    assert np.array_equal(tn.data(u, tensor, values).values, [1, 2])
    assert np.array_equal(tn.at(tensor, sp.Eq(u, 0)).points, points)
    assert solution.compare((tensor, values)).norm > 0
    assert len(solution.along(Tensor([0, 0]), Tensor([1, 1]))) == 201
    pulled = tn.solve(PULLED, neurons=20, parameters={k: Tensor(2.0)})
    assert np.array_equal(pulled(points), tn.solve(PULLED, neurons=20, parameters={k: 2.0})(points))
    weight = tn.given("w", lambda x, y: Tensor(1 + 0 * x), x, y)
    given = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), weight)], [tn.on("boundary", sp.Eq(u, 0))])
    assert np.array_equal(tn.solve(given, neurons=20)(points), solution(points))


@pytest.mark.parametrize("value", [sp.O(x), sp.AccumBounds(0, 1), sp.MatrixSymbol("A", 2, 2)])
def test_what_has_no_values_is_told(value):
    with pytest.raises(TransnetError):
        tn.solve(tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), value)], [tn.on("boundary", sp.Eq(u, 0))]), neurons=20)


@pytest.mark.parametrize(
    "names", [("less", "select"), ("logical_and", "amax"), ("x", "𝑥"), ("µ", "μ"), ("lambda", "n")]
)
def test_coordinates_may_be_called_like_anything(names):
    first, second = map(sp.Symbol, names)
    shape = tn.LevelSet(sp.Max(first**2 + second**2 - 1, -first), **dict.fromkeys(names, (-2, 2)))
    assert abs(shape.volume - np.pi / 2) < 1e-4
    v = tn.unknown("v", first, second)
    load = sp.Piecewise((1, (first > 0.5) & (second < 0.3)), (2, True)) * sp.Max(first, second)
    stated = tn.Problem(
        tn.Box(**dict.fromkeys(names, (0, 1))), [sp.Eq(tn.laplacian(v), load)], [tn.on("boundary", sp.Eq(v, first))]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isfinite(tn.solve(stated, neurons=20)([[0.2, 0.3]])).all()


@pytest.mark.parametrize(
    ("formula", "area"),
    [
        (sp.Abs(x) + sp.Abs(y) - 1, 2),
        (sp.Max(sp.Abs(x), sp.Abs(y)) - 1, 4),
        (sp.Min(x**2 + y**2 - 1, (x - 1) ** 2 + y**2 - 1), 4 * np.pi / 3 + np.sqrt(3) / 2),
    ],
)
def test_level_sets_with_kinks(formula, area):
    shape = tn.LevelSet(formula, x=(-3, 3), y=(-3, 3))
    assert abs(shape.volume - area) < 1e-3
    assert shape.contains(shape.interior(50)).all()


def test_a_zero_solution_by_picard():
    stated = tn.Problem(
        SQUARE, [sp.Eq(tn.laplacian(u) + tn.lagged(u) * sp.diff(u, x), 0)], [tn.on("boundary", sp.Eq(u, 0))]
    )
    found = tn.solve(stated, neurons=30)
    assert found.status == "converged"
    assert np.abs(found([[0.3, 0.4]])).max() == 0


NUMBERS = ("nan", "inf", "1e999", "1e308", "", "0x10", "--1", "1,2")


def test_an_outline_that_folds_back_is_told(tmp_path):
    (tmp_path / "a.svg").write_text(
        '<svg viewBox="0 0 --1 nan"><rect x="0.3" width="-1" height="0.3" transform="scale(1e5)"/><circle cx="0" '
        'r="1e-308"/><path d="M 0 0 L 1,2 1 A 1e5 1 0 0 1 3 3 C 1 --1 2 2 3 0.3 z"/></svg>'
    )
    with pytest.raises(TransnetError):
        tn.read_domain(tmp_path / "a.svg")


@pytest.mark.parametrize("number", NUMBERS)
def test_odd_numbers_of_drawings(tmp_path, number):
    circle = ["0", "CIRCLE", "8", "0", "10", number, "20", "0", "40", number]
    polyline = ["0", "LWPOLYLINE", "70", number, "10", "0", "20", "0", "42", number, "10", "1", "20", number]
    arc = ["0", "ARC", "10", "0", "20", "0", "40", "1", "50", number, "51", "180"]
    line = ["0", "LINE", "10", "-1", "20", "0", "11", "1", "21", number]
    for entity in (circle, polyline, arc + line):
        (tmp_path / "a.dxf").write_text(
            "\n".join(["0", "SECTION", "2", "ENTITIES", *entity, "0", "ENDSEC", "0", "EOF"])
        )
        with pytest.raises(TransnetError):
            tn.read_domain(tmp_path / "a.dxf")
    for shape in (
        f'<circle cx="{number}" cy="0" r="{number}"/>',
        f'<path d="M 0 0 L 1 1 A 1e999 1 0 0 1 3 3 C 1 {number} 2 2 3 1e999 z"/>',
        f'<path d="M 0 0 L {number} 1 A {number} 1 0 0 1 3 3 C 1 {number} 2 2 3 {number} z"/>',
        f'<rect width="{number}" height="1" transform="scale({number})"/>',
    ):
        (tmp_path / "a.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{shape}</svg>')
        with contextlib.suppress(TransnetError):
            assert np.isfinite(tn.read_domain(tmp_path / "a.svg").volume)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "a\ud800"])
def test_names_that_no_file_can_have(solution, tmp_path, name):
    for call in (tn.load, tn.read_problem, tn.read_domain, tn.FeatureSpace.load, read_table, solution.save):
        with pytest.raises(TransnetError):
            call(f"{tmp_path}/{name}.csv")
    with pytest.raises(TransnetError):
        tn.write_problem(PROBLEM, f"{tmp_path}/{name}.toml")
