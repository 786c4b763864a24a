"""`transnet new`: a commented problem file to start from."""

from __future__ import annotations

from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from transnet.calls import there
from transnet.cli.options import AsJson
from transnet.cli.output import command, console, print_json
from transnet.errors import ProblemError
from transnet.writing import replacing, target


class Template(StrEnum):
    """The problems there are templates for."""

    poisson = "poisson"
    heat = "heat"
    wave = "wave"
    stokes = "stokes"
    burgers = "burgers"


def template(kind: Template) -> str:
    """The text of a template."""
    return (files("transnet.cli") / "templates" / f"{kind.value}.toml").read_text(encoding="utf-8")


@command
def new(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")] = Path("problem.toml"),
    kind: Annotated[Template, typer.Option(help="Which problem to start from.")] = Template.poisson,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    as_json: AsJson = False,
) -> int | None:
    """Write a commented problem file to start from."""
    if path.name and path.suffix != ".toml":
        path = path.with_name(path.name + ".toml")
    if there(path.exists) and not force:
        raise ProblemError(f"The file '{path}' exists already. Choose another name, or overwrite it with --force.")
    with replacing(target(path)) as partial:
        partial.write_text(template(kind), encoding="utf-8")
    if as_json:
        print_json({"ok": True, "file": str(path), "kind": kind.value})
    else:
        console().print(f"Wrote {path}. Now: transnet check {path}, then transnet solve {path}")
    return None
