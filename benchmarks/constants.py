"""The constants that decide accuracy and growth, swept: `python benchmarks/constants.py [group ...]`.

A group of problems is solved with the value that the library has and with others. Printed are, relative to the
library's value, the geometric mean of the true errors over problems and seeds, the worst problem, and the processor
time; for the judge the estimated error in units of the true one. The lines beside the constants were read from these
tables. Two to three minutes of processor time for all groups.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np
import sympy as sp

import transnet as tn
from constant_cases import (
    BOUNDARY,
    CARRIED,
    DRUMS,
    EVOLUTIONS,
    HARD,
    MATERIALS,
    SINGULAR_CASES,
    SMOOTH,
    STEPPED,
    Case,
    u,
)
from transnet.remember import Remembered

ROUNDING = 1e-14
"""Errors below this are not distinguished."""


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


def forget() -> None:
    """Points, features and whatever else was made with another value."""
    for name, module in list(sys.modules.items()):
        if name.startswith("transnet."):
            for key, value in list(vars(module).items()):
                if isinstance(value, Remembered):
                    setattr(module, key, Remembered())


def solved(
    cases: dict[str, Case], marched: bool = False, **how: Any
) -> tuple[dict[str, float], float, dict[str, float]]:
    """Errors and estimates, the geometric means over seeds, and processor time; slabs of time have no seed."""
    forget()
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
        found = []
        for value in constant.values:
            with constant.at(value):
                found.append(solved(cases, **how)[:2])
        table(constant, found)


def table(constant: Constant, found: list[tuple[dict[str, float], float]]) -> None:
    """The errors and times of all values, in units of those of the library's."""
    base, time = found[constant.values.index(constant.own)]
    print(f"\n{constant.module.removeprefix('transnet.')}.{constant.name}, in units of the library's value")
    print("| value | error, mean | worst | time |\n|---|---|---|---|")
    for value, (errors, spent) in zip(constant.values, found, strict=True):
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
            Constant("transnet.choose.bandwidth", "DEFAULT", (0.06, 0.125, 0.25)),
            Constant("transnet.choose.bandwidth", "STEP", (1.25, 1.6, 2.5)),
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
            Constant("transnet.method.network", "LEAST", (1.05, 1.2, 1.5)),
            Constant("transnet.method.network", "MOST", (1.5, 2.5, 4.0)),
            Constant("transnet.drive.driver", "PLATEAU", (1.5, 3.0, 10.0)),
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
    lengths = "transnet.slabs.lengths"
    compare(
        [
            Constant(lengths, "GROWTH", (1.1, 1.35, 1.8, 2.4)),
            Constant(lengths, "SAFETY", (0.8, 0.9, 1.0)),
            Constant(lengths, "LONGER", (1.5, 2.5, 4.0)),
            Constant("transnet.slabs.march", "SEPARATE", (0.01, 0.1, 1.0)),
            Constant("transnet.slabs.collocation", "SHARE", (0.005, 0.02, 0.1)),
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
            Constant("transnet.slabs.prepare", "CLEAR", (3.0, 10.0, 30.0)),
            Constant("transnet.slabs.track", "BRIEF", (0.0, 0.02, 0.2)),
        ],
        HARD,
        marched=True,
        tol=1e-6,
    )
    compare([Constant("transnet.slabs.march", "FOLLOWS", (0.002, 0.02, 0.1))], CARRIED, marched=True, tol=1e-4)


def stepping() -> None:
    """Evolutions on any domain: the predicted time of steps decides when one network of space and time is left."""
    compare(
        [Constant("transnet.method.march", "STEPS", tuple({1: s, 2: 6 * s} for s in (3.0, 10.0, 30.0)))],
        STEPPED,
        marched=True,
        tol=1e-5,
    )


def boundary() -> None:
    """Functions that solve the equation: how many, on how many points, and when they are given up."""
    door, edges, law = "transnet.method.trefftz", "transnet.method.edges", "transnet.choose.harmonic"
    compare(
        [
            Constant(edges, "PER_COLUMN", (1.2, 2.0, 3.0)),
            Constant(door, "MORE", (1.5, 2.0, 3.0)),
            Constant(door, "FALLS", (0.02, 0.2, 0.8)),
            Constant(law, "POWERS", ((4.0, 1.0), (4.0, 1.5), (4.0, 2.0), (4.0, 2.5))),
            Constant(law, "DEGREE", ((1.0, 0.6), (1.0, 0.9), (1.0, 1.4))),
            Constant(law, "LARGEST", (100, 350, 1000)),
        ],
        BOUNDARY,
        marched=True,
    )


def whole() -> None:
    """One network for each material."""
    module = "transnet.pieces.whole"
    compare(
        [
            Constant(module, "WAVES", tuple({2: n, 3: 700} for n in (120, 160, 240, 360))),
        ],
        MATERIALS,
        marched=True,
    )


def spectra() -> None:
    """The bandwidths with which eigenvalues are looked for."""
    plane = ((0.03, 0.06, 0.12), (0.06, 0.12, 0.25), (0.12, 0.25, 0.5), (0.12,))
    module = import_module("transnet.doors.eigen")
    constant = Constant(module.__name__, "FILLS", tuple({**module.FILLS, 2: fills} for fills in plane))
    found = []
    for value in constant.values:
        errors, spent = {}, 0.0
        with constant.at(value):
            for name, (domain, exact) in DRUMS.items():
                lam = sp.Symbol("lam")
                drum = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), lam * u)], [tn.on("boundary", sp.Eq(u, 0))])
                start = process_time()
                values = tn.eigenpairs(drum, lam, len(exact)).values
                spent += process_time() - start
                errors[name] = max(float(np.max(np.abs(values / exact - 1))), ROUNDING)
        found.append((errors, spent))
    table(constant, found)


GROUPS = {
    "rows": rows,
    "fills": fills,
    "growth": growth,
    "enrich": enrich,
    "judge": judge,
    "slabs": slabs,
    "missed": missed,
    "stepping": stepping,
    "boundary": boundary,
    "whole": whole,
    "spectra": spectra,
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
