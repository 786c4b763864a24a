"""Derivatives of results against differences of converged solves, and what they cost.

    python benchmarks/gradients.py table [NAME ...]
    python benchmarks/gradients.py cost [TOL]

`table` crosses the problems of `gradient_problems.py` with their results and with everything that varies: parameters
and sizes by tangents and by an adjoint solution, functions, and normal speeds of parts. Each derivative is compared
with a difference of sixth order of six solves; errors are relative to the derivative, or to a tenth of the result if
that is more.

`cost` has a hundred factors of a source. Each problem is solved and differentiated three times anew; the table has the
smallest processor seconds of a solve and of a gradient, their ratio, and the largest error of a derivative relative to
the largest derivative, as estimated.
"""

import sys
import warnings
from collections.abc import Iterator
from time import process_time
from typing import Any, NamedTuple

import sympy as sp

import transnet as tn
from gradient_problems import Case, cases, lam, spectra
from transnet.errors import TransnetError, TransnetWarning
from transnet.gradient.in_cells import polished
from transnet.gradient.variation import variations_of
from transnet.gradient.weighted import adjoint_slopes

SIXTH = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
STEP, FINE = 0.02, 1e-2
"""The step of differences, and how much finer their solves are than the one that is differentiated."""
ENOUGH, OF_RESULT = 1e-7, 0.1
"""The relative error of seven digits, and the part of a result below which its derivative counts as small."""


class Row(NamedTuple):
    """One derivative: what was found by whom, what differences say, and the error relative to what counts."""

    problem: str
    result: str
    wrt: str
    way: str
    exact: float
    off: float
    told: float
    refused: str = ""


def solved(case: Case, values: Any, tol: float) -> Any:
    if lam in case.problem.parameters:
        return tn.eigenpairs(case.problem, lam, count=3, parameters=values, tol=tol)
    return tn.solve(case.problem, parameters=values, tol=tol)


def differences(case: Case, directions: list[dict[sp.Symbol, float]]) -> list[dict[str, float]]:
    """For each direction the derivative of every result along it."""
    found = []
    for direction in directions:
        there = {}
        for j in (-3, -2, -1, 1, 2, 3):
            values = {p: n + j * STEP * direction.get(p, 0.0) for p, n in case.values.items()}
            one = solved(case, values, FINE * case.tol)
            there[j] = {name: float(result(one)) for name, result in case.results.items()}
        found.append({n: sum(w * (there[j][n] - there[-j][n]) for j, w in SIXTH) / STEP for n in case.results})
    return found


def ways(case: Case, solution: Any, result: Any, symbol: sp.Symbol) -> Iterator[tuple[str, Any]]:
    """The ways in which a derivative by a symbol is found: names and functions without arguments."""
    spectrum = isinstance(solution, tn.Eigenpairs)
    there = solution[0] if spectrum else solution
    yield "parameter", lambda: there.gradient(result, wrt=symbol)[symbol]
    if not spectrum:
        fine = polished(solution)
        yield "adjoint", lambda: adjoint_slopes(fine, result.of, variations_of(fine, [symbol]))[0]
    if symbol in case.ways:
        wrt, direction = case.ways[symbol]
        yield (
            str(wrt),
            lambda: there.gradient(result, wrt=wrt)[wrt if isinstance(wrt, str) else str(wrt)].along(direction),
        )


def rows(name: str, case: Case) -> Iterator[Row]:
    """All derivatives of one problem, by its name in the table."""
    solution = solved(case, case.values, case.tol)
    symbols = list(case.values)
    exact = differences(case, [{p: abs(case.values[p]) or 1.0} for p in symbols])
    for which, result in case.results.items():
        number = result(solution)
        for p, found in zip(symbols, exact, strict=True):
            slope = found[which] / (abs(case.values[p]) or 1.0)
            size = max(abs(slope), OF_RESULT * abs(float(number)) / max(abs(case.values[p]), 1.0))
            for way, ask in ways(case, solution, number, p):
                try:
                    n = ask()
                except TransnetError as error:
                    yield Row(name, which, str(p), way, slope, 0.0, 0.0, str(error))
                    continue
                yield Row(name, which, str(p), way, slope, abs(float(n) - slope) / size, n.error / size)


