"""A march that ended early has the values that it reached and no others."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
EXACT = sp.sin(sp.pi * x) * (1 + sp.cos(7 * t + x))
STATED = tn.Problem(
    tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 40)),
    [sp.Eq(sp.diff(u, t) - sp.diff(u, x, 2) / 50, sp.diff(EXACT, t) - sp.diff(EXACT, x, 2) / 50)],
    [tn.on("x=0", sp.Eq(u, EXACT)), tn.on("x=1", sp.Eq(u, EXACT)), tn.on("t=0", sp.Eq(u, EXACT.subs(t, 0)))],
)


@pytest.mark.filterwarnings("ignore::transnet.errors.TransnetWarning")
def test_there_are_no_values_after_the_time_that_was_reached(monkeypatch):
    from transnet.slabs import march

    plain, steps = march.March.run, []

    def run(self, watch):
        def interrupting(track, moment):
            steps.append(moment)
            if len(steps) == 12:
                raise KeyboardInterrupt
            return watch(track, moment)

        return plain(self, interrupting)

    monkeypatch.setattr(march.March, "run", run)
    solution = tn.solve(STATED, tol=1e-6, method="march")
    assert solution.status == "interrupted"
    end = float(solution.problem.domain.bounds[1, 1])
    assert 0 < end < 40
    points = solution.problem.domain.interior(200)
    right = sp.lambdify((x, t), EXACT)(*points.T)
    assert np.linalg.norm(solution(points) - right) < 3 * solution.error * np.linalg.norm(right)
    with pytest.raises(ProblemError, match=r"start=solution"):
        solution(0.5, 40.0)
