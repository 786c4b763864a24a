"""The constants that decide accuracy and growth, swept: `python benchmarks/constants.py [group ...]`.

A group of problems is solved with the value that the library has and with others. Printed are, relative to the
library's value, the geometric mean of the true errors over problems and seeds, the worst problem, and the processor
time; for the judge the estimated error in units of the true one. The lines beside the constants were read from these
tables. Two to three minutes of processor time for all groups.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np
import sympy as sp

import transnet as tn
from transnet.remember import Remembered
from transnet.rows import points

ROUNDING = 1e-14
"""Errors below this are not distinguished."""

x, y, z, t = sp.symbols("x y z t", real=True)
u, v, w, s = tn.unknown("u", x, y), tn.unknown("u", x, y, z), tn.unknown("u", x, t), tn.unknown("u", t)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
RIDGE = sp.exp(-((x - sp.Rational(3, 10)) ** 2 + (y - sp.Rational(1, 2)) ** 2) * 20)
CORNER = tn.Polygon([(0, 0), (1, 0), (1, 1), (-1, 1), (-1, -1), (0, -1)])
ANGLE = sp.Rational(2, 3) * (sp.atan2(-y, -x) + sp.pi)
ROOT = 3 * (x**2 + y**2) ** sp.Rational(1, 3)
SINGULAR = sp.cosh(ROOT * sp.cos(ANGLE)) * sp.sin(ROOT * sp.sin(ANGLE))
"""Im sinh(3 z^(2/3)): zero on both sides of the corner, with all powers that there are."""


@dataclass(frozen=True, eq=False)
class Case:
    """A problem with its solution."""

    problem: tn.Problem
    exact: sp.Expr

    def error(self, solution: tn.Solution) -> float:
        """The relative L2 error at a thousand points."""
        where = self.problem.domain.interior(1000, "quasi", 5)
        truth = sp.lambdify(list(self.problem.coordinates), self.exact, ["scipy", "numpy"])(*where.T)
        return float(np.linalg.norm(solution(where) - truth) / np.linalg.norm(truth))


def case(
    domain: tn.Domain,
    unknown: sp.Expr,
    operator: Callable[[sp.Expr], sp.Expr],
    exact: sp.Expr,
    *parts: str,
    source: Any = None,
) -> Case:
    """A manufactured problem with given values on parts of the boundary."""
    equation = sp.Eq(operator(unknown), operator(exact) if source is None else source)
    conditions = [tn.on(part, sp.Eq(unknown, exact)) for part in parts or ("boundary",)]
    return Case(tn.Problem(domain, [equation], conditions), exact)


def lap(*names: sp.Symbol) -> Callable[[sp.Expr], sp.Expr]:
    return lambda f: sp.Add(*(sp.diff(f, c, 2) for c in names))


SMOOTH = {
    "Poisson": case(SQUARE, u, lap(x, y), sp.exp(x) * sp.sin(3 * y) + x**2),
    "bump": case(SQUARE, u, lap(x, y), RIDGE),
    "Helmholtz": case(SQUARE, u, lambda f: lap(x, y)(f) + 400 * f, sp.sin(12 * x + 1) * sp.cos(16 * y)),
    "disk": case(tn.Disk(), u, lap(x, y), sp.exp(x) * sp.sin(4 * x - 3 * y)),
    "advection": case(SQUARE, u, lambda f: lap(x, y)(f) / 20 - sp.diff(f, x) - f * y, sp.exp(2 * x) * sp.cos(3 * y)),
    "heat": case(
        tn.Box(x=(0, 1), t=(0, 1)), w, lambda f: sp.diff(f, t) - sp.diff(f, x, 2) / 10,
        sp.exp(-t) * sp.sin(5 * x + t), "x=0", "x=1", "t=0",
    ),
    "space": case(tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)), v, lap(x, y, z), sp.exp(x) * sp.sin(2 * y - z)),
}  # fmt: skip
SINGULAR_CASES = {
    "L-shape": case(CORNER, u, lap(x, y), SINGULAR, source=0),
    "ring": case(
        tn.Disk(radius=1) - tn.Disk(center=(0.3, 0.1), radius=0.1), u, lap(x, y),
        sp.log((x - 0.34) ** 2 + (y - 0.12) ** 2) + x * y, source=0,
    ),
}  # fmt: skip

ENDS = ("x=0", "x=1", "t=0")


def evolution(rate: Callable[[sp.Expr], sp.Expr], exact: sp.Expr, stop: float = 1.0, source: Any = None) -> Case:
    """u_t = rate(u) + a source on an interval, from the exact solution at the start and at the ends."""
    domain = tn.Box(x=(0, 1), t=(0, stop))
    return case(domain, w, lambda f: sp.diff(f, t) - rate(f), exact, *ENDS, source=source)


LOST = sum(
    (-1) ** k * (sp.erfc((k + x) / (2 * sp.sqrt(t))) + sp.erfc((k + 1 - x) / (2 * sp.sqrt(t)))) for k in range(5)
)
"""What is lost of one everywhere through ends that are zero: at the start nothing fits."""
EVOLUTIONS = {
    "heat": evolution(lambda f: sp.diff(f, x, 2) / 10, sp.exp(-t) * sp.sin(5 * x + t)),
    "travelling front": evolution(
        lambda f: sp.diff(f, x, 2) / 50 - f * sp.diff(f, x),
        (1 - sp.tanh((x - t / 2 - sp.Rational(1, 4)) * 25 / 2)) / 2, source=0,
    ),
    "long swing": evolution(lambda f: sp.diff(f, x, 2) / 20, sp.sin(3 * x) * sp.cos(4 * t), 20.0),
    "sudden change": evolution(lambda f: sp.diff(f, x, 2), sp.sin(2 * x) * sp.tanh(40 * (t - sp.Rational(1, 2)))),
    "reaction": evolution(
        lambda f: sp.diff(f, x, 2) / 10 + f - f**3, sp.exp(-t) * sp.cos(3 * x) * (1 + sp.sin(6 * t)) / 2, 3.0
    ),
}  # fmt: skip
SPREAD = 1 + 4 * t
HARD = {
    "unstable": case(
        tn.Interval(t=(0, 1.5)), s, lambda f: sp.diff(f, t) - 10 * f, sp.cos(3 * t), "t=0"
    ),
    "packet between walls": Case(
        tn.Problem(
            tn.Box(x=(-5, 5), t=(0, sp.Rational(1, 10))), [sp.Eq(sp.diff(w, t), 2 * sp.diff(w, x, 2))],
            [tn.on("left", sp.Eq(w, 0)), tn.on("right", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, sp.exp(-(x**2) / 2)))],
        ),
        sp.exp(-(x**2) / 2 / SPREAD) / sp.sqrt(SPREAD),
    ),
    "spike in time": evolution(
        lambda f: sp.diff(f, x, 2) / 10, sp.sin(3 * x) * sp.exp(-((60 * (t - sp.Rational(1, 2))) ** 2))
    ),
    "cold ends": Case(
        tn.Problem(
            tn.Box(x=(0, 1), t=(0, sp.Rational(1, 10))), [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))],
            [tn.on("x=0", sp.Eq(w, 0)), tn.on("x=1", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, 1))],
        ),
        1 - LOST,
    ),
}  # fmt: skip
CARRIED = case(
    tn.Box(x=(0, 1), t=(0, sp.Rational(1, 4))), w, lambda f: sp.diff(f, t) + sp.diff(f, x),
    sp.Abs(x - t - sp.Rational(1, 3)), "x=0", "t=0", source=0,
)  # fmt: skip
KINKS = {"TINIEST": (20, 40, 80), "ADDS": (0.03, 0.1, 0.3), "MISSES": (1, 3, 6)}


@dataclass(frozen=True)
class Constant:
    """The module of a constant, and the values that are tried, the library's own among them."""

    module: str
    name: str
    values: tuple[Any, ...]

    @contextmanager
    def at(self, value: Any) -> Iterator[None]:
        """The library with another value, wherever it is imported."""
        before = getattr(import_module(self.module), self.name)
        places = [
            m for n, m in sys.modules.items() if n.startswith("transnet") and getattr(m, self.name, None) is before
        ]
        for place in places:
            setattr(place, self.name, value)
        try:
            yield
        finally:
            for place in places:
                setattr(place, self.name, before)

    @property
    def own(self) -> Any:
        """The library's value."""
        return getattr(import_module(self.module), self.name)


