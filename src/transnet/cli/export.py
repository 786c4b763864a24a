"""`transnet export`: a solution for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from transnet.cli.options import AsJson, Fixed, Resolution, SolutionPath, What, assignments, quantities_named
from transnet.cli.output import command, console, print_json
from transnet.doors.load import load
from transnet.errors import FileError
from transnet.solution.export import MOST_FILES, SUFFIXES


@command
def export(
    path: SolutionPath,
    out: Annotated[
        Path | None,
        typer.Argument(
            metavar="[OUT]", help=f"Where to: a name that ends in {', '.join(SUFFIXES)}.", show_default=False
        ),
    ] = None,
    what: What = None,
    at: Fixed = None,
    resolution: Resolution = None,
    times: Annotated[int, typer.Option(min=1, max=MOST_FILES, help="The times of a .pvd series.")] = 21,
    as_json: AsJson = False,
) -> int | None:
    """Write values for other programs.

    .vtu opens in ParaView and has the domain's own shape, .pvd is a series of those in time, .csv has points and
    values, .npz and .nc have arrays on a regular grid.
    """
    solution = load(path)
    target = out or path.with_suffix(".vtu")
    if target.resolve() == path.resolve():
        raise FileError(f"'{target}' is the solution itself. Choose another name for what is exported.")
    written = solution.export(
        target, quantities_named(solution, what), resolution=resolution, times=times, **assignments(at, "--at")
    )
    if as_json:
        print_json({"ok": True, "file": str(written)})
    else:
        console().print(f"Wrote {escape(str(written))}")
    return None
