"""The scoreboard: solve the problems of examples/scoreboard, compare them with their references, write the page.

`python benchmarks/scoreboard.py` solves all, each in a process of its own with one thread, two at a time, and keeps
the rows in benchmarks/scoreboard.json; `--processes` says how many at a time. Names select a few, and the rows of the
others stay. A run that was interrupted goes on where it ended as long as neither the library nor the problems have
changed; `--afresh` measures all again. `--page` only writes docs/scoreboard.md from what is kept.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
import warnings
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from textwrap import fill
from types import ModuleType
from typing import Any

import numpy as np
import sympy as sp

import transnet as tn

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "examples" / "scoreboard"
ROWS = Path(__file__).with_name("scoreboard.json")
REFERENCES = Path(__file__).with_name("scoreboard_references.json")
PAGE = ROOT / "docs" / "scoreboard.md"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
POINTS = 2000
"""Points at which a solution is compared with a formula: a relative L2 error to a few per cent."""
SECONDS = 150
"""Seconds of a processor for one problem: three times what the slowest that is solved takes."""
MEMORY = 10 << 30
"""Bytes for one problem: two at a time leave room on a machine of 24 GiB."""
NAMES = sorted(file.stem for file in FOLDER.glob("*.py"))

HEAD = """# Scoreboard

Problems for which others published figures, stated as they state them, solved by a plain `tn.solve(problem, tol=...)`
and compared with references by other methods. `make scoreboard` repeats the page: {minutes:.0f} minutes of a processor,
half of them for the {slow} slowest rows, and half as long on two cores. A problem without an answer after
{limit} seconds of a processor counts as not solved. Each row is a file of `examples/scoreboard`; references without a
formula come from `benchmarks/scoreboard_references.py`.

