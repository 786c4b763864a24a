"""The server of the page: static files, and one WebSocket per page.

It listens on the loopback address only. A page must know the token, which is in the fragment of the address and so
never sent by a browser on its own, and must come from this server: other hosts and origins are refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from transnet.studio.process import Worker, WorkerEnded
from transnet.studio.shelf import ready_problems

LARGEST_MESSAGE = 400_000
"""The most bytes of a message from the page: a problem file may have 300 kB."""
MOST_PAGES = 8
"""The most pages at once: each has a process of its own."""
GREETING = 5.0
"""Seconds within which a page has to send the token."""
LONGEST = {"solve": 40.0, "look": 10.0, "probe": 5.0, "cut": 5.0, "take": 60.0, "open": 5.0, "drop": 10.0}
LONGEST["slope"] = 40.0
"""Seconds for a job of each kind, after which its process is killed. Waiting jobs are done in this order."""
GIVES_WAY = 1.5
"""Seconds after which a solve gives way to a newer one: a quick one takes less than half a second."""
LONGEST_ID = 40
"""Characters of the id of a job."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self' ws://127.0.0.1:* ws://localhost:*; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@dataclass
class House:
    """What all pages share: the token, the problem that was opened, and a process ready for the next page."""

    token: str
    port: int
    opened: str = ""
    pages: int = 0
    spare: asyncio.Task[Worker] | None = None
    hosts: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}

    def at_home(self, connection: Request | WebSocket) -> bool:
        """Whether a request was meant for this server, and comes from a page of this server or from no page."""
        host, origin = connection.headers.get("host", ""), connection.headers.get("origin")
        return host in self.hosts and (origin is None or origin in {f"http://{h}" for h in self.hosts})

    def warm(self) -> None:
        """Have a process ready: starting one takes a second or two."""
        if self.spare is None:
            self.spare = asyncio.create_task(Worker.start())

    async def worker(self) -> Worker:
        """Take a process, and start another one in advance."""
        self.warm()
        assert self.spare is not None
        spare, self.spare = self.spare, None
        worker = await spare
        return worker if worker.alive else await Worker.start()


def application(house: House) -> Starlette:
    """The server as an ASGI application."""
    files = resources.files("transnet.studio") / "page"
    known = {f.name: f.read_bytes() for f in files.iterdir() if f.name.rpartition(".")[2] in KINDS}

    def file(request: Request) -> Response:
        if not house.at_home(request):
            return PlainTextResponse("This is not the address of the studio.", 403, HEADERS)
        name = request.path_params.get("name") or "index.html"
        if name not in known:
            return PlainTextResponse("There is no such file.", 404, HEADERS)
        return Response(known[name], 200, HEADERS, KINDS[name.rpartition(".")[2]])

    async def page(socket: WebSocket) -> None:
        if not house.at_home(socket) or "origin" not in socket.headers:
            await socket.close(1008)
            return
        await socket.accept()
        if not await greeted(socket, house):
            return
        house.pages += 1
        try:
            await Page(socket, house).live()
        finally:
            house.pages -= 1

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> Any:
        house.warm()
        yield
        if house.spare is not None:
            await (await house.spare).gone()

    routes = [Route("/", file), Route("/{name}", file), WebSocketRoute("/ws", page)]
    return Starlette(routes=routes, lifespan=lifespan)


async def greeted(socket: WebSocket, house: House) -> bool:
    """Whether the first message contains the token; the page then receives what to start from."""
    try:
        message = json.loads(await asyncio.wait_for(socket.receive_text(), GREETING))
        token = str(message.get("token", "")) if isinstance(message, dict) else ""
    except (TimeoutError, ValueError, KeyError, RecursionError, WebSocketDisconnect):
        token = ""
    if not hmac.compare_digest(token.encode("utf-8", "replace"), house.token.encode()):
        await _closed(socket, 4001, "wrong token")
        return False
    if house.pages >= MOST_PAGES:
        await _closed(socket, 4002, f"more than {MOST_PAGES} pages are open")
        return False
    await socket.send_json({"type": "hello", "shelf": ready_problems(), "opened": house.opened})
    return True


async def _closed(socket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, reason)


class Page:
    """One page: the newest job of each kind waits, one is done at a time, and a slow one gives way."""

    def __init__(self, socket: WebSocket, house: House) -> None:
        self.socket, self.house = socket, house
        self.waiting: dict[str, dict[str, Any]] = {}
        self.doing: dict[str, Any] | None = None
        self.woken = asyncio.Event()
        self.worker: Worker | None = None

    async def live(self) -> None:
        """Serve until the page is closed."""
        doing = asyncio.create_task(self._work())
        listening = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({doing, listening}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (doing, listening):
                task.cancel()
            await asyncio.gather(doing, listening, return_exceptions=True)
            if self.worker is not None:
                await self.worker.gone()

    async def _listen(self) -> None:
        while True:
            try:
                job = job_of(await self.socket.receive_text())
            except (WebSocketDisconnect, KeyError):
                return
            if job is not None:
                self.waiting[job["type"]] = job
                slow = self.doing is not None and self.doing["type"] == "solve" and not self.doing.get("quick")
                if slow and job["type"] == "solve" and self.worker is not None:
                    self.worker.stale()
                self.woken.set()

    async def _work(self) -> None:
        while True:
            await self.woken.wait()
            kind = next((k for k in LONGEST if k in self.waiting), None)
            if kind is None:
                self.woken.clear()
                continue
            self.doing = self.waiting.pop(kind)
            try:
                await self._do(self.doing)
            except (WebSocketDisconnect, RuntimeError):
                return
            finally:
                self.doing = None

    async def _do(self, job: dict[str, Any]) -> None:
        if self.worker is None or not self.worker.alive:
            self.worker = await self.house.worker()
            self.house.warm()
        try:
            answer = await self._answer(self.worker, job)
        except WorkerEnded as ended:
            head = {"type": job["type"], "id": job.get("id"), "error": {"text": str(ended)}}
            await self.socket.send_json(head)
            return
        await self.socket.send_bytes(answer)

    async def _answer(self, worker: Worker, job: dict[str, Any]) -> bytes:
        """The answer to a job; a solve that takes long gives way to the next one, and is killed if it does not."""
        asked = asyncio.create_task(worker.ask(json.dumps(job).encode(), LONGEST[job["type"]]))
        told = False
        try:
            while not (await asyncio.wait({asked}, timeout=GIVES_WAY))[0]:
                if worker.ready and job["type"] == "solve" and "solve" in self.waiting:
                    worker.end() if told else worker.stale()
                    told = True
            return await asked
        finally:
            asked.cancel()


def job_of(text: str) -> dict[str, Any] | None:
    """The job of a message; None if it is none. Its id comes back in the answer, so it is a number or a short text."""
    try:
        job = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    if not isinstance(job, dict) or not isinstance(job.get("type"), str) or job["type"] not in LONGEST:
        return None
    plain = isinstance(job.get("id"), int | str) and len(str(job["id"])[: LONGEST_ID + 1]) <= LONGEST_ID
    return job if plain else {**job, "id": None}


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
