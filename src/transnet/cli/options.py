"""Options that several commands have, and values given as name=number."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from transnet.errors import ProblemError
from transnet.files.writing import unknowns_by_name
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.solution.solution import Solution

ProblemPath = Annotated[Path, typer.Argument(metavar="FILE", help="A problem file (TOML).", show_default=False)]
SolutionPath = Annotated[
    Path, typer.Argument(metavar="SOLUTION", help="A solution file (.npz) that 'solve' wrote.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
What = Annotated[
    list[str] | None,
    typer.Option("--what", help='An unknown, or a formula such as "sqrt(u_x**2 + u_y**2)". May be repeated.'),
]
Resolution = Annotated[
    int | None, typer.Option(min=4, max=4000, help="Cells along the longest side, or points along each axis of a grid.")
]
Fixed = Annotated[
    list[str] | None,
    typer.Option("--at", metavar="NAME=VALUE", help="Fix a coordinate: --at t=0.5. May be repeated."),
]


def quantities_named(solution: Solution, what: list[str] | None) -> list[Any] | None:
    """Unknowns by name, and formulas of them as expressions."""
    problem = solution.problem
    names = Names(
        {c.name: c for c in problem.coordinates}, unknowns_by_name(problem), {p.name: p for p in problem.parameters}
    )
    known = {*solution.names, *solution.groups}
    return [text if text in known else formula(text, names).expression for text in what or ()] or None


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
