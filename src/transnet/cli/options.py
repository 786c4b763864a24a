"""Options that several commands have, and values given as name=number."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from transnet.errors import ProblemError
from transnet.language.formula import formula
from transnet.language.names import Names

ProblemPath = Annotated[Path, typer.Argument(metavar="FILE", help="A problem file (TOML).", show_default=False)]
SolutionPath = Annotated[
    Path, typer.Argument(metavar="SOLUTION", help="A solution file (.npz) that 'solve' wrote.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
What = Annotated[
    list[str] | None, typer.Option("--what", help="An unknown by name; may be repeated. All of them by default.")
]
Resolution = Annotated[
    int | None, typer.Option(min=4, max=4000, help="Cells along the longest side, or points along each axis of a grid.")
]
Fixed = Annotated[
    list[str] | None,
    typer.Option("--at", metavar="NAME=VALUE", help="Fix a coordinate: --at t=0.5. May be repeated."),
]


def assignments(given: list[str] | None, option: str) -> dict[str, float]:
    """Values such as t=1/2, read by the formula language."""
    found: dict[str, float] = {}
    for text in given or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip().isidentifier():
            raise ProblemError(f"{option} takes name=value, not '{text}'.")
        number = formula(value, Names()).number
        if number is None:
            raise ProblemError(f"{option} {text}: '{value}' is not a number.")
        found[name.strip()] = number
    return found
