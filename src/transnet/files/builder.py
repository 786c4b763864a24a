"""Reads the tables of a problem file: its texts, its files, with errors that point into it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from transnet.calls import shown, there
from transnet.errors import ProblemError
from transnet.files import schema
from transnet.files.positions import Locator
from transnet.files.words import told
from transnet.language.errors import FormulaError


class Builder:
    """The tables of a problem file, and the position of everything in them."""

    def __init__(
        self,
        path: Path,
        table: Mapping[str, Any],
        locator: Locator,
        replaced: dict[str, float],
        free: frozenset[str] = frozenset(),
    ) -> None:
        self.path, self.table, self.locator, self.replaced = path, table, locator, replaced
        self.free = free  # parameters that stay symbols in the domain
        self.sources: set[Path] = set()  # the files that it reads

    def fail(self, path: tuple, message: str, offset: int | None = None) -> Any:
        """Raise an error about an entry."""
        schema.fail(self.locator, path, message, offset)

    def read(self, path: tuple, function: Callable[..., Any], text: str, *arguments: Any) -> Any:
        """Read a text value; an error points into it."""
        try:
            return function(text, *arguments)
        except FormulaError as error:
            return self.fail(path, error.message, error.offset)
        except ProblemError as error:
            return self.fail(path, told(error))

    def texts(self, path: tuple) -> list[tuple[tuple, str]]:
        """An entry that is a text or a list of them, each with its path."""
        value: Any = self.table
        for key in path:
            value = value[key]
        return [(path, value)] if isinstance(value, str) else [((*path, i), v) for i, v in enumerate(value)]

    def within(self, path: tuple, name: str) -> Path:
        """A path in the folder of the problem file, or below it, whatever is there."""
        try:
            source, folder = (self.path.parent / name).resolve(), self.path.parent.resolve()
        except (OSError, ValueError, RuntimeError):  # a zero character, a circle of links
            source = folder = self.path
        if source is folder or not name.isprintable():
            return self.fail(path, f"No file can be called {shown(name)}.")
        if not source.is_relative_to(folder) or source == folder:
            self.fail(path, "A file must be in the folder of the problem file or below it.")
        return source

    def beside(self, path: tuple, name: str) -> Path:
        """A file that is there, in the folder of the problem file or below it."""
        source = self.within(path, name)
        if not there(source.is_file):
            near = difflib.get_close_matches(source.name, [p.name for p in self.path.parent.glob("*")], n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            self.fail(path, f"There is no file '{name[:80]}' beside the problem file.{hint}")
        self.sources.add(source)
        return source
