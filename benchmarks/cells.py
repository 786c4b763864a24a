"""What a level in cells costs beside its factorisations, and how long plates and other plane problems take.

    python benchmarks/cells.py

For each problem: processor milliseconds to cut the domain and of one level of degree 10, those of the factorisations
alone (the same shapes, LAPACK), and the whole solve for its tolerance, one thread.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from time import process_time

import numpy as np
import sympy as sp

import transnet as tn
from transnet.cells.corners import Corners
from transnet.cells.level import solve_cells
from transnet.cells.reduce import ROWS
from transnet.cells.solve import cut_cells, first_sizes
from transnet.cells.stated import CellProblem
from transnet.pieces.laws import Laws
from transnet.rows.statements import statements_of

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
DEGREE = 10


def _scalar(domain: tn.Domain, left: sp.Expr) -> tn.Problem:
    return tn.Problem(domain, [sp.Eq(left, sp.exp(sp.sin(3 * x) + y))], [tn.on("boundary", u)])


def ring() -> tuple[tn.Problem, float]:
    domain = tn.Disk() - tn.Disk((0.1, -0.15), radius=0.22)
    return _scalar(domain, -tn.laplacian(u) + (3 + x**2) * u), 1e-6


def swirl() -> tuple[tn.Problem, float]:
    domain = tn.Disk() - tn.Disk((0.1, -0.15), radius=0.22)
    flux = (2 + sp.sin(x)) * sp.diff(u, x) + sp.diff(u, y) / 2, sp.diff(u, x) / 2 + (1 + y**2 / 2) * sp.diff(u, y)
    wind = 5 * y * sp.diff(u, x) - 5 * x * sp.diff(u, y)
    return _scalar(domain, wind - sp.diff(flux[0], x) - sp.diff(flux[1], y)), 1e-6


def bent() -> tuple[tn.Problem, float]:
    domain = tn.Polygon([(-1, -1), (1, -1), (1, 0.1), (0.1, 0.1), (0.1, 1), (-1, 1)])
    return _scalar(domain, -tn.laplacian(u) + (1 + x**2) * u), 1e-6


def cubic() -> tuple[tn.Problem, float]:
    domain = tn.Polygon([(1.2, 0.1), (0.3, 0.95), (-1, 0.5), (-0.9, -0.6), (0.4, -0.9)])
    return _scalar(domain, -tn.laplacian(u) + 2 * u**3), 1e-6


def _elastic(domain: tn.Domain, fixed: str, loaded: str, load: tuple[float, float]) -> tuple[tn.Problem, float]:
    body = tn.elasticity(tn.vector("v", x, y), E=1, nu=0.3, plane="stress")
    free = [body.free(part) for part in domain.parts if part not in (fixed, loaded)]
    return tn.Problem(domain, body.equations, [body.fixed(fixed), body.load(loaded, *load), *free]), 1e-4


def plate() -> tuple[tn.Problem, float]:
    domain = tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Disk((0.1, 0), radius=0.3, name="hole")
    return _elastic(domain, "x=-1", "x=1", (1, 0))


def bracket() -> tuple[tn.Problem, float]:
    corners = [(0, 0), (2, 0), (2, 0.8), (0.8, 0.8), (0.8, 2), (0, 2)]
    names = ["bottom", "right", "under", "beside", "top", "left"]
    return _elastic(tn.Polygon(corners, names=names) - tn.Disk((0.55, 0.5), radius=0.18), "top", "right", (0, -1))


def gusset() -> tuple[tn.Problem, float]:
    domain: tn.Domain = tn.Polygon(
        [(0, 0), (2, 0), (2, 0.5), (0.5, 2), (0, 2)], names=["bottom", "right", "slope", "top", "left"]
    )
    for centre, radius in (((0.5, 0.5), 0.15), ((1.2, 0.45), 0.12)):
        domain = domain - tn.Disk(centre, radius=radius)
    return _elastic(domain, "left", "right", (0, -1))


def inclusion() -> tuple[tn.Problem, float]:
    core = tn.Disk((0.1, 0), radius=0.3)
    body = tn.elasticity(tn.vector("v", x, y), E=tn.by_piece(core=10, plate=1), nu=0.3, plane="stress")
    domain = tn.Pieces(core=core, plate=tn.Box(x=(-1, 1), y=(-1, 1)) - core)
    free = [body.free("y=-1"), body.free("y=1")]
    return tn.Problem(domain, body.equations, [body.fixed("x=-1"), body.load("x=1", 1, 0), *free]), 1e-4


PROBLEMS: tuple[Callable[[], tuple[tn.Problem, float]], ...] = (
    ring,
    swirl,
    bent,
    cubic,
    plate,
    bracket,
    gusset,
    inclusion,
)


def timed(work: Callable[[], object]) -> float:
    """The least processor time of two runs, in milliseconds."""
    times = []
    for _ in range(2):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return 1e3 * min(times)


def main() -> None:
    warnings.simplefilter("ignore")
    print("| problem | cells | cut, ms | level, ms | its QR, ms | solve, s | tolerance | estimate | with |")
    print("|---|---|---|---|---|---|---|---|---|")
    rng = np.random.default_rng(0)
    for make in PROBLEMS:
        problem, tol = make()
        pieces = isinstance(problem.domain, tn.Pieces)
        stated = (
            CellProblem.of_materials(Laws(problem), ())
            if pieces
            else CellProblem.of(problem, statements_of(problem), ())
        )
        corners = Corners.of(stated, tol)
        sizes = first_sizes(stated)
        cut = timed(lambda stated=stated, sizes=sizes, corners=corners: cut_cells(stated, sizes, corners))
        tiles, singular = cut_cells(stated, sizes, corners)
        level = timed(lambda s=stated, t=tiles, f=singular: solve_cells(s, t, DEGREE, f))
        columns = solve_cells(stated, tiles, DEGREE, singular).columns
        random = [rng.normal(size=(len(g.cells), int(ROWS * g.each), g.each + 1)) for g in columns.groups]
        alone = timed(lambda random=random: [np.linalg.qr(r, mode="r") for r in random])
        begun = process_time()
        found = tn.solve(make()[0], tol=tol)
        taken = process_time() - begun
        print(
            f"| {make.__name__} | {len(tiles)} | {cut:.0f} | {level:.0f} | {alone:.0f} | {taken:.2f} | {tol:.0e} "
            f"| {found.error:.0e} | {found.diagnostics.trail[-1].words} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
