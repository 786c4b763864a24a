"""Slabs in a file: the coefficients of each are written when the next has begun, and read on demand.

Beside it is a file with the rest of the solution so far, so that a march that was killed can be read and continued.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from transnet.errors import ProblemError
from transnet.linalg.memory import DOUBLE
from transnet.solution.files import save_solution
from transnet.solution.solution import Solution

SELDOM = 20.0
"""The rest of a solution is written again after this many times the time that took: it grows with the slabs."""


class SlabFile:
    """A .npy file that grows slab by slab and that numpy.load can read."""

    def __init__(self, path: Path) -> None:
        self.path, self.numbers = path, 0
        self.next = 0.0  # when the rest is written again
        try:
            self.file = open(self.path, "wb+")  # noqa: SIM115  (it is written to as long as the march goes on)
            self._head()
            self.begin = self.file.tell()
        except OSError as reason:
            raise _unwritable(self.path, reason) from None

    def _head(self) -> None:
        # NumPy leaves room in the header for a growing first axis.
        shape: dict[str, Any] = {"descr": "<f8", "fortran_order": False, "shape": (self.numbers,)}
        self.file.seek(0)
        np.lib.format.write_array_header_1_0(self.file, shape)

    def put(self, block: np.ndarray) -> np.ndarray:
        """Write a block; the result reads it from the file."""
        offset = self.begin + DOUBLE * self.numbers
        try:
            self.file.seek(offset)
            self.file.write(np.ascontiguousarray(block, dtype="<f8").tobytes())
            self.numbers += block.size
            self._head()
            self.file.flush()
        except OSError as reason:
            raise _unwritable(self.path, reason) from None
        return np.memmap(self.path, dtype="<f8", mode="r", offset=offset, shape=block.shape)

    def all(self) -> np.ndarray:
        """What has been written, read from the file."""
        return np.memmap(self.path, dtype="<f8", mode="r", offset=self.begin, shape=(self.numbers,))

    def note(self, so_far: Callable[[], Solution]) -> None:
        """Write the rest of the solution so far, if it is time."""
        begun = monotonic()
        if begun < self.next:
            return
        save_solution(so_far(), self.path.with_suffix(".npz"), apart=True)
        self.next = monotonic() + SELDOM * (monotonic() - begun)

    def close(self, to: Any) -> np.ndarray:
        """The whole array, under the requested name, read from the file on demand."""
        try:
            self._head()
            self.file.close()
            if self.path != named(to):
                try:
                    os.replace(self.path, named(to))
                except PermissionError:  # Windows renames no file that is mapped, as the slabs are
                    shutil.copyfile(self.path, named(to))
                    _removed(self.path)
                self.path.with_suffix(".npz").unlink(missing_ok=True)
            return np.memmap(named(to), dtype="<f8", mode="r", offset=self.begin, shape=(self.numbers,))
        except OSError as reason:
            raise _unwritable(self.path, reason) from None

    def forget(self) -> None:
        """Remove the file of a march that is not the best."""
        self.file.close()
        _removed(self.path)
        self.path.with_suffix(".npz").unlink(missing_ok=True)


def _removed(path: Path) -> None:
    """Remove a file, unless it is mapped and the system is Windows: then it stays."""
    with suppress(PermissionError):
        path.unlink(missing_ok=True)


def finished(solution: Solution, to: str | Path) -> None:
    """Write the rest of a solution whose coefficients are in a file."""
    save_solution(solution, named(to).with_suffix(".npz"), apart=True)


def named(to: str | Path) -> Path:
    """The path with its ending."""
    return Path(to) if str(to).endswith(".npy") else Path(f"{to}.npy")


def disk_for(to: str | Path, attempt: int, start: Solution | None) -> SlabFile:
    """A file for a march, beginning with the slabs of the solution that it continues."""
    path = named(to)
    read = None if start is None else getattr(start.coefficients, "filename", None)
    if read is not None and path.exists() and os.path.samefile(read, path):
        attempt += 1  # what is read from the file is not overwritten
    disk = SlabFile(path if attempt == 0 else path.with_name(f"{path.stem}-{attempt}.npy"))
    if start is not None:
        disk.put(np.asarray(start.coefficients))
    return disk


def _unwritable(path: Path, reason: OSError) -> ProblemError:
    return ProblemError(f"The slabs cannot be written to '{path}': {reason.strerror or reason}.")
