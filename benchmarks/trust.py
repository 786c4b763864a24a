"""Can the error estimates be trusted? Random problems with known solutions, solved with the defaults and a tolerance.

    python benchmarks/trust.py                    # 1,000 of them, a third hard
    python benchmarks/trust.py --smooth 20 --hard 20 --nonlinear 6
    python benchmarks/trust.py --only hard:17     # one of them, in detail

For each the true relative L2 error, the estimate and whether there was a warning are kept in `trust.jsonl`; problems
that are there are not solved again, so that a run can be interrupted. The table and the picture of `docs/trust.md` are
made from it. To extend the calibration add a function that takes a random generator to one of the lists of
`trust_problems.py`.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
import sympy as sp

import transnet as tn
from transnet.errors import TransnetError, TransnetWarning
from trust_problems import KINDS as PLAIN
from trust_problems import Stated
from trust_sharp import SYSTEMS, UNSEEN

KINDS = {**PLAIN, "systems": SYSTEMS, "unseen": UNSEEN}
HERE = Path(__file__).parent
RESULTS = HERE / "trust.jsonl"
DOCS = HERE.parent / "docs"
TOL = 1e-5
"""What every problem is to be solved to."""
FACTOR = 10.0
"""An estimate within this factor of the truth holds."""
FLOOR = 1e-12
"""Below this the truth is rounding, and so is the estimate."""


def true_error(stated: Stated, solution: tn.Solution) -> float:
    """The relative L2 error, the largest over the unknowns."""
    points = stated.problem.domain.interior(3000, "quasi", 77)
    worst = 0.0
    for name, exact in stated.exact.items():
        truth = np.broadcast_to(
            sp.lambdify(stated.problem.coordinates, exact, ["scipy", "numpy"])(*points.T), len(points)
        )
        error = np.linalg.norm(solution[name].at(points) - truth) / np.linalg.norm(truth)
        worst = max(worst, float(error))
    return worst


def measured(kind: str, number: int) -> dict:
    """Make and solve one problem."""
    rng = np.random.default_rng([number, sorted(KINDS).index(kind)])
    makers = KINDS[kind]
    maker = makers[number % len(makers)]
    stated = maker(rng)
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            solution = tn.solve(stated.problem, tol=TOL, parameters=stated.parameters or None)
        except TransnetError as error:
            return {"kind": kind, "number": number, "what": maker.__name__, "refused": str(error)}
    told = [str(w.message) for w in caught if issubclass(w.category, TransnetWarning)]
    return {
        "kind": kind,
        "number": number,
        "what": maker.__name__,
        "true": true_error(stated, solution),
        "estimate": solution.error,
        "neurons": solution.neurons,
        "seconds": time.process_time() - start,
        "warning": told[0][:300] if told else "",
    }


def verdict(result: dict) -> str:
    """The outcome of a problem: right, silently wrong, a false alarm, or warned."""
    if "refused" in result:
        return "refused"
    good, warned = result["true"] <= TOL, bool(result["warning"])
    if not warned and not good and result["true"] > FACTOR * result["estimate"]:
        return "silent"
    if warned:
        return "false alarm" if result["true"] < TOL / FACTOR else "warned"
    return "right" if good else "close"


def holds(result: dict) -> bool:
    """Whether the estimate is within ten times of the truth."""
    true, estimate = max(result["true"], FLOOR), max(result["estimate"], FLOOR)
    return bool(true / FACTOR <= estimate <= true * FACTOR)


def table(results: list[dict]) -> str:
    """The figures by kind, in Markdown."""
    lines = [
        "| problems | number | solved to 1e-5 | estimate within 10 times | never below a tenth of the truth "
        "| silently wrong | false alarms | warned | median seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for kind in KINDS:
        mine = [r for r in results if r["kind"] == kind and "refused" not in r]
        if not mine:
            continue
        verdicts = [verdict(r) for r in mine]
        safe = sum(r["estimate"] >= r["true"] / FACTOR or r["true"] < FLOOR for r in mine)
        lines.append(
            f"| {kind} | {len(mine)} | {sum(r['true'] <= TOL for r in mine)} "
            f"| {100 * np.mean([holds(r) for r in mine]):.1f} % | {100 * safe / len(mine):.1f} % "
            f"| {verdicts.count('silent')} | {verdicts.count('false alarm')} | {verdicts.count('warned')} "
            f"| {np.median([r['seconds'] for r in mine]):.2f} |"
        )
    return "\n".join(lines)


def losses(results: list[dict]) -> str:
    """The kinds of problems where estimates fail, in Markdown."""
    names = sorted({r["what"] for r in results})
    lines = ["| problem | number | estimate within 10 times | below a tenth | above ten times | median error |"]
    lines.append("|---|---|---|---|---|---|")
    for name in names:
        mine = [r for r in results if r["what"] == name and "refused" not in r]
        if not mine:
            continue
        below = sum(r["estimate"] < r["true"] / FACTOR and r["true"] > FLOOR for r in mine)
        above = sum(r["estimate"] > r["true"] * FACTOR and r["estimate"] > FLOOR for r in mine)
        held = 100 * np.mean([holds(r) for r in mine])
        median = np.median([r["true"] for r in mine])
        lines.append(f"| {name.replace('_', ' ')} | {len(mine)} | {held:.0f} % | {below} | {above} | {median:.0e} |")
    return "\n".join(lines)


def picture(results: list[dict], path: Path) -> None:
    """Estimate against truth, both logarithmic."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5.2, 5.0), layout="constrained")
    colours = {"smooth": "tab:blue", "hard": "tab:orange", "nonlinear": "tab:green"}
    for kind, colour in colours.items():
        mine = [r for r in results if r["kind"] == kind and "refused" not in r]
        for warned, marker in ((False, "o"), (True, "x")):
            chosen = [r for r in mine if bool(r["warning"]) == warned]
            label = f"{kind}{', warned of' if warned else ''}"
            axes.scatter(
                [max(r["true"], FLOOR) for r in chosen],
                [max(r["estimate"], FLOOR) for r in chosen],
                s=14, marker=marker, c=colour, alpha=0.7, linewidths=0.8, label=label,
            )  # fmt: skip
    ends = np.array([FLOOR / 3, 10.0])
    axes.plot(ends, ends, "k-", lw=0.8)
    for factor in (FACTOR, 1 / FACTOR):
        axes.plot(ends, factor * ends, "k:", lw=0.8)
    axes.set(xscale="log", yscale="log", xlabel="true relative error", ylabel="estimate", xlim=ends, ylim=ends)
    axes.set_aspect("equal")
    axes.legend(fontsize="small", frameon=False)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def known_results() -> list[dict]:
    """What was measured before."""
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def write_page(results: list[dict]) -> None:
    """Put the figures into the page, between its markers."""
    page = DOCS / "trust.md"
    picture(results, DOCS / "images" / "trust.png")
    if not page.exists():
        return
    text = page.read_text()
    for name, content in (("table", table(results)), ("losses", losses(results))):
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{content}\n{end}{rest.split(end)[1]}"
    page.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    counts = {"smooth": 400, "hard": 250, "nonlinear": 100, "systems": 150, "unseen": 100}
    for kind, count in counts.items():
        parser.add_argument(f"--{kind}", type=int, default=count)
    parser.add_argument("--only", help="one problem, such as hard:17")
    parser.add_argument("--report", action="store_true", help="only make the table and the picture anew")
    chosen = parser.parse_args()
    if chosen.only:
        kind, number = chosen.only.split(":")
        print(json.dumps(measured(kind, int(number)), indent=1))
        return
    results = known_results()
    done = {(r["kind"], r["number"]) for r in results}
    counts = {kind: getattr(chosen, kind) for kind in KINDS}
    if not chosen.report:
        with RESULTS.open("a") as file:
            # In turn, so that what is there when a run is interrupted is a fair part of all.
            for number in range(max(counts.values())):
                for kind in KINDS:
                    if number < counts[kind] and (kind, number) not in done:
                        result = measured(kind, number)
                        results.append(result)
                        file.write(json.dumps(result) + "\n")
                        file.flush()
                        print(kind, number, result["what"], verdict(result), flush=True)
    print(table(results))
    for r in results:
        if "refused" not in r and (verdict(r) in ("silent", "false alarm") or not holds(r)):
            print(
                f"{r['kind']}:{r['number']} {r['what']} {verdict(r)}: true {r['true']:.1e}, estimate "
                f"{r['estimate']:.1e}. {r['warning'][:120]}"
            )
    write_page(results)


if __name__ == "__main__":
    main()
