"""The searches: the smallest network of ours and the coarsest mesh of a peer that reach an error; peaks of memory."""

import warnings

import numpy as np
import pytest

import measure
import transnet as tn
from parts import scaling
from peers.search import coarsest
from transnet.paper.cases import case


def test_the_smallest_network_of_the_ladder_is_taken():
    what = case("C9")
    sizes = (30, 40, 60, 80, 100, 130)
    with pytest.warns(tn.errors.AccuracyWarning):
        reached = measure.ours(what, 1e-4, sizes)
    assert reached.error <= 1e-4
    smaller = max(size for size in sizes if size < reached.size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        errors = [measure.relative_error(what, tn.solve(what.problem, neurons=smaller, seed=s)) for s in range(3)]
    assert np.median(errors) > 1e-4


def test_an_error_that_no_size_reaches_is_reported_as_such():
    with pytest.warns(tn.errors.AccuracyWarning):
        assert measure.ours(case("C9"), 1e-30, sizes=(20, 40)) is None


def test_the_time_is_the_smallest_of_the_repeats(monkeypatch):
    ticks = iter([0.0, 3.0, 10.0, 11.0, 20.0, 25.0])
    monkeypatch.setattr(measure, "clock", lambda: next(ticks))
    assert measure.seconds(lambda: "result", 3) == (1.0, "result")


def test_a_peer_gets_as_many_calls_as_ours_unless_it_takes_seconds(monkeypatch):
    monkeypatch.setattr(measure, "clock", lambda: clock[0])
    clock, calls = [0.0], []

    def solve():
        calls.append(1)
        clock[0] += 0.5 + 1 / len(calls)

    assert measure.fairly(solve)[0] == pytest.approx(0.5 + 1 / measure.REPEATS)
    assert len(calls) == measure.REPEATS
    calls.clear()
    assert measure.fairly(lambda: [solve() for _ in range(3)])[0] > 2
    assert len(calls) == 3


@pytest.mark.parametrize("order", [3, 5])
@pytest.mark.parametrize("wanted", [1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("knee", [0, 20])
def test_the_coarsest_mesh_is_found_in_few_attempts(order, wanted, knee):
    """An error of 4 n^-order that before the knee is larger than the rate foretells."""
    tried = []

    def error(n):
        tried.append(n)
        return 4.0 * n**-order * (1 + (knee / n) ** 2)

    n, found = coarsest(error, float, wanted, order, largest=10**6)
    assert found <= wanted
    smaller = int(n / 1.08) - 1
    assert 4.0 * smaller**-order * (1 + (knee / smaller) ** 2) > wanted
    assert len(tried) < 16
    assert max(tried) <= 1.1 * n


def test_a_rate_that_cannot_get_there_is_given_up_early_with_what_it_would_need():
    tried = []
    n, found = coarsest(lambda n: tried.append(n) or n**-3.0, float, 1e-12, 3, largest=500)
    assert found is None
    assert n == pytest.approx(1e4, rel=0.01)
    assert max(tried) <= 16


def test_an_error_with_a_floor_is_given_up():
    tried = []
    _, found = coarsest(lambda n: tried.append(n) or max(n**-3.0, 2e-6), float, 1e-6, 3, largest=10**6)
    assert found is None
    assert len(tried) <= 20


def test_the_peak_of_a_run_is_its_own_and_not_that_of_the_process_that_started_it():
    heavy = np.ones(60_000_000)
    found = scaling.measured(60, 0, "memory", 1)
    assert heavy.nbytes > 450 * 2**20
    assert 40 < found["peak"] < 400
    assert found["rows"] > 60


def test_a_run_that_fails_says_why():
    with pytest.raises(RuntimeError, match="neurons"):
        scaling.measured(-5, 0, "memory", 1)
