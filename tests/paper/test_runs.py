"""Runs: what is recorded, what is kept, and that an interrupted series goes on where it was."""

import json
import os

import numpy as np
import pytest
from typer.testing import CliRunner

from transnet.engines import shortage as memory
from transnet.errors import ProblemError
from transnet.features.space import FeatureSpace
from transnet.paper import execute as executing
from transnet.paper.cases import NAMES, case
from transnet.paper.cli import app
from transnet.paper.execute import execute, single_threaded, without_stages
from transnet.paper.kept import read_kept
from transnet.paper.plan import full, reduced
from transnet.paper.run import METHODS, Job, job_of, run
from transnet.paper.store import OutputError, Store

KEYS = ["case", "method", "neurons", "seed", "mse", "max_error", "relative_l2", "rank", "seconds"]


@pytest.mark.parametrize("method", ["transnet", "published", "random-features"])
def test_a_record_has_what_was_promised(method):
    (outcome,) = run(Job("C9", method, 60, 3))
    record = json.loads(json.dumps(outcome.record))
    assert list(record) == KEYS
    assert (record["case"], record["method"], record["neurons"], record["seed"]) == ("C9", method, 60, 3)
    assert set(record["seconds"]) == {"assemble", "solve", "total"}
    assert 0 < record["seconds"]["assemble"] + record["seconds"]["solve"] <= record["seconds"]["total"]
    assert 0 < record["rank"] <= 61
    assert record["mse"] <= record["max_error"] ** 2
    assert job_of(record) == outcome.job


def test_the_navier_stokes_case_takes_newton_steps_by_default():
    (outcome,) = run(Job("C6", "transnet", 60))
    assert outcome.record["mse"] < 1e-2
    assert len(outcome.solution.diagnostics.steps) < 15


def test_a_training_gives_the_record_of_each_stage():
    pytest.importorskip("torch")
    first, last = run(Job("C1", "pinn-adam-lbfgs", 10, 0, 4, 2))
    assert [o.job.method for o in (first, last)] == ["pinn-adam", "pinn-adam-lbfgs"]
    assert first.job == Job("C1", "pinn-adam", 10, 0, 4, 2)
    assert last.record["steps"] == {"adam": 4, "lbfgs": 2}
    assert last.record["rank"] is None


def test_bad_jobs_are_told_what_there_is():
    with pytest.raises(ProblemError, match=r"'C0'.*C1.*C9"):
        Job("C0", "transnet", 10)
    with pytest.raises(ProblemError, match="'magic'.*" + ".*".join(METHODS)):
        Job("C1", "magic", 10)
    with pytest.raises(ProblemError, match="at least one"):
        Job("C1", "transnet", 0)


def test_what_is_finished_is_not_solved_again(tmp_path, monkeypatch):
    jobs = [Job("C1", "published", n, s) for n in (20, 30) for s in (0, 1)]
    done = []

    def counted(job):
        done.append(job)
        if len(done) == 3:
            raise KeyboardInterrupt
        return [(o.record, None) for o in run(job)]

    monkeypatch.setattr(executing, "work", counted)
    with pytest.raises(KeyboardInterrupt):
        execute(jobs, Store(tmp_path), processes=1)
    assert len(Store(tmp_path).records(jobs)) == 2
    # A cut last line, as an interruption may leave it, costs that one solve only.
    with (tmp_path / "solves.jsonl").open("a") as file:
        file.write('{"case": "C1", "met')
    execute(jobs, Store(tmp_path), processes=1)
    assert done == [*jobs[:3], *jobs[2:]]
    assert [job_of(r) for r in Store(tmp_path).records(jobs)] == jobs


def test_processes_run_side_by_side_with_one_thread_each(tmp_path):
    jobs = [Job("C9", "published", n) for n in (20, 30)]
    told = []
    execute(jobs, Store(tmp_path), told.append, processes=2)
    assert sorted(r["neurons"] for r in told) == [20, 30]
    before = dict(os.environ)
    with single_threaded():
        assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    assert dict(os.environ) == before


def test_adam_alone_is_left_out_where_the_longer_training_gives_it():
    short, longer = Job("C1", "pinn-adam", 10, 0, 5), Job("C1", "pinn-adam-lbfgs", 10, 0, 5, 5)
    other = Job("C2", "pinn-adam", 10, 0, 5)
    assert without_stages([short, longer, other]) == [longer, other]


def test_hidden_layers_are_kept(tmp_path):
    job = Job("C1", "pinn-adam", 3, 0, 5)
    record = {"case": "C1", "method": "pinn-adam", "neurons": 3, "seed": 0, "steps": {"adam": 5, "lbfgs": 0}}
    space = FeatureSpace(np.ones((3, 2)), np.arange(3.0))
    Store(tmp_path).add(record, space)
    assert np.array_equal(Store(tmp_path).hidden_layer(job).biases, space.biases)
    assert Store(tmp_path).hidden_layer(Job("C1", "pinn-adam", 4, 0, 5)) is None


def test_a_folder_that_cannot_be_written_is_refused_first(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"cannot be written.*--out"):
        Store(tmp_path / "file")


def test_plans_cover_every_case_and_say_what_is_smaller():
    for plan in (full(), reduced()):
        assert {j.case for j in plan.jobs} == {f"C{k}" for k in range(1, 10)}
        assert {j.method for j in plan.jobs} == set(METHODS)
    assert reduced().reductions
    assert not full().reductions
    assert {j.neurons for j in full().jobs if j.case == "C5"} == {1000, 2000, 3000, 4000, 5000}


# -- the command -----------------------------------------------------------------------------------------------------
def command(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_solve_prints_one_json_object_a_line():
    result = command("solve", "C1", "c9", "--neurons", "20,30", "--method", "published", "--seed", "0,1", "--json")
    assert result.exit_code == 0
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(r["case"], r["neurons"], r["seed"]) for r in records] == [
        (c, n, s) for c in ("C1", "C9") for n in (20, 30) for s in (0, 1)
    ]
    assert "MSE" in command("solve", "C1", "--neurons", "20").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "C12"], "The paper's cases are C1"),
        (["solve", "C1", "--method", "fem"], "The methods are transnet, published"),
        (["solve", "C1", "--neurons", "many"], "whole numbers separated by commas"),
        (["solve", "C1", "--neurons", "-5"], "at least one neuron"),
        (["report", "--out", "/dev/null/report"], "cannot be written"),
    ],
)
def test_bad_input_ends_with_a_text_and_no_traceback(arguments, says):
    result = command(*arguments)
    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output


def test_a_width_that_does_not_fit_is_said_before_starting(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr(memory, "available_memory", lambda: 10**8)
    result = command("solve", "C1", "--method", "pinn-adam", "--neurons", "1000")
    assert result.exit_code == 2
    assert "GB of memory" in result.output


def test_the_baselines_are_kept_at_every_size_of_the_paper():
    records, about = read_kept()
    found = {(r["case"], r["method"], r["neurons"]) for r in records if r["seed"] == 0}
    for name in NAMES:
        for method in ("published", "random-features"):
            assert {(name, method, n) for n in case(name).neurons} <= found
        assert {(name, "pinn-adam", 100), (name, "pinn-adam-lbfgs", 100)} <= found
    steps = {(r["adam_steps"], r["lbfgs_steps"]) for r in records if r["method"].startswith("pinn")}
    assert steps == {(5000, 0), (5000, 200)}
    assert {"date", "machine", "version"} <= about.keys()