SEEDS = (0, 1, 2)


def solved(
    cases: dict[str, Case], marched: bool = False, **how: Any
) -> tuple[dict[str, float], float, dict[str, float]]:
    """Errors and estimates, the geometric means over seeds, and processor time; slabs of time have no seed."""
    points._known = Remembered()  # what was drawn with another value
    errors, estimates, spent = {}, {}, 0.0
    for name, one in cases.items():
        found = []
        for seed in SEEDS[: 1 if marched else None]:
            fresh = tn.Problem(one.problem.domain, one.problem.equations, one.problem.conditions)
            start = process_time()
            solution = tn.solve(fresh, **how) if marched else tn.solve(fresh, pieces=False, seed=seed, **how)
            spent += process_time() - start
            found.append((max(one.error(solution), ROUNDING), max(solution.error, ROUNDING)))
        errors[name], estimates[name] = np.exp(np.mean(np.log(found), axis=0)).tolist()
    return errors, spent, estimates


def compare(constants: list[Constant], cases: dict[str, Case], **how: Any) -> None:
    """A table for each constant."""
    solved(cases, **how)  # formulas are compiled, and what is kept is there
    for constant in constants:
        found = {}
        for value in constant.values:
            with constant.at(value):
                found[value] = solved(cases, **how)
        base, time, _ = found[constant.own]
        print(f"\n{constant.module.removeprefix('transnet.')}.{constant.name}, in units of the library's value")
        print("| value | error, mean | worst | time |\n|---|---|---|---|")
        for value, (errors, spent, _) in found.items():
            ratios = {k: errors[k] / base[k] for k in errors}
            worst = max(ratios, key=lambda k: ratios[k])
            mean = np.exp(np.mean(np.log(list(ratios.values()))))
            mark = " (library)" if value == constant.own else ""
            print(f"| {value}{mark} | {mean:.2f} | {ratios[worst]:.1f} {worst} | {spent / time:.2f} |")


