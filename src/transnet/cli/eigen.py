"""`transnet solve` for a file that asks for eigenvalues: a line for each, and a file for each function."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from transnet.cli.output import NOT_REACHED, OK, console, print_json, print_warning
from transnet.eigen.pairs import Eigenpairs
from transnet.files import ProblemFile


def saved_pairs(pairs: Eigenpairs, target: Path) -> list[Path]:
    """Write each eigenfunction to a file: drum-1.npz, drum-2.npz, and so on."""
    stem = target.with_suffix("")
    return [pairs[k].save(stem.with_name(f"{stem.name}-{k + 1}.npz")) for k in range(len(pairs))]


def told_pairs(file: ProblemFile, pairs: Eigenpairs, saved: list[Path], quiet: bool, as_json: bool) -> int:
    """Print what was found and return the exit code."""
    code = NOT_REACHED if pairs.messages else OK
    if as_json:
        print_json(
            {
                "ok": code == OK,
                "exit_code": code,
                "files": [str(path) for path in saved],
                "eigenvalues": [v.real if v.imag == 0 else [v.real, v.imag] for v in pairs.values],
                "errors": pairs.errors,
                "warnings": [m.text for m in pairs.messages],
                "seconds": pairs.seconds,
            }
        )
        return code
    out = console()
    if not quiet:
        out.print(f"[bold]{escape(file.title)}[/]")
        out.print(pairs.report(), markup=False)
    for message in pairs.messages if quiet else ():
        print_warning(message.text)
    if saved:
        last = f" to {saved[-1].name}" if len(saved) > 1 else ""
        out.print(f"Saved {escape(str(saved[0]))}{escape(last)}. Now: transnet show {escape(str(saved[0]))}")
    return code
