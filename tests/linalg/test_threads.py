"""BLAS runs on one thread in a solve, on all for large factorisations, and as before afterwards."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
import sympy as sp
from threadpoolctl import ThreadpoolController, threadpool_limits

import transnet as tn
from transnet import threads
from transnet.threads import LARGE, ONE, for_columns


def numbers() -> set[int]:
    return {lib.num_threads for lib in ThreadpoolController().lib_controllers if lib.user_api == "blas"}


@pytest.fixture(autouse=True)
def _two_threads(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(threads, "running", lambda: 1)
    monkeypatch.setattr(threads, "cores", lambda: 2)
    with threadpool_limits(2, user_api="blas"):
        if numbers() != {2}:
            pytest.skip("this BLAS has no threads")
        yield
        assert numbers() == {2}


def test_scopes_nest() -> None:
    with ONE:
        assert numbers() == {1}
        with for_columns(LARGE + 1):
            assert numbers() == {2}
            with ONE:
                assert numbers() == {2}  # as long as the large one lasts
        with for_columns(LARGE):
            assert numbers() == {1}
        assert numbers() == {1}
    assert numbers() == {2}


def test_a_busy_machine_keeps_large_factorisations_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "running", lambda: 2)
    monkeypatch.setattr(threads._tally, "idle", -threads.RECENT)
    with ONE, for_columns(LARGE + 1):
        assert numbers() == {1}


def test_an_error_leaves_the_scope() -> None:
    with pytest.raises(ZeroDivisionError), ONE:
        _ = 1 / 0


def test_what_the_user_limits_is_kept() -> None:
    with threadpool_limits(1, user_api="blas"), ONE, for_columns(LARGE + 1):
        assert numbers() == {1}


def test_threads_of_a_program_share_the_scope() -> None:
    together = Barrier(4, timeout=20)

    def one(_: int) -> set[int]:
        with ONE:
            together.wait()
            found = numbers()
            together.wait()
        return found

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(4))) == [{1}] * 4


def test_a_solve_runs_on_one_thread() -> None:
    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    seen = []

    def source(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        seen.append(numbers())
        return np.exp(a) * b

    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(tn.laplacian(u), tn.given("f", source, x, y))], [tn.on("boundary", u)]
    )
    tn.solve(problem, neurons=60)
    assert seen
    assert all(found == {1} for found in seen)
