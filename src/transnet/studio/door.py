"""`tn.studio`: start the server, and show its page."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transnet.calls import explained, shown
from transnet.errors import CannotWriteError, ProblemError, missing_extra

if TYPE_CHECKING:
    import socket

    from transnet.problem import Problem

PORT = 8765
HEIGHT = 760
"""The height of the page in a notebook, in pixels."""


@dataclass(frozen=True, eq=False)
class Studio:
    """A running studio: its `address`, and `close()`. A notebook shows it in a frame."""

    address: str
    server: Any
    thread: threading.Thread

    def close(self) -> None:
        """End the server."""
        self.server.should_exit = True
        self.thread.join(10)

    def wait(self) -> None:
        """Wait until the server ends, or Ctrl-C."""
        try:
            while self.thread.is_alive():
                self.thread.join(0.5)
        except KeyboardInterrupt:
            self.close()

    def _repr_html_(self) -> str:
        import html

        frame = f'<iframe src="{html.escape(self.address)}" width="100%" height="{HEIGHT}" style="border:0"></iframe>'
        return f"{frame}<p>{html.escape(self.address)}</p>"

    def __repr__(self) -> str:
        return f"Studio at {self.address}"


@explained
def studio(
    problem: Problem | str | Path | None = None,
    *,
    parameters: Mapping[Any, float] | None = None,
    port: int = PORT,
    browser: bool | None = None,
    wait: bool | None = None,
) -> Studio:
    """Open a page on which you draw and state a problem; the solution follows every change.

    Parameters
    ----------
    problem : Problem or path of a problem file, optional
        What to start from.
    parameters : mapping, optional
        Values for the parameters of a `Problem`; 1 for those left out.
    port : int
        Where the server listens, on this machine only; another one is taken if this is in use.
    browser : bool, optional
        Whether a browser is opened. By default not in a notebook, which shows the page itself.
    wait : bool, optional
        Whether to wait until Ctrl-C. By default in a program, and not in a notebook or at a prompt.

    Returns
    -------
    Studio
    """
    prompt = hasattr(sys, "ps1") or "ipykernel" in sys.modules
    started = start(_text_of(problem, parameters), port)
    if browser if browser is not None else "ipykernel" not in sys.modules:
        import webbrowser

        webbrowser.open(started.address)
    if wait if wait is not None else not prompt:
        print(f"The studio is at {started.address} (Ctrl-C ends it)", flush=True)
        started.wait()
    return started


def _text_of(problem: Any, parameters: Mapping[Any, float] | None) -> str:
    if problem is None:
        return ""
    from transnet.problem import Problem  # with SymPy, which `import transnet` does without

    if isinstance(problem, Problem):
        from transnet.files.writing import toml_of

        return toml_of(problem, parameters or {})
    if isinstance(problem, str | Path):
        from transnet.files import read_problem

        read_problem(problem)
        return Path(problem).read_text(encoding="utf-8-sig")
    raise ProblemError(f"tn.studio takes a tn.Problem or a problem file, not {type(problem).__name__}.")


def start(opened: str = "", port: int = PORT) -> Studio:
    """Start the server in a thread."""
    import secrets

    try:
        import uvicorn

        from transnet.studio.connections import impatient_protocol
        from transnet.studio.server import LARGEST_MESSAGE, House, application
    except ImportError as error:
        raise missing_extra(error.name or "starlette", "studio", "The studio") from None
    listener = _listener(port)
    taken = listener.getsockname()[1]
    house = House(secrets.token_urlsafe(18), taken, opened)
    config = uvicorn.Config(
        application(house), http=impatient_protocol(), log_level="error", access_log=False, ws_max_size=LARGEST_MESSAGE,
        ws_max_queue=16, limit_concurrency=1000, timeout_graceful_shutdown=1, server_header=False, date_header=False,
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True, name="transnet studio")
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    return Studio(f"http://127.0.0.1:{taken}/#token={house.token}", server, thread)


def _listener(port: int) -> socket.socket:
    import socket

    if not isinstance(port, int) or not 0 <= port <= 65535:
        raise ProblemError(f"A port is a whole number from 0 to 65535, not {shown(port)}.")
    for wanted in (port, 0):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("127.0.0.1", wanted))
        except OSError:
            listener.close()
        else:
            return listener
    raise CannotWriteError("No port could be opened on 127.0.0.1.")
