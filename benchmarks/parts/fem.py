"""(c) scikit-fem with quadratic and quartic elements, on the coarsest mesh that reaches an error."""

from collections.abc import Callable
from dataclasses import replace

import pyamg  # noqa: F401  (its multigrid is one of the solvers: without it there is no fair comparison)

from measure import REPEATS, by_tolerance, ours
from peers.evolution import evolve
from peers.flow import LARGEST, PAIRS, RATES, kovasznay
from peers.poisson import DIRECT, MESHES, ORDERED, Outcome, poisson
from peers.search import coarsest
from report import Figure, Part
from transnet.paper.cases import case

GOALS = {
    "C1": {1e-6: 10, 1e-9: 100},
    "C2": {1e-6: 10, 1e-9: 100},
    "C3": {1e-6: None, 1e-9: None},
    "C4": {1e-6: 10, 1e-9: 100},
    "C5": {1e-3: None},
    "C6": {1e-6: None},
    "C7": {1e-6: None},
    "C8": {1e-3: None},
    "C9": {1e-6: None},
}
"""Relative errors to reach, with the wanted ratio where there is one."""
COARSE = {"C1": 8, "C2": 4, "C3": 4, "C4": 2, "C5": 4}
"""The n of the coarsest mesh."""
MARCHED = ("C8",)
"""Cases for which one network of a fixed size takes seconds, and a march a fraction of one."""
LIMIT = 1_200_000
"""Unknowns at which an element is given up."""
STEPS = 10_000
"""Steps in time at which it is given up; far beyond, rounding adds up."""
DIRECT_LIMIT = 100_000
"""Unknowns above which the default direct solver is left out: it took 1.6 to 4.7 times as long as multigrid there."""


def stationary(name: str, element: str, wanted: float) -> tuple[int, Outcome | None]:
    """Unknowns and outcome of the coarsest mesh; or the unknowns that would be needed, and None."""
    kind, mesh_of = MESHES[name][element]
    dimension = 3 if name == "C5" else 2
    # The search needs no comparison of solvers: the last of them is the fastest.
    quickest = kind.solvers[-1:]

    def attempt(n: int) -> Outcome:
        return poisson(mesh_of(n), kind, quickest, wanted)

    start = COARSE[name]
    density = attempt(2 * start).unknowns / (2 * start) ** dimension
    largest = int((LIMIT / density) ** (1 / dimension))
    n, found = coarsest(attempt, lambda o: o.error, wanted, kind.degree + 1, largest, start)
    if found is None:
        return round(density * float(n) ** dimension), None
    solvers = tuple(s for s in kind.solvers if s != DIRECT or found.unknowns < DIRECT_LIMIT)
    if solvers == quickest and found.best > 2:
        return found.unknowns, found
    return repeated(lambda: poisson(mesh_of(n), kind, solvers, wanted), found)


def in_time(name: str, wanted: float) -> tuple[int, Outcome | None]:
    n, found = coarsest(lambda n: evolve(name, n), lambda o: o.error, wanted, 2, STEPS, 20)
    if found is None:
        return round(evolve(name, 100).unknowns * (n / 100) ** 1.4), None
    return repeated(lambda: evolve(name, n), found)


def flowing(element: str, wanted: float) -> tuple[int, Outcome | None]:
    n, found = coarsest(
        lambda n: kovasznay(n, element, wanted), lambda o: o.error, wanted, RATES[element], LARGEST, start=2
    )
    if found is None:
        return round(kovasznay(2, element, wanted).unknowns * (n / 2) ** 2), None
    return repeated(lambda: kovasznay(n, element, wanted), found)


def repeated(solve: Callable[[], Outcome], found: Outcome) -> tuple[int, Outcome]:
    """The smallest times of as many calls as ours gets, or of the only one where that takes seconds."""
    again = [solve() for _ in range(REPEATS if found.best < 2 else 1)]
    times = {s: min(o.seconds[s] for o in again) for s in again[0].seconds}
    return found.unknowns, replace(again[-1], seconds=times)


def measured(name: str, wanted: float, quick: bool) -> dict[str, tuple[int, Outcome | None]]:
    """By element."""
    if name == "C6":
        return {element: flowing(element, wanted) for element in PAIRS}
    if name not in MESHES:
        return {"quartic": in_time(name, wanted)}
    return {element: stationary(name, element, wanted) for element in (("quartic",) if quick else MESHES[name])}


def run(quick: bool) -> Part:
    rows, figures = [], []
    for name in ("C1",) if quick else GOALS:
        what = case(name)
        for wanted, target in GOALS[name].items():
            if quick and wanted < 1e-6:
                continue
            found_ours = [r for r in (by_tolerance(what, wanted), None if name in MARCHED else ours(what, wanted)) if r]
            reached = min(found_ours, key=lambda r: r.seconds, default=None)
            ratios = []
            for element, (size, found) in measured(name, wanted, quick).items():
                if found is None:
                    rows.append((name, wanted, element, "-", f"about {size:.0e} needed", *["-"] * 5))
                    continue
                for solver, spent in found.seconds.items():
                    mine = (reached.size, reached.seconds, spent / reached.seconds) if reached else ("-", "-", "-")
                    rows.append((name, wanted, element, solver, size, found.error, spent, *mine))
                    if solver != ORDERED and reached:
                        ratios.append(spent / reached.seconds)
            if target:
                label = f"(c) {name}: faster than scikit-fem at {wanted:.0e}"
                figures.append(Figure(label, min(ratios, default=0.0), target))
            print(f"   {name} at {wanted:.0e}: {min(ratios, default=0.0):.3g}", flush=True)
    return Part("(c) scikit-fem at a given error", HEADER, rows, figures, NOTES, keys=4)


HEADER = (
    "case", "wanted", "element", "solver", "unknowns", "error", "its seconds", "ours", "our seconds", "ratio"
)  # fmt: skip
NOTES = (
    "The fastest of its elements and solvers (SciPy's direct ones, CG with PyAMG) on the coarsest mesh that reaches "
    "the relative error; making the mesh is not counted. C6 has Taylor-Hood elements, C7 to C9 Crank-Nicolson "
    "steps. Ours is the whole call."
)
