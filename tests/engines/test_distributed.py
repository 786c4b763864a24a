"""A cluster of real processes gives the digits of one machine, and a killed worker costs only time."""

import os
import signal
import threading
import time

import dask
import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ClusterError, ProblemError

distributed = pytest.importorskip("distributed")

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
EXACT = sp.exp(x) * sp.cos(2 * y)
SPACE = tn.FeatureSpace.uniform(2, 200, 1.1, 1.9)
POINTS = np.random.default_rng(0).uniform(-1, 1, (300, 2))
VALUES = np.exp(POINTS[:, 0]) * np.cos(2 * POINTS[:, 1])

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


def poisson() -> tn.Problem:
    # A given callable cannot be pickled: only its values may travel.
    k = tn.given("k", lambda a: 1 + a**2, x)
    return tn.Problem(
        tn.Box(x=(-1, 1), y=(-1, 1)),
        [sp.Eq(tn.laplacian(u) + k * u, -3 * EXACT + (1 + x**2) * EXACT)],
        [tn.on("boundary", sp.Eq(u, EXACT))],
    )


def error(solution: tn.Solution) -> float:
    return float(np.sqrt(np.mean((solution(POINTS) - VALUES) ** 2)))


@pytest.fixture(scope="module")
def client():
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "2s"}),  # how long a killed worker is waited for
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit="1GiB"
        ) as cluster,
        distributed.Client(cluster) as connected,
    ):
        connected.wait_for_workers(2, timeout=60)
        yield connected


def test_the_digits_are_those_of_one_machine(client):
    here = tn.solve(poisson(), space=SPACE)
    there = tn.solve(poisson(), space=SPACE, engine=client)
    assert error(here) < 1e-7
    assert error(there) < 3 * error(here)
    # The triangles are equal to rounding, up to the signs of their rows.
    r, s = np.abs(here.diagnostics.triangle), np.abs(there.diagnostics.triangle)
    assert np.allclose(r[:50], s[:50], atol=1e-11 * r.max())
    again = tn.solve(poisson(), space=SPACE, engine=client)
    assert np.array_equal(there.coefficients, again.coefficients), "the tree does not depend on who is first"


def test_means_and_periods_travel(client):
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)),
        [sp.Eq(tn.laplacian(u), -8 * sp.pi**2 * sp.cos(2 * sp.pi * x) * sp.cos(2 * sp.pi * y))],
        [tn.periodic(x), tn.periodic(y), tn.mean(u, 3)],
    )
    p = POINTS / 2 + 0.5
    expected = np.cos(2 * np.pi * p[:, 0]) * np.cos(2 * np.pi * p[:, 1]) + 3
    solution = tn.solve(problem, space=tn.FeatureSpace.spectral(2, 250, 4.0), engine=client)
    assert np.abs(solution(p) - expected).max() < 1e-7


def test_progress_is_shown(client, capfd):
    tn.solve(poisson(), space=SPACE, engine=tn.Distributed(client, rows=150, progress=True))
    shown = capfd.readouterr().err
    blocks = shown.rsplit(" of ", 1)[1].split(",")[0]
    assert f"blocks of rows factored: {blocks} of {blocks}" in shown


def test_a_killed_worker_changes_nothing_but_the_time(client, monkeypatch):
    whole = tn.solve(poisson(), space=SPACE, engine=tn.Distributed(client, rows=20))
    victim = next(iter(client.run(os.getpid).values()))
    killed = threading.Event()
    original = client.submit

    def submit(*arguments, **options):
        future = original(*arguments, **options)
        if not killed.is_set():
            killed.set()
            threading.Timer(0.05, os.kill, (victim, signal.SIGKILL)).start()
        return future

    monkeypatch.setattr(client, "submit", submit)
    after = tn.solve(poisson(), space=SPACE, engine=tn.Distributed(client, rows=20))
    assert killed.is_set()
    assert np.array_equal(whole.coefficients, after.coefficients)
    for _ in range(100):
        if victim not in client.run(os.getpid).values():
            break
        time.sleep(0.05)
    assert victim not in client.run(os.getpid).values()
    client.wait_for_workers(2, timeout=60)


def in_pieces(**options) -> tn.Solution:
    disk = tn.Disk(radius=1)
    core = tn.Disk(radius=0.4)
    k = tn.by_piece(core=10, shell=1)
    equation = sp.Eq(-tn.div(k * tn.grad(u)), 1)
    problem = tn.Problem(tn.Pieces(core=core, shell=disk - core), [equation], [tn.on("boundary", u)])
    return tn.solve(problem, pieces=tn.Cut(4, refine=False), **options)


