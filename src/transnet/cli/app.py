"""The commands together."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import transnet as library
from transnet.cli.check import check
from transnet.cli.export import export
from transnet.cli.new import new
from transnet.cli.optimise import optimise
from transnet.cli.propagate import propagate
from transnet.cli.report import report
from transnet.cli.show import show
from transnet.cli.solve import solve
from transnet.cli.studio import studio
from transnet.cli.sweep import sweep
from transnet.cli.tune import tune

NARROW = 60
"""The width of a terminal below which the help has no tables."""

OTHERS = {
    "run": "solve", "compute": "solve", "plot": "show", "view": "show", "draw": "show", "init": "new", "create": "new",
    "validate": "check", "lint": "check", "gui": "studio", "ui": "studio", "convert": "export", "batch": "sweep",
    "scan": "sweep", "optimize": "optimise", "minimise": "optimise", "uq": "propagate",
}  # fmt: skip
"""What other programs call the commands."""


class Commands(TyperGroup):
    """The commands, with the one that was meant in place of one that does not exist."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] in OTHERS:
            ctx.fail(f"No such command '{args[0]}'. Did you mean '{OTHERS[args[0]]}'?")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="transnet",
    cls=Commands,
    help="Solve partial differential equations with one least-squares problem.",
    epilog="Exit codes: 0 done, 1 done with warnings, 2 wrong input, 3 something is missing or not "
    "writable, 70 a bug in transnet, 130 interrupted, 143 terminated (what was found is saved).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Tables of options are cut off where they do not fit: the plain help is better there.
    rich_markup_mode="rich" if get_terminal_size().columns >= NARROW else None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(new)
app.command()(check)
app.command()(solve)
app.command()(show)
app.command()(report)
app.command()(export)
app.command()(optimise)
app.command()(sweep)
app.command()(propagate)
app.command()(tune)
app.command()(studio)

if find_spec("transnet.paper.cli") is not None:
    app.add_typer(import_module("transnet.paper.cli").app, name="paper")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"transnet {library.__version__}")
        raise typer.Exit


@app.callback()
def transnet(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Solve partial differential equations to ten digits with one least-squares problem."""
