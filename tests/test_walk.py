"""The way through a solve, as a trace of five problems shows it: CONTRIBUTING says the same."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import sympy as sp

import transnet as tn

ROOT = Path(tn.__file__).parent
STOPS = (
    "doors",
    "drive",
    "method",
    "choose",
    "basis",
    "rows",
    "iterate",
    "engines",
    "pieces",
    "slabs",
    "eigen",
    "judge",
    "solution",
)
"""The rooms of the walk; what every one of them uses, such as geometry and features, is left out."""
PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
x, y, t, lam = sp.symbols("x y t lam")
u, w = tn.unknown("u", x, y), tn.unknown("w", x, t)
OVAL = tn.Region(tn.Curve((1.3 * sp.cos(t), sp.sin(t)), (t, 0, 2 * sp.pi)))
CORE = tn.Pieces(core=tn.Disk(radius=0.4), shell=tn.Disk(radius=1) - tn.Disk(radius=0.4))


def flow(v: Any) -> Any:
    return tn.by_piece(core=5, shell=1) * sp.diff(v, x), tn.by_piece(core=5, shell=1) * sp.diff(v, y)


def linear() -> None:
    source = sp.Eq(tn.laplacian(u) - (2 + x) * u, sp.exp(x))
    tn.solve(tn.Problem(OVAL, [source], [tn.on("boundary", u)]), tol=1e-4, method="network")


def nonlinear() -> None:
    tn.solve(
        tn.Problem(OVAL, [sp.Eq(tn.laplacian(u) - u**3, 1 + x)], [tn.on("boundary", u)]), tol=1e-4, method="network"
    )


def piecewise() -> None:
    a, b = flow(u)
    problem = tn.Problem(CORE, [sp.Eq(sp.diff(a, x) + sp.diff(b, y), -1)], [tn.on("boundary", u)])
    tn.solve(problem, tol=1e-4, method="pieces")


def marched() -> None:
    strip = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 3))
    start = tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x)))
    tn.solve(tn.Problem(strip, [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2) - w)], [start, tn.on("sides", w)]), tol=1e-4)


def eigenvalue() -> None:
    problem = tn.Problem(OVAL, [sp.Eq(-tn.laplacian(u), lam * u)], [tn.on("boundary", u)])
    tn.eigenpairs(problem, lam, count=1, neurons=100, tol=1e-2)[0]


KINDS: dict[str, Callable[[], None]] = {
    "linear": linear,
    "nonlinear": nonlinear,
    "in pieces": piecewise,
    "marched": marched,
    "eigenvalues": eigenvalue,
}


def walk(solve: Callable[[], None]) -> list[str]:
    """The packages in the order in which a solve first enters them; what is imported on the way does not count."""
    found: dict[str, None] = {}

    def look(frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if event == "call" and frame.f_code.co_name != "<module>" and name.startswith(str(ROOT)):
            parts = Path(name).relative_to(ROOT).parts
            if parts[0] in STOPS:
                found.setdefault(parts[0])

    for module in pkgutil.walk_packages([str(ROOT)], "transnet."):
        if module.name.split(".")[1] in STOPS:
            importlib.import_module(module.name)
    sys.setprofile(look)
    try:
        solve()
    finally:
        sys.setprofile(None)
    return list(found)


@pytest.mark.filterwarnings("ignore::transnet.errors.TransnetWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_contributing_has_the_way_of(kind: str) -> None:
    line = f"| {kind} | {', '.join(f'`{name}`' for name in walk(KINDS[kind]))} |"
    assert line in PAGE.read_text().splitlines(), line


@pytest.mark.filterwarnings("ignore::transnet.errors.TransnetWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_every_solve_enters_by_a_door_and_ends_with_a_solution(kind: str) -> None:
    way = walk(KINDS[kind])
    assert way[0] == "doors"
    assert way.index("rows") < way.index("solution")
