"""The data of the figures: the plan, the finished solves, the published numbers, and a few solutions to draw."""

from __future__ import annotations

import csv
import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

import transnet as tn
from transnet.errors import TransnetWarning
from transnet.paper.cases import case
from transnet.paper.plan import ReportPlan
from transnet.paper.run import Job
from transnet.paper.store import Store

PUBLISHED_AS = {
    "published": "transnet",
    "random-features": "random_features",
    "pinn-adam": "pinn_adam",
    "pinn-adam-lbfgs": "pinn_adam_lbfgs",
}
"""The names of the methods in the published tables; the library's defaults are not among them."""


@lru_cache(maxsize=8)
def published(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a published table: "mse", "seconds" or "shape_landscape"."""
    text = (files("transnet.paper") / "data" / f"published_{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


@dataclass(frozen=True, eq=False)
class Results:
    """The plan of a report and what has been computed for it."""

    plan: ReportPlan
    store: Store
    trained: bool = True

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The finished solves of the plan."""
        return self.store.records(self.plan.jobs)

    def of(self, name: str, method: str) -> dict[int, list[dict[str, Any]]]:
        """The records of a case and a method by the number of neurons."""
        found: dict[int, list[dict[str, Any]]] = {}
        for record in sorted(self.records, key=lambda r: (r["neurons"], r["seed"])):
            if record["case"] == name and record["method"] == method:
                found.setdefault(record["neurons"], []).append(record)
        return found

    def published_curve(self, name: str, method: str) -> list[tuple[int, float]]:
        """(neurons, MSE) as published; empty for the library's defaults."""
        wanted = (name, PUBLISHED_AS.get(method))
        return [(int(r["neurons"]), float(r["mse"])) for r in published("mse") if (r["case"], r["method"]) == wanted]

    def published_seconds(self, name: str, method: str) -> float | None:
        """The published time with 1000 neurons."""
        wanted = (name, PUBLISHED_AS.get(method))
        return next((float(r["seconds"]) for r in published("seconds") if (r["case"], r["method"]) == wanted), None)

    @lru_cache(maxsize=16)  # noqa: B019
    def solution(self, name: str) -> tn.Solution:
        """The library's solution of a case, to draw."""
        from transnet.paper.run import run

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TransnetWarning)
            return list(run(Job(name, "transnet", self.plan.pictures[name])))[-1].solution

    def title(self, name: str) -> str:
        """The name of a case and what it is about."""
        return f"{name}: {case(name).title}"
