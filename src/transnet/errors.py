"""What can go wrong, each with its cause and its fix.

Every error raised on purpose is a `TransnetError`, so a caller can catch them all at once. A text says what is
wrong, the likely cause, and what to do about it. Warnings share `TransnetWarning`: the computation went on, but the
answer needs a second look.
"""

import sys
import warnings
from pathlib import Path

HERE = str(Path(__file__).parent)


class TransnetError(ValueError):
    """The library was asked for something it cannot do; the text says why and what to change."""


class ArgumentError(TransnetError, TypeError):
    """A function was called with arguments that it does not have, or without one that it needs."""


class ProblemError(TransnetError):
    """The equations, the conditions or their data do not state a problem that can be solved."""


class NotFiniteError(ProblemError):
    """An equation has a value that is not finite at some point, for the unknowns' values there."""


class GeometryError(TransnetError):
    """A domain is empty, open, self-crossing or otherwise not a region, or has no such boundary part."""


class FileError(TransnetError):
    """A file is not what it should be: missing, damaged, of another kind, or written by a newer version."""


class MissingExtraError(TransnetError, ImportError):
    """An optional dependency is needed and not installed; the text has the command that installs it."""


class TransnetWarning(UserWarning):
    """The answer may not be what the user thinks it is."""


class AccuracyWarning(TransnetWarning):
    """The solution is probably less accurate than asked for or expected."""


class ExtrapolationWarning(TransnetWarning):
    """A solution was asked for values outside of its domain, where no equation holds it."""


class UniquenessWarning(TransnetWarning):
    """The problem seems to have no unique solution, or no solution at all."""


def missing_extra(package: str, extra: str, purpose: str) -> MissingExtraError:
    """The error for an optional `package` that `purpose` needs and `pip install transnet-pde[extra]` brings."""
    return MissingExtraError(
        f"{purpose} needs the package '{package}', which is not installed. "
        f"Install it with: pip install 'transnet-pde[{extra}]'"
    )


def warn(message: str | Warning, kind: type[Warning]) -> None:
    """Warn at the line of the user's program from which the library was called, however deep inside it this is."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)
