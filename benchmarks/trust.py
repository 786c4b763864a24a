"""Can the error estimates be trusted? Random problems with known solutions, solved with the defaults.

    python benchmarks/trust.py                    # 1,000 of them, a third hard
    python benchmarks/trust.py --smooth 20 --hard 20 --nonlinear 6
    python benchmarks/trust.py --only hard:17     # one of them, in detail
    python benchmarks/trust.py --seed 1           # 1,000 others

For each the true error, the estimate and whether there was a warning are kept in `trust.jsonl`; problems that are there
are not solved again, so that a run can be interrupted. The tables and the picture of `docs/trust.md` and
`docs/breaking.md` are made from it (`trust_page.py`). To extend the calibration add a function that takes a random
generator to one of the lists: in `trust_problems.py`, `trust_sharp.py` and `trust_posed.py` it returns a problem with
its solution (none if it must be told that there is none), in `trust_results.py` and `trust_sought.py` a question with
its answer.
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
from trust_page import TOL, fails, table, verdict, write_pages
from trust_posed import ILL_POSED, WELL_POSED
from trust_problems import KINDS as PLAIN
from trust_problems import Stated
from trust_results import EIGENVALUES, RESULTS, Asked
from trust_sharp import SYSTEMS, UNSEEN
from trust_sought import SOUGHT

KINDS = {
    **PLAIN,
    "systems": SYSTEMS,
    "unseen": UNSEEN,
    "nearly singular": WELL_POSED,
    "ill-posed": ILL_POSED,
    "results": RESULTS,
    "eigenvalues": EIGENVALUES,
    "sought": SOUGHT,
}
COUNTS = dict(zip(KINDS, (260, 200, 80, 100, 120, 60, 70, 50, 30, 30), strict=True))
"""How many of each: 1,000, of which 380 are hard, unseen or nearly singular."""
MEASURED = Path(__file__).parent / "trust.jsonl"


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


def measured(kind: str, number: int, seed: int = 0) -> dict:
    """Make and solve one problem: its true errors and estimates, in pairs, and what was said."""
    rng = np.random.default_rng([number, sorted(KINDS).index(kind), seed])
    makers = KINDS[kind]
    maker = makers[number % len(makers)]
    found: dict = {"kind": kind, "number": number, "seed": seed, "what": maker.__name__}
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            stated = maker(rng)
            if isinstance(stated, Asked):
                found["pairs"], found["zero"] = [], []
                for off, estimate, zero in stated.answer():
                    found["pairs"].append([off, estimate])
                    found["zero"].append(zero)
            else:
                solution = tn.solve(stated.problem, tol=TOL, parameters=stated.parameters or None)
                found["pairs"] = [[true_error(stated, solution), solution.error]] if stated.exact else []
        except TransnetError as error:
            found["refused"] = str(error)[:300]
    said = [str(w.message) for w in caught if issubclass(w.category, TransnetWarning)]
    return {**found, "seconds": time.process_time() - start, "warning": said[0][:300] if said else ""}


def known_results(seed: int) -> list[dict]:
    """What was measured before."""
    lines = MEASURED.read_text().splitlines() if MEASURED.exists() else []
    return [r for r in map(json.loads, lines) if r["seed"] == seed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for kind, count in COUNTS.items():
        parser.add_argument(f"--{kind.replace(' ', '-')}", type=int, default=count)
    parser.add_argument("--seed", type=int, default=0, help="another thousand problems")
    parser.add_argument("--only", help="one problem, such as hard:17")
    parser.add_argument("--report", action="store_true", help="only make the tables and the picture anew")
    chosen = parser.parse_args()
    if chosen.only:
        kind, number = chosen.only.split(":")
        print(json.dumps(measured(kind, int(number), chosen.seed), indent=1))
        return
    results = known_results(chosen.seed)
    done = {(r["kind"], r["number"]) for r in results}
    counts = {kind: getattr(chosen, kind.replace(" ", "_").replace("-", "_")) for kind in KINDS}
    if not chosen.report:
        with MEASURED.open("a") as file:
            # In turn, so that what is there when a run is interrupted is a fair part of all.
            for number in range(max(counts.values())):
                for kind in KINDS:
                    if number < counts[kind] and (kind, number) not in done:
                        result = measured(kind, number, chosen.seed)
                        results.append(result)
                        file.write(json.dumps(result) + "\n")
                        file.flush()
                        print(kind, number, result["what"], verdict(result), flush=True)
    print(table(results))
    for r in results:
        if fails(r):
            pairs = ", ".join(f"{true:.1e}/{estimate:.1e}" for true, estimate in r.get("pairs", []))
            said = r.get("refused") or r["warning"]
            print(f"{r['kind']}:{r['number']} {r['what']} {verdict(r)}: true/estimate {pairs}. {said[:120]}")
    write_pages(results)


if __name__ == "__main__":
    main()
