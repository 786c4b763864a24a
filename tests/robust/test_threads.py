"""Everything that is public from several threads at once: the same digits as from one."""

import contextlib
import os
import signal
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y, a, k = sp.symbols("x y a k")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
POINTS = np.random.default_rng(0).random((50, 2))


def poisson(operator=False):
    left = tn.laplacian(u) - (k * u if operator else 0)
    return tn.Problem(SQUARE, [sp.Eq(left, a * sp.sin(3 * x) * y)], [tn.on("boundary", sp.Eq(u, a * x))])


@pytest.fixture(autouse=True)
def eager_threads():
    """Threads that give way to each other as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(function, arguments, threads=6):
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, arguments))


def test_one_prepared_problem_in_six_threads():
    prepared, other = (tn.prepare(poisson(), neurons=300) for _ in range(2))
    expected = [other.solve({a: 1.0 + number})(POINTS) for number in range(6)]
    gate = Barrier(6)

    def five(number):
        gate.wait()
        return [prepared.solve({a: 1.0 + number})(POINTS) for _ in range(5)]

    for number, found in enumerate(in_threads(five, range(6))):
        for values in found:
            np.testing.assert_array_equal(values, expected[number])


def test_parameters_of_the_operator_from_several_threads():
    prepared = tn.prepare(poisson(operator=True), neurons=80, parameters={a: 1.0, k: 1.0})
    values = [1.0, 2.0, 3.0, 1.0, 2.0, 3.0] * 2
    together = in_threads(lambda v: prepared.solve({a: 1.0, k: v})(POINTS), values)
    for v, found in zip(values, together, strict=True):
        np.testing.assert_array_equal(found, prepared.solve({a: 1.0, k: v})(POINTS))


def test_one_problem_solved_in_six_threads():
    problem = poisson()
    solutions = in_threads(lambda _: tn.solve(problem, neurons=80, parameters={a: 1.0}), range(6))
    for solution in solutions:
        np.testing.assert_array_equal(solution.coefficients, solutions[0].coefficients)


def test_a_nonlinear_problem_and_a_domain_in_several_threads():
    domain = SQUARE - tn.Disk(center=(0.5, 0.5), radius=0.2)
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u) - u**3, x)], [tn.on("boundary", sp.Eq(u, y))])
    found = in_threads(lambda _: tn.solve(problem, neurons=60)(domain.interior(20)), range(4), threads=4)
    for values in found:
        np.testing.assert_array_equal(values, found[0])


def test_saving_and_loading_one_file_from_several_threads(tmp_path):
    solution = tn.solve(poisson(), neurons=60, parameters={a: 1.0})
    path = solution.save(tmp_path / "one.npz")

    def both(_):
        solution.save(path)
        return tn.load(path)(POINTS)

    for values in in_threads(both, range(12)):
        np.testing.assert_array_equal(values, solution(POINTS))
    assert [p.name for p in tmp_path.iterdir()] == ["one.npz"]


def test_warnings_of_one_thread_do_not_silence_another():
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on("x=0", sp.Eq(u, 0))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = in_threads(lambda _: tn.solve(problem, neurons=40).diagnostics.messages, range(4), threads=4)
    assert all(messages == found[0] for messages in found)
    assert found[0]


# -- arrays --------------------------------------------------------------------------------------------------------
def test_arrays_that_are_changed_afterwards_change_nothing():
    points, values = np.array([[0.5, 0.5], [0.2, 0.3]]), np.array([1.0, 2.0])
    stated = tn.data(u, points, values)
    placed = tn.at(points, sp.Eq(u, 0))
    points[:], values[:] = 9.0, 9.0
    assert stated.points[0, 0] == placed.points[0, 0] == 0.5
    assert list(stated.values) == [1.0, 2.0]


def test_what_a_value_holds_cannot_be_written_to():
    weights = np.ones((3, 2))
    space = tn.FeatureSpace(weights, np.zeros(3))
    weights[:] = 5.0
    assert space.weights[0, 0] == 1.0
    solution = tn.solve(poisson(), neurons=40, parameters={a: 1.0})
    many = tn.prepare(poisson(), neurons=40).solve_many({a: np.array([1.0, 2.0])})
    domain = SQUARE - tn.Disk(center=(0.5, 0.5), radius=0.2)
    for array in (
        space.weights, space.biases, solution.coefficients, many.coefficients, many[0].coefficients, domain.bounds,
        SQUARE.bounds, (SQUARE * tn.Interval(t=(0, 1))).bounds, tn.data(u, [[0, 0]], [1]).values,
    ):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_that_is_forked_while_other_threads_hold_the_locks_solves():
    from functools import cached_property

    from transnet import archive
    from transnet.geometry.box import Box
    from transnet.threads import _tally

    held, go_on = threading.Event(), threading.Event()
    locks = [getattr(p, "lock", None) for p in vars(Box).values() if isinstance(p, cached_property)]

    def hold():
        with contextlib.ExitStack() as stack:
            for lock in [*(k for k in locks if k is not None), archive._parsing, _tally.lock]:
                stack.enter_context(lock)
            held.set()
            go_on.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(20)  # which ends a child that waits for ever
            box = tn.Box(x=(0, 1), y=(0, 1))
            with archive._parsing, _tally.lock:
                code = 0 if box.bounds.shape == (2, 2) and box.parts else 1
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    go_on.set()
    thread.join()
    assert status == 0
