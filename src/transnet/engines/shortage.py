"""Refuse a computation that does not fit into memory before it starts."""

from __future__ import annotations

from transnet.errors import TransnetError
from transnet.linalg.memory import available_memory

SHARE = 0.9
"""The part of the free memory that one computation may take."""


class MemoryShortage(TransnetError):
    """A computation needs more memory than there is; the text gives both numbers."""


def refuse_if_too_large(needed: float, what: str, fix: str = "Use fewer neurons or fewer points.") -> None:
    """Raise `MemoryShortage` if `needed` bytes are more than available.

    Parameters
    ----------
    needed : float
        Bytes.
    what : str
        What needs them, as the subject of a sentence.
    """
    free = available_memory()
    if needed > SHARE * free:
        raise MemoryShortage(
            f"{what} needs about {needed / 1e9:.3g} GB of memory, but only {free / 1e9:.3g} GB are free. {fix}"
        )
