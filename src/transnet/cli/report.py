"""`transnet report`: a page or a document to send."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from transnet.cli.options import AsJson, assignments
from transnet.cli.output import NOT_REACHED, OK, command, console, print_json
from transnet.doors.load import load
from transnet.files import read_problem
from transnet.files.words import told
from transnet.views.page import page_of, save_page


@command
def report(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A problem file, which is solved, or a solution that 'solve' wrote.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None, typer.Argument(metavar="[OUT]", help="FILE.html by default, or a name that ends in .pdf.")
    ] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter. May be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> int | None:
    """Write a report to send: statement, picture, results with their errors, messages, versions."""
    target = out or path.with_suffix(".html")
    title, results, pictures = None, {}, None
    if path.suffix.lower() == ".toml":
        file = read_problem(path, assignments(parameter, "--set"))
        solution = file.unwarned(progress=False if as_json else None)
        title = file.title
        wanted = [w for w in file.results if w.kind == "plot"]
        results = {
            r.name: f"failed: {r.failed}" if r.failed else r.text for r in file.found(solution) if r.kind != "plot"
        }
        pictures = [solution.plot(w.argument, **w.options, **w.look) for w in wanted] or None
    else:
        solution = load(path)
    messages = [told(message) for message in solution.diagnostics.messages]
    written = save_page(page_of(solution, title, results, None, pictures, messages), target)
    code = NOT_REACHED if messages else OK
    if as_json:
        print_json({"ok": code == OK, "exit_code": code, "file": str(written)})
    else:
        console().print(f"Wrote {escape(str(written))}")
    return code