"""


@cache
def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"scoreboard_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kept() -> dict[str, Any]:
    return json.loads(REFERENCES.read_text(encoding="utf-8"))


def error_of(name: str, module: ModuleType, solution: tn.Solution) -> tuple[float, str]:
    """The relative L2 error, of the first unknown where there are several, and what it is relative to."""
    if hasattr(module, "error"):
        return module.error(solution), module.REFERENCE
    if getattr(module, "KEPT", False):
        known = kept()[name]
        points, truth = np.array(known["points"]), np.array(known["values"])
        how = f"{known['how']}; uncertain by {known['uncertainty']:.0e}"
    else:
        points, how = module.problem.domain.interior(POINTS), "exact solution"
        exact = getattr(module, "reference", None)
        truth = exact(points) if exact else sp.lambdify(module.problem.coordinates, module.exact)(*points.T)
    found = solution(points).reshape(len(points), -1)[:, 0]
    return float(np.linalg.norm(found - truth) / np.linalg.norm(truth)), how


def solved(module: ModuleType) -> tn.Solution:
    """The solution, of a mode its first; a warning that the statement deserves is its `WARNS`."""
    with warnings.catch_warnings():
        if hasattr(module, "WARNS"):
            warnings.filterwarnings("ignore", f".*{module.WARNS}")
        return module.solve() if hasattr(module, "solve") else tn.solve(module.problem, tol=module.TOL)


def stated(name: str) -> dict[str, Any]:
    """What the file of a problem says."""
    module = loaded(name)
    title, statement = (module.__doc__ or "").split("\n\n", 1)
    return {
        "name": name, "board": module.BOARD, "title": title.rstrip("."), "statement": " ".join(statement.split()),
        "tol": module.TOL, "published": module.PUBLISHED, "limit": getattr(module, "LIMIT", ""),
    }  # fmt: skip


def measured(name: str) -> dict[str, Any]:
    """Solve a problem and compare it: a row of the board."""
    module = loaded(name)
    tn.solve(loaded("fastlsq_bratu").problem)  # so that no row has the time in which modules are imported
    limited()
    begun, used = time.perf_counter(), time.process_time()
    solution = solved(module)
    begun, used = time.perf_counter() - begun, time.process_time() - used
    error, how = error_of(name, module, solution)
    return {
        "error": error, "estimate": solution.error, "seconds": round(begun, 3), "processor": round(used, 3),
        "whole": round(time.process_time()), "reference": how,
    }  # fmt: skip


def limited() -> None:
    """Let the system end this process when it has used the processor for `SECONDS`, or too much memory."""
    import resource

    used = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS, used + SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def apart(name: str) -> dict[str, Any]:
    """The row of a problem that was solved in a process of its own, or why it has no figures."""
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    row = {**stated(name), "version": VERSION, "cores": os.cpu_count(), "date": day, "code": code(name)}
    done = subprocess.run(
        [sys.executable, __file__, "--row", name], capture_output=True, text=True, encoding="utf-8",
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    if done.returncode == 0:
        return {**row, **json.loads(done.stdout.splitlines()[-1])}
    if done.returncode == -signal.SIGXCPU:
        return {**row, "whole": SECONDS, "unsolved": f"no answer after {SECONDS} seconds of a processor"}
    last = (done.stderr.strip().splitlines() or [f"ended by signal {-done.returncode}"])[-1]
    return {**row, "unsolved": last.split(": ", 1)[-1].rstrip(".")}


@cache
def library() -> str:
    """The first digits of a digest of the library: rows with the same were measured with the same code."""
    return digest(sorted((ROOT / "src").rglob("*.py")))


def digest(files: list[Path]) -> str:
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def code(name: str) -> str:
    """What a row was measured with: the library and the problem."""
    return f"{library()} {digest([FOLDER / f'{name}.py'])}"


def kept_rows() -> dict[str, dict[str, Any]]:
    return {r["name"]: r for r in json.loads(ROWS.read_text(encoding="utf-8"))} if ROWS.exists() else {}


def write(rows: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    listed = [rows[name] for name in NAMES if name in rows]
    ROWS.write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return listed


def run(names: list[str], processes: int, afresh: bool) -> None:
    """Measure rows, the slow ones first so that no process is left alone with one at the end."""
    rows = kept_rows()
    left = [name for name in names if afresh or rows.get(name, {}).get("code") != code(name)]
    left.sort(key=lambda name: -rows.get(name, {}).get("whole", SECONDS))
    print(f"{len(left)} of {len(names)} problems, {processes} at a time", flush=True)
    with ThreadPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(apart, name) for name in left]):
            row = done.result()
            rows = {**kept_rows(), row["name"]: row}
            reached = row.get("unsolved") or f"error {row['error']:.1e}  {row['processor']:.2f} s"
            print(f"{row['name']:32} {reached}", flush=True)
            write(rows)


def main() -> None:
    given = ArgumentParser(description=__doc__)
    given.add_argument("names", nargs="*", choices=[*NAMES, []], metavar="name")
    given.add_argument("--processes", type=int, default=2)
    given.add_argument("--afresh", action="store_true")
    given.add_argument("--page", action="store_true")
    given.add_argument("--row", choices=NAMES, help="measure one here and print its figures")
    asked = given.parse_args()
    if asked.row:
        print(json.dumps(measured(asked.row)))
        return
    if not asked.page:
        run(asked.names or NAMES, asked.processes, asked.afresh)
    rows = kept_rows()
    PAGE.write_text(page(write({name: {**rows[name], **stated(name)} for name in rows if name in NAMES})), "utf-8")


def page(rows: list[dict[str, Any]]) -> str:
    """The document, from the rows."""
    lines = ["| board | problem | tol | error | estimate | seconds | published |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        others = ", ".join(f"{who} {figure:.1e}" for who, figure in row["published"].items()) or "-"
        lines.append(f"| {row['board']} | {linked(row)} | {row['tol']:.0e} | {reached(row)} | {others} |")
    spent = np.sort([row.get("whole", SECONDS) for row in rows])[::-1]
    slow = int(np.searchsorted(np.cumsum(spent), spent.sum() / 2)) + 1
    head = HEAD.format(minutes=np.ceil(spent.sum() / 60), slow=slow, limit=SECONDS)
    parts = [
        head + "\n".join(lines),
        beaten(rows),
        FIGURES,
        measured_when(rows),
        compared(rows),
        NOTES,
        "## The problems",
    ]
    text = "\n\n".join(part.strip() for part in parts if part) + "\n"
    for row in rows:
        text += f"\n({anchor(row)})=\n### {row['title']}\n\n{row['statement']}\n\n"
        how = f"Not solved: {row['unsolved']}" if "unsolved" in row else f"Reference: {row['reference']}"
        text += f"{how}. {'Tried' if 'unsolved' in row else 'Measured'} {row['date']} with version {row['version']}.\n"
    return text


def anchor(row: dict[str, Any]) -> str:
    return row["name"].replace("_", "-")


def linked(row: dict[str, Any]) -> str:
    return f"[{row['title'].split(': ', 1)[-1]}](#{anchor(row)})"


def measured_when(rows: list[dict[str, Any]]) -> str:
    """Whether all rows were measured with the same code, and on which days."""
    first, last = min(row["date"] for row in rows), max(row["date"] for row in rows)
    same = len({row.get("code", row["date"]).split()[0] for row in rows}) == 1
    days = f"on {first}" if first == last else f"between {first} and {last}"
    return f"All rows were measured {'with the same code' if same else 'with several states of the code'}, {days}."


def compared(rows: list[dict[str, Any]]) -> str:
    """The problems that were solved with other tools too: those that take more than ten times as long here first."""
    known = [(row, *OTHERS[row["name"]]) for row in rows if row["name"] in OTHERS]
    text = ""
    for title, far in (("More than ten times slower than the best other tool", True), ("Slower by less", False)):
        chosen = [k for k in known if k[0].get("processor", np.inf) > k[1] and (behind(*k[:2]) > 10) == far]
        if chosen:
            text += f"**{title}**\n\n| problem | here | the other | |\n|---|---|---|---|\n"
            for row, seconds, error, how in sorted(chosen, key=lambda k: -behind(*k[:2])):
                here = "not solved" if "unsolved" in row else f"{row['processor']:.2g} s"
                text += f"| {linked(row)} | {here} | {seconds:g} s for {error} | {how} |\n"
            text += "\n"
    return text + OTHERS_HOW


def behind(row: dict[str, Any], seconds: float) -> float:
    return row.get("processor", np.inf) / seconds


def beaten(rows: list[dict[str, Any]]) -> str:
    """The rows of which others published smaller errors."""
    names = [
        f"{row['title'].split(': ', 1)[-1]} ({who} {figure:.1e})"
        for row in rows for who, figure in row["published"].items()
        if figure < row.get("error", np.inf)
    ]  # fmt: skip
    return fill(f"Others have published smaller errors for: {'; '.join(names)}.", 120) if names else ""


def reached(row: dict[str, Any]) -> str:
    """Error, estimate and seconds of a row: an error within the tolerance is set in bold."""
    if "unsolved" in row:
        return "not solved | - | -"
    error = f"{row['error']:.0e}"
    error = f"**{error}**" if row["error"] <= row["tol"] else f"{error} ({row['limit'] or 'missed'})"
    return f"{error} | {row['estimate']:.0e} | {row['processor']:.2g}"


OTHERS = {
    "jaxpi_ginzburg_landau": (1.0, "4e-8", "Fourier series"),
    "jaxpi_navier_stokes_torus": (0.4, "1e-4", "Fourier series"),
    "jaxpi_gray_scott": (0.7, "2e-4", "Fourier series"),
    "pinnacle_gray_scott": (1.0, "4e-5", "Fourier series"),
    "pinnacle_heat_long": (50.0, "1e-3", "Fourier series, 160 x 160 points"),
    "pinnacle_heat_holes": (1.1, "2e-4", "cubic elements, three steps in each of 18 times"),
    "pinnacle_poisson_balls": (2.5, "8e-3", "elements of degree 4, tetrahedra of width 0.2"),
    "pinnacle_lid": (0.8, "9e-5", "Taylor and Hood's elements of degree 5, 8 x 8 graded squares"),
    "jaxpi_cavity": (3.8, "1e-2", "Taylor and Hood's elements of degree 5, 10 x 10 graded squares"),
    "pinnacle_poisson_areas": (0.5, "1e-6", "elements of degree 10, 100 squares that fit"),
    "pinnacle_step": (0.5, "8e-4", "cubic Taylor and Hood's elements"),
    "jaxpi_stokes": (0.3, "5e-6", "Taylor and Hood's elements of degree 6"),
    "pinnacle_poisson_boltzmann": (0.13, "4e-7", "elements of degree 10, triangles of width 0.2"),
}
"""What another tool took for a problem: seconds of one thread of the same machine, its error, and how."""

OTHERS_HOW = """\
The others are NGSolve and Fourier series, on one thread of a machine like this one. Their meshes, degrees and steps
were picked with the reference at hand."""

FIGURES = """\
Errors are relative L2 errors, those of the first unknown where there are several. Seconds are processor time on one
thread and include the choice of a method and the error estimate. Published figures:

