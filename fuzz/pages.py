"""Attacks on the studio: odd tokens, jobs and bytes, connections left open; after each it answers a right one."""

from __future__ import annotations

import atexit
import json
import logging
import random
import socket
import urllib.request
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from attacks import GOOD, mutated

Attack = tuple[str, Callable[[], object]]
ROD = """coordinates = ["x"]
unknowns = ["u"]
domain = "Interval(x=(0, 1))"
equations = ["u_xx = -1"]
conditions = ["u = 0 on boundary"]
"""
ODD: tuple[Any, ...] = (
    None, 3, -1, 1e308, True, "", "\ud800", "x" * 3000, [], ["a"], {}, {"a": [1]}, 10**30, 1.5, "__init__", "answer",
    "../../etc/passwd", "<script>", [[0.5]], [0.2, 0.3], "\x1b[2J",
)  # fmt: skip
TYPES = ("solve", "look", "probe", "cut", "python", "domain", "file", "slopes", "improve", "eigen", "report", "check")
KEYS = ("id", "toml", "quick", "view", "what", "at", "points", "parameters", "name", "result", "time", "number")
WAITS = 800.0
"""Seconds of the clock for an answer: less than the fuzzer waits for the attack."""
told: list[str] = []
"""What the server has logged as an error."""


class Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def emit(self, record: logging.LogRecord) -> None:
        told.append(record.getMessage())


@lru_cache(maxsize=1)
def _studio() -> Any:
    from transnet.studio.door import start

    logging.getLogger("uvicorn.error").addHandler(Errors(logging.ERROR))
    logging.getLogger("asyncio").addHandler(Errors(logging.ERROR))
    started = start(port=0)
    atexit.register(started.close)
    return started


def _home() -> str:
    return _studio().address.split("/#")[0]


def _connected(first: Any = None) -> Any:
    from websockets.sync.client import connect

    page = connect(_home().replace("http", "ws") + "/ws", origin=_home(), max_size=None, open_timeout=WAITS)
    page.send(json.dumps({"token": _studio().address.split("token=")[1]}) if first is None else first)
    return page


def _answered(page: Any) -> None:
    """Ask for what it can do, until that is answered: what was odd may be answered before."""
    page.send(json.dumps({"type": "solve", "id": 4711, "toml": ROD, "quick": True}))
    while True:
        answer = page.recv(timeout=WAITS)
        if isinstance(answer, bytes):
            answer = answer[4 : 4 + int.from_bytes(answer[:4], "little")].decode()
        head = json.loads(answer)
        if head.get("id") == 4711:
            if not head["estimate"] < 1e-8:
                raise AssertionError(f"a right job was answered with {head}")
            return


def studio_message(rng: random.Random, folder: Path) -> Attack:
    """A page that sends what no page would."""
    kind = rng.choice(("token", "jobs", "jobs", "jobs", "bytes", "half", "gone"))
    odd = [rng.choice(ODD) for _ in range(4)]
    jobs = [
        {"type": rng.choice((*TYPES, rng.choice(ODD))), "id": k, "toml": rng.choice((ROD, mutated(rng, GOOD, 0.5)))}
        | {rng.choice(KEYS): rng.choice(ODD) for _ in range(2)}
        for k in range(rng.randint(1, 4))
    ]
    raw = [rng.choice(("[", "[" * 5000, "9" * 10_000, '{"type": "solve", "id": NaN}', "\x00")) for _ in range(2)]
    count = rng.randint(1, 150)

    def attack() -> object:
        from websockets.exceptions import ConnectionClosed

        told.clear()
        port = int(_home().rpartition(":")[2])
        if kind == "token":
            page = _connected(json.dumps({"token": odd[0]}) if rng.random() < 0.7 else raw[0])
            try:
                page.recv(timeout=WAITS)
                raise AssertionError("a wrong token was taken")
            except ConnectionClosed:
                pass
        elif kind == "half":
            half = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
            for one in half:
                one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0"[: rng.randint(0, 27)])
            with urllib.request.urlopen(_home() + "/", timeout=WAITS) as page:
                page.read()
            for one in half:
                one.close()
        else:
            page = _connected()
            for job in jobs if kind != "bytes" else raw:
                page.send(job if isinstance(job, str) else json.dumps(job))
            if kind == "gone":
                page.socket.close()
            else:
                _answered(page)
                page.close()
        with _connected() as fresh:
            _answered(fresh)
        if told:
            raise AssertionError(f"the server had {told}")
        return None

    return f"{kind}: {odd} {jobs} {raw} {count}", attack
