"""Files: whole or not there, and refused when they are not what was written."""

import errno
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import CannotWriteError, FileError
from transnet.language.stored_problem import alike

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


@pytest.fixture(scope="module")
def solution():
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), sp.exp(x))], [tn.on("boundary", sp.Eq(u, y))])
    return tn.solve(problem, neurons=40)


@pytest.fixture(scope="module")
def moving():
    w = tn.unknown("w", x, t)
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
    stated = [tn.on("sides", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x)))]
    return tn.solve(tn.Problem(domain, [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))], stated), neurons=150)


# -- reading ---------------------------------------------------------------------------------------------------------
def test_every_edit_is_refused_or_changes_nothing(solution, tmp_path):
    data = solution.save(tmp_path / "good").read_bytes()
    points = np.array([[0.3, 0.4], [0.8, 0.1]])
    expected = solution(points)
    rng = np.random.default_rng(0)
    bad = tmp_path / "bad.npz"
    refused = 0
    for _ in range(400):
        at, kind = int(rng.integers(len(data))), rng.integers(4)
        some = rng.integers(0, 256, int(rng.integers(1, 9)), dtype=np.uint8).tobytes()
        edited = [
            data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :],
            data[:at] + some + data[at:],
            data[:at] + data[at + len(some) :],
            data[:at] + some + data[at + len(some) :],
        ][kind]
        bad.write_bytes(edited)
        try:
            found = tn.load(bad)
        except FileError:
            refused += 1
        else:
            np.testing.assert_array_equal(found(points), expected)
    assert refused > 300


def rewritten(path, target, change, compression=zipfile.ZIP_STORED):
    """A new archive with some members changed."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", compression) as new:
        members = {info.filename: old.read(info) for info in old.infolist()}
        for name, content in change(members).items():
            new.writestr(name, content)
    return target


def test_values_that_were_changed_with_care_are_refused(solution, tmp_path):
    path = solution.save(tmp_path / "good")

    def other_values(members):
        array = bytearray(members["coefficients.npy"])
        array[-3] ^= 1
        return members | {"coefficients.npy": bytes(array)}

    with pytest.raises(FileError, match="changed after it was written"):
        tn.load(rewritten(path, tmp_path / "values.npz", other_values))
    with pytest.raises(FileError, match="changed after it was written"):
        tn.load(rewritten(path, tmp_path / "more.npz", lambda m: m | {"more.npy": m["bounds.npy"]}))
    with pytest.raises(FileError, match="changed after it was written"):
        tn.load(rewritten(path, tmp_path / "less.npz", lambda m: {k: v for k, v in m.items() if k != "bounds.npy"}))
    with pytest.raises(FileError, match="changed after it was written"):
        tn.load(rewritten(path, tmp_path / "list.npz", lambda m: {k: v for k, v in m.items() if k != "contents.npy"}))


def test_a_member_that_swells_is_not_read(solution, tmp_path, monkeypatch):
    path = solution.save(tmp_path / "good")
    zeros = b"\x93NUMPY\x01\x00v\x00" + str({"descr": "<f8", "fortran_order": False, "shape": (10_000_000,)}).encode()
    swollen = zeros.ljust(127) + b"\n" + bytes(80_000_000)
    bomb = rewritten(path, tmp_path / "bomb.npz", lambda m: m | {"unused.npy": swollen}, zipfile.ZIP_DEFLATED)
    assert bomb.stat().st_size < 1_000_000
    read = []
    plain = zipfile.ZipExtFile.read
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda self, n=-1: read.append(n) or plain(self, n))
    with pytest.raises(FileError):
        tn.load(bomb)
    assert len(read) < 20


# -- writing ---------------------------------------------------------------------------------------------------------
BAD_NAMES = {
    "empty": "",
    "folder": ".",
    "above": "..",
    "long": "a" * 300,
    "below a file": "file/solution.npz",
    "nowhere": "none/solution.npz",
    "null": "a\0b.npz",
    "folder with a suffix": "folder.npz",
    "slash": "folder/",
}


@pytest.mark.parametrize("name", BAD_NAMES)
def test_bad_names(solution, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine")
    Path("folder.npz").mkdir()
    Path("folder").mkdir()
    before = sorted(p.name for p in tmp_path.rglob("*"))
    space = tn.FeatureSpace.uniform(2, 5, 1.0)
    with pytest.raises(CannotWriteError):
        solution.save(BAD_NAMES[name])
    with pytest.raises(CannotWriteError):
        space.save(BAD_NAMES[name])
    for suffix in (".vtu", ".csv", ".npz", ".nc"):
        bad = BAD_NAMES[name].removesuffix(".npz")
        with pytest.raises(FileError):
            solution.export(bad + suffix if bad not in ("", ".", "..", "folder", "folder/") else bad, resolution=3)
    assert sorted(p.name for p in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", [3, None, ["a"], {"a": 1}, 2.5])
def test_names_that_are_no_texts(solution, name):
    with pytest.raises(FileError):
        solution.save(name)
    with pytest.raises(FileError):
        solution.export(name)


def test_a_file_of_the_user_with_a_similar_name_stays(solution, tmp_path):
    mine = tmp_path / "s.npz.part"
    mine.write_text("mine")
    path = solution.save(tmp_path / "s.npz")
    assert mine.read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name, mine.name]


def test_links_are_not_followed(solution, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("mine")
    link = tmp_path / "s.npz"
    link.symlink_to(other)
    solution.save(link)
    assert other.read_text() == "mine"
    assert tn.load(link).names == ("u",)


def test_a_device_is_not_replaced(solution, tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(CannotWriteError, match="ordinary"):
        solution.save(tmp_path / "pipe.npz")


@pytest.mark.parametrize("suffix", [".npz", ".vtu", ".csv", ".nc", ".pvd"])
def test_a_full_disk_leaves_what_was_there(solution, moving, tmp_path, monkeypatch, suffix):
    path = tmp_path / f"result{suffix}"
    path.write_text("the old one")

    def full(number):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotWriteError, match="No space left"):
        (moving if suffix == ".pvd" else solution).export(path, resolution=3)
    assert path.read_text() == "the old one"
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == [path.name]


def test_two_processes_that_save_one_file(solution, tmp_path):
    path = solution.save(tmp_path / "s.npz")
    program = f"""
