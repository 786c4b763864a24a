"""A worker as the server sees it: one job at a time, which can be marked as stale, or killed."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

from transnet.studio.worker import LENGTH, STALE

START = 120.0
"""Seconds within which a process must have imported the library; a busy machine may need many."""
LARGEST_ANSWER = 200_000_000
"""The most bytes of an answer: an exported file may be large, nothing else is."""


class WorkerEnded(Exception):
    """The process is gone: it crashed, or it took too long and was killed."""


class Worker:
    """A process that answers jobs."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.busy = self._ended = self.ready = False

    @classmethod
    async def start(cls) -> Worker:
        """Start a new process, with the library of this one."""
        paths = os.pathsep.join(p for p in sys.path if p)
        environment = {**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        code = "from transnet.studio.worker import main; main()"
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment
        )
        return cls(process)

    @property
    def alive(self) -> bool:
        """Whether it accepts jobs."""
        return not self._ended and self._process.returncode is None

    async def ask(self, job: bytes, seconds: float) -> bytes:
        """The answer to a job; the process is killed if it takes longer."""
        self.busy = True
        try:
            if not self.ready:  # starting does not count towards the time of the job
                await asyncio.wait_for(self._message(), START)
                self.ready = True
            return await asyncio.wait_for(self._ask(job), seconds)
        except TimeoutError:
            self.end()
            raise WorkerEnded(f"It took longer than {seconds:g} seconds and was stopped.") from None
        except (asyncio.IncompleteReadError, ConnectionError):
            self.end()
            raise WorkerEnded("The solve crashed; a new one can be started.") from None
        except asyncio.CancelledError:
            self.end()
            raise
        finally:
            self.busy = False

    async def _ask(self, job: bytes) -> bytes:
        assert self._process.stdin is not None
        self._process.stdin.write(len(job).to_bytes(LENGTH, "little") + job)
        await self._process.stdin.drain()
        return await self._message()

    async def _message(self) -> bytes:
        assert self._process.stdout is not None
        size = int.from_bytes(await self._process.stdout.readexactly(LENGTH), "little")
        if size > LARGEST_ANSWER:
            raise ConnectionError("too large")
        return await self._process.stdout.readexactly(size)

    def stale(self) -> None:
        """Tell it that its answer is no longer wanted."""
        if self.busy and self.alive and self.ready:  # while it imports the library the signal would end it
            if STALE is None:
                self.end()
            else:
                self._process.send_signal(STALE)

    def end(self) -> None:
        """End the process."""
        if self._process.returncode is None:
            self._process.kill()
        self._ended = True

    async def gone(self) -> None:
        """End the process, and wait for it."""
        self.end()
        await self._process.wait()
