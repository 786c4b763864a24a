"""Errors and warnings, each with its cause and its fix.

Every error raised on purpose is a `TransnetError`, so a caller can catch them all at once. A text says what is
wrong, the likely cause, and what to do about it. Warnings share `TransnetWarning`: the computation went on, but the
answer needs a second look.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transnet.remedies import Remedy, said

HERE = str(Path(__file__).parent)


def printable(text: str) -> str:
    """A text without control codes, which a terminal would obey: they may come from a file or a name."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


class TransnetError(ValueError):
    """The library was asked for something it cannot do; the text says why and what to change.

    Parameters
    ----------
    text : str
        What is wrong and the likely cause.
    remedy : mapping, optional
        What to do, as data, if it reads differently in a program and in a problem file.
    """

    def __init__(self, text: str = "", remedy: Remedy | None = None) -> None:
        text = printable(text)
        self.text, self.remedy = text, dict(remedy or {})
        super().__init__(said(text, self.remedy))


class ArgumentError(TransnetError, TypeError):
    """A function was called with arguments that it does not have, or without a required one."""


class ProblemError(TransnetError):
    """The equations, the conditions or their data do not state a problem that can be solved."""


class NoUnknown(ProblemError, KeyError):
    """A solution has no unknown of that name."""

    __str__ = Exception.__str__  # a KeyError puts quotes around it


class NotFiniteError(ProblemError):
    """An equation has a value that is not finite at some point."""


class GeometryError(TransnetError):
    """A domain is empty, open, self-crossing or otherwise not a region, or has no such boundary part."""


class ClusterError(TransnetError):
    """The cluster of a solve went away; `solution` is the best one found so far, or None."""

    solution: Any = None


class FileError(TransnetError):
    """A file is not what it should be: missing, damaged, of another kind, or written by a newer version."""


class CannotWriteError(FileError):
    """A file cannot be written; whatever was there before is unchanged."""


class MissingExtraError(TransnetError, ImportError):
    """An optional dependency is needed and not installed; the text has the command that installs it."""


class TransnetWarning(UserWarning):
    """The answer may not be what the user thinks it is."""


class AccuracyWarning(TransnetWarning):
    """The solution is probably less accurate than asked for or expected."""


class EstimateWarning(AccuracyWarning):
    """The estimated error is larger than what was asked for, or than is useful."""


class ExtrapolationWarning(TransnetWarning):
    """A solution was evaluated outside its domain, where no equation constrains it."""


class UniquenessWarning(TransnetWarning):
    """The problem seems to have no unique solution, or no solution at all."""


WARNINGS: dict[str, type[TransnetWarning]] = {
    w.__name__: w for w in (AccuracyWarning, EstimateWarning, ExtrapolationWarning, UniquenessWarning)
}
"""The kinds of messages by name, as files store them."""


def missing_extra(package: str, extra: str, purpose: str) -> MissingExtraError:
    """The error for an optional `package` that `purpose` needs and `pip install transnet-pde[extra]` installs."""
    return MissingExtraError(
        f"{purpose} needs the package '{package}', which is not installed. "
        f"Install it with: pip install 'transnet-pde[{extra}]'"
    )


@dataclass(frozen=True)
class Message:
    """A message about an answer, as a value; `str(message)` is the whole text.

    Parameters
    ----------
    kind : type of warning
        The category of the warning that the public functions issue.
    text : str
        What is wrong and the likely cause.
    remedy : mapping
        What to do about it, as data such as `{"neurons": 800}`; each front end puts it into its own words.
    """

    kind: type[TransnetWarning]
    text: str
    remedy: Remedy = field(default_factory=dict)

    def __str__(self) -> str:
        return said(self.text, self.remedy)


def undetermined(messages: Iterable[Message]) -> bool:
    """Whether one of the messages says that there is no unique solution."""
    return any(issubclass(m.kind, UniquenessWarning) for m in messages)


def warn(messages: Iterable[Message]) -> None:
    """Warn at the line of the user's program from which the library was called, however deep the call."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE):
        level, frame = level + 1, frame.f_back
    for message in messages:
        warnings.warn(str(message), message.kind, stacklevel=level)