import transnet as tn
solution = tn.load({str(path)!r})
for _ in range(20):
    solution.save({str(path)!r})
    tn.load({str(path)!r})
"""
    running = [subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) for _ in range(2)]
    assert [p.communicate()[1] for p in running] == [b"", b""]
    assert tn.load(path).coefficients.tolist() == solution.coefficients.tolist()
    assert [p.name for p in tmp_path.iterdir()] == ["s.npz"]


# -- formulas in files -----------------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::transnet.errors.AccuracyWarning")
def test_long_numbers_and_high_powers_are_saved_at_once(tmp_path):
    k = sp.Integer(123456789012345678901234567890)
    source = (x + sp.Float("0.123456789012345678901234567890", 30)) ** 40 * (y + 1) ** 40 / k + (x + y) ** 60 / k
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), source)], [tn.on("boundary", sp.Eq(u, 0))])
    again = tn.load(tn.solve(problem, neurons=30).save(tmp_path / "long"))
    assert again.names == ("u",)


def test_numeric_comparison_tells_formulas_apart():
    big = (x + sp.Integer(10) ** 29) ** 900
    assert alike(big, (x + sp.Float(1e29)) ** 900 * (1 + sp.Float(1e-15)))
    assert alike(sp.sin(x) ** 2 + sp.diff(u, x), 1 - sp.cos(x) ** 2 + sp.diff(u, x))
    assert not alike(x**2, x**2 + sp.Float(1e-6))
    assert not alike(sp.diff(u, x), sp.diff(u, y))
    assert not alike(x, u)


# -- forged, with the right checksums --------------------------------------------------------------------------------
ODD = ("abc", None, -1, 1e308, 10**30, float("nan"), float("inf"), [], {}, [[]], True, "\x1b[31m", "x" * 200_000)


def leaves(value, path=()):
    """The places of all entries of a description."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from leaves(inner, (*path, key))


