"""What every command shares: what it prints where, exit codes, and errors as one message.

Results go to standard output; progress, warnings and errors to standard error. With `--json` standard output has
exactly one JSON object, also when something is wrong.
"""

from __future__ import annotations

import errno
import json
import math
import re
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape

from transnet.errors import CannotWriteError, MemoryShortError, MissingExtraError, TransnetError, printable
from transnet.files.words import told
from transnet.interrupts import Terminated, handled
from transnet.language.errors import ProblemFileError

OK, NOT_REACHED, BAD_INPUT, HINDERED, BROKEN, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 70, 130, 143
"""Exit codes: done; done with warnings, such as a missed tolerance; wrong input; something is missing or
not writable; an error of the library itself; Ctrl-C; SIGTERM."""
OUTPUT = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EPIPE)
"""The errors of a disk that is full and of a pipe or terminal that is gone."""
NOT_PRINTABLE = re.compile(r"[^\x00-\x7e]")
"""What may not be printable in JSON, which escapes the codes below 32 itself."""


class Terminal(Console):
    """A console that prints no control codes of others: names and texts may come from a file of anybody."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*(printable(o) if isinstance(o, str) else o for o in objects), **options)


def console() -> Console:
    """Standard output."""
    return Terminal(highlight=False, soft_wrap=True)


def errors() -> Console:
    """Standard error."""
    return Terminal(stderr=True, highlight=False, soft_wrap=True)


def speaks_unicode() -> bool:
    """Whether standard output has all characters: a console or pipe of Windows may have 256."""
    return "utf" in (getattr(sys.stdout, "encoding", None) or "").lower()


def plain(value: Any) -> Any:
    """A value as JSON: numbers that are not finite become null, complex ones pairs."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, bool | str | int) or value is None:
        return value
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, complex | np.complexfloating):
        return [plain(value.real), plain(value.imag)]
    return int(value) if isinstance(value, np.integer) else str(value)


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    text = json.dumps(plain(value), indent=2, ensure_ascii=not speaks_unicode())
    print(NOT_PRINTABLE.sub(lambda c: c[0] if c[0].isprintable() else json.dumps(c[0])[1:-1], text))


def print_warning(message: str) -> None:
    """A warning on standard error."""
    errors().print(f"[yellow]warning:[/] {escape(message)}")


def command(function: Callable[..., int | None]) -> Callable[..., None]:
    """A command whose errors are printed as one message, and whose result is the exit code.

    The option `as_json` of the function decides in which form an error is printed.
    """

    @wraps(function)
    def run(*args: Any, **options: Any) -> None:
        as_json = bool(options.get("as_json"))
        try:
            with handled(hold=False):
                code = function(*args, **options) or OK
        except KeyboardInterrupt as stop:
            code = TERMINATED if isinstance(stop, Terminated) else INTERRUPTED
            code = _failed(code, "Interrupted. Nothing had been found yet.", as_json)
        except (MissingExtraError, CannotWriteError, MemoryShortError) as error:
            code = _failed(HINDERED, told(error), as_json)
        except TransnetError as error:
            code = _failed(BAD_INPUT, told(error), as_json, error)
        except MemoryError:
            code = _failed(
                HINDERED, "There is not enough memory. Use fewer neurons, or a machine with more memory.", as_json
            )
        except OSError as error:
            if error.errno not in OUTPUT:
                code = broken(error, as_json)
            else:
                code = _failed(HINDERED, f"The output cannot be written: {error.strerror}.", False)
        except Exception as error:
            code = broken(error, as_json)
        raise typer.Exit(code)

    return run


def broken(error: Exception, as_json: bool) -> int:
    """An error that nobody raised on purpose: where it comes from, and an exit code of its own."""
    errors().print("".join(traceback.format_exception(error)), markup=False)
    told = f"This is a bug in transnet, not a mistake of yours ({type(error).__name__}: {error})."
    return _failed(BROKEN, told, as_json)


def with_arguments_in_json(app: Callable[..., Any]) -> int:
    """Run the command; errors in its arguments are printed as a JSON object, too."""
    try:
        return int(app(standalone_mode=False) or OK)
    except Exception as error:
        if not hasattr(error, "format_message"):  # not one that click raises for arguments
            return broken(error, True)
        return _failed(BAD_INPUT, error.format_message(), True)


def _failed(code: int, message: str, as_json: bool, error: Exception | None = None) -> int:
    if as_json:
        told: dict[str, Any] = {"message": message}
        if isinstance(error, ProblemFileError):
            place = error.place
            told = {"message": error.message, "file": place.file, "line": place.line, "column": place.column}
        print_json({"ok": False, "exit_code": code, "error": told})
    else:
        errors().print(f"[bold red]error:[/] {escape(message)}")
    return code
