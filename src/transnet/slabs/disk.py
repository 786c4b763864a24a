"""Slabs in a file: the coefficients of each are written when the next has begun, and read when they are asked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from transnet.errors import ProblemError
from transnet.linalg.memory import DOUBLE
from transnet.solution.solution import Solution


class Disk:
    """A file of the kind .npy that grows slab by slab; numpy.load reads it."""

    def __init__(self, path: Path) -> None:
        self.path, self.numbers = path, 0
        try:
            self.file = open(self.path, "wb+")  # noqa: SIM115  (it is written to as long as the march goes on)
            self._head()
            self.begin = self.file.tell()
        except OSError as reason:
            raise _unwritable(self.path, reason) from None

    def _head(self) -> None:
        # NumPy leaves room in the header for a first axis that grows.
        shape: dict[str, Any] = {"descr": "<f8", "fortran_order": False, "shape": (self.numbers,)}
        self.file.seek(0)
        np.lib.format.write_array_header_1_0(self.file, shape)

    def put(self, block: np.ndarray) -> np.ndarray:
        """Write a block; what comes back reads it from the file."""
        offset = self.begin + DOUBLE * self.numbers
        try:
            self.file.seek(offset)
            self.file.write(np.ascontiguousarray(block, dtype="<f8").tobytes())
            self.file.flush()
        except OSError as reason:
            raise _unwritable(self.path, reason) from None
        self.numbers += block.size
        return np.memmap(self.path, dtype="<f8", mode="r", offset=offset, shape=block.shape)

    def close(self, to: Any) -> np.ndarray:
        """All of it, under the name that was asked for, as an array that is read from the file."""
        try:
            self._head()
            self.file.close()
            os.replace(self.path, named(to))
            return np.memmap(named(to), dtype="<f8", mode="r", offset=self.begin, shape=(self.numbers,))
        except OSError as reason:
            raise _unwritable(self.path, reason) from None

    def forget(self) -> None:
        """Remove the file of a march that is not the best."""
        self.file.close()
        self.path.unlink(missing_ok=True)


def named(to: str | Path) -> Path:
    """The path with its ending."""
    return Path(to) if str(to).endswith(".npy") else Path(f"{to}.npy")


def disk_for(to: str | Path, attempt: int, start: Solution | None) -> Disk:
    """A file for a march, which begins with the slabs of the solution that it goes on from."""
    path = named(to)
    disk = Disk(path if attempt == 0 else path.with_name(f"{path.stem}-{attempt}.npy"))
    if start is not None:
        disk.put(np.asarray(start.coefficients))
    return disk


def _unwritable(path: Path, reason: OSError) -> ProblemError:
    return ProblemError(f"The slabs cannot be written to '{path}': {reason.strerror or reason}.")
