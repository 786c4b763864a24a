"""(c) scikit-fem with quadratic and quartic elements, on the coarsest mesh that reaches an error."""

from dataclasses import replace

import pyamg  # noqa: F401  (its multigrid is one of the solvers: without it there is no fair comparison)
from measure import case, ours
from peers.poisson import DIRECT, MESHES, ORDERED, Outcome, poisson
from peers.search import coarsest
from report import Figure, Part

GOALS = {
    "C1": {1e-6: 10, 1e-9: 100},
    "C2": {1e-6: 10, 1e-9: 100},
    "C3": {1e-6: None, 1e-9: None},
    "C4": {1e-6: 10, 1e-9: 100},
    "C5": {1e-3: None},
}
"""Relative errors to reach, with the wanted ratio where there is one."""
COARSE = {"C1": 8, "C2": 4, "C3": 4, "C4": 2, "C5": 4}
"""The n of the coarsest mesh."""
LIMIT = 1_200_000
"""Unknowns at which an element is given up. The memory of the default direct solver ends not far beyond."""


def refined(name: str, element: str, wanted: float, limit: int) -> tuple[int, Outcome | None]:
    """Unknowns and outcome of the coarsest mesh; or the unknowns that would be needed, and None."""
    kind, mesh_of = MESHES[name][element]
    dimension = 3 if name == "C5" else 2
    start = COARSE[name]
    per_cell = unknowns(name, element, 2 * start) / (2 * start) ** dimension
    largest = int((limit / per_cell) ** (1 / dimension))
    # The search needs no comparison of solvers; the fastest of them will do.
    quickest = kind.solvers[-1:]
    n, found = coarsest(
        lambda n: poisson(mesh_of(n), kind, quickest, wanted),
        lambda o: o.error,
        wanted,
        kind.degree + 1,
        largest,
        start,
    )
    if found is None:
        return round(per_cell * float(n) ** dimension), None
    again = [poisson(mesh_of(n), kind, kind.solvers, wanted) for _ in range(3 if found.best < 2 else 1)]
    times = {s: min([o.seconds[s] for o in again]) for s in kind.solvers}
    return found.unknowns, replace(again[-1], seconds=times)


def unknowns(name: str, element: str, n: int) -> int:
    kind, mesh_of = MESHES[name][element]
    return poisson(mesh_of(n), kind, kind.solvers[-1:]).unknowns


def run(quick: bool) -> Part:
    rows, figures = [], []
    for name in ("C1",) if quick else GOALS:
        what = case(name)
        for wanted, target in GOALS[name].items():
            if quick and wanted < 1e-6:
                continue
            reached = ours(what, wanted)
            ratios = []
            for element in ("quartic",) if quick else MESHES[name]:
                size, found = refined(name, element, wanted, LIMIT)
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
    return Part("(c) scikit-fem at a given error", HEADER, rows, figures, NOTES, keys=4)


HEADER = (
    "case", "wanted", "element", "solver", "unknowns", "error", "its seconds", "our neurons", "our seconds", "ratio"
)  # fmt: skip
NOTES = (
    "Relative L2 errors. Its time is that of the coarsest mesh that reaches the error (n is chosen within 8 %); making "
    "the mesh is not counted, nor are the coarser meshes. Triangles, in 3D tetrahedra, of which it has quadratic ones "
    "at most; quadratic curved geometry on the disk and the annulus, which does not limit the quartic elements: their "
    "errors fall with the fifth power of the size. The figure takes its fastest element and the faster of the two "
    f"solvers of its documentation: {DIRECT} (SuperLU), and conjugate gradients with the multigrid preconditioner of "
    "PyAMG. The rows of SuperLU with an ordering made for symmetric matrices show what an expert gets who passes "
    "`permc_spec` on to SciPy; they do not enter the figure. An element that needs more than "
    f"{LIMIT:,} unknowns is given up, by the rate of its error. Our time is that of the whole call of `tn.solve`."
)