def rows() -> None:
    """Points: how many, and where. Fixed networks, so that nothing but the points changes."""
    compare(
        [
            Constant("transnet.rows.collocation", "ROWS_PER_COLUMN", (1.2, 1.5, 2.0, 3.0, 4.0)),
            Constant("transnet.rows.spacing", "BOUNDARY_DENSITY", (0.75, 1.0, 1.5, 2.0, 3.0)),
            Constant("transnet.rows.points", "SKIN", (0.0, 0.15, 0.3, 0.6)),
            Constant("transnet.rows.points", "DEPTH", (0.03, 0.1, 0.3)),
        ],
        SMOOTH,
        neurons=240,
    )


def fills() -> None:
    """The bandwidth: where the search begins, how far it goes, and what is left for large networks."""
    compare(
        [
            Constant(
                "transnet.choose.bandwidth", "FILLS", ((0.03, 0.06, 0.12), (0.06, 0.12, 0.25), (0.12, 0.25, 0.35))
            ),
            Constant("transnet.choose.bandwidth", "NARROWER", (0.36, 0.6, 0.8)),
            Constant("transnet.choose.bandwidth", "FLOOR", (0.03, 0.06, 0.12)),
            Constant("transnet.choose.bandwidth", "GAIN", (1.0, 1.5, 3.0)),
        ],
        SMOOTH,
        neurons=400,
    )


def growth() -> None:
    """From one network to the next, for ten digits."""
    compare(
        [
            Constant("transnet.choose.grow", "SMALLEST_STEP", (1.05, 1.2, 1.5)),
            Constant("transnet.choose.grow", "LARGEST_STEP", (1.5, 2.5, 4.0)),
            Constant("transnet.choose.grow", "STALLED", (1.5, 3.0, 10.0)),
        ],
        {k: SMOOTH[k] for k in ("bump", "Helmholtz", "advection", "heat")},
        tol=1e-10,
    )


