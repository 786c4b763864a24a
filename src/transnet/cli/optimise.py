"""`transnet optimise`: the best values of the parameters that the table [optimise] of a problem file names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from transnet.cli.options import AsJson, ProblemPath, assignments
from transnet.cli.output import INTERRUPTED, NOT_REACHED, OK, CannotWriteError, command, console, errors, print_json
from transnet.files import read_problem


@command
def optimise(
    path: ProblemPath,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to save it; FILE.npz by default.")] = None,
    tol: Annotated[float | None, typer.Option(help="The relative error of the solves near the optimum.")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="The most iterations.")] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Begin with this value. May be repeated.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    as_json: AsJson = False,
) -> int | None:
    """Search for the best values of parameters, sizes of the domain included, and save the solution there.

    Ctrl-C ends the search with the best so far; '--set' with its values goes on from there.
    """
    file = read_problem(path, assignments(parameter, "--set"))
    target = out or path.with_suffix(".npz")
    if not target.parent.is_dir():
        raise CannotWriteError(f"There is no folder '{target.parent}' to save the solution in.")
    sign = -1.0 if file.design is not None and file.design.largest else 1.0
    tried = 0

    def show(values: dict[Any, float], number: float) -> None:
        nonlocal tried
        tried += 1
        if not (quiet or as_json):
            of = ", ".join(f"{p} = {v:.6g}" for p, v in values.items() if file.design and p.name in file.design.over)
            errors().print(f"{tried:4d}  {sign * number:.10g}  {of}", markup=False)

    changes = {k: v for k, v in {"tol": tol, "steps": steps}.items() if v is not None}
    best = file.optimise(progress=show, **changes)
    saved = best.solution.save(target)
    code = {"converged": OK, "interrupted": INTERRUPTED}.get(best.status, NOT_REACHED)
    values = {p.name: v for p, v in best.parameters.items()}
    number = sign * best.value
    if as_json:
        print_json(
            {"ok": code == OK, "exit_code": code, "file": str(saved), "parameters": values, "solves": len(best.path),
             "value": float(number), "error": number.error, "status": best.status}
        )  # fmt: skip
        return code
    name = file.design.result.name if file.design is not None else ""
    console().print(f"{name} = {number!r} after {len(best.path)} solves: {best.status}", markup=False)
    console().print("  " + ", ".join(f"{k} = {v:.8g}" for k, v in values.items()), markup=False)
    console().print(f"Saved {escape(str(saved))}. Now: transnet show {escape(str(saved))}")
    return code
