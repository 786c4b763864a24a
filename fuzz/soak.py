"""Eight threads solve, prepare, save and load for some minutes: no wrong bit, and no growth of memory.

    python fuzz/soak.py --minutes 30

Every thread takes one of the tasks at random, again and again, and compares the bits with those that one thread
alone had found before. Memory is compared between the end of the first quarter, when all that is remembered is there,
and the end.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sympy as sp

import transnet as tn

GROWTH = 0.1
"""Of the memory after the first quarter: what the allocators of eight threads scatter was below it in every run."""
x, y, a = sp.symbols("x y a")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
PLATE = SQUARE - tn.Disk(center=(0.5, 0.5), radius=0.2)
POINTS = np.random.default_rng(0).random((40, 2)) * 0.25
LINEAR = tn.Problem(PLATE, [sp.Eq(tn.laplacian(u), a * sp.sin(3 * x) * y)], [tn.on("boundary", sp.Eq(u, a * x))])
CUBIC = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) - u**3, a * x)], [tn.on("boundary", sp.Eq(u, a * y))])
VALUES = (1.0, 2.0, 3.0)


def memory() -> int:
    """The memory of the process now, in bytes; zero where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def tasks(folder: Path) -> dict[str, Callable[[float], np.ndarray]]:
    """What the threads do, each for a value of the parameter: the values that it finds."""
    shared, cells = tn.prepare(LINEAR, neurons=80), tn.prepare(LINEAR, tol=1e-4)
    kept = {v: tn.solve(LINEAR, neurons=50, parameters={a: v}) for v in VALUES}
    files = {v: kept[v].save(folder / f"kept{v:.0f}.npz") for v in VALUES}

    def saved(v: float) -> np.ndarray:
        kept[v].save(files[v])  # where the others load at the same time
        return tn.load(files[v])(POINTS)

    return {
        "solve": lambda v: tn.solve(LINEAR, neurons=50, parameters={a: v})(POINTS),
        "solve nonlinear": lambda v: tn.solve(CUBIC, neurons=40, parameters={a: v})(POINTS),
        "solve what is prepared": lambda v: shared.solve({a: v})(POINTS),
        "solve what is prepared in cells": lambda v: cells.solve({a: v})(POINTS),
        "solve in cells": lambda v: tn.solve(LINEAR, tol=1e-4, method="cells", parameters={a: v})(POINTS),
        "prepare": lambda v: tn.prepare(LINEAR, neurons=50).solve({a: v})(POINTS),
        "save and load": saved,
        "load": lambda v: tn.load(files[v])(POINTS),
    }


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    reader.add_argument("--minutes", type=float, default=30)
    reader.add_argument("--threads", type=int, default=8)
    options = reader.parse_args()
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    finds: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        todo = tasks(folder)
        right = {(kind, v): todo[kind](v) for kind in todo for v in VALUES}
        start = time.monotonic()
        end = start + 60 * options.minutes

        def run(number: int) -> None:
            rng = random.Random(number)
            while time.monotonic() < end:
                kind, v = rng.choice(list(todo)), rng.choice(VALUES)
                try:
                    found = todo[kind](v)
                    far = np.abs(found - right[kind, v]).max() / np.abs(right[kind, v]).max()
                    if far != 0:
                        finds.append(f"{kind} with {v}: {far:.1e} away from the bits of one thread")
                except Exception:
                    finds.append(f"{kind} with {v}:\n{traceback.format_exc(limit=-4)}")
                counts[kind] += 1

        threads = [threading.Thread(target=run, args=(number,)) for number in range(options.threads)]
        for thread in threads:
            thread.start()
        time.sleep(max(start + 15 * options.minutes - time.monotonic(), 0))
        early = memory()
        for thread in threads:
            thread.join()
        late = memory()
        left = sorted(p.name for p in folder.iterdir() if not p.name.startswith("kept"))
    if left:
        finds.append(f"files were left over: {left}")
    if late > (1 + GROWTH) * early:
        finds.append("memory grew")
    print("\n".join(finds))
    told = ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()))
    grown = f"memory {early >> 20} MB after a quarter, {late >> 20} MB at the end"
    print(f"{options.minutes:g} minutes, {options.threads} threads: {told}; {len(finds)} finds; {grown}")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
