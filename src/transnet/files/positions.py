"""Positions in a TOML file: `tomllib` reads the values, this module finds the line of each.

The text is known to be valid TOML at this point, so the scanner need not check it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from transnet.language.errors import Position

Path = tuple[str | int, ...]


@dataclass
class Locator:
    """The offset of every key and value of a TOML text, by its path such as ("conditions", 2, "on")."""

    text: str
    file: str
    values: dict[Path, int] = field(default_factory=dict)
    keys: dict[Path, int] = field(default_factory=dict)

    def place(self, offset: int) -> Position:
        """Line and column of an offset in the text."""
        line = self.text.count("\n", 0, offset)
        start = self.text.rfind("\n", 0, offset) + 1
        return Position(self.file, line + 1, offset - start + 1)

    def line(self, place: Position) -> str:
        """The text of a line."""
        lines = self.text.split("\n")
        return lines[place.line - 1].rstrip("\r") if 0 < place.line <= len(lines) else ""

    def key(self, path: Path) -> Position:
        """The position of a key, or of the nearest thing around it."""
        while path and path not in self.keys and path not in self.values:
            path = path[:-1]
        return self.place(self.keys.get(path, self.values.get(path, 0)))

    def inside(self, path: Path, offset: int) -> Position:
        """The place of a character of a string value."""
        if path not in self.values:
            return self.key(path)
        start = self.values[path]
        quote = _quote(self.text, start)
        if not quote:
            return self.place(start)
        at = start + len(quote)
        if len(quote) == 3 and self.text.startswith("\n", at):
            at += 1
        elif len(quote) == 3 and self.text.startswith("\r\n", at):
            at += 2
        for _ in range(offset):
            if self.text[at : at + 1] == "\\" and quote[0] == '"':
                at += {"u": 6, "U": 10}.get(self.text[at + 1 : at + 2], 2)
            else:
                at += 1
        return self.place(min(at, len(self.text)))


def locate(text: str, file: str) -> Locator:
    """Find every key and value."""
    locator = Locator(text, file)
    _Scanner(locator).document()
    return locator


def _quote(text: str, at: int) -> str:
    for quote in ('"""', "'''", '"', "'"):
        if text.startswith(quote, at):
            return quote
    return ""


class _Scanner:
    def __init__(self, locator: Locator) -> None:
        self.found, self.text, self.at = locator, locator.text, 0
        self.tables: dict[Path, int] = {}

    def document(self) -> None:
        here: Path = ()
        while self.blank(newlines=True):
            if self.text.startswith("[[", self.at):
                here = self.header(2)
            elif self.text[self.at] == "[":
                here = self.header(1)
            else:
                self.pair(here)

    def header(self, brackets: int) -> Path:
        start = self.at
        self.at += brackets
        names = self.key()
        self.at += brackets
        path: Path = ()
        for depth, name in enumerate(names):
            path = (*path, name)
            if brackets == 2 and depth == len(names) - 1:
                self.tables[path] = self.tables.get(path, -1) + 1
            if path in self.tables:
                path = (*path, self.tables[path])
            self.found.keys.setdefault(path, start)
        return path

    def pair(self, here: Path) -> None:
        start = self.at
        path = (*here, *self.key())
        for k in range(len(here) + 1, len(path) + 1):
            self.found.keys.setdefault(path[:k], start)
        self.blank()
        self.at += 1
        self.value(path)

    def key(self) -> list[str]:
        names = []
        while True:
            self.blank()
            quote = _quote(self.text, self.at)[:1]
            if quote:
                end = self.string(quote)
                names.append(self.text[self.at + 1 : end - 1])
                self.at = end
            else:
                start = self.at
                while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in "_-"):
                    self.at += 1
                names.append(self.text[start : self.at])
            self.blank()
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def value(self, path: Path) -> None:
        self.blank(newlines=True)
        self.found.values[path] = self.at
        character = self.text[self.at : self.at + 1]
        quote = _quote(self.text, self.at)
        if quote:
            self.at = self.string(quote)
        elif character in "[{":
            close = "]" if character == "[" else "}"
            self.at += 1
            index = 0
            while self.blank(newlines=True) and self.text[self.at] != close:
                if self.text[self.at] == ",":
                    self.at += 1
                elif close == "]":
                    self.value((*path, index))
                    index += 1
                else:
                    self.pair(path)
            self.at += 1
        else:
            while self.at < len(self.text) and self.text[self.at] not in ",]}\n#":
                self.at += 1

    def string(self, quote: str) -> int:
        """The offset after the end of the string that starts here."""
        at = self.at + len(quote)
        while at < len(self.text) and not self.text.startswith(quote, at):
            at += 2 if self.text[at] == "\\" and quote[0] == '"' else 1
        at += len(quote)
        while len(quote) == 3 and self.text.startswith(quote[0], at):  # up to two quotes may precede the closing ones
            at += 1
        return at

    def blank(self, newlines: bool = False) -> bool:
        """Skip blanks and comments; return whether anything follows."""
        while self.at < len(self.text):
            character = self.text[self.at]
            if character == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif character in " \t\r" or (newlines and character == "\n"):
                self.at += 1
            else:
                return True
        return False
