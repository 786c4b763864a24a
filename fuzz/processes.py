"""Attacks by other processes and by a user's functions: forks among threads, signals, copies, arrays written to."""

from __future__ import annotations

import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp
from attacks import GOOD

import transnet as tn

Attack = tuple[str, Callable[[], object]]
x, y, a = sp.symbols("x y a", real=True)
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
PLATE = SQUARE - tn.Disk(center=(0.5, 0.5), radius=0.2)
POINTS = np.array([[0.1, 0.2], [0.9, 0.4]])
PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored in a job in the background
from transnet.cli import main
print(flush=True)
main()
"""
CHILD, STUCK = 60, 600
"""Seconds of processor time, and of the clock, after which a child is ended: it does not end, or waits for ever."""


def limited() -> None:
    """Let this process, a child, take its share of the processor and no more."""
    resource.setrlimit(resource.RLIMIT_CPU, (CHILD, CHILD + 5))


def stated(domain: Any) -> Any:
    """A problem with a parameter on its right-hand sides."""
    return tn.Problem(domain, [sp.Eq(tn.laplacian(u), a * x)], [tn.on("boundary", sp.Eq(u, a * y))])


def forked(rng: random.Random, folder: Path) -> Attack:
    """A child that is forked while threads solve: it solves, and has their bits."""
    size, pause = rng.randint(10, 40), rng.random() * 0.02

    def attack() -> object:
        def solved(_: Any = None) -> np.ndarray:
            return tn.solve(stated(SQUARE), neurons=size, parameters={a: 2.0})(POINTS)

        right = solved()
        threads = [threading.Thread(target=solved) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(pause)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
                    signal.setitimer(timer, 0)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                limited()
                signal.alarm(STUCK)
                code = 0 if np.array_equal(solved(), right) else 3
            finally:
                os._exit(code)
        for thread in threads:
            thread.join()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            raise AssertionError(f"the child ended with {status}")
        return None

    return f"{size} neurons, {pause:.4f} s", attack


@lru_cache(maxsize=8)
def _prepared(neurons: int | None) -> tuple[Any, dict[float, np.ndarray]]:
    return tn.prepare(stated(PLATE), neurons=neurons, tol=None if neurons else 1e-4), {}


def copied(rng: random.Random, folder: Path) -> Attack:
    """What is prepared, in any order, alone or among others, and after pickling: the same bits."""
    neurons = rng.choice((20, 35, None))
    values = [rng.choice((0.0, 1.0, -2.5, 1e-6, 3e5)) for _ in range(rng.randint(1, 4))]
    pickled = rng.random() < 0.3

    def attack() -> object:
        prepared, kept = _prepared(neurons)
        chosen = pickle.loads(pickle.dumps(prepared)) if pickled else prepared
        for value in values:
            found = chosen.solve({a: value})(POINTS)
            if not np.array_equal(found, kept.setdefault(value, found)):
                raise AssertionError(f"other bits for {value}: {found - kept[value]}")
        return None

    return f"neurons {neurons}, {values}, pickled {pickled}", attack


def signalled(rng: random.Random, folder: Path) -> Attack:
    """A command that gets a signal at any moment: it ends with a code that says so, and without a traceback."""
    number = rng.choice((signal.SIGINT, signal.SIGTERM))
    after = rng.random() * 2.0
    path = folder / "signalled.toml"
    harder = GOOD.replace("neurons = 20", "tol = 1e-9").replace("k*x", "k*sin(40*x*y) + 900*u")

    def attack() -> object:
        path.write_text(harder)
        command = [sys.executable, "-c", PROGRAM, "solve", str(path), "--quiet"]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limited
        )
        assert process.stdout is not None
        process.stdout.readline()  # before it, the signal is Python's own
        time.sleep(after)
        process.send_signal(number)
        _, err = process.communicate(timeout=STUCK)
        if "Traceback" in err or process.returncode not in (0, 1, 128 + number, -number):  # the last before it solves
            raise AssertionError(f"exit code {process.returncode}: {err[-1500:]}")
        return None

    return f"{number.name} after {after:.3f} s", attack


def _writes(*c: np.ndarray) -> np.ndarray:
    c[0][...] = 0.0
    return c[0]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "writes": _writes,
    "short": lambda *c: c[0][:1],
    "wide": lambda *c: np.zeros((len(c[0]), 2)),
    "words": lambda *c: np.array(["a"] * len(c[0])),
    "complex": lambda *c: 1j * c[0],
    "nan": lambda *c: c[0] * np.nan,
    "infinite": lambda *c: c[0] / 0.0,
    "none": lambda *c: None,
    "objects": lambda *c: np.array([object()] * len(c[0])),
    "list": lambda *c: [1.0] * len(c[0]),
    "number": lambda *c: 1.0,
    "itself": lambda *c: c[0],
    "whole": lambda *c: np.ones(len(c[0]), dtype=np.int8),
    "small": lambda *c: np.float16(c[0]),
    "masked": lambda *c: np.ma.masked_array(c[0], c[0] > 0.5),
    "keeps": lambda *c, kept=[]: kept.append(c[0]) or kept[0][: len(c[0])],
}


def functions(rng: random.Random, folder: Path) -> Attack:
    """A function of the user that writes to its arguments, or returns something odd."""
    name, place = rng.choice(list(FUNCTIONS)), rng.choice(("source", "coefficient", "rim"))

    def attack() -> object:
        f = tn.given("f", FUNCTIONS[name], x, y)
        left = tn.laplacian(u) + (f * u if place == "coefficient" else 0)
        rim = tn.on("boundary", sp.Eq(u, f if place == "rim" else 0, evaluate=False))
        with np.errstate(all="ignore"):
            return tn.solve(tn.Problem(SQUARE, [sp.Eq(left, f if place == "source" else 1)], [rim]), neurons=15)

    return f"{name} as {place}", attack
