"""Windows, simulated: files in use, missing system calls, consoles of few characters, paths and line ends."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet import writing
from transnet.errors import CannotWriteError
from transnet.language.errors import ProblemFileError
from transnet.tables import read_table

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs the list of open files of Linux")
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y)
w = tn.unknown("w", x, t)
DISK = tn.Problem(tn.Disk(radius=1), [sp.Eq(tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, x))])
HEAT = tn.Problem(
    tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)),
    [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))],
    [tn.on("sides", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x)))],
)


def used(path) -> bool:
    """Whether this process has a file open or mapped."""
    name = os.path.realpath(path)
    links = [f"/proc/self/fd/{n}" for n in os.listdir("/proc/self/fd")]
    if any(os.path.islink(link) and os.path.realpath(link) == name for link in links):
        return True
    return any(line.rstrip().endswith(name) for line in Path("/proc/self/maps").read_text("utf-8").splitlines())


def refusal(path) -> PermissionError:
    error = PermissionError(13, "The process cannot access the file", str(path))
    error.winerror = 32
    return error


@pytest.fixture
def locks(monkeypatch):
    """No file that is open or mapped can be renamed, replaced or removed."""

    def guarded(real):
        def call(*paths, **more):
            for path in paths:
                if used(path):
                    raise refusal(path)
            return real(*paths, **more)

        return call

    for name in ("replace", "rename", "unlink", "remove"):
        monkeypatch.setattr(os, name, guarded(getattr(os, name)))


@pytest.fixture(scope="module")
def solution():
    return tn.solve(DISK)


# -- files in use ------------------------------------------------------------------------------------------------------
def test_nothing_is_renamed_while_it_is_open_and_nothing_stays_open(locks, solution, tmp_path):
    pytest.importorskip("matplotlib")
    for _ in range(2):  # the second time each replaces a file that was read meanwhile
        saved = solution.save(tmp_path / "s")
        assert tn.load(saved)(x=0.1, y=0.2) == solution(x=0.1, y=0.2)
        written = [saved, *(solution.export(tmp_path / f"s.{kind}") for kind in ("vtu", "csv"))]
        written += [solution.plot().save(tmp_path / "s.png"), solution.save_report(tmp_path / "s.html")]
        assert not [path for path in written if used(path)]
    assert {path.name for path in tmp_path.iterdir()} == {"s.npz", "s.vtu", "s.csv", "s.png", "s.html"}


def test_a_march_into_a_file_survives_that_its_slabs_are_mapped(locks, tmp_path):
    marched = tn.solve(HEAT, slabs=4, to=tmp_path / "run")
    truth = np.exp(-(np.pi**2)) * np.sin(np.pi * 0.3)
    assert abs(marched(x=0.3, t=1.0) - truth) < 1e-6
    assert abs(tn.load(tmp_path / "run.npz")(x=0.3, t=1.0) - truth) < 1e-6


def test_a_file_that_is_in_use_for_a_moment_is_waited_for(monkeypatch, solution, tmp_path):
    real, left = os.replace, [2]

    def busy(a, b, **more):
        if left[0]:
            left[0] -= 1
            raise refusal(b)
        return real(a, b, **more)

    monkeypatch.setattr(os, "replace", busy)
    assert solution.save(tmp_path / "s").is_file()
    left[0] = 1000
    with pytest.raises(CannotWriteError, match="cannot access"):
        solution.save(tmp_path / "s")
    assert [path.name for path in tmp_path.iterdir()] == ["s.npz"]
    assert 1000 - left[0] == len(writing.WAITS) + 1


# -- what Windows does not have ----------------------------------------------------------------------------------------
BARE = """
import importlib.abc, os, signal, sys
class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "termios", "pwd", "grp", "posix_ipc"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
for name in ("fcntl", "resource", "termios"):
    sys.modules.pop(name, None)
for name in ("fork", "sched_getaffinity", "getloadavg", "register_at_fork", "sysconf", "getuid"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGALRM", "SIGUSR1", "SIGHUP", "setitimer", "SIGKILL", "pthread_kill"):
    if hasattr(signal, name):
        delattr(signal, name)
"""
SOLVE = """
import sympy as sp
import transnet as tn
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, x))])
solution = tn.solve(problem)
print(problem)
print(solution.report())
print(tn.methods(problem))
print("value", tn.load(solution.save(sys.argv[1]))(x=0.5, y=0.0))
"""


def run(code, *arguments, cwd=None, **environment):
    """A fresh process with a console of western Europe: 256 characters, and an error for the others."""
    west = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252:strict", "LC_ALL": "C"}
    command, there = [sys.executable, *code, *arguments], {**os.environ, **west, **environment}
    return subprocess.run(command, capture_output=True, timeout=120, cwd=cwd, env=there)


def test_a_process_without_the_calls_of_posix_solves_saves_and_prints(tmp_path):
    done = run(["-c", textwrap.dedent(BARE + SOLVE)], str(tmp_path / "s"))
    assert done.returncode == 0, done.stderr.decode("cp1252")
    assert abs(float(done.stdout.decode("cp1252").split("\nvalue")[1]) - (0.5 - 0.75 / 4)) < 1e-9


def test_the_commands_speak_on_a_console_of_256_characters(tmp_path):
    pytest.importorskip("typer")
    for words in (
        ["new", "ring.toml"],
        ["check", "ring.toml"],
        ["solve", "ring.toml"],
        ["show", "ring.npz", "--no-plot"],
    ):
        done = run(["-m", "transnet", *words], cwd=tmp_path)
        assert done.returncode == 0, (words, done.stderr.decode("cp1252"))
        assert b"Traceback" not in done.stderr


# -- paths and line ends -----------------------------------------------------------------------------------------------
def test_names_with_blanks_and_letters_of_other_alphabets(solution, tmp_path):
    folder = tmp_path / "Ergebnisse für Jörg" / "结果 1"
    folder.mkdir(parents=True)
    saved = solution.save(folder / "ré sumé")
    assert tn.load(saved)(x=0.1, y=0.2) == solution(x=0.1, y=0.2)
    assert tn.load(str(saved))(x=0.1, y=0.2) == solution(x=0.1, y=0.2)


def test_a_problem_file_of_an_editor_of_windows(tmp_path):
    plain = (Path(tn.__file__).parent / "cli" / "templates" / "poisson.toml").read_text("utf-8")
    (tmp_path / "plain.toml").write_text(plain, encoding="utf-8", newline="\n")
    (tmp_path / "edited.toml").write_bytes(plain.replace("\n", "\r\n").encode("utf-8-sig"))
    first, second = (tn.read_problem(tmp_path / name) for name in ("plain.toml", "edited.toml"))
    assert str(first.problem) == str(second.problem)
    (tmp_path / "wrong.toml").write_bytes(plain.encode("utf-16"))
    with pytest.raises(ProblemFileError, match="UTF-8"):
        tn.read_problem(tmp_path / "wrong.toml")


def test_a_table_of_a_spreadsheet(tmp_path):
    lines = "x;y;Temperatur in °C\r\n0,5;0,0;1,25\r\n0,0;0,5;1,5\r\n"
    for encoding in ("utf-8-sig", "cp1252"):
        (tmp_path / "t.csv").write_bytes(lines.replace(",", ".").replace(";", ",").encode(encoding))
        assert list(read_table(tmp_path / "t.csv").values())[2].tolist() == [1.25, 1.5]
