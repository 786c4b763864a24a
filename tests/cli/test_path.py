"""The way of a new user, from a file to ParaView, through the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
from typer.testing import CliRunner

import transnet as tn
from transnet.choose.effort import Shown
from transnet.cli import main
from transnet.cli.app import app
from transnet.cli.new import Template


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in a folder of its own; gives exit code and output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def runner(*arguments):
        return CliRunner().invoke(app, [str(a) for a in arguments])

    return runner


def test_new_check_solve_show_export_and_another_reader(run, tmp_path):
    meshio = pytest.importorskip("meshio")
    pytest.importorskip("matplotlib")
    done = run("new", "ring")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "ring.toml").exists()

    done = run("check", "ring.toml")
    assert done.exit_code == 0, done.output
    assert "cos(3⋅x)" in done.stdout
    assert "circle, rim" in done.stdout

    done = run("solve", "ring.toml", "--tol", "1e-4", "--set", "hole=0.4")
    assert done.exit_code == 0, done.output
    assert "estimated error" in done.stdout
    assert "Saved ring.npz" in done.stdout

    done = run("show", "ring.npz", "--resolution", "40")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "ring.png").read_bytes().startswith(b"\x89PNG")
    for option in ("--residual", "--neurons"):
        assert run("show", "ring.npz", option, "--resolution", "20", "--plot", "other.pdf").exit_code == 0
    assert (tmp_path / "other.pdf").read_bytes().startswith(b"%PDF")

    done = run("export", "ring.npz", "ring.vtu", "--resolution", "40")
    assert done.exit_code == 0, done.output
    mesh = meshio.read(tmp_path / "ring.vtu")
    solution = tn.load(tmp_path / "ring.npz")
    np.testing.assert_array_equal(mesh.point_data["u"], solution(mesh.points[:, :2]))
    radius = np.linalg.norm(mesh.points, axis=1)
    assert radius.min() == pytest.approx(0.4)
    assert radius.max() == pytest.approx(1.0)
    rim = np.abs(radius - 1.0) < 1e-12
    np.testing.assert_allclose(mesh.point_data["u"][rim], np.cos(3 * mesh.points[rim, 0]), atol=1e-3)


@pytest.mark.parametrize("kind", list(Template))
def test_every_template_states_a_problem(run, kind):
    assert run("new", "p.toml", "--kind", kind.value).exit_code == 0
    done = run("check", "p.toml", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["ok"]
    assert told["linear"] == (kind is not Template.burgers)


@pytest.mark.parametrize("kind", ["heat", "wave"])
def test_templates_with_an_exact_solution_reach_it(run, kind):
    run("new", "p.toml", "--kind", kind)
    told = json.loads(run("solve", "p.toml", "--json").stdout)
    assert told["exit_code"] == 0
    assert told["true_errors"]["u"] < 1e-8


def test_a_nonlinear_template(run):
    run("new", "p.toml", "--kind", "burgers")
    done = run("solve", "p.toml", "--tol", "1e-3", "--set", "nu=1/2", "--json")
    told = json.loads(done.stdout)
    assert told["status"] == "converged"
    assert told["parameters"] == {"nu": 0.5}
    assert done.exit_code == told["exit_code"]


def test_json_of_every_command(run):
    run("new", "p.toml", "--kind", "heat", "--json")
    solved = run("solve", "p.toml", "--neurons", "120", "-o", "there.npz", "--json")
    assert json.loads(solved.stdout)["file"] == "there.npz"
    shown = json.loads(run("show", "there.npz", "--no-plot", "--json").stdout)
    assert shown["estimated_error"] == json.loads(solved.stdout)["estimated_error"]
    assert shown["picture"] is None
    assert json.loads(run("export", "there.npz", "out.csv", "--json", "--at", "t=1/4").stdout)["file"] == "out.csv"


def test_solving_below_the_tolerance_is_exit_code_1_and_saves_all_the_same(run, tmp_path):
    run("new", "p.toml")
    done = run("solve", "p.toml", "--neurons", "4")
    assert done.exit_code == 1
    assert "warning" in done.output
    assert tn.load(tmp_path / "p.npz").neurons == 4


def test_a_tuned_space_solves(run, tmp_path):
    done = run("tune", "space.npz", "--neurons", "60", "--realisations", "2", "--length", "2", "--json")
    assert done.exit_code == 0, done.output
    run("new", "p.toml", "--kind", "heat")
    done = run("solve", "p.toml", "--space", "space.npz", "--json")
    assert json.loads(done.stdout)["neurons"] == 60


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["solve", "none.toml"], 2, "There is no such file"),
        (["show", "none.npz"], 2, "no file"),
        (["new", "there.toml"], 2, "already"),
        (["new", "nowhere/p.toml"], 3, "cannot be written"),
        (["solve", "there.toml", "-o", "nowhere/p.npz"], 3, "no folder"),
        (["solve", "there.toml", "--set", "hole"], 2, "name=value"),
        (["solve", "there.toml", "--set", "depth=3"], 2, "no parameter 'depth'"),
        (["solve", "there.toml", "--set", "hole=9**9**9**9"], 2, "exponent"),
        (["solve", "there.toml", "--neurons", "0"], 2, "neurons"),
        (["solve", "there.toml", "--tol", "7"], 2, "tol"),
        (["export", "there.npz", "there.npz"], 2, "solution itself"),
        (["export", "there.npz", "there.doc"], 2, "kind of file"),
        (["export", "there.npz", "nowhere/a.vtu"], 3, "cannot be written"),
        (["export", "there.npz", "a.vtu", "--at", "z=1"], 2, "coordinate"),
        (["show", "there.npz", "--what", "w"], 2, "There is no name"),
        (["show", "there.npz", "--plot", "a.nonsense"], 3, "cannot be written"),
        (["show", "there.toml"], 2, "Solve it first"),
        (["frobnicate"], 2, "No such command"),
    ],
)
def test_wrong_uses(run, tmp_path, arguments, code, words, ring):
    run("new", "there.toml")
    (tmp_path / "there.npz").write_bytes(ring)
    done = run(*arguments)
    assert done.exit_code == code, done.output
    assert words in " ".join(done.output.split())
    assert "Traceback" not in done.output


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ring")
    file = folder / "p.toml"
    CliRunner().invoke(app, ["new", str(file)])
    return tn.read_problem(file).solve(neurons=150).save(folder / "ring").read_bytes()


def test_without_matplotlib_the_report_is_shown_all_the_same(run, tmp_path, ring, monkeypatch):
    (tmp_path / "there.npz").write_bytes(ring)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    done = run("show", "there.npz")
    assert done.exit_code == 0
    assert "estimated error" in done.output
    assert "transnet-pde[plot]" in done.output
    assert run("show", "there.npz", "--plot", "a.png").exit_code == 3


def test_ctrl_c_saves_the_best_solution_so_far(run, tmp_path, monkeypatch):
    run("new", "p.toml")
    file = tmp_path / "p.toml"
    file.write_text(
        file.read_text().replace("exp(x)*y", "exp(x*x)*y/(x*x + y*y)")
    )  # networks have to grow for that source
    seen = []

    def interrupt(self, solution):
        seen.append(solution)
        if len(seen) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Shown, "__call__", interrupt)
    done = run("solve", "p.toml", "--tol", "1e-14", "--json")
    assert done.exit_code == 130
    solution = tn.load(tmp_path / "p.npz")
    assert solution.status == "interrupted"
    assert solution.error == min(s.error for s in seen)


def test_ctrl_c_before_anything_is_found(run, tmp_path, monkeypatch):
    run("new", "p.toml")

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("transnet.doors.solve.drive", interrupt)
    done = run("solve", "p.toml")
    assert done.exit_code == 130
    assert "Interrupted" in done.output  # with a small network that is solved at once
    assert (tmp_path / "p.npz").exists()


def test_a_real_signal(run, tmp_path):
    """Whenever the signal comes after the first network, a solution is saved and the exit code is 130."""
    run("new", "p.toml")
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "first\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "Saved p.npz" in out
    assert tn.load(tmp_path / "p.npz").status == "interrupted"


SLOW = """
import time
from transnet.cli import main
from transnet.cli.app import app
from transnet.choose.effort import Shown

