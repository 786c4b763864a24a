"""What a part of the benchmarks gives, and the files it goes to."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import numpy as np
import scipy

import charts

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
TABLES = HERE / "tables.json"
PAGE = HERE.parent / "docs" / "benchmarks.md"
CLOCK = "wall time"
INTRODUCTION = (
    "Produced by `make bench`; `benchmarks/tables.json` has all columns and rows. A ratio is the peer's time over "
    "ours, one thread each: above one this library is faster. Measured on:"
)
SHOWN = {
    "highorder": ("problem", "wanted", "NGSolve with mesh, ms", "ours, tol, ms", "our error", "ratio"),
    "fem": ("case", "wanted", "element", "unknowns", "its seconds", "our seconds", "ratio"),
    "published": ("case", "its MSE", "its seconds", "our neurons", "our seconds", "ratio"),
    "fastlsq": ("case", "features", "relative error", "its seconds", "our seconds", "ratio"),
    "deepxde": ("case", "its relative error", "its seconds", "our seconds", "ratio"),
    "steppers": ("problem", "our error", "our seconds", "peer", "its error", "its seconds", "ratio"),
    "scaling": ("varied", "neurons", "rows", "engine", "seconds", "peak MiB"),
}
"""The columns of a table that the page shows; all, where nothing is said."""
FASTEST = {"fem": "its seconds"}
"""Tables of which the page shows the fastest row of the peer for each case and error."""
ORDER = ("limit", "lstsq", "published", "fastlsq", "highorder", "fem", "deepxde", "steppers", "second", "scaling")
FIRST = "highorder"
"""The part that the page opens with: the chart, and what is in it."""
CHART = "![The time of each tool to relative errors of 1e-6 and 1e-9](images/tools.png)"
CURVES = "![Time against error: NGSolve and this library](images/races.png)"
CHART_NOTES = (
    "The peers have the best of their settings according to the exact solution, this library only `tol=`. DeepXDE does "
    "not reach 1e-6."
)


@dataclass(frozen=True)
class Figure:
    """A ratio with its target: `at_most` for a cost, otherwise how many times faster, at least."""

    name: str
    ratio: float
    target: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return bool(self.ratio <= self.target if self.at_most else self.ratio >= self.target)


@dataclass(frozen=True)
class Part:
    """The figures of a part, a table of what was measured, and notes.

    The first `keys` columns of the table say which measurement a row is.
    """

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    figures: list[Figure] = field(default_factory=list)
    notes: str = ""
    keys: int = 1

    def text(self) -> str:
        lines = [
            f"   {f.name}: {f.ratio:.3g} (target {_target(f)}, {'met' if f.met else 'NOT met'})" for f in self.figures
        ]
        return "\n".join(lines)


def _target(figure: Figure) -> str:
    return f"{'<=' if figure.at_most else '>='} {figure.target:g}"


def machine() -> str:
    """Processor, physical cores, those that may be used, threads of BLAS and PyTorch, and versions."""
    model, cores = platform.processor() or platform.machine(), os.cpu_count()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        fields = [(key.strip(), value.strip()) for key, _, value in (line.partition(":") for line in lines)]
        model = next(value for key, value in fields if key == "model name")
        places = [value for key, value in fields if key in ("physical id", "core id")]
        cores = len(set(zip(places[::2], places[1::2], strict=True))) or cores
    except (OSError, StopIteration, ValueError):
        pass
    used = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "all")
    return (
        f"{model}, {cores} physical core(s), {used} for use, {threads} thread(s) of BLAS and PyTorch, Python "
        f"{platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, {CLOCK}"
    )


def save(name: str, part: Part, merge: bool = False) -> None:
    """Put a part into the files, in place of what was there under its name.

    With `merge` rows and figures that were not measured again stay, if they are of the same machine and settings.
    """
    tables = json.loads(TABLES.read_text()) if TABLES.exists() else {}
    stored = json.loads(json.dumps({**asdict(part), "machine": machine()}, default=lambda v: v.item()))
    if merge and tables.get(name, {}).get("machine") == stored["machine"]:
        stored = merged(tables[name], stored)
    tables[name] = stored
    TABLES.write_text(json.dumps(tables, indent=1) + "\n")
    figures = [rounded(Figure(**f)) for key in ORDER if key in tables for f in tables[key]["figures"]]
    results = [{"name": f.name, "ratio": f.ratio, "target": f.target, "met": f.met} for f in figures]
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(tables, figures))
    if {"highorder", "fastlsq", "fem", "deepxde"} <= set(tables):
        charts.tools(tables)


def rounded(figure: Figure) -> Figure:
    """Four digits, so that what is written and what is judged are the same number."""
    return replace(figure, ratio=float(f"{figure.ratio:.4g}"))


def merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The new table with those rows and figures of the old one that it does not have, in the order of the old."""
    if old["header"] != new["header"]:
        return new

    def joined(before: list[Any], after: list[Any], key: Any) -> list[Any]:
        fresh = {key(item): item for item in after}
        kept = [fresh.pop(key(item), item) for item in before]
        return kept + list(fresh.values())

    rows = joined(old["rows"], new["rows"], lambda row: json.dumps(row[: new["keys"]]))
    return {**new, "rows": rows, "figures": joined(old["figures"], new["figures"], lambda f: f["name"])}


def page(tables: dict[str, Any], figures: list[Figure]) -> str:
    """docs/benchmarks.md."""
    machines = list(dict.fromkeys(t["machine"] for t in tables.values()))
    lines = ["# Benchmarks", "", CHART, "", CHART_NOTES, "", CURVES, "", INTRODUCTION, ""]
    lines += [f"- {letter}: {m}" for letter, m in zip(ascii_uppercase, machines, strict=False)]
    for key in (FIRST, *(key for key in ORDER if key != FIRST)):
        if key in tables:
            t = tables[key]
            setting = f" (setting {ascii_uppercase[machines.index(t['machine'])]})" if len(machines) > 1 else ""
            lines += ["", f"## {t['title'].partition(') ')[2] or t['title']}{setting}", ""]
            shown, rows = SHOWN.get(key, t["header"]), _fastest(key, t)
            kept = [t["header"].index(name) for name in shown if name in t["header"]]
            lines += ["| " + " | ".join(t["header"][k] for k in kept) + " |", "|" + "---|" * len(kept)]
            lines += ["| " + " | ".join(_cell(row[k]) for k in kept) + " |" for row in rows]
            if t["notes"]:
                lines += ["", t["notes"]]
    missed = [f for f in figures if not f.met]
    lines += ["", "## Targets that are not met", ""]
    lines += [f"{len(figures) - len(missed)} of {len(figures)} are met; `benchmarks/results.json` has all of them.", ""]
    lines += ["| figure | ratio | target |", "|---|---|---|"]
    lines += [f"| {f.name} | {f.ratio:.3g} | {_target(f)} |" for f in missed]
    return "\n".join(lines) + "\n"


def _fastest(key: str, table: dict[str, Any]) -> list[Any]:
    """The rows of a table, or the fastest of each case and error."""
    rows, by = table["rows"], FASTEST.get(key)
    if by is None or by not in table["header"]:
        return list(rows)
    seconds, best = table["header"].index(by), {}
    for row in rows:
        known = best.get(tuple(row[:2]))
        if isinstance(row[seconds], float) and (known is None or row[seconds] < known[seconds]):
            best[tuple(row[:2])] = row
    return list(best.values())


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.1e}" if value and (abs(value) < 1e-3 or abs(value) >= 1e4) else f"{value:.3g}"
