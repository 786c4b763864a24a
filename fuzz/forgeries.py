"""Attacks by files that look right: forged solutions, hostile names, odd drawings and tables, many shapes."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from attacks import ASKED, saved

import transnet as tn
from transnet import archive
from transnet.files.problem_file import problem_of_text
from transnet.language.domains import domain as read_shapes
from transnet.solution.files import FORMAT, VERSION
from transnet.studio.python_text import python_of
from transnet.tables import read_table

Attack = tuple[str, Callable[[], object]]
ODD: tuple[Any, ...] = (
    "abc",
    None,
    -1,
    0,
    1e308,
    10**30,
    float("nan"),
    float("inf"),
    [],
    {},
    [[]],
    True,
    "\x1b[2J",
    "x" * 10**5,
)
BITS = (
    "'",
    '"',
    "\\",
    "boom()",
    "+",
    ";",
    "#",
    "{",
    "}",
    "Disk(",
    "\n",
    "tn.",
    "a",
    "1.0",
    "%s",
    "\u202e",
    "'''",
    "é",
    "=",
    ",",
)
NUMBERS = ("0", "1", "-1", "nan", "inf", "1e999", "1e308", "1e-308", "", "0x1", "--1", "1,2", "1e5", "0.3", "7")


@lru_cache(maxsize=len(ASKED))
def _stored(method: str) -> dict[str, np.ndarray]:
    path = Path("forged_from.npz")
    path.write_bytes(saved(method))
    return archive.read(path, FORMAT, VERSION, "a solution", "save")


def _places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from _places(inner, (*path, key))


def forged_file(rng: random.Random, folder: Path) -> Attack:
    """A saved solution with something odd in its description or its arrays, and checksums that fit."""
    stored = _stored(rng.choice(list(ASKED)))
    arrays = {k: v for k, v in stored.items() if k not in ("format", "version", "meta")}
    meta = json.loads(stored["meta"].tobytes())
    place, odd = rng.choice(list(_places(meta))), rng.choice(ODD)
    inside = meta
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = odd
    if rng.random() < 0.3:
        name = rng.choice(list(arrays))
        a = arrays[name]
        arrays[name] = rng.choice(
            (a.ravel()[:-1], np.full(a.shape, np.nan), np.array("a"), a[:0] if a.ndim else a[None], a.T[None],
             np.full(a.shape, 2**31), -a if a.dtype.kind in "if" else a, a.astype("U5"))
        )  # fmt: skip
    target = folder / "forged.npz"

    def attack() -> object:
        text = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)
        archive.write(target, FORMAT, VERSION, arrays | {"meta": text})
        found = tn.load(target)
        found(np.array([[0.1, 0.2]]))
        if not all(c.isprintable() or c == "\n" for c in found.report() + repr(found)):
            raise AssertionError("control codes in a report")
        return found

    return f"{place} = {odd!r}", attack


def program(rng: random.Random, folder: Path) -> Attack:
    """A program from a file with hostile names: no name of it is called."""
    name = "".join(rng.choice(BITS) for _ in range(rng.randint(1, 6)))
    shape = f'Polygon([(1, 0), (2, 0), (2, 1), (1, 1)], names=["{name}", "b", "c", "d"])'
    quoted = json.dumps(name)
    more = rng.choice(
        (f"[solve]\nmethod = {quoted}\n", f"[solve]\npoints = {{boundary = {{{quoted} = 3}}}}\n",
         f"[results]\n{quoted} = 'integral(u)'\n", f"[results]\na = {{integral = 'u', over = {quoted}}}\n",
         f"[results]\na = {{integral = 'u', unit = {quoted}}}\n", f"[parameters]\n{quoted} = 2\n",
         f"[exact]\n{quoted} = 'x'\n", f"[physics]\nheat = {{of = 'u', k = {quoted}}}\n", "")
    )  # fmt: skip
    text = (
        f'title = {json.dumps(name)}\ncoordinates = ["x", "y"]\nunknowns = ["u"]\nequations = ["div(k*grad(u)) = 1"]\n'
        f'conditions = ["u = 0 on boundary"]\n[pieces]\n{json.dumps(name)} = "Box(x=(0, 1), y=(0, 1))"\n'
        f"other = {json.dumps(shape)}\n[definitions]\nk = {{{json.dumps(name)} = 2, other = 1}}\n{more}"
    )

    def attack() -> object:
        written = python_of(problem_of_text(text, folder / "p.toml"))
        if any(isinstance(n, ast.Name) and n.id == "boom" for n in ast.walk(ast.parse(written))):
            raise AssertionError("a name became code")
        return written

    return text, attack


def drawing(rng: random.Random, folder: Path) -> Attack:
    """A drawing with odd numbers, or cut off."""
    n = [rng.choice(NUMBERS) for _ in range(12)]
    svg = (
        f'<svg viewBox="0 0 {n[0]} {n[1]}"><rect x="{n[2]}" width="{n[3]}" height="{n[4]}" transform="scale({n[5]})"/>'
        f'<circle cx="{n[6]}" r="{n[7]}"/>'
        f'<path d="M 0 0 L {n[8]} 1 A {n[9]} 1 0 0 1 3 3 C 1 {n[10]} 2 2 3 {n[11]} z"/></svg>'
    )
    entity = rng.choice(("CIRCLE", "ARC", "ELLIPSE", "LWPOLYLINE", "LINE"))
    codes = zip((10, 20, 40, 11, 21, 50, 51, 42, 70, 41), n, strict=False)
    pairs = [str(value) for pair in codes for value in pair]
    dxf = "\n".join(["0", "SECTION", "2", "ENTITIES", "0", entity, *pairs, "0", "ENDSEC", "0", "EOF"])
    kind, text = rng.choice((("svg", svg), ("dxf", dxf)))
    text = text[: rng.randint(0, len(text))] if rng.random() < 0.1 else text
    path = folder / f"drawing.{kind}"

    def attack() -> object:
        path.write_text(text)
        return tn.read_domain(path).volume

    return text, attack


def table(rng: random.Random, folder: Path) -> Attack:
    """A table in any encoding, with odd cells, or of any bytes."""
    rows = "\n".join(",".join(rng.choice((*NUMBERS, '"', "é")) for _ in range(rng.randint(2, 4))) for _ in range(5))
    raw = f"x,y,u\n{rows}".encode(rng.choice(("utf-8", "latin-1", "utf-16", "utf-32", "utf-8-sig")))
    raw = rng.randbytes(rng.randint(0, 200)) if rng.random() < 0.2 else raw
    path = folder / rng.choice(("t.csv", "t.parquet", "t.txt"))

    def attack() -> object:
        path.write_bytes(raw)
        return read_table(path)

    return repr(raw), attack


def many_shapes(rng: random.Random, folder: Path) -> Attack:
    """Up to 40 shapes that overlap or touch, joined in any way."""

    def one() -> str:
        a, b, r = (round(rng.uniform(-1, 1), rng.choice((0, 1, 4))) for _ in range(3))
        return rng.choice(
            (f"Disk(center=({a}, {b}), radius={abs(r) + 0.2})", f"Box(x=({a}, {a + 1}), y=({b}, {b + 1}))")
        )

    sign = rng.choice("|&-")
    text = f"Disk(radius=3) {sign} " + f" {sign} ".join(one() for _ in range(rng.randint(1, 40)))
    return text, lambda: read_shapes(text).volume
