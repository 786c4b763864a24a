"""Errors with the position in the text that they are about."""

from __future__ import annotations

from dataclasses import dataclass

from transnet.errors import ProblemError

BEFORE, WIDTH = 61, 100
"""The characters of a long line that are shown before the position of an error, and in all."""


@dataclass(frozen=True)
class Position:
    """A place in a file: its name, and line and column counted from one."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class FormulaError(ProblemError):
    """A formula cannot be read; `offset` is the position in it."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class ProblemFileError(ProblemError):
    """A problem file cannot be read; `place` is the position and `line_text` the line there."""

    def __init__(self, message: str, place: Position, line_text: str = "") -> None:
        self.message, self.place, self.line_text = message, place, line_text
        super().__init__(f"{place}: {message}{self.pointer}")

    @property
    def pointer(self) -> str:
        """The line with a mark under the place, cut to a width that fits a terminal."""
        if not self.line_text.strip():
            return ""
        start = max(self.place.column - BEFORE, 0)
        shown = self.line_text[start : start + WIDTH].replace("\t", " ")
        return f"\n    {shown}\n    {' ' * (self.place.column - 1 - start)}^"
