"""What is lost without each method and each heuristic: one is switched off at a time, by its name.

    python benchmarks/ablate.py                 # all of them, about a quarter of an hour
    python benchmarks/ablate.py trefftz pieces  # some
    python benchmarks/ablate.py --every 4       # a quarter of the problems

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
from ablate_problems import Case, cases
from transnet.errors import TransnetWarning

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "ablation.md"
SLOWER, WORSE = 1.3, 10.0
"""A problem that takes this many times the time, or has this many times the error, is listed."""
MOST = 8.0
"""Seconds of wall time that a solve may take; problems that take longer are left out."""


# -- the switches ----------------------------------------------------------------------------------------------------
def without(name: str) -> list[Any]:
    module = import_module("transnet.method")
    known = module.known_methods
    return [patch("transnet.doors.solve.known_methods", lambda: tuple(m for m in known() if m.name != name))]


SWITCHES: dict[str, Callable[[], list[Any]]] = {
    **{name: (lambda name=name: without(name)) for name in ("trefftz", "tensor", "march", "cells", "blocks", "pieces")},
    "confirmation": lambda: [patch("transnet.drive.driver.SCATTER", 1.0)],
    "enlarged estimates": lambda: [patch("transnet.drive.driver.CONFIRMED", 1.0)],
    "change before the time is spent": lambda: [patch("transnet.drive.driver.WORTHWHILE", 1e9)],
    "bands that are searched for": lambda: [patch("transnet.method.network.search_band", lambda choice, *a: choice)],
    "singular functions": lambda: [patch("transnet.method.defaults.enrichment_of", lambda *a: None)],
    "other points on a line": lambda: [patch("transnet.judge.diagnose.changed_by_points", lambda *a: 0.0)],
    "inner singular points": lambda: [
        patch("transnet.method.defaults.may_have_inner_points", lambda *a: False),
        patch("transnet.choose.enrich.may_have_inner_points", lambda *a: False),
    ],
    "switches of conditions": lambda: [
        patch("transnet.choose.enrich.in_stretches", lambda problem, statements: (problem, tuple(statements))),
        patch("transnet.cells.stated.in_stretches", lambda problem, statements: (problem, tuple(statements))),
    ],
    "corners of systems": lambda: [patch("transnet.choose.enrich.sectors_of", lambda *a: None)],
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


@dataclass(frozen=True, eq=False)
class Posed:
    """A case with the points at which it is compared, the truth there, and the seconds that a solve may take."""

    case: Case
    points: np.ndarray
    truth: np.ndarray
    seconds: float = MOST

    def measured(self) -> tuple[float, float, float, bool]:
        """The seconds, the true error, the estimate, and whether there was a warning."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            begun = process_time()
            try:
                solution = tn.solve(
                    self.case.problem, tol=self.case.tol, parameters=self.case.parameters or None, seconds=self.seconds
                )
                values = first(solution, self.points)
            except Exception:
                return process_time() - begun, float("inf"), float("inf"), True
            spent = process_time() - begun
        error = float(np.linalg.norm(values - self.truth) / np.linalg.norm(self.truth))
        return spent, error, float(solution.error), any(issubclass(c.category, TransnetWarning) for c in caught)


def first(solution: tn.Solution, points: np.ndarray) -> np.ndarray:
    """The first unknown."""
    values = solution(points)
    return values[..., 0] if values.ndim > 1 else values


def posed(case: Case) -> Posed:
    """Where there is no exact solution, one for three digits more stands for it."""
    points = case.problem.domain.interior(500, "random", 7)
    if case.exact is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            truth = first(tn.solve(case.problem, tol=1e-3 * (case.tol or 1e-6), seconds=20), points)
    else:
        truth = np.broadcast_to(sp.lambdify(case.problem.coordinates, case.exact)(*points.T), len(points))
    return Posed(case, points, truth)


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
    parser.add_argument("--every", type=int, default=1, help="one problem in this many")
    asked = parser.parse_args()
    names = asked.names or list(SWITCHES)
    problems = {k: posed(case) for k, case in list(cases().items())[:: asked.every]}
    for k, problem in list(problems.items()):  # compiled once, so that the first is not slower
        spent = problem.measured()[0]
        if spent > MOST:
            del problems[k]
    base = {k: problem.measured() for k, problem in problems.items()}
    print(f"{len(base)} problems in {sum(b[0] for b in base.values()):.1f} s", flush=True)
    lines = []
    for name in names:
        with switched(SWITCHES[name]()):
            found = {k: problem.measured() for k, problem in problems.items()}
        lines.append(row(name, base, found, {k: p.case.tol or 1e-9 for k, p in problems.items()}))
        print(lines[-1], flush=True)
    if names == list(SWITCHES):  # the page and what is kept are those of a whole run
        kept = {k: [float(v) for v in found[:3]] for k, found in base.items()}
        (HERE / "ablation.json").write_text(json.dumps({"base": kept, "rows": lines}, indent=1))
        write(base, lines)


def write(base: dict[str, Any], lines: list[str]) -> None:
    """The table of the page of the documentation, between its marks."""
    text = PAGE.read_text()
    before, after = text.partition("<!-- table -->")[0], text.partition("<!-- end of table -->")[2]
    seconds = sum(b[0] for b in base.values())
    table = [
        "<!-- table -->",
        f"{len(base)} problems, {seconds:.0f} seconds of one core for the library as it is:",
        "",
        "| without | time | digits | what is lost |",
        "|---|---|---|---|",
        *lines,
        "<!-- end of table -->",
    ]
    PAGE.write_text(before + "\n".join(table) + after)


if __name__ == "__main__":
    main()