- jaxpi: the table in its README, for trained networks.
- FastLSQ: what its README and its programs (version 0.7.1) state for that very problem.
- PINNacle: the smallest of the mean errors of twelve kinds of trained networks in the main table of
  arXiv:2306.08827v2, read in data/pinnacle_published_metrics.csv of sinemsalvaersoy/when-the-winner-changes, which
  extracts it from the source of the paper. For a mended problem they belong to the original statement. For the inverse
  heat problem that table has 0.0119 and the paper's appendix 0.456, so the next smallest is shown.
- PDENNEval: the best that src/RFM/README.md of Sysuzqs/PDENNEval has for the random feature method. An earlier version
  of that file has 9.4e-7 in three coordinates, 0.032 in five and 0.22 in ten.
- DeepXDE: what docs/demos/pinn_inverse/klein.gordon.inverse.rst states. What the other programs print is not published.
"""

NOTES = """\
**What a row does not show.** The solutions on Babuska's L-shape and in five coordinates are sums of functions that this
library tries, so these two rows measure rounding. On boxes with smooth solutions, which are most of FastLSQ's and
DeepXDE's, any spectral method has as many digits. FastLSQ fits the formulas of five of its problems; here the equations
are solved. Its sixth formula, a pulse named after Gray and Scott, solves no equation that it names and is left out.
DeepXDE's problems that are special cases of others (Poisson in one coordinate, heat, Burgers, Allen-Cahn), or
polynomials (its beam, its disk), are left out.

**Not well posed as written, or with a reference that does not solve the equation**: PINNacle's wave to long times, its
inverse Poisson problem, its Kuramoto-Sivashinsky and Gray-Scott equations, its flows through a step and to long times
(p = 0 alone at the outlet) and its wave in a medium (see their rows); PDENNEval's problem PS, whose solution has a kink
at x = 1/2 where its equation -lap(u) = -2 has none; DeepXDE's wave around a hard cylinder and its soliton.

**Not here.** Of Frozen-PINN (arXiv:2405.20836), GTransNet (2604.03020), PhaseTNN (2604.03186) and Multi-TransNet
(2502.19893) only the abstracts could be read, and no program of theirs was found: the rows with their names are
problems of the same kind with numbers of our own. Fractional equations cannot be stated.
"""


if __name__ == "__main__":
    main()
