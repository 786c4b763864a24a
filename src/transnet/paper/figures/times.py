"""Table 1: the computing times with 1000 neurons, beside the published ones, with the machine named."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import numpy as np

from transnet.paper.cases import NAMES
from transnet.paper.figures.decay import median
from transnet.paper.figures.drawing import Figure, table
from transnet.paper.results import Results
from transnet.paper.run import METHODS
from transnet.threads import cores


def machine() -> str:
    """The processor, the cores and the versions that the times belong to."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return (
        f"{name}, {cores()} of {os.cpu_count()} cores used, {platform.system()}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}"
    )


def training(results: Results, method: str) -> str:
    """How long the networks of a method were trained, in words; empty for methods without training."""
    steps = {
        (r["steps"]["adam"], r["steps"]["lbfgs"]) for r in results.records if r["method"] == method and "steps" in r
    }
    told = [f"{adam} + {lbfgs}" if lbfgs else f"{adam}" for adam, lbfgs in sorted(steps)]
    return f" ({', '.join(told)} steps)" if told else ""


def make(results: Results) -> Figure:
    """Seconds of each method and case, with the largest network that was solved, up to 1000 neurons."""
    rows: list[tuple[Any, ...]] = [("method", "", *NAMES)]
    errors: list[tuple[Any, ...]] = [("method", "", *NAMES)]
    for method, text in METHODS.items():
        seconds, sizes, error, published_error = [], [], [], []
        for name in NAMES:
            found = results.of(name, method)
            size = max((n for n in found if n <= 1000), default=None)
            sizes.append("" if size is None else str(size))
            seconds.append("" if size is None else f"{median(found[size], 'seconds'):.3g}")
            error.append("" if size is None else f"{median(found[size]):.1e}")
            there = dict(results.published_curve(name, method)).get(size) if size is not None else None
            published_error.append("" if there is None else f"{there:.1e}")
        if not any(sizes):
            continue
        text += training(results, method)
        rows.append((text, "neurons", *sizes))
        rows.append((text, "seconds here", *seconds))
        errors.append((text, "neurons", *sizes))
        errors.append((text, "MSE here", *error))
        published = [results.published_seconds(name, method) for name in NAMES]
        if any(p is not None for p in published):
            rows.append((text, "seconds published (1000)", *("" if p is None else f"{p:.4g}" for p in published)))
            errors.append((text, "MSE published", *published_error))
    return Figure(
        "times",
        "Table 1: computing times, and the errors that they buy",
        f"Processor seconds of whole solves with the number of neurons given (the largest up to 1000 that was solved), "
        f"one thread each, on: <b>{machine()}</b>. The published times were measured on an NVIDIA Tesla V100.",
        body=table(rows, "table-times", heads=2) + "<h3>Errors of the same solves</h3>"
        + table(errors, "table-errors", heads=2),
        data={"times": rows, "errors": errors},
    )  # fmt: skip