def table(names: list[str]) -> None:
    print(f"{'problem':<26}{'result':<19}{'by':<4}{'asked as':<12}{'derivative':>13}{'off':>9}{'told':>9}")
    found: list[Row] = []
    chosen = {**cases(), **{f"eigenvalues, {n}": c for n, c in spectra().items()}}
    for name, case in chosen.items():
        if names and not any(n in name for n in names):
            continue
        for row in rows(name, case):
            mark = "" if row.off <= ENOUGH else "  !" if row.off <= max(row.told, ENOUGH) else "  SILENT"
            numbers = f"{row.exact:13.5g}{row.off:9.0e}{row.told:9.0e}{mark}"
            line = f"{row.problem:<26}{row.result:<19}{row.wrt:<4}{row.way:<12}"
            print(line + (f"{row.exact:13.5g}  refused: {row.refused[:70]}" if row.refused else numbers), flush=True)
            found.append(row)
    made = [row for row in found if not row.refused]
    smooth = [row for row in made if chosen[row.problem].smooth]
    good = sum(row.off <= ENOUGH for row in smooth)
    silent = sum(row.off > 10 * max(row.told, ENOUGH) for row in made)
    print(f"{len(made)} derivatives, {len(found) - len(made)} refused, {silent} ten times beyond their errors")
    print(f"{good} of {len(smooth)} of smooth problems to seven digits")


COUNT, SIDE, TIMES = 100, 10, 3
x, y, t = sp.symbols("x y t")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, t)
factors = sp.symbols(f"p:{COUNT}")
VALUES = {p: 0.5 / (1 + j) ** 2 for j, p in enumerate(factors)}
source = sum(p * sp.cos((j % SIDE) * x) * sp.cos((j // SIDE) * y) for j, p in enumerate(factors))
heating = sum(p * sp.sin((1 + j % SIDE) * sp.pi * x) * sp.cos((j // SIDE) * t) for j, p in enumerate(factors))
still = tn.on("boundary", sp.Eq(u, 0))


def loaded() -> dict[str, tn.Problem]:
    """The problems with a hundred parameters, stated anew."""
    disk, core = tn.Disk(radius=1), tn.Disk(radius=0.5)
    layers, material = tn.Pieces(core=core, shell=disk - core), tn.by_piece(core=3, shell=1)
    corner = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    begin = [tn.on("t=0", sp.Eq(v, sp.sin(sp.pi * x))), tn.on("x=0", v), tn.on("x=1", v)]
    radius = 1 + sp.cos(5 * t) / 4
    lobes = tn.Region(tn.Curve((radius * sp.cos(t), radius * sp.sin(t)), (t, 0, 2 * sp.pi)))
    square = tn.Box(x=(0, 1), y=(0, 1))
    made = {
        "linear, a disk": (disk, sp.Eq(-tn.laplacian(u), source)),
        "linear, a flower": (lobes, sp.Eq(-tn.laplacian(u) + x * u, source)),
        "nonlinear, a disk": (disk, sp.Eq(-tn.laplacian(u) + u**3, source)),
        "nonlinear, a square": (square, sp.Eq(-tn.laplacian(u) + u**3, source)),
        "cells, an L-shape": (corner, sp.Eq(-tn.laplacian(u) + x * u, source)),
        "two materials": (layers, tn.div(material * tn.grad(u), x, y) + source),
        "eigenvalue, a disk": (disk, sp.Eq(-tn.laplacian(u) + source * u, lam * u)),
        "eigenvalue, a square": (square, sp.Eq(-tn.laplacian(u) + source * u, lam * u)),
    }
    rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.3))
    march = tn.Problem(rod, [sp.Eq(sp.diff(v, t), sp.diff(v, x, 2) / 3 - v**3 + heating)], begin)
    return {name: tn.Problem(where, [law], [still]) for name, (where, law) in made.items()} | {"marched": march}


def measured(name: str, tol: float) -> tuple[float, float, float]:
    """The seconds of a solve and of a gradient, and the relative error of the gradient."""
    solves, gradients, error = [], [], 0.0
    for _ in range(TIMES):
        problem = loaded()[name]
        start = process_time()
        if lam in problem.parameters:
            pairs = tn.eigenpairs(problem, lam, count=1, parameters=VALUES, tol=tol)
            solution, result = pairs[0], pairs.value(0)
        else:
            solution = tn.solve(problem, parameters=VALUES, tol=tol)
        solves.append(process_time() - start)
        if lam not in problem.parameters:
            result = solution.integral(v**2, t=0.3) if name == "marched" else solution.integral(u**2)
        start = process_time()
        gradient = solution.gradient(result, wrt=factors)
        gradients.append(process_time() - start)
        error = max(n.error for n in gradient.values()) / max(abs(float(n)) for n in gradient.values())
    return min(solves), min(gradients), error


def cost(tol: float) -> None:
    print(f"{'problem':<22}{'solve':>8}{'gradient':>10}{'ratio':>8}{'error':>10}")
    for name in loaded():
        solve, gradient, error = measured(name, tol)
        print(f"{name:<22}{solve:8.3f}{gradient:10.3f}{gradient / solve:8.1f}{error:10.0e}", flush=True)


if __name__ == "__main__":
    what, *rest = sys.argv[1:] or ["table"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TransnetWarning)
        table(rest) if what == "table" else cost(float(rest[0]) if rest else 1e-8)
