"""The available memory: what the machine has free, and what this process may use."""

from __future__ import annotations

import os
from pathlib import Path

DOUBLE = 8
"""Bytes of a number."""
KIBI = 1 << 10
UNKNOWN = 4 << 30
"""Bytes assumed to be free if the system does not say: half of a small machine's memory."""


def available_memory() -> int:
    """Bytes that can still be taken: the least of the free memory, the control group's rest and the process limit."""
    found = [b for b in (_free(), _group_rest(), _process_rest()) if b is not None]
    return max(min(found, default=UNKNOWN), 0)


def _free() -> int | None:
    text = _read("/proc/meminfo")
    for line in text.splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * KIBI
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        # The number of free pages is not known here: half of the machine is a cautious guess.
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return None


def _group_rest() -> int | None:
    limit, used = _read("/sys/fs/cgroup/memory.max").strip(), _read("/sys/fs/cgroup/memory.current").strip()
    return int(limit) - int(used) if limit.isdigit() and used.isdigit() else None


def _process_rest() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    fields = _read("/proc/self/statm").split()
    if limit == resource.RLIM_INFINITY or not fields:
        return None
    return limit - int(fields[0]) * resource.getpagesize()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
