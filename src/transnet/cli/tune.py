"""`transnet tune`: a feature space that fits functions of a given smoothness, for any problem of its dimension."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from transnet.cli.options import AsJson
from transnet.cli.output import CannotWriteError, command, console, errors, print_json
from transnet.errors import FileError, ProblemError
from transnet.features.tuning import tune as tuned_space


@command
def tune(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Where to save the space (.npz).")],
    dimension: Annotated[int, typer.Option(min=1, max=4, help="The number of coordinates.")] = 2,
    neurons: Annotated[int, typer.Option(min=2, max=5000, help="The number of neurons.")] = 300,
    length: Annotated[
        float, typer.Option(help="The correlation length of the functions to fit, on [-1, 1]^d; at most 4.")
    ] = 0.5,
    activation: Annotated[str, typer.Option(help="tanh, gauss or sin.")] = "tanh",
    realisations: Annotated[int, typer.Option(min=1, max=1000, help="How many random functions.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: AsJson = False,
) -> int | None:
    """Tune a feature space on random functions, without any PDE, and save it for 'solve --space'."""
    if not out.absolute().parent.is_dir():
        raise CannotWriteError(f"There is no folder '{out.parent}' to save the space in.")
    with errors().status("tuning") as status:

        def progress(number: int, trial: Any) -> None:
            status.update(f"trial {number}: shape {trial.shape:.3g}, error {trial.error:.1e}")

        try:
            found = tuned_space(
                dimension, neurons, length, realisations, activation=activation, seed=seed, progress=progress
            )
        except ValueError as error:
            raise ProblemError(str(error)) from None
    try:
        saved = found.space.save(out)
    except (OSError, FileError) as error:
        raise CannotWriteError(f"'{out}' cannot be written: {error}.") from None
    known = {"shape": found.shape, "radius": found.radius, "error": found.error, "trials": len(found.history)}
    if as_json:
        print_json({"ok": True, "file": str(saved), "dimension": dimension, "neurons": neurons, **known})
    else:
        console().print(f"{found.space}", markup=False)
        console().print(f"error {found.error:.1e} after {len(found.history)} trials; saved {escape(str(saved))}")
    return None
