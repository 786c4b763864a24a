"""The server against those who should not be there, and pages that misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra 'studio' is not installed")
pytest.importorskip("uvicorn", reason="the extra 'studio' is not installed")
websockets = pytest.importorskip("websockets.asyncio.client", reason="the extra 'studio' is not installed")

from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402

from transnet.studio.door import Studio, start  # noqa: E402
from transnet.studio.server import LARGEST_MESSAGE, LONGEST, MOST_PAGES  # noqa: E402

ROD = """coordinates = ["x"]
unknowns = ["u"]
domain = "Interval(x=(0, 1))"
equations = ["u_xx = -1"]
conditions = ["u = 0 on boundary"]
"""


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    started = start(port=0)
    yield started
    started.close()


def home(studio: Studio) -> str:
    return studio.address.split("/#")[0]


def token(studio: Studio) -> str:
    return studio.address.split("token=")[1]


def connect(studio: Studio, origin: str | None = "own") -> Any:
    address = home(studio).replace("http", "ws") + "/ws"
    return websockets.connect(address, origin=home(studio) if origin == "own" else origin, max_size=None)


async def greeted(studio: Studio, socket: Any) -> dict[str, Any]:
    await socket.send(json.dumps({"token": token(studio)}))
    return json.loads(await socket.recv())


async def solved(socket: Any, toml: str = ROD) -> dict[str, Any]:
    await socket.send(json.dumps({"type": "solve", "id": 1, "toml": toml, "quick": True}))
    answer = await asyncio.wait_for(socket.recv(), 60)
    if isinstance(answer, str):
        return json.loads(answer)
    return json.loads(answer[4 : 4 + int.from_bytes(answer[:4], "little")])


def test_a_page_with_the_token_is_served_and_solves(studio: Studio) -> None:
    with urllib.request.urlopen(home(studio) + "/") as page:
        assert b"transnet studio" in page.read()
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]

    async def run() -> None:
        async with connect(studio) as socket:
            assert len((await greeted(studio, socket))["shelf"]) > 8
            assert (await solved(socket))["estimate"] < 1e-8

    asyncio.run(run())


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None])
def test_pages_of_other_origins_are_refused(studio: Studio, origin: str | None) -> None:
    async def run() -> None:
        with pytest.raises(InvalidStatus):
            async with connect(studio, origin):
                pass

    asyncio.run(run())


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80"])
def test_other_hosts_are_refused(studio: Studio, host: str) -> None:
    request = urllib.request.Request(home(studio) + "/", headers={"Host": host})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 403


@pytest.mark.parametrize("name", ["..%2fserver.py", "server.py", "%2e%2e/%2e%2e/pyproject.toml", "token"])
def test_only_the_files_of_the_page_are_served(studio: Studio, name: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{home(studio)}/{name}")
    assert refused.value.code == 404


@pytest.mark.parametrize("first", ['{"token": "guess"}', "{}", "[]", "not JSON", "[" * 5000, '{"token": ["a"]}'])
def test_a_wrong_token_is_refused(studio: Studio, first: str) -> None:
    async def run() -> None:
        async with connect(studio) as socket:
            await socket.send(first)
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4001

    asyncio.run(run())


def test_a_message_of_ten_megabytes_ends_its_page_and_nothing_else(studio: Studio) -> None:
    async def run() -> None:
        async with connect(studio) as socket:
            await greeted(studio, socket)
            with contextlib.suppress(ConnectionClosed):
                await socket.send("x" * 10_000_000)
            with pytest.raises(ConnectionClosed):
                await socket.recv()
        async with connect(studio) as socket:
            await greeted(studio, socket)
            assert (await solved(socket))["estimate"] < 1e-8
            long = await solved(socket, ROD + "# " + "x" * (LARGEST_MESSAGE - 1000))
            assert "longer" in long["error"]["text"]

    asyncio.run(run())


def test_a_solve_that_hangs_is_ended_and_the_next_one_works(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LONGEST, "solve", 0.01)

    async def run() -> None:
        async with connect(studio) as socket:
            await greeted(studio, socket)
            assert "longer than" in (await solved(socket))["error"]["text"]
            monkeypatch.setitem(LONGEST, "solve", 60.0)
            assert (await solved(socket))["estimate"] < 1e-8

    asyncio.run(run())


@pytest.mark.parametrize("text", ["9**9**9**9", "((((" * 40, "exp(exp(exp(exp(exp(9*x)))))", "u_x" * 30_000])
def test_formulas_that_would_hang_are_answered_in_words(studio: Studio, text: str) -> None:
    async def run() -> None:
        async with connect(studio) as socket:
            await greeted(studio, socket)
            told = await solved(socket, ROD.replace("-1", text))
            assert told["error"] is None or told["error"]["text"]
            assert (await solved(socket))["estimate"] < 1e-8

    asyncio.run(run())


def test_fifty_connections_and_killed_pages_are_survived(studio: Studio) -> None:
    async def run() -> None:
        sockets = [await connect(studio) for _ in range(50)]
        for socket in sockets:
            await socket.send(json.dumps({"token": token(studio)}))
        told = await asyncio.gather(*(s.recv() for s in sockets), return_exceptions=True)
        refused = [t for t in told if isinstance(t, ConnectionClosed)]
        assert len(refused) == 50 - MOST_PAGES
        for socket in sockets:  # not closed as one should, but gone
            socket.transport.abort()
        await asyncio.sleep(0.3)
        async with connect(studio) as socket:
            await greeted(studio, socket)
            await socket.send(json.dumps({"type": "solve", "id": 1, "toml": ROD, "quick": False}))
            socket.transport.abort()
        async with connect(studio) as socket:
            await greeted(studio, socket)
            assert (await solved(socket))["estimate"] < 1e-8

    asyncio.run(run())


def test_of_many_requests_the_newest_is_answered(studio: Studio) -> None:
    async def run() -> None:
        async with connect(studio) as socket:
            await greeted(studio, socket)
            for number in range(40):
                await socket.send(json.dumps({"type": "solve", "id": number, "toml": ROD, "quick": True}))
            found = -1
            answers = 0
            while found < 39:
                answer = await asyncio.wait_for(socket.recv(), 60)
                found = json.loads(answer[4 : 4 + int.from_bytes(answer[:4], "little")])["id"]
                answers += 1
            assert answers < 40

    asyncio.run(run())


def test_half_open_connections_are_closed_and_block_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    from transnet.studio import connections

    monkeypatch.setattr(connections, "PATIENCE", 0.2)
    studio = start(port=0)
    port = int(home(studio).rpartition(":")[2])
    half = [socket.create_connection(("127.0.0.1", port)) for _ in range(130)]
    try:
        for k, one in enumerate(half):
            one.settimeout(20)
            one.sendall(
                b"GET / HTTP/1.1\r\nHost: 127.0"
                if k % 2
                else f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\nGET".encode()
            )
        for one in half:
            while one.recv(65536):  # up to the end: the server closes it
                pass
        with urllib.request.urlopen(home(studio) + "/", timeout=10) as page:
            assert page.status == 200
    finally:
        for one in half:
            one.close()
        studio.close()


@pytest.mark.parametrize("odd", ["\ud800", 3, None, ["a"], {"a": 1}, "", "é" * 1000, float("nan")])
def test_odd_tokens_are_refused(studio: Studio, odd: Any) -> None:
    async def run() -> None:
        async with connect(studio) as socket:
            await socket.send(json.dumps({"token": odd}))
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4001

    asyncio.run(run())


def test_odd_jobs_leave_the_page_alive(studio: Studio) -> None:
    async def run() -> None:
        async with connect(studio) as socket:
            await greeted(studio, socket)
            for kind in (["solve"], {"a": 1}, None, 3, "answer", "__init__"):
                await socket.send(json.dumps({"type": kind, "id": 1, "toml": ROD}))
            for text in ("[", "[[[[" * 5000, '{"type": "solve", "id": NaN}', "9" * 10_000, '"\\ud800"'):
                await socket.send(text)
            for odd in ({"a": [1]}, 10**30, "x" * 1000, "\ud800", 1.5, True):
                await socket.send(json.dumps({"type": "solve", "id": odd, "toml": odd, "quick": odd, "view": odd}))
            assert (await solved(socket, "title = 3"))["type"] == "solve"
            while (await solved(socket)).get("estimate", 1) > 1e-8:
                pass

    asyncio.run(run())


def test_a_solve_that_hangs_gives_way_to_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from transnet.studio import server
    from transnet.studio.process import WorkerEnded

    monkeypatch.setattr(server, "GIVES_WAY", 0.05)
    done: list[str] = []

    class Hanging:
        ready = True

        def __init__(self) -> None:
            self.gone = asyncio.Event()

        async def ask(self, job: bytes, seconds: float) -> bytes:
            await self.gone.wait()
            raise WorkerEnded("killed")

        def stale(self) -> None:
            done.append("stale")

        def end(self) -> None:
            done.append("end")
            self.gone.set()

    async def run() -> None:
        page = server.Page(None, None)  # type: ignore[arg-type]
        page.waiting["solve"] = {"type": "solve"}
        with pytest.raises(WorkerEnded):
            await asyncio.wait_for(page._answer(Hanging(), {"type": "solve", "quick": True}), 10)  # type: ignore[arg-type]

    asyncio.run(run())
    assert done == ["stale", "end"]


def test_a_process_that_is_starting_does_not_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be ended before it has imported the library, and the next one, too, while a page goes on asking."""
    from transnet.studio import server
    from transnet.studio.process import Worker

    monkeypatch.setattr(server, "GIVES_WAY", 0.01)

    async def run() -> tuple[bool, bytes]:
        worker = await Worker.start()
        page = server.Page.__new__(server.Page)
        page.waiting = {"solve": {}}
        job = {"type": "solve", "id": 1, "toml": ROD, "quick": True}
        answering = asyncio.create_task(page._answer(worker, job))
        await asyncio.sleep(0.1)
        alive = worker.alive
        page.waiting.clear()
        answer = await answering
        await worker.gone()
        return alive, answer

    alive, answer = asyncio.run(run())
    assert alive
    assert b'"estimate"' in answer
