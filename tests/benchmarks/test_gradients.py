"""A sample of the table of derivatives: all results of a few problems along one direction, against differences."""

import numpy as np
import pytest

from gradient_problems import cases, spectra
from gradients import ENOUGH, OF_RESULT, differences, solved

SAMPLE = {"interval, nonlinear": cases, "carried along": spectra}


@pytest.mark.parametrize("name", SAMPLE)
def test_every_result_along_one_direction(name):
    case = SAMPLE[name]()[name]
    rng = np.random.default_rng(3)
    along = {p: rng.uniform(0.3, 1.0) * (abs(value) or 1.0) for p, value in case.values.items()}
    (exact,) = differences(case, [along])
    solution = solved(case, case.values, case.tol)
    there = solution[0] if SAMPLE[name] is spectra else solution
    for which, result in case.results.items():
        number = result(solution)
        slopes = there.gradient(number, wrt=list(along))
        found = sum(along[p] * float(slopes[p]) for p in along)
        told = sum(along[p] * slopes[p].error for p in along)
        size = max(abs(exact[which]), OF_RESULT * abs(float(number)))
        assert abs(found - exact[which]) < ENOUGH * size, which
        assert abs(found - exact[which]) < told + 1e-8 * size, which  # the differences have errors as well
