"""The text of a problem file and its tables, with the position of everything in it."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transnet.calls import there
from transnet.files.positions import Locator, locate
from transnet.language.errors import Position, ProblemFileError

LARGEST = 300_000
"""The most bytes of a problem file."""
DEEPEST_KEY = 50
"""The most parts of a dotted key."""
LONG_KEY = re.compile(rf"""(?<![\w"'.-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{DEEPEST_KEY},}}""")
LONG_NUMBER = re.compile(r"\d[\d_]{4000}")


def tables_of(text: str, path: Path) -> tuple[Mapping[str, Any], Locator]:
    """The tables of a text, and the position of everything in it."""
    if len(text) > LARGEST:
        raise ProblemFileError(f"The text is longer than {LARGEST} characters.", Position(str(path), 1, 1))
    long = LONG_KEY.search(text)
    if long:
        place = Locator(text, str(path)).place(long.start())
        raise ProblemFileError(f"A key has more than {DEEPEST_KEY} parts.", place)
    try:
        table = tomllib.loads(text)
        return table, locate(text, str(path))
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(path, text, error) from None
    except RecursionError:
        raise ProblemFileError("The file is nested too deeply.", Position(str(path), 1, 1)) from None
    except ValueError:  # Python refuses integers of more than a few thousand digits
        long = LONG_NUMBER.search(text)
        place = Locator(text, str(path)).place(long.start() if long else 0)
        raise ProblemFileError("A whole number has too many digits. Write it as 1e30.", place) from None


def source_text(path: Path) -> str:
    """The text of a problem file, read defensively: it may be anything."""
    start = Position(str(path), 1, 1)
    if path.suffix.lower() == ".npz" and there(path.is_file):
        raise ProblemFileError(f"This is a solution, not a problem file. Look at it with: transnet show {path}", start)
    if not there(path.exists):
        folder = path.parent.glob("*.toml") if there(path.parent.is_dir) else ()
        names = [p.name for p in folder]
        near = [n for n in names if n == f"{path.stem}.toml"] or difflib.get_close_matches(path.name, names, n=1)
        hint = f" Did you mean '{path.with_name(near[0])}'?" if near else " Start one with: transnet new"
        raise ProblemFileError(f"There is no such file.{hint}", start)
    try:
        if path.exists() and not path.is_file():  # a folder, or a pipe that would never answer
            raise ProblemFileError("It is not a file. Give the name of a problem file.", start)
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, ProblemFileError):
            raise
        error = error if isinstance(error, OSError) else OSError(str(error))
        raise ProblemFileError(f"The file cannot be read: {error.strerror or error}.", start) from None
    if len(raw) > LARGEST:
        raise ProblemFileError(
            f"The file is larger than {LARGEST} bytes, so it is unlikely to be a problem file. Start one with: "
            f"transnet new",
            start,
        )
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        message = "The file is not text in UTF-8: a byte here belongs to no character."
        raise ProblemFileError(message, Position(str(path), line, column)) from None


def _toml_error(path: Path, text: str, error: Exception) -> ProblemFileError:
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    lines = text.split("\n")
    line, column = (int(found[1]), int(found[2])) if found and found[1] else (len(lines), len(lines[-1]) + 1)
    message = str(error)[: found.start()] if found else str(error)
    shown = lines[min(line, len(lines)) - 1]
    cause = " Texts need quotes."
    if "nclosed" in message and (opened := _opened(lines, line)):
        line, column = opened
        shown, cause = lines[line - 1], " It begins here, and its closing bracket is missing."
    elif re.match(r"\s*[\w.-]*[^\x00-\x7f][\w.-]*\s*=", shown):
        key = shown.partition("=")[0].strip()
        cause = f' Keys with other letters than a to z need quotes: "{key}" = ...'
    return ProblemFileError(f"This is not valid TOML: {message}.{cause}", Position(str(path), line, column), shown)


def _opened(lines: list[str], end: int) -> tuple[int, int] | None:
    """The position of the last bracket, up to a line, that is opened and not closed."""
    open_: list[tuple[int, int]] = []
    for number, text in enumerate(lines[:end], start=1):
        bare = re.sub(r'"[^"]*"|\'[^\']*\'|#.*', lambda found: " " * len(found.group()), text)
        if not open_ or "=" not in bare:
            for column, letter in enumerate(bare, start=1):
                if letter in "[{":
                    open_.append((number, column))
                elif letter in "]}" and open_:
                    open_.pop()
    return open_[-1] if open_ else None
