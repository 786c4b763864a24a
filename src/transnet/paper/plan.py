"""What the report computes: everything at the paper's sizes, or enough of it for three minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from transnet.paper.cases import NAMES, case
from transnet.paper.run import Job

LINEAR_METHODS = ("transnet", "published", "random-features")
PINN_METHODS = ("pinn-adam", "pinn-adam-lbfgs")


@dataclass(frozen=True)
class Landscape:
    """One panel of the figure of the shape landscapes."""

    dimension: int
    correlation_length: float
    neurons: tuple[int, ...]


@dataclass(frozen=True)
class ReportPlan:
    """Sizes of a report.

    Parameters
    ----------
    jobs : tuple of Job
        The solves of the figure of the decay and of the tables.
    landscapes : tuple of Landscape
        What is tuned; `realisations`, `grid` and `shapes` are the numbers of functions, of points per axis and of
        shapes.
    pictures : dict
        The numbers of neurons with which the solutions are drawn, by case.
    densities : dict
        The PINN whose hidden layer is drawn, by case: a job of Adam and L-BFGS.
    reductions : tuple of str
        What is smaller than in the paper, in sentences.
    """

    jobs: tuple[Job, ...]
    landscapes: tuple[Landscape, ...]
    realisations: int
    shapes: int
    grid: dict[int, int]
    fit_neurons: int
    pictures: dict[str, int]
    densities: dict[str, Job]
    reductions: tuple[str, ...] = field(default=())


def full(seeds: Sequence[int] = (0, 1, 2)) -> ReportPlan:
    """Everything at the paper's sizes; the PINNs with one seed."""
    jobs = [Job(c, m, n, s) for c in NAMES for n in case(c).neurons for m in LINEAR_METHODS for s in seeds]
    jobs += [Job(c, m, w) for c in NAMES for w in case(c).widths for m in PINN_METHODS]
    return ReportPlan(
        jobs=_cheap_first(jobs),
        landscapes=tuple(
            Landscape(d, eta, sizes)
            for d, sizes in ((2, (100, 500, 1000)), (3, (500, 1000, 5000)))
            for eta in (0.5, 1.0)
        ),
        realisations=10,
        shapes=24,
        grid={2: 50, 3: 30},
        fit_neurons=1000,
        pictures={c: 1500 if case(c).problem.domain.dimension == 3 else 800 for c in NAMES},
        densities={c: Job(c, "pinn-adam-lbfgs", 1000) for c in NAMES[:4]},
    )


def reduced(seeds: Sequence[int] = (0, 1, 2)) -> ReportPlan:
    """About three minutes on two cores."""
    jobs: list[Job] = []
    for c in NAMES:
        flat = case(c).problem.domain.dimension == 2
        sizes: tuple[int, ...] = (100, 200, 300, 500, 700, 1000) if flat else (1000,)
        own: tuple[int, ...] = (100, 200, 300, 500, 700, 1000) if flat else (500, 1000)
        if c == "C6":
            sizes, own = (100, 200), (100, 200, 300, 500)
        for method, numbers in (("transnet", own), ("published", sizes), ("random-features", sizes)):
            few = c == "C6" or not flat
            jobs += [Job(c, method, n, s) for n in numbers for s in (seeds[:1] if few else seeds)]
    trained = {c: Job(c, "pinn-adam-lbfgs", 100, seeds[0], 500, 10) for c in NAMES[:4]}
    for job in trained.values():
        jobs += [Job(job.case, m, 100, job.seed, job.adam_steps, job.lbfgs_steps) for m in PINN_METHODS]
    return ReportPlan(
        jobs=_cheap_first(jobs),
        landscapes=(
            Landscape(2, 0.5, (100, 500)), Landscape(2, 1.0, (100, 500)), Landscape(3, 0.5, (500,)),
            Landscape(3, 1.0, (500,)),
        ),
        realisations=10,
        shapes=12,
        grid={2: 50, 3: 16},
        fit_neurons=1000,
        pictures={c: 800 if case(c).problem.domain.dimension == 3 else 300 if c == "C6" else 600 for c in NAMES},
        densities=trained,
        reductions=(
            "In 2D the numbers of neurons are 100, 200, 300, 500, 700 and 1000 (the paper has all hundreds from 100 to "
            "1000), with three seeds; in C6 one seed, up to 500 for this library and up to 200 for the others.",
            "In 3D (C5, C8) there are at most 1000 neurons (the paper goes to 5000) and one seed.",
            "PINNs are trained for C1 to C4 only, with a width of 100 and 500 + 10 steps (the paper has widths to 1000 "
            "in all cases and 5000 + 200 steps), so their errors are larger than published; those with "
            "all steps are kept.",
            "The shape landscapes leave out the largest networks, have 12 shapes instead of 24 (2D), and 16 instead of "
            "30 sample points along each axis in 3D.",
        ),
    )  # fmt: skip


def _cheap_first(jobs: Sequence[Job]) -> tuple[Job, ...]:
    """Sorted by cost, so that an interrupted report already has something for every case."""

    def cost(job: Job) -> tuple[float, str, str, int]:
        stated = case(job.case)
        work = job.neurons**2 * len(stated.problem.unknowns) ** 2 * (20 if job.case == "C6" else 1)
        return float(work + 5e4 * (job.adam_steps + 25 * job.lbfgs_steps)), job.case, job.method, job.seed

    return tuple(sorted(dict.fromkeys(jobs), key=cost))
