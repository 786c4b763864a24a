"""One solve of one case by one method: what is run, and what is recorded."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import transnet as tn
from transnet.errors import ProblemError, TransnetWarning
from transnet.paper.case import Case
from transnet.paper.cases import case
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

METHODS = {
    "transnet": "this library's defaults",
    "published": "TransNet by the authors' recipe",
    "random-features": "random feature model",
    "pinn-adam": "PINN trained by Adam",
    "pinn-adam-lbfgs": "PINN trained by Adam, then L-BFGS",
}
ASSEMBLING = ("assemble", "points and features")
SOLVING = ("solve", "first steps", "iterate", "adam", "lbfgs")
"""The names that the methods use for the parts of their time that count as assembling and as solving."""
Progress = Callable[[int, int, float], None]


@dataclass(frozen=True, order=True)
class Job:
    """What to solve, and how.

    Parameters
    ----------
    case, method : str
        "C1" to "C9", and one of `METHODS`.
    neurons, seed : int
        The number of hidden neurons for each unknown, and the random seed.
    adam_steps, lbfgs_steps : int
        How long a PINN is trained; ignored by other methods.
    """

    case: str
    method: str
    neurons: int
    seed: int = 0
    adam_steps: int = 5000
    lbfgs_steps: int = 200

    def __post_init__(self) -> None:
        object.__setattr__(self, "case", case(self.case).name)
        if self.method not in METHODS:
            raise ProblemError(f"There is no method '{self.method}'. The methods are {', '.join(METHODS)}.")
        if self.neurons < 1:
            raise ProblemError(f"A network needs at least one neuron, not {self.neurons}.")
        if not self.trained:
            object.__setattr__(self, "adam_steps", 0)
        if self.method != "pinn-adam-lbfgs":
            object.__setattr__(self, "lbfgs_steps", 0)

    @property
    def trained(self) -> bool:
        """Whether the method is a PINN."""
        return self.method.startswith("pinn")


@dataclass(frozen=True, eq=False)
class Finished:
    """A finished job: the solution, its record, and the processor seconds that it took."""

    job: Job
    solution: Solution
    record: dict[str, Any]
    cpu: float


def run(job: Job, progress: Progress | None = None) -> Iterator[Finished]:
    """Solve; a PINN trained in two stages gives an outcome after each of them, any other method gives one.

    Symbolic work, which is done once per problem and not per solve, is not timed.
    """
    stated = case(job.case)
    statements_of(stated.problem)
    start, worked = perf_counter(), process_time()
    with warnings.catch_warnings():
        # Methods are compared by their true errors here, large ones included.
        warnings.simplefilter("ignore", TransnetWarning)
        for solution in _solutions(job, stated, progress):
            total, cpu = perf_counter() - start, process_time() - worked
            stage = "pinn-adam" if job.trained and solution.diagnostics.solver == "Adam" else job.method
            now = Job(job.case, stage, job.neurons, job.seed, job.adam_steps, job.lbfgs_steps)
            yield Finished(now, solution, record_of(now, stated, solution, total), cpu)


def _solutions(job: Job, stated: Case, progress: Progress | None) -> Iterator[Solution]:
    weight = stated.condition_weight
    match job.method:
        case "transnet":
            # The factors of C6 are marked for the authors' Picard iteration; the library's default is Newton's.
            nonlinear = not all(s.equation.linear for s in statements_of(stated.problem))
            method = tn.TransNet(job.neurons, seed=job.seed, strategy=tn.Newton() if nonlinear else None)
            yield method.solve(stated.problem, progress=False)
        case "published":
            yield tn.Published(job.neurons, stated.points, weight, seed=job.seed).solve(stated.problem)
        case "random-features":
            yield tn.RandomFeatures(job.neurons, stated.points, weight, seed=job.seed).solve(stated.problem)
        case _:
            pinn = tn.PINN(
                job.neurons, job.adam_steps, job.lbfgs_steps, points=stated.points, condition_weight=weight,
                seed=job.seed, progress=progress,
            )  # fmt: skip
            yield from pinn.stages(stated.problem)


def record_of(job: Job, stated: Case, solution: Solution, total: float) -> dict[str, Any]:
    """The JSON record of a solve: the job, its errors at the test points, its rank and its seconds."""
    errors = stated.errors_of(solution(stated.test_points))
    known = solution.diagnostics
    laps = known.seconds
    record: dict[str, Any] = {
        "case": job.case,
        "method": job.method,
        "neurons": job.neurons,
        "seed": job.seed,
        "mse": errors.mse,
        "max_error": errors.max_error,
        "relative_l2": errors.relative_l2,
        "rank": None if job.trained else known.rank,
        "seconds": {
            "assemble": sum(laps.get(name, 0.0) for name in ASSEMBLING),
            "solve": sum(laps.get(name, 0.0) for name in SOLVING),
            "total": total,
        },
    }
    if job.trained:
        record["steps"] = {"adam": job.adam_steps, "lbfgs": job.lbfgs_steps}
    return record


def job_of(record: dict[str, Any]) -> Job:
    """The job of a record."""
    steps = record.get("steps", {})
    return Job(
        record["case"], record["method"], record["neurons"], record["seed"],
        steps.get("adam", 0), steps.get("lbfgs", 0),
    )  # fmt: skip