def slow(self, solution):
    print("first", flush=True)
    time.sleep(60)

Shown.__call__ = slow
app(["solve", "p.toml", "--tol", "1e-14"])
"""


@pytest.mark.parametrize(
    "arguments",
    [
        "solve",
        "solve a.toml --neurons many",
        "solve a.toml --bogus",
        "nothing",
        "solve a.toml b.toml",
        "paper solve C99",
    ],
)
def test_wrong_arguments_are_told_in_json_too(arguments, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["transnet", *arguments.split(), "--json"])
    with pytest.raises(SystemExit) as stop, warnings.catch_warnings():
        main()
    told = json.loads(capsys.readouterr().out)
    assert stop.value.code == told["exit_code"] == 2
    assert told["error"]["message"]


def test_check_of_several_materials(run, tmp_path):
    (tmp_path / "rod.toml").write_text(
        'coordinates = ["x", "y"]\nunknowns = [{ name = "u", complex = true }]\n'
        'equations = "-div(k*grad(u)) + I*q*u = 1/(x - 2)"\n'
        'conditions = ["u = 0 on boundary", "jump(u) = 0.1 on core|shell"]\n'
        '[pieces]\ncore = "Disk(radius=0.4)"\nshell = "Disk(radius=1) - Disk(radius=0.4)"\n'
        "[parameters]\nq = 2\n[definitions]\nk = {core = 1000, shell = 1}\n"
    )
    done = run("check", "rod.toml")
    assert done.exit_code == 0, done.output
    assert "u(x, y) on Pieces(core=" in done.stdout
    assert "core=1000, shell=1" in done.stdout
    assert "linear: one least-squares solve; 6 statements" in done.stdout
    assert "boundary: u = 0" in str(json.loads(run("check", "rod.toml", "--json").stdout)["conditions"])
    (tmp_path / "rod.toml").write_text((tmp_path / "rod.toml").read_text().replace("shell = 1}", 'shell = "log(x)"}'))
    done = run("check", "rod.toml")
    assert done.exit_code == 2
    assert "not finite" in done.output


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_mistake_of_the_library_has_an_exit_code_of_its_own(run, tmp_path, monkeypatch, json_too):
    from transnet.cli import check

    def fails(*_):
        raise ZeroDivisionError("a\x1b[2Jb")

    monkeypatch.setattr(check, "read_problem", fails)
    done = run("check", "p.toml", *json_too)
    assert done.exit_code == 70
    assert "bug in transnet" in done.output
    assert "\x1b" not in done.output


def test_no_control_code_of_a_text_reaches_the_terminal(capsys):
    from transnet.cli.output import console, print_json

    console().print("a\x1b[31mb\x9bc\u202ed\x07")
    print_json({"a\x1b": "b\x9b\u202e", "é": "ü"})
    printed = capsys.readouterr().out
    assert all(c.isprintable() or c == "\n" for c in printed)
    assert '"é": "ü"' in printed
    assert json.loads(printed[printed.index("{") :])["a\x1b"] == "b\x9b\u202e"


PLATE = """
title = "A strip"
coordinates = ["x", "y"]
unknowns = [{ name = "u", vector = true }]
domain = "Box(x=(0, 2), y=(0, 1))"
conditions = ["u_x = 0, stress_xy = 0 on left", "traction = [pull, 0] on right",
              "u_y = 0, stress_xy = 0 on bottom", "traction = [0, 0] on top"]
