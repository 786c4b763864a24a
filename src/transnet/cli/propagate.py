"""`transnet propagate`: how the results of a problem file vary with its uncertain parameters."""

from __future__ import annotations

from typing import Annotated

import typer

from transnet.cli.options import AsJson, ProblemPath, assignments
from transnet.cli.output import command, console, print_json
from transnet.files import read_problem

QUANTILES = (0.05, 0.5, 0.95)
"""Those that are printed."""


@command
def propagate(
    path: ProblemPath,
    solves: Annotated[int, typer.Option(min=8, help="The most solves.")] = 512,
    parameter: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a parameter. May be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> int | None:
    """Mean, deviation, quantiles and Sobol indices of the results, over its uncertain parameters."""
    found = read_problem(path, assignments(parameter, "--set")).propagate(solves=solves)
    if as_json:
        told = {}
        for name, spread in found.items():
            numbers = {"mean": spread.mean, "deviation": spread.deviation}
            numbers |= {f"quantile {q:g}": spread.quantile(q) for q in QUANTILES}
            numbers |= {f"sobol {k}": v for k, v in spread.sobol.items()}
            numbers |= {f"total {k}": v for k, v in spread.total.items()}
            told[name] = {"by": spread.by, "solves": len(spread.values) + 1} | {
                k: {"value": float(v), "error": v.error} for k, v in numbers.items()
            }
        print_json({"ok": True, "exit_code": 0, "results": told})
        return None
    for name, spread in found.items():
        console().print(f"{name} = {spread!r}", markup=False)
        for q in QUANTILES:
            console().print(f"  {q:.0%} below {spread.quantile(q)!r}", markup=False)
        for symbol, part in spread.sobol.items():
            console().print(f"  {symbol} causes {part!r} of the variance", markup=False)
    return None
