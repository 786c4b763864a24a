"""What is lost without each method and each heuristic: one is switched off at a time, by its name.

    python benchmarks/ablate.py                 # all of them, about a quarter of an hour
    python benchmarks/ablate.py trefftz pieces  # some

For each problem the time of one core and the true error are compared with those of the library as it is; a problem is
lost if it ends with ten times the error, and silent if its error is ten times its estimate without a warning.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from math import log10
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
import sympy as sp

import transnet as tn
from transnet.errors import TransnetWarning

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y)
HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "ablation.md"
SLOWER, WORSE = 1.3, 10.0
"""A problem that takes this many times the time, or has this many times the error, is listed."""


@dataclass(frozen=True, eq=False)
class Case:
    """A problem, its exact solution and its tolerance."""

    problem: tn.Problem
    exact: sp.Expr
    tol: float = 1e-6


def stated(domain: tn.Domain, operator: Callable[[Any], Any], exact: sp.Expr, tol: float = 1e-6) -> Case:
    equation = sp.Eq(operator(u), operator(exact))
    return Case(tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, exact))]), exact, tol)


def laplace(v: Any) -> Any:
    return sp.diff(v, x, 2) + sp.diff(v, y, 2)


SQUARE, DISK = tn.Box(x=(0, 1), y=(0, 1)), tn.Disk()
OVAL = tn.Region(tn.Curve((1.3 * sp.cos(t), sp.sin(t) + sp.cos(2 * t) / 9), (t, 0, 2 * sp.pi)))
PENTAGON = tn.Polygon([(0, 0), (2, 0), (2.5, 1.2), (1, 2), (-0.3, 1)])
ELL = tn.Polygon([(0, 0), (0, -1), (-1, -1), (-1, 1), (1, 1), (1, 0)])
ANGLE = sp.Piecewise((sp.atan2(y, x), y >= 0), (sp.atan2(y, x) + 2 * sp.pi, True))
CORNER = (x**2 + y**2) ** sp.Rational(1, 3) * sp.sin(2 * ANGLE / 3)
SMOOTH = sp.exp(sp.sin(2 * x + y)) / 2
STRIP = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
w = tn.unknown("w", x, t)
HEAT = sp.exp(-t) * sp.sin(3 * x) + x * t


def cases() -> dict[str, Case]:
    k = 1 + x**2 / 2
    heat = tn.Problem(
        STRIP,
        [sp.Eq(sp.diff(w, t) - sp.diff(w, x, 2), sp.diff(HEAT, t) - sp.diff(HEAT, x, 2))],
        [tn.on("sides", sp.Eq(w, HEAT)), tn.on("t=0", sp.Eq(w, HEAT.subs(t, 0)))],
    )
    front, bump = sp.tanh(20 * (x - y / 2)), sp.exp(-200 * ((x - 0.2) ** 2 + y**2))
    v = tn.unknown("v", x, y)
    other = sp.sin(x - 2 * y)
    system = tn.Problem(
        DISK,
        [sp.Eq(laplace(u) + v, laplace(SMOOTH) + other), sp.Eq(laplace(v) - u, laplace(other) - SMOOTH)],
        [tn.on("boundary", sp.Eq(u, SMOOTH), sp.Eq(v, other))],
    )
    holes = PENTAGON - tn.Disk((0.7, 0.6), radius=0.2) - tn.Disk((1.6, 1.0), radius=0.25)
    return {
        "Poisson, disk": stated(DISK, laplace, SMOOTH),
        "Poisson, pentagon": stated(PENTAGON, laplace, SMOOTH, 1e-9),
        "reaction, oval": stated(OVAL, lambda v: laplace(v) - 3 * v, SMOOTH),
        "variable, pentagon": stated(PENTAGON, lambda v: sp.diff(k * sp.diff(v, x), x) + sp.diff(v, y, 2), SMOOTH),
        "swirl, square": stated(SQUARE, lambda v: laplace(v) + 9 * y * sp.diff(v, x) - 9 * x * sp.diff(v, y), SMOOTH),
        "Helmholtz, oval": stated(OVAL, lambda v: laplace(v) + 200 * v, sp.sin(14 * x + 3 * y)),
        "holes": stated(holes, lambda v: laplace(v) - v, SMOOTH),
        "corner": stated(ELL, lambda v: laplace(v) - (1 + x**2) * v, CORNER + SMOOTH),
        "front": stated(SQUARE, lambda v: laplace(v) - v, front),
        "bump, disk": stated(DISK, lambda v: laplace(v) - v, bump),
        "cubic, oval": stated(OVAL, lambda v: laplace(v) - v**3, SMOOTH),
        "system, disk": Case(system, SMOOTH),
        "plate, disk": Case(
            tn.Problem(
                DISK,
                [sp.Eq(tn.biharmonic(u), laplace(laplace(SMOOTH)))],
                [tn.on("boundary", sp.Eq(u, SMOOTH)), tn.on("boundary", sp.Eq(tn.normal_derivative(u), slope(SMOOTH)))],
            ),
            SMOOTH,
        ),
        "heat": Case(heat, HEAT),
    }


def slope(e: sp.Expr) -> sp.Expr:
    return sum(sp.diff(e, c) * n for c, n in zip((x, y), tn.normal(x, y), strict=True))


# -- the switches ----------------------------------------------------------------------------------------------------
def without(name: str) -> list[Any]:
    module = import_module("transnet.method")
    known = module.known_methods
    return [patch("transnet.doors.solve.known_methods", lambda: tuple(m for m in known() if m.name != name))]


SWITCHES: dict[str, Callable[[], list[Any]]] = {
    **{name: (lambda name=name: without(name)) for name in ("trefftz", "tensor", "march", "pieces")},
    "confirmation": lambda: [patch("transnet.drive.driver.SCATTER", 1.0)],
    "enlarged estimates": lambda: [patch("transnet.drive.driver.CONFIRMED", 1.0)],
    "change before the time is spent": lambda: [patch("transnet.drive.driver.WORTHWHILE", 1e9)],
    "first network by the usual law": lambda: [patch("transnet.method.network.begin", lambda plan: (None, None))],
    "wider bands": lambda: [patch("transnet.method.network._bandwidth_limited", lambda found: False)],
    "bands compared again": lambda: [patch("transnet.choose.bandwidth.Choice.raced", lambda self, size: self)],
    "reflections": lambda: [
        patch(f"transnet.{where}.mirrors_of", lambda *a: None)
        for where in ("method.first", "choose.levels", "symmetry.solve", "drive.facts")
    ],
    "singular functions": lambda: [
        patch(f"transnet.{where}.enrichment_of", lambda *a: None) for where in ("method.first", "choose.bandwidth")
    ],
    "graded boxes": lambda: [patch("transnet.pieces.solve.graded_boxes", lambda laws, cells, numbers: cells.boxes)],
    "boxes around spots": lambda: [patch("transnet.pieces.solve.around_spots", lambda boxes, spots: boxes)],
}


@contextmanager
def switched(patches: list[Any]) -> Iterator[None]:
    if not patches:
        yield
        return
    with patches[0], switched(patches[1:]):
        yield


def measured(case: Case) -> tuple[float, float, float, bool]:
    """The seconds, the true error, the estimate, and whether there was a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        begun = process_time()
        try:
            solution = tn.solve(case.problem, tol=case.tol)
        except Exception:
            return process_time() - begun, float("inf"), float("inf"), True
        spent = process_time() - begun
    points = case.problem.domain.interior(500, "random", 7)
    truth = np.broadcast_to(sp.lambdify(case.problem.coordinates, case.exact)(*points.T), len(points))
    values = solution(points)
    values = values[..., 0] if values.ndim > 1 else values
    error = float(np.linalg.norm(values - truth) / np.linalg.norm(truth))
    return spent, error, float(solution.error), any(issubclass(c.category, TransnetWarning) for c in caught)


