"""`transnet studio`: a web page on which a problem is drawn, stated and solved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from transnet.cli.output import command, console
from transnet.studio.door import PORT
from transnet.studio.door import studio as opened


@command
def studio(
    path: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A problem file to start from.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen, on this machine only.")] = PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Draw a domain, state equations, and see the solution follow.

    The page is served to this machine only. Its address contains a token, without which requests are refused.
    """
    started = opened(path, port=port, browser=browser, wait=False)
    console().print(f"The studio is at {started.address}", markup=False)
    console().print("Ctrl-C ends it.")
    started.wait()
