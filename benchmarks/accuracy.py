"""The library's defaults against the published errors: all cases, all published numbers of neurons, five seeds.

`python benchmarks/accuracy.py` appends every finished solve to benchmarks/accuracy.jsonl, continues after an
interruption, and writes the table to docs/accuracy.md. Nothing is picked by hand: tn.solve(problem, neurons=M).
"""

from __future__ import annotations

import csv
import json
import sys
import warnings
from importlib.resources import files
from pathlib import Path

import numpy as np

import transnet as tn
from transnet.paper.cases import NAMES, case

HERE = Path(__file__).parent
STORE = HERE / "accuracy.jsonl"
PAGE = HERE.parent / "docs" / "accuracy.md"
SEEDS = {"C5": 3, "C8": 3}
"""Seeds of the cases with thousands of neurons; five of the others."""

TEXT = """# Accuracy at equal numbers of neurons

Mean square errors of `tn.solve(problem, neurons=M, points=...)` with the paper's collocation points, the median of five
seeds (up to three for C5 and C8), beside the published ones (single draws). C6 is solved by
Newton's method. Nothing is picked by hand and no exact solution is used: the bandwidths of the plane waves come
from the residuals of small networks. Errors below about 1e-28 are rounding, and ratios there mean little more than
that.
"""


def published(method: str) -> dict[tuple[str, int], float]:
    rows = csv.DictReader((files("transnet.paper") / "data" / "published_mse.csv").read_text().splitlines())
    return {(r["case"], int(r["neurons"])): float(r["mse"]) for r in rows if r["method"] == method}


def key(row: dict) -> tuple:
    return row["case"], row["neurons"], row["seed"]


def run(wanted: list[str]) -> None:
    done = {key(json.loads(line)) for line in STORE.read_text().splitlines()} if STORE.exists() else set()
    todo = [(n, m, s) for n in wanted for m in case(n).neurons for s in range(SEEDS.get(n, 5)) if (n, m, s) not in done]
    for number, (name, neurons, seed) in enumerate(sorted(todo, key=lambda k: (k[1], k[0], k[2])), 1):
        c = case(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            strategy = tn.Newton() if name == "C6" else None
            solution = tn.solve(c.problem, neurons=neurons, points=c.points, seed=seed, strategy=strategy)
        errors = c.errors_of(solution(c.test_points))
        row = {"case": name, "neurons": neurons, "seed": seed, "mse": errors.mse, "relative_l2": errors.relative_l2}
        row |= {"estimate": solution.error, "seconds": sum(solution.diagnostics.seconds.values())}
        with STORE.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{number}/{len(todo)} {name} M={neurons} seed={seed}: mse {errors.mse:.1e}", flush=True)


def write() -> None:
    rows = [json.loads(line) for line in STORE.read_text().splitlines()]
    reference = published("transnet")
    lines, ratios = [TEXT, "| case | neurons | published | here | ratio |", "|---|---|---|---|---|"], []
    worse, missing = 0, []
    for name in NAMES:
        for neurons in case(name).neurons:
            found = [r["mse"] for r in rows if (r["case"], r["neurons"]) == (name, neurons)]
            if found:
                median, ours = reference[name, neurons], float(np.median(found))
                ratios.append(median / ours)
                worse += ours > median
                lines.append(f"| {name} | {neurons} | {median:.1e} | {ours:.1e} | {median / ours:.0e} |")
            else:
                missing.append(f"{name} with {neurons}")
    mean = np.exp(np.mean(np.log(ratios)))
    floored = np.exp(np.mean(np.log(np.minimum(ratios, 1e10))))
    lines.append(
        f"\nGeometric mean of the {len(ratios)} ratios: {mean:.0e} ({floored:.0e} if none counts for more than 1e10). "
        f"Worse than published: {worse}." + (f" Not measured: {', '.join(missing)}." if missing else "")
    )
    PAGE.write_text("\n".join(lines) + "\n")
    print(lines[-1])


if __name__ == "__main__":
    run(sys.argv[1:] or list(NAMES))
    write()
