"""`transnet paper`: solve the paper's cases, and write the report."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from transnet.errors import ProblemError, TransnetError
from transnet.paper.cases import NAMES
from transnet.paper.run import METHODS, Job, run

app = typer.Typer(help="The paper's nine cases: solve them, or write the whole report.", no_args_is_help=True)
T = TypeVar("T")


def checked(action: Callable[[], T], as_json: bool = False) -> T:
    """Run something; an error of the library ends the command with its text instead of a traceback."""
    try:
        return action()
    except TransnetError as error:
        if as_json:
            typer.echo(json.dumps({"ok": False, "exit_code": 2, "error": {"message": str(error)}}))
        else:
            typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from error


def numbers(text: str, what: str) -> list[int]:
    """The whole numbers of a comma-separated list."""
    try:
        return [int(part) for part in text.split(",") if part.strip()] or [int(text)]
    except ValueError:
        raise ProblemError(
            f"--{what} takes whole numbers separated by commas, such as 100,200, not '{text}'."
        ) from None


@app.command()
def solve(
    cases: Annotated[list[str], typer.Argument(help=f"Cases: {', '.join(NAMES)}, or all.", metavar="CASE...")],
    neurons: Annotated[str, typer.Option(help="Hidden neurons for each unknown; several with commas.")] = "500",
    method: Annotated[str, typer.Option(help=f"{', '.join(METHODS)}; several with commas.")] = "transnet",
    seed: Annotated[str, typer.Option(help="Seeds; several with commas.")] = "0",
    adam_steps: Annotated[int, typer.Option(help="Adam's steps of a PINN.")] = 5000,
    lbfgs_steps: Annotated[int, typer.Option(help="L-BFGS steps of a PINN.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """Solve cases of the paper and print their errors, each as it finishes."""

    def jobs() -> list[Job]:
        wanted = [n for part in cases for n in part.split(",") if n]
        wanted = list(NAMES) if [w.lower() for w in wanted] == ["all"] else wanted
        methods = [m for m in method.split(",") if m]
        return [
            Job(c, m, n, s, adam_steps, lbfgs_steps)
            for c in wanted for m in methods for n in numbers(neurons, "neurons") for s in numbers(seed, "seed")
        ]  # fmt: skip

    for job in checked(jobs, as_json):
        last = checked(lambda job=job: list(run(job, shown(job))), as_json)[-1]  # type: ignore[misc]
        typer.echo(json.dumps(last.record) if as_json else line_of(last.record))


def line_of(record: dict[str, Any]) -> str:
    """A record on one line."""
    return (
        f"{record['case']}  {record['method']:<16} {record['neurons']:>5} neurons  seed {record['seed']}  "
        f"MSE {record['mse']:.2e}  largest error {record['max_error']:.2e}  relative {record['relative_l2']:.2e}  "
        f"{record['seconds']['total']:.2f} s"
    )


def shown(job: Job) -> Callable[[int, int, float], None] | None:
    """The progress of a training, on a terminal only."""
    if not (job.trained and sys.stderr.isatty()):
        return None

    def show(step: int, steps: int, loss: float) -> None:
        if step % 50 == 0 or step == steps:
            typer.echo(
                f"\r{job.case} {job.method}: step {step} of {steps}, loss {loss:.3e}  ", nl=step == steps, err=True
            )

    return show


@app.command()
def report(
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("report"),
    full: Annotated[
        bool, typer.Option("--full", help="Everything at the paper's sizes: many hours, can be resumed.")
    ] = False,
    processes: Annotated[int | None, typer.Option(help="Solves at a time; one for each core by default.")] = None,
) -> None:
    """Reproduce every figure and table of the paper in OUT/index.html.

    Finished solves are kept in OUT and not repeated, so an interrupted report continues where it stopped.
    """
    from transnet.paper.report import write_report

    try:
        page = checked(
            lambda: write_report(out, full=full, processes=processes, tell=lambda t: typer.echo(t, err=True))
        )
    except KeyboardInterrupt:
        typer.echo("\nInterrupted. Finished solves are kept; the same command continues from here.", err=True)
        raise typer.Exit(130) from None
    typer.echo(f"{page}")
