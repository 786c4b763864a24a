"""Evolutions against their references, with defaults or one tolerance.

    python benchmarks/evolutions.py              what has not been measured yet, one case after the other
    python benchmarks/evolutions.py KdV Burgers  these again
    python benchmarks/evolutions.py --list       the names
    python benchmarks/evolutions.py --table      the table of docs/theory/slabs.md, from what has been measured

Each case goes to benchmarks/evolutions.jsonl as soon as it is measured, and the last line of a case counts.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import transnet as tn
from evolved import PROBLEMS, TOLERANCES, Evolved, error_of
from transnet.errors import TransnetError

HERE = Path(__file__).parent
RESULTS = HERE / "evolutions.jsonl"
PAGE = HERE.parent / "docs" / "theory" / "slabs.md"
ROUNDING = 1e-14
"""Errors below are rounding."""
BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"


def measured(name: str, tol: float | None, what: Evolved) -> dict[str, Any]:
    """A case solved: its true error at the end, the estimate of it, the processor seconds."""
    begun = time.process_time()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            solution = tn.solve(what.problem, tol=tol)
        except TransnetError as reason:
            return {"name": name, "tol": tol, "said": str(reason)}
    spent = time.process_time() - begun
    slabs = solution.slabs
    found = {
        "name": name,
        "tol": tol,
        "slabs": len(slabs) if slabs is not None else 0,
        "error": error_of(solution, what.points, what.truth),
        "estimate": float(slabs.estimates[-1] if slabs is not None else solution.error),
        "aim": what.aim or 10 * (tol or 1e-6),
        "seconds": spent,
        "said": "; ".join(str(w.message) for w in said),
    }
    if what.more is not None:
        found["more"], found["more_aim"] = what.more(solution), what.more_aim
        found["what"] = what.what
    return found


def line_of(r: dict[str, Any]) -> str:
    """What was measured, and what is wrong with it, in a line."""
    head = f"{r['name']:22} {r['tol'] or 'plain':>6}"
    if "error" not in r:
        return f"{head} {r['said']}"
    more = f"  {r['what']}: {r['more']:.1e}" if "more" in r else ""
    head += f" {r['slabs']:4d} slabs  error {r['error']:8.1e}  estimate {r['estimate']:8.1e}  {r['seconds']:7.2f} s"
    return f"{head}{more}  {' '.join(wrong_with(r))} {r['said'][:100]}"


def wrong_with(r: dict[str, Any]) -> list[str]:
    found = []
    if not r["error"] <= r["aim"] or not r.get("more", 0.0) <= r.get("more_aim", 1.0):
        found.append("MISSED")
    if not holds(r):
        found.append("ESTIMATE")
    return found


def holds(r: dict[str, Any]) -> bool:
    """Whether the estimate is within ten times of the true error."""
    return 0.1 <= (r["estimate"] + ROUNDING) / (r["error"] + ROUNDING) <= 10


def known() -> dict[tuple[str, float | None], dict[str, Any]]:
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return {(r["name"], r["tol"]): r for r in map(json.loads, lines)}


def table() -> str:
    found = known()
    rows = [
        "| problem | tolerance | slabs | error | aim | estimate | seconds | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    good = total = 0
    for name in PROBLEMS:
        for tol in TOLERANCES.get(name, (None,)):
            r = found.get((name, tol))
            if r is None or "error" not in r:
                continue
            good, total = good + holds(r), total + 1
            remark = f"{r['what']} {r['more']:.0e}" if "more" in r else ""
            told = tol if tol is None else f"{tol:g}".replace("e-0", "e-")
            rows.append(
                f"| {name} | {told or 'plain'} | {r['slabs']} | {r['error']:.0e} | {r['aim']:.0e} | "
                f"{r['estimate']:.0e} | {r['seconds']:.2g} | {remark} |".replace("e-0", "e-")
            )
    rows.append(f"\nThe estimate is within ten times of the true error in {good} of these {total} cases.")
    return "\n".join(rows)


def write_table() -> None:
    text = PAGE.read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}")


def main(words: list[str]) -> None:
    if "--list" in words:
        print("\n".join(PROBLEMS))
        return
    if "--table" in words:
        write_table()
        return
    there = known()
    for name in words or PROBLEMS:
        tolerances = TOLERANCES.get(name, (None,))
        left = [tol for tol in tolerances if words or (name, tol) not in there]
        what = PROBLEMS[name]() if left else None
        for tol in left:
            result = measured(name, tol, what)
            with RESULTS.open("a") as file:
                file.write(json.dumps(result) + "\n")
            print(line_of(result), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
