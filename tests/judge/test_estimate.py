"""The error estimate as a formula: differences of nested networks, the bound, and what each is for."""

from __future__ import annotations

from math import exp, isnan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transnet.judge.estimate import FRACTIONS, FURTHEST, SAFETY, VISIBLE, distances, error_estimate
from transnet.tolerances import EPS

NEURONS = [int(400 * f) for f in FRACTIONS]


def nested(error):
    """Differences that are the errors of the parts, as exponentials of the neurons."""
    return tuple((n, error(n)) for n in NEURONS)


@given(rate=st.floats(1e-3, 0.03), size=st.floats(1e-6, 1.0))
def test_exponential_convergence_is_carried_on_to_the_whole(rate, size):
    found = error_estimate(nested(lambda n: size * exp(-rate * n)))
    assert found == pytest.approx(max(SAFETY * size * exp(-rate * 400), EPS), rel=1e-6)


def test_nothing_falls_faster_than_the_last_difference_allows():
    steep = nested(lambda n: exp(-0.5 * n))
    assert error_estimate(steep) == max(SAFETY * FURTHEST * steep[-1][1], EPS)


def test_differences_that_do_not_fall_are_taken_as_they_are():
    assert error_estimate(nested(lambda n: 1e-3)) == pytest.approx(SAFETY * 1e-3)


def test_a_part_that_is_nearly_singular_is_passed_over():
    plain = dict(nested(lambda n: exp(-0.02 * n)))
    spoilt = {**plain, NEURONS[-2]: 1.0}
    assert error_estimate(tuple(spoilt.items())) < 5 * error_estimate(tuple(plain.items()))


@given(bound=st.floats(1e-8, 1e3), share=st.floats(0.0, 2.0))
def test_the_bound_counts_as_far_as_the_equations_do_not_hold(bound, share):
    differences = nested(lambda n: exp(-0.05 * n))
    found = error_estimate(differences, bound, share)
    assert found == pytest.approx(max(error_estimate(differences), bound * min(share, 1.0) ** 2))


@pytest.mark.parametrize(("share", "power"), [(VISIBLE / 2, 2), (2 * VISIBLE, 1)])
def test_what_one_can_see_of_a_nonlinear_equation_counts_in_full(share, power):
    assert error_estimate(nested(lambda n: 1e-9), 1.0, share, linear=False) == pytest.approx(share**power)


def test_without_smaller_networks_nothing_is_known():
    assert isnan(error_estimate(()))


def test_distances_are_relative_to_each_unknown_and_the_largest_counts():
    whole = [np.full((4, 1), 2.0), np.full((4, 1), 10.0)]
    missing = [[np.full((4, 1), 0.2)], [np.full((4, 1), 0.1)]]
    assert distances(whole, missing)[0, 0] == pytest.approx(0.1)
    # An unknown that is zero is measured by the other.
    tiny = [np.zeros((4, 1)), whole[1]]
    assert distances(tiny, missing)[0, 0] == pytest.approx(0.2 / 1e-5)
    both = distances([np.array([[1.0], [7.0]])], [[np.array([[0.1], [0.7]])]])
    assert both[0, 0] == pytest.approx(sqrt((0.01 + 0.49) / 50))
