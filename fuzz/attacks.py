"""The attacks: each gives a text that reproduces it and a function that carries it out."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp
from calls import odd_call

import transnet as tn
from transnet.files import read_problem
from transnet.language.formula import formula as read_formula
from transnet.language.names import Names
from transnet.language.vocabulary import FUNCTIONS, OPERATORS

Attack = tuple[str, Callable[[], object]]
x, y = sp.symbols("x y", real=True)
u = sp.Function("u")(x, y)
NAMES = Names({"x": x, "y": y}, {"u": u}, {"k": sp.Symbol("k", real=True)})
LEAVES = ("x", "y", "u", "k", "pi", "E", "0", "1", "2", "9", "1e-5", "1e300", "10**9", "u_x", "u_xy", "n_x", "1/3",
          "0.1", "x - x", "-1", "1e-300", "999999999999999999", "q", "'a'", "[x, y]", "x > y")  # fmt: skip
SIGNS = ("+", "-", "*", "/", "**", "<", ">", " and ", " or ", ",", "=", "&", "|")


def expression(rng: random.Random, depth: int) -> str:
    """A formula by the grammar, or nearly."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(LEAVES)
    kind = rng.random()
    inner = [expression(rng, depth - 1) for _ in range(rng.randint(1, 3))]
    if kind < 0.35:
        return f"({inner[0]}{rng.choice(SIGNS)}{inner[-1]})"
    if kind < 0.5:
        return f"({inner[0]})**({inner[-1]})"
    if kind < 0.6:
        return f"diff({inner[0]}, {rng.choice('xyt')}, {rng.choice(('x', '2', '8', '99', inner[-1]))})"
    if kind < 0.65:
        return rng.choice(("+", "*", "**", "-")).join(inner * rng.randint(1, 60))
    return f"{rng.choice([*FUNCTIONS, *OPERATORS, 'f'])}({', '.join(inner)})"


def formula(rng: random.Random, folder: Path) -> Attack:
    """A formula, read."""
    text = mutated(rng, expression(rng, rng.randint(1, 6)), 0.2)
    return text, lambda: read_formula(text, NAMES)


GOOD = """title = "a"
coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Box(x=(0, 1), y=(0, 1)) - Disk(center=(0.5, 0.5), radius=0.2)"
equations = ["laplacian(u) = k*x"]
conditions = ["u = 0 on boundary", {at = [[0.1, 0.1]], equations = "u = 1"}, {mean = "u", value = 1}]
[parameters]
k = 2
[definitions]
a = "sin(x)"
[solve]
neurons = 20
"""
DOMAINS = ("Disk()", "Annulus()", "Box(x=(0, 1), y=(0, 1))", "Polygon([(0, 0), (1, 0), (0, 1)])", "Disk(radius=1e300)",
           "LevelSet(x**2 + y**2 - 1, x=(-2, 2), y=(-2, 2))", "Box(x=(0, 1e-300), y=(0, 1))", "Disk(center=(1, 1))",
           "Region(Curve((cos(s), sin(s)), (s, 0, 2*pi)))", "Interval(x=(0, 1))", "Ball()")  # fmt: skip


def problem_file(rng: random.Random, folder: Path) -> Attack:
    """A problem file with other formulas and domains, and some bytes changed."""
    text = GOOD
    if rng.random() < 0.6:
        text = text.replace("k*x", expression(rng, rng.randint(1, 4)).replace('"', ""))
    if rng.random() < 0.4:
        shapes = [rng.choice(DOMAINS) for _ in range(rng.randint(1, 5))]
        joined = shapes[0] + "".join(f" {rng.choice('-|&*+')} {s}" for s in shapes[1:])
        text = text.replace("Box(x=(0, 1), y=(0, 1)) - Disk(center=(0.5, 0.5), radius=0.2)", joined)
    text = mutated(rng, text, 0.5)
    path = folder / "p.toml"

    def attack() -> object:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        file = read_problem(path)
        return file.solve(neurons=15) if rng.random() < 0.2 else file

    return text, attack


def mutated(rng: random.Random, text: str, probability: float) -> str:
    """A text with some characters taken out, doubled, or put in."""
    while rng.random() < probability and text:
        at, some = rng.randrange(len(text)), rng.randint(1, 8)
        new = "".join(rng.choice("\"'[]{}()=.,\n\\\t\x1b\x00é∂#9eE-+*/ ") for _ in range(some))
        text = rng.choice(
            (
                text[:at] + text[at + some :],
                text[:at] + new + text[at:],
                text[: at + some] + text[at:],
                text[:at] + "9" * 400,
            )
        )
    return text


ASKED: dict[str, dict[str, Any]] = {
    "network": {"neurons": 20}, "boxes": {}, "cells": {"tol": 1e-3, "method": "cells"},
    "pieces": {"tol": 1e-2, "method": "pieces"},
}  # fmt: skip
"""How the solutions that are forged are made: each method has arrays of its own in its files."""


@lru_cache(maxsize=len(ASKED))
def saved(method: str = "network") -> bytes:
    """The bytes of a good saved solution."""
    import tempfile

    v = tn.unknown("u", x, y)
    domain = tn.Disk() if method == "network" else tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(v), x)], [tn.on("boundary", sp.Eq(v, 0))])
    with tempfile.TemporaryDirectory() as folder:
        return tn.solve(problem, **ASKED[method]).save(Path(folder) / "s.npz").read_bytes()


def saved_file(rng: random.Random, folder: Path) -> Attack:
    """A saved solution with bytes changed: refused, or with the values that it had."""
    data = bytearray(saved())
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                del data[at : at + rng.randint(1, 50)]
            case 2:
                data[at:at] = rng.randbytes(rng.randint(1, 50))
            case 3:
                data[at : at + 4] = rng.randbytes(4)
    path = folder / "s.npz"
    point = np.array([[0.1, 0.2]])

    def attack() -> object:
        path.write_bytes(saved())
        right = tn.load(path)(point)
        path.write_bytes(data)
        if not np.array_equal(tn.load(path)(point), right):
            raise AssertionError("an edited file was read, with other values")
        return None

    return f"{len(data)} bytes: {bytes(data)!r}", attack


def call(rng: random.Random, folder: Path) -> Attack:
    """A public function with odd arguments."""
    return odd_call(rng)
