"""What a shape needs to write itself as text, in a language that geometry does not know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, Protocol


class Pen(Protocol):
    """Writes numbers, names and formulas for one reader: the formula language, or Python."""

    prefix: str
    """What stands before the name of a shape."""

    def number(self, value: float) -> str: ...
    def numbers(self, values: Iterable[float]) -> str: ...
    def ranges(self, sides: Iterable[tuple[str, float, float]]) -> str: ...
    def quoted(self, name: str) -> str: ...
    def formula(self, expression: Any) -> str: ...
    def refuse(self, what: str) -> NoReturn:
        """Raise: something cannot be written."""
