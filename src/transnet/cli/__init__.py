"""The command `transnet`."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

from transnet.interrupts import undisturbed


def _app() -> Callable[..., Any]:
    from transnet.cli.app import app

    return app


def main() -> None:
    """Run the command; without typer and rich, say how to install them."""
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115 - closed by whoever started the program
    for stream in (sys.stdout, sys.stderr):  # a console may have 256 characters: others are written by their numbers
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app = undisturbed(_app)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("typer", "rich", "click"):
            raise
        print(
            f"The command 'transnet' needs the package '{error.name}', which is not installed. "
            f"Install it with: pip install 'transnet-pde[cli]'",
            file=sys.stderr,
        )
        raise SystemExit(3) from None
    except KeyboardInterrupt:
        print("Interrupted. Nothing had been found yet.", file=sys.stderr)
        raise SystemExit(130) from None
    warnings.simplefilter("ignore")  # NumPy's own warnings on the way; the commands print the library's messages
    if "--json" in sys.argv[1:]:
        from transnet.cli.output import with_arguments_in_json

        raise SystemExit(with_arguments_in_json(app))
    try:
        app()
    except Exception as error:
        from transnet.cli.output import broken

        raise SystemExit(broken(error, False)) from None
