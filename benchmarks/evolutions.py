"""Evolutions against their references, with defaults or one tolerance: `python benchmarks/evolutions.py [names]`."""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np

import transnet as tn
from evolved import ODES, PROBLEMS, Evolved


def error_of(name: str, solution: tn.Solution, what: Evolved) -> float:
    """The relative error at the last moment, in units of the root mean square of each unknown over all times."""
    values = np.asarray(solution(what.points))
    if name == "packet":
        first = what.points.copy()
        first[:, 1] = 0.0
        norms = [what.truth @ np.abs(np.asarray(solution(p))) ** 2 for p in (what.points, first)]
        return float(abs(norms[0] / norms[1] - 1))
    values = values.reshape(len(what.points), -1)
    truth = what.truth.reshape(len(what.points), -1)
    worst = 0.0
    for k in range(truth.shape[1]):
        gap = np.sqrt(np.mean((values[:, k] - truth[:, k]) ** 2))
        size = np.sqrt(np.mean(truth[:, k] ** 2))
        if len(what.points) == 1:  # an ordinary one: its size over all times
            slabs = solution.slabs
            moments = np.linspace(slabs.times[0], slabs.times[-1], 2001)
            size = np.sqrt(np.mean(np.asarray(solution(moments)).reshape(2001, -1)[:, k] ** 2))
        worst = max(worst, gap / size)
    return worst


def measured(name: str, tol: float | None) -> str:
    what = PROBLEMS[name]()
    begun = time.process_time()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            solution = tn.solve(what.problem, tol=tol)
        except tn.TransnetError as reason:
            return f"{name:18} tol {tol}: {reason}"
    spent = time.process_time() - begun
    error, slabs = error_of(name, solution, what), solution.slabs
    estimate = slabs.estimates[-1] if slabs is not None else solution.error
    count = len(slabs) if slabs is not None else 0
    aim = what.aim if tol is None or what.aim else 10 * tol
    verdict = "" if error <= aim else "MISSED "
    verdict += "" if 0.1 <= (estimate + 1e-16) / (error + 1e-16) <= 10 else "ESTIMATE "
    told = "; ".join(str(w.message)[:90] for w in said)
    head = f"{name:18} {tol or 'plain':>6} {count:5d} slabs"
    return f"{head}  error {error:8.1e}  estimate {estimate:8.1e}  {spent:6.2f} s  {verdict}{told}"


def main(names: list[str]) -> None:
    for name in names or PROBLEMS:
        for tol in (1e-3, 1e-6, 1e-9) if name in ODES else (None,):
            print(measured(name, tol), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
