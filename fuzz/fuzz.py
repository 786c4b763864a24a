"""Attack the library at random for a while: formulas, problem files, saved solutions and Python calls.

    python fuzz/fuzz.py --seconds 600 --seed 1

Every attack must end as a result or as a `TransnetError`, in two seconds of the processor and within 500 MB. What does
not is printed with what reproduces it, and the exit code is 1. A find becomes a line of `tests/files/hostile.py` or
`tests/robust/test_bad_inputs.py`.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import FrameType
from typing import NoReturn

import attacks
import forgeries
import front_ends
import names
import pages
import processes
import sizes

SLOW = 2.0
"""Seconds of processor time that an attack may take."""
HANGS, WAITS = 20.0, 900.0
"""Seconds of processor time, and of the clock, after which an attack is stopped: it does not end, or waits for
something. The clock's is generous: a busy machine may need a minute for one second of the processor."""
DEAD = 1000.0
"""Seconds after which the fuzzer shows where it is and ends: the attack is in compiled code that no signal stops."""
LARGE = 500_000_000
"""Bytes that the process may grow by."""
ROOM = 8_000_000_000
"""Bytes that it may address: an attack that wants more is told, where the system would end it silently."""
KINDS = (
    attacks.formula, attacks.problem_file, attacks.saved_file, attacks.call, forgeries.forged_file, forgeries.program,
    forgeries.drawing, forgeries.table, forgeries.many_shapes, front_ends.stated_file, front_ends.cli_command,
    front_ends.page, sizes.nested, sizes.bomb, names.named, names.escape, names.odd_file, processes.copied,
    processes.functions,
)  # fmt: skip
"""The kinds of attacks, tried in turn."""
LONG = (sizes.crowded, sizes.many_pieces, processes.forked, processes.signalled, pages.studio_message)
SELDOM = 10
"""Rounds after which one of the long attacks is tried, each in turn."""


def memory() -> int:
    """The most memory that the process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class Hang(BaseException):
    """An attack that was stopped; no handler of the library takes it for one of its own errors."""


def stopped(number: int, frame: FrameType | None) -> NoReturn:
    raise Hang


def tried(attack: Callable[[], object]) -> str:
    """What is wrong with the end of an attack; nothing if it is right."""
    from transnet.errors import TransnetError

    start = time.process_time()
    before = memory()
    timers = ((signal.SIGPROF, signal.ITIMER_PROF, HANGS), (signal.SIGALRM, signal.ITIMER_REAL, WAITS))
    for number, _, _ in timers:
        signal.signal(number, stopped)
    faulthandler.dump_traceback_later(DEAD, exit=True)
    try:
        for _, timer, seconds in timers:
            signal.setitimer(timer, seconds)
        try:
            attack()
        finally:
            for _, timer, _ in timers:
                signal.setitimer(timer, 0)
    except TransnetError as error:
        if not str(error).isprintable() and any(ord(c) < 32 and c not in "\n\t" for c in str(error)):
            return "control codes in a message"
    except KeyboardInterrupt:
        raise
    except MemoryError:
        return f"it wanted more than {ROOM / 1e9:.0f} GB\n" + traceback.format_exc(limit=-4)
    except Hang:
        return (
            f"it had not ended after {HANGS:.0f} s of the processor or {WAITS:.0f} s of the clock\n"
            + traceback.format_exc(limit=-4)
        )
    except BaseException:
        return traceback.format_exc(limit=-4)
    finally:
        faulthandler.cancel_dump_traceback_later()
        if "matplotlib.pyplot" in sys.modules:  # which keeps every figure that is not closed
            sys.modules["matplotlib.pyplot"].close("all")
    took = time.process_time() - start
    if took > SLOW:
        return f"it took {took:.1f} s"
    return f"it took {(memory() - before) >> 20} MB" if memory() - before > LARGE else ""


def rounds(rng: random.Random, folder: Path, only: list[str] | None) -> Iterator[tuple[str, str, Callable[[], object]]]:
    """Attacks without an end: their kind, what reproduces them, and how they are made."""
    for number in count():
        seldom = LONG if only else (LONG[number // SELDOM % len(LONG)],) if number % SELDOM == 0 else ()
        for kind in (kind for kind in (*KINDS, *seldom) if not only or kind.__name__ in only):
            text, attack = kind(rng, folder)
            yield kind.__name__, text, attack


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=600)
    reader.add_argument("--only", nargs="*", help=", ".join(kind.__name__ for kind in (*KINDS, *LONG)))
    reader.add_argument("--seed", type=int, default=int(time.time()))
    options = reader.parse_args()
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    rng = random.Random(options.seed)
    done: dict[str, int] = {}
    finds = 0
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # calls may save files anywhere
        for kind, text, attack in rounds(rng, Path(folder), options.only):
            if time.monotonic() > end:
                break
            done[kind] = done.get(kind, 0) + 1
            wrong = tried(attack)
            if wrong.endswith(" s"):  # the first of a kind imports what it needs, which takes long on a busy machine
                wrong = tried(attack)
            if wrong:
                finds += 1
                print(f"-- {kind}\n{text[:2000]}\n{wrong}\n", flush=True)
    told = ", ".join(f"{n} {k}" for k, n in done.items())
    print(f"seed {options.seed}: {told}; {finds} finds, {memory() >> 20} MB at most")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
