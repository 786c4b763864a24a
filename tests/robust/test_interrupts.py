"""Ctrl-C and SIGTERM at any moment: the best so far, its status, the exit code, one line and no traceback."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.drive.driver import FINER
from transnet.interrupts import PATIENCE, Terminated, heard, terminable, undisturbed

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
# No reflection, and data that the first network does not resolve: every stage of a solve is passed through.
WIND = tn.laplacian(u) + sp.diff(u, x) + sp.diff(u, y)
LINEAR = tn.Problem(SQUARE, [sp.Eq(WIND, sp.exp(x))], [tn.on("boundary", sp.Eq(u, sp.sin(20 * x * y)))])
CUBIC = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) - u**3, x)], [tn.on("boundary", sp.Eq(u, y))])
WAVY = tn.Problem(
    SQUARE, [sp.Eq(tn.laplacian(u) + 3000 * u, sp.sin(40 * x * y))], [tn.on("boundary", sp.Eq(u, sp.sin(50 * x)))]
)


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C interrupts, although whoever started the tests in the background may have had it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupting(monkeypatch, module, name, kind=KeyboardInterrupt, after=0):
    """A function that is interrupted once, when it is called for the time number `after`."""
    plain = getattr(module, name)
    calls = []

    def call(*args, **keywords):
        calls.append(1)
        if len(calls) == after + 1:
            raise kind
        return plain(*args, **keywords)

    monkeypatch.setattr(module, name, call)


@pytest.mark.filterwarnings("ignore::transnet.errors.TransnetWarning")
@pytest.mark.parametrize("problem", [LINEAR, CUBIC], ids=["linear", "nonlinear"])
@pytest.mark.parametrize("size", [{"pieces": False}, {"neurons": 200}], ids=["growing", "fixed"])
@pytest.mark.parametrize("moment", ["choose", "rows", "judge"])
def test_interruptions_leave_a_solution(monkeypatch, problem, size, moment):
    from transnet.iterate import attempts, nonlinear
    from transnet.method import network as growing
    from transnet.method import one_size as network

    kind = Terminated if "neurons" in size else KeyboardInterrupt
    if moment == "choose":
        for module in (network, growing):
            interrupting(monkeypatch, module, "search_band", kind)
    elif moment == "rows":
        interrupting(monkeypatch, network, "collocate", kind)
        interrupting(monkeypatch, attempts, "collocate", kind)
    else:
        interrupting(monkeypatch, network, "diagnose", kind)
        interrupting(monkeypatch, nonlinear, "_solution", kind)
    solution = tn.solve(problem, **size)
    assert solution.status == "interrupted"
    assert np.isfinite(solution([[0.3, 0.4]])).all()


@pytest.mark.filterwarnings("ignore::transnet.errors.TransnetWarning")
def test_the_best_network_so_far_is_returned():
    seen = []

    def watch(solution):
        seen.append(solution)
        if len(seen) == 2:
            raise KeyboardInterrupt

    solution = tn.solve(WAVY, tol=1e-10, watch=watch, pieces=False)
    assert solution.status == "interrupted"
    best = min(s.error for s in seen)
    assert any(solution.error == s.error for s in seen)
    assert solution.error < FINER * best  # of two that are about as good the finer one is taken


def test_sigterm_is_the_programs_own_again_afterwards():
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

    def end():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)

    with pytest.raises(Terminated), terminable():
        end()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with terminable():
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_the_second_press_says_a_line_while_nothing_can_be_stopped(capfd):
    def compute(*args, **keywords):  # like one call of LAPACK: Python's handlers run only after it
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)

    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with heard():
            compute()
    finally:
        signal.signal(signal.SIGINT, before)
    assert capfd.readouterr().err.strip() == PATIENCE
    assert signal.set_wakeup_fd(-1) == -1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_import_is_finished_before_it_is_interrupted(number):
    done = []

    def load():
        os.kill(os.getpid(), number)
        time.sleep(0.01)
        done.append(True)

    with pytest.raises(KeyboardInterrupt) as stop, terminable():
        undisturbed(load)
    assert done == [True]
    assert isinstance(stop.value, Terminated) == (number == signal.SIGTERM)


def test_pieces_that_are_interrupted_before_their_first_solution_leave_the_coarsest_cut(monkeypatch):
    from transnet.pieces import solve

    interrupting(monkeypatch, solve, "first_boxes", Terminated)
    pieces = tn.Pieces(left=tn.Box(x=(0, 0.5), y=(0, 1)), right=tn.Box(x=(0.5, 1), y=(0, 1)))
    problem = tn.Problem(pieces, [sp.Eq(tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    with pytest.warns(tn.errors.EstimateWarning, match="the coarsest cut"):
        solution = tn.solve(problem, method="pieces")
    assert solution.status == "interrupted"
    assert abs(solution(0.5, 0.5) + 0.0736713532814) < 1e-3  # the series of the unit square


@pytest.mark.filterwarnings("ignore::transnet.errors.TransnetWarning")
def test_other_threads_may_solve():
    found = []
    thread = threading.Thread(target=lambda: found.append(tn.solve(LINEAR, neurons=40).status))
    thread.start()
    thread.join()
    assert found == ["solved"]


FILES = {
    "linear": 'equations = ["laplacian(u) + 30000*u = sin(90*x*y)"]\n',
    "nonlinear": 'equations = ["laplacian(u) - 40*u**3 = 100*sin(60*x*y)"]\n',
}


@pytest.mark.parametrize(("number", "after"), [(signal.SIGINT, 0.3), (signal.SIGTERM, 1.5)], ids=["ctrl-c", "sigterm"])
@pytest.mark.parametrize("kind", FILES)
def test_the_command(tmp_path, kind, number, after):
    path = tmp_path / "p.toml"
    path.write_text(
        'coordinates = ["x", "y"]\nunknowns = ["u"]\ndomain = "Box(x=(0, 1), y=(0, 1))"\n'
        + FILES[kind]
        + 'conditions = ["u = sin(70*x) on boundary"]\n[solve]\ntol = 1e-9\nmethod = "network"\n'
    )
    # The program says when it begins to solve, so that the signal does not come before.
    program = (
        "import transnet.doors.rescue as r, sys\n"
        "from contextlib import contextmanager\n"
        "plain = r.heard\n"
        "@contextmanager\n"
        "def heard():\n    with plain() as p:\n        print('ready', flush=True)\n        yield p\n"
        "r.heard = heard\n"
        "sys.argv = ['transnet', 'solve', sys.argv[1], '--quiet', '--json']\n"
        "from transnet.cli import main\nmain()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(after)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    assert process.returncode == 128 + number, (out, err)
    told = json.loads(out)
    assert told["status"] == "interrupted"
    assert told["exit_code"] == 128 + number
    assert tn.load(path.with_suffix(".npz")).status == "interrupted"


@pytest.mark.filterwarnings("ignore::transnet.errors.TransnetWarning")
def test_an_interruption_that_a_compiled_function_has_disguised(monkeypatch):
    from transnet.method import one_size as network

    def disguised(*args, **keywords):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise TypeError("argument 1") from None

    plain = network.collocate
    calls = iter([disguised])
    monkeypatch.setattr(network, "collocate", lambda *a, **k: next(calls, plain)(*a, **k))
    assert tn.solve(LINEAR, neurons=200).status == "interrupted"
    monkeypatch.setattr(network, "collocate", lambda *a, **k: (_ for _ in ()).throw(TypeError("argument 2")))
    with pytest.raises(TypeError, match="argument 2"):  # an error of its own stays one
        tn.solve(LINEAR, neurons=200)


def test_the_message_is_one_line(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text(
        'coordinates = ["x", "y"]\nunknowns = ["u"]\ndomain = "Box(x=(0, 1), y=(0, 1))"\n'
        + FILES["linear"]
        + 'conditions = ["u = sin(70*x) on boundary"]\n'
    )
    program = "import os, signal, transnet.files.problem_file as f\nplain = f.ProblemFile.unwarned\n" + (
        "def unwarned(self, **k):\n"
        "    import transnet.doors.solve as d\n"
        "    def stop(*a, **k): os.kill(os.getpid(), signal.SIGINT)\n"
        "    d.drive = stop\n    return plain(self, **k)\n"
        "f.ProblemFile.unwarned = unwarned\n"
        "import sys\nsys.argv = ['transnet', 'solve', sys.argv[1]]\nfrom transnet.cli import main\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 130
    lines = [line for line in done.stderr.splitlines() if "neurons:" not in line]
    assert len(lines) == 1
    assert "Interrupted" in lines[0]


TERMINATED = """
import os, signal, sympy as sp, transnet as tn
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
stated = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(tn.laplacian(u), sp.sin(9 * x * y))], [tn.on("boundary", u)])
OWN
solution = tn.solve(stated, watch=lambda s: os.kill(os.getpid(), signal.SIGTERM))
print(solution.status, flush=True)
solution.save("left")
print("after", flush=True)
"""


@pytest.mark.parametrize("own", [False, True], ids=["no handler", "a handler of its own"])
def test_a_terminated_program_ends_when_its_result_is_saved(tmp_path, own):
    program = TERMINATED.replace("OWN", "signal.signal(signal.SIGTERM, lambda *_: None)" if own else "")
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert (tmp_path / "left.npz").exists()
    assert np.isfinite(tn.load(tmp_path / "left.npz")([[0.3, 0.4]])).all()
    if own:
        assert (ran.returncode, ran.stdout.split()[-1]) == (0, "after")
    else:
        assert (ran.returncode, ran.stdout) == (-signal.SIGTERM, "interrupted\n")