def enrich() -> None:
    """Singular functions beside the waves."""
    compare(
        [
            Constant("transnet.choose.enrich", "POLES", (8, 16, 24)),
            Constant("transnet.choose.enrich", "DEGREE", ((3.0, 0.12), (4.0, 0.25), (6.0, 0.5))),
            Constant("transnet.choose.enrich", "HIGHEST", (6.0, 9.0, 14.0)),
        ],
        SINGULAR_CASES,
        neurons=240,
    )


def judge() -> None:
    """The estimated error in units of the true one, for networks of many sizes: seldom below one."""
    sizes = (60, 90, 120, 180, 240, 320)
    for constant in (
        Constant("transnet.judge.estimate", "SAFETY", (1.0, 2.0, 4.0)),
        Constant("transnet.judge.estimate", "FURTHEST", (0.03, 0.1, 0.3)),
        Constant("transnet.judge.estimate", "CARRIED", (3, 4, 6)),
    ):
        print(f"\n{constant.module.removeprefix('transnet.')}.{constant.name}: estimated error / true error")
        print("| value | smallest | 10 % | median | 90 % | below one |\n|---|---|---|---|---|---|")
        for value in constant.values:
            ratios = []
            with constant.at(value):
                for size in sizes:
                    errors, _, estimates = solved({**SMOOTH, **SINGULAR_CASES}, neurons=size)
                    ratios += [estimates[k] / errors[k] for k in errors if 1e-12 < errors[k] < 0.1]
            low, ten, half, ninety = np.quantile(ratios, (0.0, 0.1, 0.5, 0.9))
            mark = " (library)" if value == constant.own else ""
            below = 100 * np.mean(np.array(ratios) < 1)
            print(f"| {value}{mark} | {low:.2g} | {ten:.2g} | {half:.2g} | {ninety:.2g} | {below:.0f} % |")


def slabs() -> None:
    """The lengths of slabs of time, for six digits of smooth evolutions."""
    march = "transnet.slabs.march"
    compare(
        [
            Constant(march, "GROWTH", (1.1, 1.35, 1.8, 2.4)),
            Constant(march, "SAFETY", (0.8, 0.9, 1.0)),
            Constant(march, "LONGER", (1.5, 2.5, 4.0)),
            Constant(march, "SEPARATE", (0.01, 0.1, 1.0)),
            Constant(march, "SHARE", (0.005, 0.02, 0.1)),
            Constant("transnet.slabs.prepare", "A_DIGIT", (0.4, 0.6, 0.9)),
            Constant("transnet.slabs.slab", "CONTRACTION", (0.1, 0.25, 0.5)),
        ],
        EVOLUTIONS,
        marched=True,
        tol=1e-6,
    )


def missed() -> None:
    """What slabs do where a tolerance cannot be met: errors that grow, starts that do not fit, spikes, kinks."""
    compare(
        [
            Constant("transnet.slabs.march", "FOLLOWS", (0.0, 0.02, 0.1)),
            Constant("transnet.slabs.prepare", "MAKES", (3.0, 10.0, 30.0)),
            Constant("transnet.slabs.track", "BRIEF", (0.0, 0.02, 0.2)),
        ],
        HARD,
        marched=True,
        tol=1e-6,
    )
    kinks = [Constant("transnet.slabs.march", name, values) for name, values in KINKS.items()]
    compare(kinks, {"kink carried along": CARRIED}, marched=True, tol=1e-3)


GROUPS = {
    "rows": rows,
    "fills": fills,
    "growth": growth,
    "enrich": enrich,
    "judge": judge,
    "slabs": slabs,
    "missed": missed,
}


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    for name in names or GROUPS:
        start = process_time()
        print(f"\n## {name}: {GROUPS[name].__doc__}")
        GROUPS[name]()
        print(f"\n{process_time() - start:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