def test_pieces_are_reduced_by_workers_and_a_killed_one_changes_nothing(client, monkeypatch):
    here = in_pieces()
    r2 = np.sum(POINTS**2, axis=1)
    exact = np.where(r2 < 0.16, (0.16 - r2) / 40 + 0.21, (1 - r2) / 4)[r2 < 1]
    assert np.abs(here(POINTS[r2 < 1]) - exact).max() < 1e-9
    there = in_pieces(engine=client)
    assert np.array_equal(here.coefficients, there.coefficients)
    victim = next(iter(client.run(os.getpid).values()))
    submitted = []
    original = client.submit

    def submit(*arguments, **options):
        submitted.append(original(*arguments, **options))
        if len(submitted) == 2:
            os.kill(victim, signal.SIGKILL)
        return submitted[-1]

    monkeypatch.setattr(client, "submit", submit)
    after = in_pieces(engine=client)
    assert len(submitted) >= 8
    assert np.array_equal(here.coefficients, after.coefficients)
    client.wait_for_workers(2, timeout=60)


def test_an_engine_for_the_rows_of_one_network_is_refused_in_pieces():
    with pytest.raises(ProblemError, match=r"rows of a single network.*in pieces"):
        in_pieces(engine=tn.Streamed())


def test_a_scheduler_that_goes_away_is_told_and_what_was_found_is_kept():
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    seen = []

    def watch(solution):
        seen.append(solution)
        if len(seen) == 1:
            cluster.close()

    with (
        distributed.Client(cluster, set_as_default=False) as connected,
        pytest.raises(ClusterError, match=r"went away|lost its scheduler") as caught,
    ):
        tn.solve(poisson(), tol=1e-13, engine=connected, watch=watch)
    assert caught.value.solution is seen[0]
    assert "What had been found so far" in str(caught.value)


def test_a_scheduler_that_goes_away_while_blocks_are_factored(monkeypatch):
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    with distributed.Client(cluster, set_as_default=False) as connected:
        original = connected.submit

        def submit(*arguments, **options):
            future = original(time.sleep, 2)
            threading.Timer(0.3, cluster.close).start()
            monkeypatch.setattr(connected, "submit", original)
            return future

        monkeypatch.setattr(connected, "submit", submit)
        with pytest.raises(ClusterError, match="went away"):
            tn.solve(poisson(), space=SPACE, engine=connected)


def test_a_block_that_does_not_fit_is_told_before_starting(client):
    with pytest.raises(ProblemError, match=r"does not fit into the memory of the worker.*at most (\d+) rows") as caught:
        tn.solve(poisson(), space=SPACE, engine=tn.Distributed(client, rows=10_000_000))
    fits = int(str(caught.value).split("at most ")[1].split()[0])
    assert error(tn.solve(poisson(), space=SPACE, engine=tn.Distributed(client, rows=fits))) < 1e-7


class Pretend:
    """A client that knows its workers and is never asked to compute."""

    asynchronous = False

    def __init__(self, **workers):
        self.workers = workers

    def scheduler_info(self):
        return {"workers": self.workers}

    def submit(self, *arguments, **options):
        raise AssertionError("nothing may be submitted")


def test_a_cluster_without_workers_is_refused():
    with pytest.raises(ProblemError, match=r"no workers.*cluster\.scale"):
        tn.solve(poisson(), space=SPACE, engine=Pretend())


def test_a_worker_too_small_for_any_block_is_named_with_what_fits():
    pretend = Pretend(large={"nthreads": 1, "memory_limit": 2**33}, small={"nthreads": 2, "memory_limit": 2**20})
    with pytest.raises(ProblemError, match=r"worker small is too small.*memory_limit.*at most \d+ columns"):
        tn.solve(poisson(), space=SPACE, engine=pretend)


def test_bad_clients_are_refused():
    asynchronous = Pretend()
    asynchronous.asynchronous = True
    with pytest.raises(ProblemError, match="asynchronous"):
        tn.solve(poisson(), space=SPACE, engine=asynchronous)
    with pytest.raises(ProblemError, match="whole number of rows, at least one"):
        tn.solve(poisson(), space=SPACE, engine=tn.Distributed(Pretend(a={"nthreads": 1, "memory_limit": 0}), rows=0))
