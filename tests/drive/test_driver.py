"""The driver: when it stops, when it changes the method, what it keeps; with levels written down beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

import pytest
import sympy as sp

import transnet as tn
from transnet.drive.driver import PLATEAU, SCATTER, drive
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan
from transnet.errors import EstimateWarning, Message, ProblemError, UniquenessWarning

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
PROBLEM = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), u)], [tn.on("boundary", sp.Eq(u, x))])
SOLUTION = tn.solve(PROBLEM, neurons=40)


@dataclass(frozen=True)
class Written:
    """A method whose levels have given errors and costs; an exception among the errors is raised."""

    name: str
    errors: tuple[float | BaseException, ...]
    seconds: float = 1.0
    remaining: float | None = None
    factor: float = 4.0
    sure: bool = False
    messages: tuple[Message, ...] = ()
    options: frozenset[str] = frozenset()
    floor: float = 0.0

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        return Fit(self.seconds) if self.errors else Refusal("it has no levels")

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        cost = 1e-3
        for error in self.errors:
            if isinstance(error, BaseException):
                raise error
            known = replace(SOLUTION.diagnostics, error=error, messages=self.messages)
            ahead = None if self.remaining is None else (lambda goal: self.remaining)
            cost *= self.factor
            found = replace(SOLUTION, diagnostics=known)
            yield Judged(found, f"{self.name} {error}", cost, self.factor * cost, ahead, self.sure)


def tried(found: tn.Solution) -> list[str]:
    return [a.words for a in found.diagnostics.trail if a.error == a.error]


def test_a_goal_that_is_met_clearly_ends_it():
    found = drive(Plan(PROBLEM, tol=1e-6), (Written("a", (1e-2, 1e-6 / SCATTER / 2, 1e-9)),))
    assert len(found.history) == 2


def test_a_goal_that_is_just_met_is_confirmed_unless_the_estimate_is_sure():
    errors = (1e-2, 0.9e-6, 0.8e-6, 1e-9)
    assert len(drive(Plan(PROBLEM, tol=1e-6), (Written("a", errors),)).history) == 3
    assert len(drive(Plan(PROBLEM, tol=1e-6), (Written("a", errors, sure=True),)).history) == 2


def test_a_plain_solve_goes_on_while_that_is_nearly_free():
    cheap = Written("a", (1e-7, 1e-8, 1e-11), factor=2.0)
    assert len(drive(Plan(PROBLEM), (cheap,)).history) == 3
    dear = Written("a", (1e-7, 1e-8, 1e-11), factor=40.0)
    assert len(drive(Plan(PROBLEM), (dear,)).history) == 1


@pytest.mark.parametrize(
    ("errors", "count"),
    [
        ((1e-2, 9e-3, 8e-3, 1e-9), 3),
        ((3.0, 5.0, 2.6, 1e-2, 1e-11), 5),  # nothing of the solution is seen before the fourth
        ((1e-2, 1e-2 / PLATEAU / 1.1, 1e-3, 2e-4, 1e-11), 5),
    ],
)
def test_what_gains_nothing_ends_and_what_is_not_resolved_yet_does_not(errors, count):
    found = drive(Plan(PROBLEM, tol=1e-10), (Written("a", errors),))
    assert len(found.history) == count


def test_the_cheapest_is_first_and_left_when_its_rate_predicts_more_than_another_takes():
    slow = Written("slow", (1e-2, 5e-3, 1e-9), seconds=0.1, remaining=50.0)
    other = Written("other", (1e-3, 1e-9), seconds=5.0)
    found = drive(Plan(PROBLEM, tol=1e-6), (other, slow))
    assert tried(found) == ["slow 0.01", "other 0.001", "other 1e-09"]
    assert found.diagnostics.trail[0].outcome == "rate too slow"


def test_larger_levels_that_are_farther_off_leave_to_a_method_that_takes_longer():
    wild = Written("a", (4.0, 8.0, 250.0, 300.0, 1e-8))
    other = Written("b", (1e-7,), seconds=100.0)
    assert tried(drive(Plan(PROBLEM, tol=1e-6), (wild, other))) == ["a 4.0", "a 8.0", "b 1e-07"]
    settling = Written("a", (4.0, 2.0, 0.2, 1e-8))
    assert "b 1e-07" not in tried(drive(Plan(PROBLEM, tol=1e-6), (settling, other)))


def test_a_method_that_was_left_is_taken_up_again_if_the_other_is_worse():
    slow = Written("slow", (1e-2, 5e-3, 1e-9), seconds=0.1, remaining=50.0)
    other = Written("other", (0.2,), seconds=5.0)
    found = drive(Plan(PROBLEM, tol=1e-6), (slow, other))
    assert tried(found) == ["slow 0.01", "other 0.2", "slow 0.005", "slow 1e-09"]
    assert found.error == 1e-9


def test_a_method_that_fails_leaves_its_reason_and_the_next_is_tried():
    bad = Written("bad", (OverflowError("too large"),), seconds=0.1)
    found = drive(Plan(PROBLEM, tol=1e-6), (bad, Written("good", (1e-9,), sure=True)))
    assert "too large" in str(found.diagnostics.trail[0])
    with pytest.raises(OverflowError):
        drive(Plan(PROBLEM, tol=1e-6), (bad,))
    with pytest.raises(ProblemError, match="it has no levels"):
        drive(Plan(PROBLEM, tol=1e-6), (Written("none", ()),))


def test_what_a_method_found_before_it_failed_is_kept():
    found = drive(Plan(PROBLEM, tol=1e-9), (Written("a", (1e-3, 1e-4, MemoryError("too large"))),))
    assert found.error == 1e-4
    assert found.diagnostics.trail[-1].outcome == "too large"


def test_an_undetermined_solution_is_the_end_but_not_the_best():
    unsure = (Message(UniquenessWarning, "something is missing"),)
    alone = Written("a", (1e-9, 1e-12), seconds=0.1, messages=unsure)
    assert len(drive(Plan(PROBLEM, tol=1e-11), (alone,)).history) == 1
    first = Written("first", (1e-3,), seconds=0.05)
    assert drive(Plan(PROBLEM, tol=1e-11), (first, alone)).error == 1e-3


def test_an_interruption_keeps_the_best():
    found = drive(Plan(PROBLEM, tol=1e-11), (Written("a", (1e-3, 1e-4, KeyboardInterrupt())),))
    assert (found.status, found.error) == ("interrupted", 1e-4)
    assert any(m.kind is EstimateWarning and "interrupted" in m.text for m in found.diagnostics.messages)


def test_no_time_for_what_would_take_longer():
    found = drive(Plan(PROBLEM, tol=1e-11, seconds=1.0), (Written("a", (1e-3, 1e-12), factor=1000.0),))
    assert found.error == 1e-3


def test_methods_can_be_asked_and_chosen():
    table = tn.methods(PROBLEM)
    assert table.fitting[0] == "network"
    assert "trefftz" not in table.fitting
    assert "reason" in str(table["cross"].__dict__)
    assert "predicted" in str(table)
    assert tn.solve(PROBLEM, method="pieces", tol=1e-6).basis.kind == "pieces"
    with pytest.raises(ProblemError, match="There is no method 'fem'"):
        tn.solve(PROBLEM, method="fem")
    with pytest.raises(ProblemError, match="evolution"):
        tn.solve(PROBLEM, method="march")


def test_a_prediction_is_infinite_where_a_method_has_no_more_levels():
    level = Judged(SOLUTION, "one")
    assert level.next_seconds() == level.remaining(1e-6) == inf


def test_options_that_a_method_does_not_take_rule_it_out():
    assert tn.methods(PROBLEM, neurons=100).fitting == ("network",)
    assert "neurons=" in tn.methods(PROBLEM, neurons=100)["pieces"].reason
