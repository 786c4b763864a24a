"""Files that are complete or absent: each is written under a temporary name and renamed when it is complete."""

from __future__ import annotations

import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from transnet.calls import file_path
from transnet.errors import CannotWriteError

READ_AND_WRITE = 0o666
"""The permissions of a new file, before the user's mask."""
IN_USE = (5, 32)
"""Windows' numbers for access denied and for a file that another program has open."""
WAITS = (0.01, 0.05, 0.2)
"""Seconds between attempts at a file that is in use: scanners let go of one within a fraction of a second."""


def target(path: Any, suffix: str = "") -> Path:
    """The path of a file to be written, with its suffix, after checking that it can name a file."""
    wanted = file_path(path)
    if not wanted.name or wanted.name in (".", "..") or str(path).endswith(("/", os.sep)):
        raise CannotWriteError(f"'{path}' cannot be written: it names no file. Give a name such as 'result{suffix}'.")
    if suffix and wanted.suffix != suffix:
        wanted = wanted.with_name(wanted.name + suffix)
    try:
        kind = wanted.stat().st_mode
    except (OSError, ValueError):
        return wanted  # there is nothing yet, or it cannot be reached, which writing will report
    if not stat.S_ISREG(kind):
        what = "a folder" if stat.S_ISDIR(kind) else "no ordinary file"
        raise CannotWriteError(f"'{wanted}' cannot be written: it is {what}. Choose another name.")
    return wanted


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """The name of a new, empty file beside `path` that replaces it when the block ends without an error.

    The name is new, so that two programs that write the same file do not interfere and no link is followed. The
    contents are on disk before the file is renamed. After an error, or an interruption, everything is unchanged.
    """
    partial = path.with_name(f".{path.stem[:40]}-{secrets.token_hex(8)}{path.suffix}")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, READ_AND_WRITE))
        try:
            yield partial
            _flushed(partial, os.O_RDWR)
            with suppress(OSError):
                partial.chmod(stat.S_IMODE(path.stat().st_mode))  # the permissions of the old file, if there was one
            moved(partial, path)
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
        with suppress(OSError):
            _flushed(path.parent, os.O_RDONLY)
    except OSError as error:
        raise CannotWriteError(f"'{path}' cannot be written: {error.strerror or error}.") from None
    except ValueError as error:
        if "null" not in str(error) and not isinstance(error, UnicodeError):
            raise
        raise CannotWriteError(f"{str(path)!r} cannot be written: {error}.") from None


def moved(path: Path, to: Path) -> None:
    """Give a file another name, also one that another file has.

    Windows refuses while a scanner or a reader has one of them open, which mostly passes.
    """
    for wait in WAITS:
        try:
            path.replace(to)
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in IN_USE:
                raise
            time.sleep(wait)
    path.replace(to)


def _flushed(path: Path, mode: int) -> None:
    """Flush a file, or the entries of a folder, to disk; Windows flushes only what may be written, and no folders."""
    number = os.open(path, mode)
    try:
        os.fsync(number)
    finally:
        os.close(number)
