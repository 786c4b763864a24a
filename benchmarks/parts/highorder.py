"""(c) NGSolve: curved elements of high degree against `tn.solve(problem, tol=...)`, in the same process.

All problems take about a quarter of an hour, so each that is finished goes to benchmarks/races.jsonl: an interrupted
run goes on with the next, and a run that came to its end begins anew the next time.
"""

from __future__ import annotations

import json
import time
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import charts
import transnet as tn
from peers.highorder import MESHES, mesh_of, solved, values
from races import Race, races
from report import Figure, Part

QUICK = ("C1", "C2", "C4", "first", "L", "helmholtz")
CHEAP = 0.15
"""Seconds below which a call is repeated: the smallest time counts."""
REPEATS = 5
WORSE = 1.3
PATIENCE = {2: 1.5, 3: 12.0}
"""Higher degrees are not tried any more at so many times the best time to the smallest error, or at so many seconds."""
STORE = Path(__file__).parent.parent / "races.jsonl"
SLOWER = {1e-3: 3.0, 1e-6: 1.0, 1e-9: 1.0}
"""How many times as long as NGSolve, with its mesh, we may take at an error."""
CORNERS = 1.5
"""And on the L-shape, for which its mesh is graded by hand."""


@dataclass(frozen=True)
class Run:
    """One call: what was called, the error, and processor seconds; those of making the mesh apart."""

    label: str
    error: float
    seconds: float
    mesh: float = 0.0

    @property
    def whole(self) -> float:
        return self.seconds + self.mesh


def timed(call: Any) -> tuple[float, Any]:
    """Processor seconds, the smallest of a few calls where they are short, and the result."""
    times: list[float] = []
    while not times or (sum(times) < REPEATS * CHEAP and len(times) < REPEATS and times[-1] < CHEAP):
        begun = time.process_time()
        result = call()
        times.append(time.process_time() - begun)
    return min(times), result


def peer(race: Race, quick: bool) -> list[Run]:
    """NGSolve on its meshes with its degrees."""
    what, found = MESHES[race.name], []
    dimension, goal = race.problem.domain.dimension, min(race.goals)
    sizes = what.sizes[:4] if quick else what.sizes
    for size in sizes:
        for degree in what.degrees[:: 2 if quick else 1]:
            meshing, mesh = timed(lambda s=size, d=degree: mesh_of(race.name, s, d))
            spent, solution = timed(lambda m=mesh, d=degree: solved(race, m, d))
            error = race.error(values(race, mesh, solution))
            shown = ", ".join(f"{s:g}" for s in size)
            found.append(Run(f"mesh {shown}, degree {degree}", error, spent, meshing))
            fastest = best(found, goal)
            if error < goal or spent > (WORSE * fastest.whole if fastest else PATIENCE[dimension]):
                break
    return found


def by_tolerance(race: Race) -> dict[float, Run]:
    """Ours as a user calls it: what finding out about the domain takes stands in the place of the mesh."""
    found = {}
    for goal in race.goals:
        spent, solution = solving(race.fresh, tol=goal)
        whole, _ = solving(race.unknown, tol=goal)
        label = f"tol = {goal:.0e}: {solution.neurons} {getattr(solution.basis, 'noun', 'neurons')}"
        found[goal] = Run(label, race.error(solution(race.points)), spent, max(whole - spent, 0.0))
    return found


def solving(make: Any, **options: Any) -> tuple[float, Any]:
    """Processor seconds of a solve, without those of stating the problem, and the solution."""
    times: list[float] = []
    while not times or (len(times) < REPEATS and times[-1] < CHEAP):
        problem = make()
        begun = time.process_time()
        solution = tn.solve(problem, **options)
        times.append(time.process_time() - begun)
    return min(times), solution


def by_neurons(race: Race) -> list[Run]:
    """Ours with the number of neurons picked by hand."""
    found: list[Run] = []
    for size in race.sizes:
        spent, solution = solving(race.fresh, neurons=size)
        found.append(Run(f"{size} neurons", race.error(solution(race.points)), spent))
        if found[-1].error < min(race.goals):
            break
    return found


