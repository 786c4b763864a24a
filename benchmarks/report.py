"""What a part of the benchmarks gives, and the files it goes to."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
TABLES = HERE / "tables.json"
PAGE = HERE.parent / "docs" / "benchmarks.md"
CLOCK = "wall time"
ORDER = ("limit", "lstsq", "published", "fastlsq", "fem", "deepxde", "second", "scaling")


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
    """The figures of a part, a table of what was measured, and what is to be said about it."""

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    figures: list[Figure] = field(default_factory=list)
    notes: str = ""

    def text(self) -> str:
        lines = [
            f"   {f.name}: {f.ratio:.3g} (target {_target(f)}, {'met' if f.met else 'NOT met'})" for f in self.figures
        ]
        return "\n".join(lines)


def _target(figure: Figure) -> str:
    return f"{'<=' if figure.at_most else '>='} {figure.target:g}"


def machine() -> str:
    """Processor, cores in use, threads of BLAS and versions."""
    model = platform.processor() or platform.machine()
    try:
        text = Path("/proc/cpuinfo").read_text()
        model = next(line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "all")
    return (
        f"{model}, {cores} core(s) used, {threads} BLAS thread(s), Python {platform.python_version()}, "
        f"NumPy {np.__version__}, SciPy {scipy.__version__}, {CLOCK}"
    )


def save(name: str, part: Part) -> None:
    """Put a part into the files, in place of what was there under its name."""
    tables = json.loads(TABLES.read_text()) if TABLES.exists() else {}
    tables[name] = {**asdict(part), "machine": machine()}
    TABLES.write_text(json.dumps(tables, indent=1, default=lambda v: v.item()) + "\n")
    figures = [Figure(**f) for key in ORDER if key in tables for f in tables[key]["figures"]]
    results = [{"name": f.name, "ratio": float(f"{f.ratio:.4g}"), "target": f.target, "met": f.met} for f in figures]
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(tables, figures))


def page(tables: dict[str, Any], figures: list[Figure]) -> str:
    """docs/benchmarks.md."""
    machines = list(dict.fromkeys(t["machine"] for t in tables.values()))
    lines = ["# Benchmarks", "", "Made by `make bench`; every ratio compares times of the same run. Measured on:", ""]
    lines += [f"- {m}" for m in machines]
    lines += ["", "## Figures and their targets", "", "| figure | ratio | target | |", "|---|---|---|---|"]
    lines += [f"| {f.name} | {f.ratio:.3g} | {_target(f)} | {'met' if f.met else '**not met**'} |" for f in figures]
    for key in ORDER:
        if key in tables:
            t = tables[key]
            lines += ["", f"## {t['title']}", ""]
            if len(machines) > 1:
                lines += [f"On {t['machine']}.", ""]
            lines += ["| " + " | ".join(t["header"]) + " |", "|" + "---|" * len(t["header"])]
            lines += ["| " + " | ".join(_cell(c) for c in row) + " |" for row in t["rows"]]
            if t["notes"]:
                lines += ["", t["notes"]]
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.1e}" if value and (abs(value) < 1e-3 or abs(value) >= 1e4) else f"{value:.3g}"
