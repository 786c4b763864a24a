"""How much memory there is, and a refusal before anything is started that does not fit into it."""

from __future__ import annotations

import os
from pathlib import Path

from transnet.errors import TransnetError

SHARE = 0.9
"""The part of the free memory that one computation may take."""


class MemoryShortage(TransnetError):
    """What was asked for needs more memory than there is; the text has both numbers."""


def available_memory() -> int:
    """The memory in bytes that can still be taken: the system's, or less where a control group sets a limit."""
    free = 1 << 62
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                free = 1024 * int(line.split()[1])
    except OSError:
        if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
            free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    group = Path("/sys/fs/cgroup")
    try:
        limit, used = (group / "memory.max").read_text().strip(), (group / "memory.current").read_text().strip()
        if limit != "max":
            free = min(free, int(limit) - int(used))
    except (OSError, ValueError):
        pass
    return free


def refuse_if_too_large(needed: float, what: str, fix: str = "Use fewer neurons or fewer points.") -> None:
    """Raise `MemoryShortage` if `needed` bytes are more than there is.

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