def best(runs: list[Run], goal: float, mesh: bool = True) -> Run | None:
    enough = [r for r in runs if r.error <= goal]
    return min(enough, key=lambda r: r.whole if mesh else r.seconds, default=None)


Measured = tuple[list[Run], dict[float, Run], list[Run]]
"""The runs of NGSolve, ours by tolerance, and ours by the number of neurons."""


def measured(race: Race, quick: bool) -> Measured:
    """All runs of a problem."""
    race.values  # noqa: B018  (the reference is not timed)
    tn.solve(race.problem, tol=1e-3)  # neither are imports
    found = peer(race, quick), by_tolerance(race), by_neurons(race)
    if not quick:
        theirs, tolerances, sizes = found
        lists = [[asdict(r) for r in runs] for runs in (theirs, tolerances.values(), sizes)]
        with STORE.open("a") as file:
            file.write(json.dumps([race.name, *lists], default=lambda v: v.item()) + "\n")
    return found


def stored() -> dict[str, Measured]:
    """What an interrupted run had measured."""
    found: dict[str, Measured] = {}
    for line in STORE.read_text().splitlines() if STORE.exists() else ():
        name, *lists = json.loads(line)
        theirs, mine, sizes = ([Run(**r) for r in runs] for runs in lists)
        found[name] = theirs, dict(zip(races()[name].goals, mine, strict=True)), sizes
    return found


def run(quick: bool) -> Part:
    rows, figures, curves = [], [], {}
    known = {} if quick else stored()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, race in races().items():
            if quick and name not in QUICK:
                continue
            theirs, tolerances, sizes = known[name] if name in known else measured(race, quick)
            curves[name] = (race.title, theirs, list(tolerances.values()), sizes)
            for goal, mine in tolerances.items():
                with_mesh, without, hand = best(theirs, goal), best(theirs, goal, mesh=False), best(sizes, goal)
                reached = mine.error <= goal
                ratio = with_mesh.whole / mine.whole if with_mesh and reached else 0.0
                again = without.seconds / mine.seconds if without and reached else 0.0
                times = [
                    with_mesh and with_mesh.whole,
                    without and without.seconds,
                    hand and hand.seconds,
                    mine.whole,
                    mine.seconds,
                ]
                shown = mine.error if reached else f"**{mine.error:.1e}**"
                labels = with_mesh.label if with_mesh else "-", mine.label.split(": ")[1]
                rows.append(
                    (
                        race.title,
                        goal,
                        *("-" if t is None else 1e3 * t for t in times),
                        shown,
                        *labels,
                        ratio if with_mesh else "-",
                        again if without else "-",
                    )
                )
                if with_mesh is not None:
                    label = f"(c) {race.title}: as fast as NGSolve at {goal:.0e}"
                    slower = max(SLOWER[goal], CORNERS if name == "L" else 1.0)
                    figures.append(Figure(label, ratio, 1 / slower))
                print(f"   {race.title} at {goal:.0e}: {ratio:.3g}", flush=True)
    charts.races(curves, whole=not quick)
    if not quick:
        STORE.unlink(missing_ok=True)
    ratios = [f.ratio for f in figures if f.ratio > 0]
    notes = NOTES + f" The median of the ratios is {median(ratios):.2g}."
    return Part("(c) NGSolve: elements of high degree", HEADER, rows, figures, notes, keys=2)


HEADER = (
    "problem", "wanted", "NGSolve with mesh, ms", "without mesh, ms", "ours, best neurons, ms", "ours, tol, ms",
    "domain known, ms", "our error", "its mesh and degree", "our network", "ratio", "without mesh, domain known",
)  # fmt: skip
NOTES = (
    "NGSolve has curved, condensed elements of degree 3 to 18 (3 to 8 in space), sparse Cholesky, and the fastest mesh "
    "and degree according to the exact solution; ours is `tn.solve(problem, tol=...)`. A dash: none of its meshes "
    "reached the error."
)