def row(name: str, base: dict[str, Any], found: dict[str, Any], tols: dict[str, float]) -> str:
    ratio = np.exp(np.mean([np.log(found[k][0] / base[k][0]) for k in base]))
    digits = np.mean([log10(max(base[k][1], 1e-15) / max(found[k][1], 1e-15)) if np.isfinite(found[k][1]) else -9.0
                      for k in base])  # fmt: skip
    lost = [k for k in base if found[k][1] > WORSE * max(base[k][1], tols[k])]
    slow = [f"{k} ({found[k][0] / base[k][0]:.1f})" for k in base if found[k][0] > 2 * SLOWER * base[k][0]]
    silent = [k for k in base if not found[k][3] and found[k][1] > WORSE * max(found[k][2], 1e-12)]
    found_out = {"lost": lost, "slower": slow, "silent": silent}
    told = "; ".join(f"{what}: {', '.join(which)}" for what, which in found_out.items() if which)
    return f"| {name} | {ratio:.2f} | {digits:+.1f} | {told or 'nothing'} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="which switches; all by default")
    names = parser.parse_args().names or list(SWITCHES)
    problems = cases()
    for case in problems.values():  # compiled once, so that the first is not slower
        measured(case)
    base = {k: measured(case) for k, case in problems.items()}
    lines = []
    for name in names:
        with switched(SWITCHES[name]()):
            found = {k: measured(case) for k, case in problems.items()}
        lines.append(row(name, base, found, {k: c.tol for k, c in problems.items()}))
        print(lines[-1], flush=True)
    kept = {k: [float(v) for v in found[:3]] for k, found in base.items()}
    (HERE / "ablation.json").write_text(json.dumps({"base": kept, "rows": lines}, indent=1))
    if names == list(SWITCHES):
        write(base, lines)


def write(base: dict[str, Any], lines: list[str]) -> None:
    """The page of the documentation."""
    text = [
        "# What each part is for",
        "",
        "Each method and each heuristic is switched off by its name, one at a time, and the same problems are solved",
        "again (`make ablate`). The columns have the time relative to that of the library as it is (geometric mean),",
        "the digits gained or lost on average, and what is lost: a problem is lost if its error is ten times larger.",
        "",
        "| without | time | digits | what is lost |",
        "|---|---|---|---|",
        *lines,
        "",
        "The library as it is:",
        "",
        "| problem | seconds | error | estimate |",
        "|---|---|---|---|",
        *(f"| {k} | {s:.3f} | {e:.1e} | {g:.1e} |" for k, (s, e, g, _) in base.items()),
        "",
    ]
    PAGE.write_text("\n".join(text))


if __name__ == "__main__":
    main()
