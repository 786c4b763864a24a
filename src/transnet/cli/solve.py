"""`transnet solve`: solve a problem file, save the solution, report its accuracy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.markup import escape

from transnet.cli.eigen import saved_pairs, told_pairs
from transnet.cli.options import AsJson, ProblemPath, assignments
from transnet.cli.output import (
    INTERRUPTED,
    NOT_REACHED,
    OK,
    CannotWriteError,
    command,
    console,
    print_json,
    print_warning,
)
from transnet.counts import MANY
from transnet.features.space import FeatureSpace
from transnet.files import ProblemFile, read_problem
from transnet.files.results import Result
from transnet.files.words import told
from transnet.interrupts import handled
from transnet.linalg.sizes import rms
from transnet.problem.equations import written
from transnet.solution.diagnostics import error_in_words
from transnet.solution.report import report
from transnet.solution.solution import Solution


@command
def solve(
    path: ProblemPath,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to save it; FILE.npz by default.")] = None,
    tol: Annotated[float | None, typer.Option(help="The relative error to reach.")] = None,
    seconds: Annotated[float | None, typer.Option(help="The time after which the best so far is taken.")] = None,
    neurons: Annotated[int | None, typer.Option(min=1, max=100_000, help="One solve with this many neurons.")] = None,
    space: Annotated[Path | None, typer.Option(help="A feature space that 'tune' wrote: one solve with it.")] = None,
    method: Annotated[str | None, typer.Option(help="Solve by this method alone; 'check' lists them.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Random seed.")] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter. May be repeated.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no report.")] = False,
    as_json: AsJson = False,
) -> int | None:
    """Solve a problem file and save the solution.

    Ctrl-C, or the signal to terminate, saves the best solution found so far.
    """
    file = read_problem(path, assignments(parameter, "--set"))
    target = out or path.with_suffix(".npz")
    if not target.parent.is_dir():
        raise CannotWriteError(f"There is no folder '{target.parent}' to save the solution in.")
    changes: dict[str, Any] = {"tol": tol, "seconds": seconds, "neurons": neurons, "method": method, "seed": seed}
    changes = {k: v for k, v in changes.items() if v is not None}
    if space is not None:
        changes["space"] = FeatureSpace.load(space)
    if file.eigen is not None:
        pairs = file.eigenpairs_unwarned(**changes)
        return told_pairs(file, pairs, saved_pairs(pairs, target), quiet, as_json)
    with handled(hold=True) as later:  # saved right after the solve, so that nothing is lost
        with handled(hold=False) as came:
            solution = file.unwarned(**changes, progress=False if quiet or as_json else None)
        saved = solution.save(target)
        return _told(file, solution, saved, [*came, *later], quiet, as_json)


def _told(file: ProblemFile, solution: Solution, saved: Path, signals: list[int], quiet: bool, as_json: bool) -> int:
    """Print what was found and return the exit code."""
    true = {} if signals else true_errors(file, solution)
    found = [] if signals else file.found(solution)
    stopped = 128 + signals[0] if signals else INTERRUPTED if solution.status == "interrupted" else 0
    code = stopped or (NOT_REACHED if solution.diagnostics.messages else OK)
    if as_json:
        print_json(
            {
                "ok": code == OK,
                "exit_code": code,
                "file": str(saved),
                **summary(solution),
                "true_errors": true,
                "results": {f.name: f.record for f in found},
            }
        )
        return code
    if stopped:
        known = f"{solution.size}, estimated error {error_in_words(solution.error)}"
        print_warning(f"Interrupted: this is the best solution found so far ({known}).")
        console().print(f"Saved {escape(str(saved))}.")
        return code
    if not quiet:
        out_to = console()
        out_to.print(f"[bold]{escape(file.title)}[/]")
        out_to.print(report(solution, told), markup=False)
        for name, size in true.items():
            out_to.print(f"  true error of {name:<4} {size:.1e} (relative L2, against the exact solution of the file)")
    if found and not quiet:
        console().print(table_of(found), markup=False)
    for message in solution.diagnostics.messages if quiet else ():
        print_warning(told(message))
    console().print(f"Saved {escape(str(saved))}. Now: transnet show {escape(str(saved))}")
    return code


def table_of(found: list[Result]) -> str:
    """The results of a file, one per line."""
    width = max(len(f.name) for f in found)
    return "\n".join(["results", *(f"  {f.name:<{width}}  {'failed: ' if f.failed else ''}{f.text}" for f in found)])


def true_errors(file: ProblemFile, solution: Solution) -> dict[str, float]:
    """The relative L2 error of each unknown whose exact solution the file gives."""
    if not file.exact:
        return {}
    points = file.problem.domain.interior(MANY, "quasi", 5)
    found = {}
    for unknown, exact in file.exact.items():
        truth = solution.evaluate(exact, points)
        size = float(rms(np.abs(truth))) or 1.0
        wrong = np.abs(solution.evaluate(unknown, points) - truth)
        found[written(unknown)] = float(rms(wrong)) / size
    return found


def summary(solution: Solution) -> dict[str, Any]:
    """A summary of a solution as data for a program."""
    known = solution.diagnostics
    return {
        "unknowns": list(solution.names),
        "status": known.status,
        "estimated_error": known.error,
        "neurons": solution.neurons,
        "rows": known.rows,
        "columns": known.columns,
        "rank": known.rank,
        "solver": known.solver,
        "residuals": [
            {"statement": r.label, "rows": r.rows, "rms": r.rms, "largest": r.largest, "relative": r.relative}
            for r in known.residuals
        ],
        "seconds": known.seconds,
        "warnings": [told(m) for m in known.messages],
        "parameters": {str(s): v for s, v in solution.parameters.items()},
    }
