"""`transnet show`: the report of a solution, and a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from transnet.cli.options import AsJson, Fixed, Resolution, SolutionPath, What, assignments, quantities_named
from transnet.cli.output import CannotWriteError, command, console, print_json, print_warning
from transnet.cli.solve import summary
from transnet.doors.load import load
from transnet.errors import MissingExtraError
from transnet.files.words import told
from transnet.solution.report import report
from transnet.solution.solution import Solution
from transnet.writing import replacing
from transnet.writing import target as place


@command
def show(
    path: SolutionPath,
    plot: Annotated[
        Path | None, typer.Option(help="Where to draw it (png, pdf, svg); SOLUTION.png by default.")
    ] = None,
    no_plot: Annotated[bool, typer.Option("--no-plot", help="The report only.")] = False,
    residual: Annotated[bool, typer.Option("--residual", help="Draw the residual instead of the solution.")] = False,
    neurons: Annotated[bool, typer.Option("--neurons", help="Draw the neurons instead of the solution.")] = False,
    what: What = None,
    at: Fixed = None,
    resolution: Resolution = None,
    as_json: AsJson = False,
) -> int | None:
    """Show the report of a solution and draw it."""
    solution = load(path)
    drawn: str | None = None
    if not no_plot:
        fixed: dict[str, Any] = {**assignments(at, "--at")}
        try:
            figure = _figure(solution, residual, neurons, what, resolution, fixed)
        except MissingExtraError as error:
            if plot is not None:  # a picture that was asked for by name is not silently left out
                raise
            print_warning(told(error))
        else:
            target = plot or path.with_suffix(".png")
            try:
                with replacing(place(target)) as partial:
                    figure.savefig(partial, dpi=150)
            except (OSError, ValueError) as error:
                if isinstance(error, CannotWriteError):
                    raise
                raise CannotWriteError(f"The picture cannot be written to '{target}': {error}.") from None
            drawn = str(target)
    if as_json:
        print_json({"ok": True, "file": str(path), "picture": drawn, **summary(solution)})
        return None
    console().print(report(solution, told), markup=False)
    if drawn:
        console().print(f"Drew {escape(drawn)}")
    return None


def _figure(
    solution: Solution,
    residual: bool,
    neurons: bool,
    what: list[str] | None,
    resolution: int | None,
    fixed: dict[str, Any],
) -> Any:
    if residual:
        from transnet.views.plot_residual import plot_residual

        return plot_residual(solution, resolution, managed=False, **fixed)
    if neurons:
        from transnet.views.plot_neurons import plot_neurons

        return plot_neurons(solution, what[0] if what else None, managed=False)
    from transnet.views.plot import plot

    return plot(solution, quantities_named(solution, what), resolution=resolution, managed=False, **fixed)