def forged(stored, path, odd, target):
    """A file whose description has something odd at a place, and fitting checksums."""
    from transnet import archive
    from transnet.solution.files import FORMAT, VERSION

    meta = json.loads(stored["meta"].tobytes())
    inside = meta
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = odd
    arrays = {k: v for k, v in stored.items() if k not in ("format", "version", "meta")}
    archive.write(target, FORMAT, VERSION, arrays | {"meta": np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)})


@pytest.mark.filterwarnings("ignore")
def test_forged_files_are_refused_or_can_be_used(solution, tmp_path):
    from transnet import archive
    from transnet.solution.files import FORMAT, VERSION

    stored = archive.read(solution.save(tmp_path / "good"), FORMAT, VERSION, "a solution", "save")
    places = list(leaves(json.loads(stored["meta"].tobytes())))
    rng = np.random.default_rng(1)
    refused = 0
    for number in range(250):
        odd = ODD[number % len(ODD)]
        forged(stored, places[int(rng.integers(len(places)))], odd, tmp_path / "forged.npz")
        try:
            found = tn.load(tmp_path / "forged.npz")
            assert all(c.isprintable() or c == "\n" for c in found.report() + repr(found) + repr(found.problem))
            found([[0.3, 0.4]])
        except tn.errors.TransnetError:
            refused += 1
    assert refused > 150


def test_an_error_that_is_a_word_is_refused(solution, tmp_path):
    from transnet import archive
    from transnet.solution.files import FORMAT, VERSION

    stored = archive.read(solution.save(tmp_path / "good"), FORMAT, VERSION, "a solution", "save")
    for odd in ("abc", None, [1.0], True):
        forged(stored, ("diagnostics", "error"), odd, tmp_path / "forged.npz")
        with pytest.raises(FileError, match="error"):
            tn.load(tmp_path / "forged.npz")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_coefficients_beside_a_file_are_finite_numbers_in_a_file(solution, tmp_path):
    from transnet.solution.files import save_solution

    path = save_solution(solution, tmp_path / "apart", apart=True)
    beside = path.with_suffix(".npy")
    np.save(beside, solution.coefficients)
    np.testing.assert_array_equal(tn.load(path).coefficients, solution.coefficients)
    np.save(beside, np.full(len(solution.coefficients), np.nan))
    with pytest.raises(FileError, match="finite"):
        tn.load(path)
    beside.unlink()
    os.mkfifo(beside)
    with pytest.raises(FileError, match="not there"):
        tn.load(path)


# -- other systems -----------------------------------------------------------------------------------------------------
def test_files_are_written_where_only_what_is_writable_can_be_flushed(solution, tmp_path, monkeypatch):
    """As on Windows: a descriptor without the right to write cannot be flushed, and a folder not be opened."""
    fcntl = pytest.importorskip("fcntl")
    real_open, real_fsync = os.open, os.fsync

    def opened(path, *more, **named):
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real_open(path, *more, **named)

    def flushed(number):
        if fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "Bad file descriptor")
        real_fsync(number)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "fsync", flushed)
    again = tn.load(solution.save(tmp_path / "kept"))
    assert again(x=0.3, y=0.4) == solution(x=0.3, y=0.4)
    assert solution.export(tmp_path / "kept.vtu").stat().st_size


def test_a_solve_needs_no_pipes_that_do_not_block(monkeypatch):
    """Windows has `os.set_blocking` from Python 3.12 on, other times and no alarms."""
    from transnet import interrupts

    monkeypatch.setattr(interrupts._Listener, "_here", None)
    monkeypatch.delattr(os, "set_blocking")
    listener = interrupts._Listener.here()
    assert not listener.pressed()
    os.close(listener.mouth)