[parameters]
pull = 3.0
[physics]
elasticity = { of = "u", E = 200, nu = 0.3, plane = "stress" }
[solve]
neurons = 80
[results]
greatest = { maximum = "von_mises", unit = "MPa" }
picture = { plot = "von_mises", unit = "MPa", title = "Stress", limits = [0, 4], deformed = "u" }
"""


def test_a_report_of_a_file_and_of_a_solution(run, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "strip.toml").write_text(PLATE)
    assert run("check", "strip.toml").exit_code == 0
    assert run("report", "strip.toml", "--set", "pull=2").exit_code == 0
    page = (tmp_path / "strip.html").read_text()
    assert "A strip" in page
    greatest, _, rest = page.split("greatest")[1].partition('class="number">')[2].partition(" ± ")
    assert float(greatest) == pytest.approx(2, abs=1e-12)
    assert "MPa at x = " in rest[:40]
    assert "MPa at" in page
    assert page.count("data:image/png") == 1
    solved = run("solve", "strip.toml", "--json")
    assert json.loads(solved.stdout)["results"]["greatest"]["unit"] == "MPa"
    assert run("report", "strip.npz", "strip.pdf").exit_code == 0
    assert (tmp_path / "strip.pdf").read_bytes().startswith(b"%PDF")
    assert run("report", "strip.npz", "strip.doc").exit_code == 2


def test_formulas_are_drawn_and_exported(run, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "strip.toml").write_text(PLATE)
    run("solve", "strip.toml", "-q")
    assert run("show", "strip.npz", "--what", "sqrt(u_x**2 + u_y**2)", "--what", "u_x").exit_code == 0
    assert run("export", "strip.npz", "long.csv", "--what", "u_x_x*200", "--resolution", "8").exit_code == 0
    table = np.genfromtxt(tmp_path / "long.csv", delimiter=",", skip_header=1)
    np.testing.assert_allclose(table[:, 2], 3, rtol=1e-5)
    assert run("show", "strip.npz", "--what", "w**2").exit_code == 2


def test_shells_complete_its_words(run):
    assert "--show-completion" in run("--help").stdout


def test_a_time_limit_is_told_with_its_option(run, tmp_path):
    run("new", "p.toml")
    file = tmp_path / "p.toml"
    file.write_text(file.read_text().replace("exp(x)*y", "exp(x*x)*y/(x*x + y*y)"))
    done = run("solve", "p.toml", "--tol", "1e-14", "--seconds", "0.5")
    assert done.exit_code == 1
    assert "Allow more time: --seconds 2." in done.output
