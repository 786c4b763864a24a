"""Attacks by size: short texts that mean much work, crowded drawings, tables that swell, enormous counts."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp
from attacks import GOOD, NAMES
from calls import made

import transnet as tn
from transnet.files.problem_file import problem_of_text
from transnet.language.formula import formula as read_formula
from transnet.tables import read_table

Attack = tuple[str, Callable[[], object]]
NESTS = (
    "re(sqrt(1 + I*{}))", "im(exp(I*{}))", "sqrt(1 + {}**2)", "exp(sin({}))", "max({}, y)", "abs(x - {})",
    "atan2({}, 1 + {})", "({} + 1)**{}", "{}*sin({})", "diff({}, x)", "integral({}, s, 0, x)", "1/(1 + {})",
    "erf({})", "besselj(1, {})", "piecewise({}, x > y, 1)", "min({}, max(y, {}))", "log(2 + {}**2)", "laplacian(u*{})",
    "re(log(I + {}))", "abs(exp(I*{}) + 1)", "re(conj(I*{} + 1)**3)", "im(erf(I*{}))", "div(grad({}))", "{}**(1/3)",
    "heaviside({} - x)", "subs({}, x, x + y)", "tan({})",
)  # fmt: skip
INTEGRALS = ("exp(-s**2)*sin(s*x)/(1+s**4+y)", "sin(s**3)*u", "1/(s - x)", "s**s", "besselj(2, s*y)*exp(s)",
             "sqrt(1 + s**5)*log(1 + s*x)", "abs(s - y)", "exp(s**2)*erf(s*x)")  # fmt: skip
LONGEST = 20_000
"""Characters of a formula: the reader takes twice as many."""
CROWD = 1200
"""The most shapes of a drawing: their time is in proportion, 0.9 ms each."""
COUNTS = (2 * 10**5, 10**9, 2**31, 2**53, 10**12)


def nested(rng: random.Random, folder: Path) -> Attack:
    """A formula inside a formula inside a formula, of one pattern or of two; or an integral that has no closed form."""
    if rng.random() < 0.2:
        text = f"integral({rng.choice(INTEGRALS)}, s, 0, {rng.choice(('x', 'y', '1', 'x*y', '1e9'))})"
        return text, lambda: read_formula(text, NAMES)
    patterns, text = rng.sample(NESTS, rng.randint(1, 2)), rng.choice(("x", "y", "x*y", "u", "2"))
    for level in range(rng.randint(2, 40)):
        longer = patterns[level % len(patterns)].replace("{}", text)
        if len(longer) > LONGEST:
            break
        text = longer
    return text, lambda: read_formula(text, NAMES)


def crowded(rng: random.Random, folder: Path) -> Attack:
    """A drawing of very many shapes: apart, across the rim, inside each other, or all in one place."""
    count, kind = rng.randint(50, CROWD), rng.choice(("svg", "dxf"))
    spread = rng.choice((0.0, 1.0, 100.0, 1000.0))
    places = [(rng.uniform(0, spread), rng.uniform(0, spread)) for _ in range(count)]
    size = rng.choice((0.01, 1.0, 3.0, 50.0))
    if kind == "svg":
        inner = "".join(f'<rect x="{a:.6g}" y="{b:.6g}" width="{size}" height="{size}"/>' for a, b in places)
        text = f'<svg viewBox="0 0 1000 1000"><rect width="1000" height="1000"/>{inner}</svg>'
    else:
        ends = zip(places, [*places[1:], places[0]], strict=True)
        pairs = [f"0\nLINE\n10\n{a}\n20\n{b}\n11\n{c}\n21\n{d}" for (a, b), (c, d) in ends]
        text = "\n".join(["0\nSECTION\n2\nENTITIES", *pairs, "0\nENDSEC\n0\nEOF"])
    path = folder / f"crowd.{kind}"

    def attack() -> object:
        path.write_text(text)
        return tn.read_domain(path).volume

    return f"{count} in a {kind}, spread {spread}, size {size}, seed {rng.random()}\n{text}", attack


def many_pieces(rng: random.Random, folder: Path) -> Attack:
    """Up to 300 pieces, apart, in a row, or on each other."""
    count, step = rng.randint(2, 300), rng.choice((0.0, 0.5, 1.0, 1.5))
    wide = rng.choice(("x", "xy"))
    rows = max(int(count**0.5), 1) if wide == "xy" else count

    def box(k: int) -> str:
        a, b = step * (k % rows), float(k // rows)
        return f'p{k} = "Box(x=({a}, {a + 1}), y=({b}, {b + 1}))"'

    head = GOOD.split("domain")[0] + 'equations = ["laplacian(u) = 1"]\nconditions = ["u = 0 on boundary"]\n'
    text = head + "[pieces]\n" + "\n".join(box(k) for k in range(count)) + "\n"
    return text, lambda: problem_of_text(text, folder / "pieces.toml")


@lru_cache(maxsize=4)
def _parquet(rows: int, blocks: int) -> bytes | None:
    """A file of zeros, which takes a thousandth of what it holds."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return None
    import io

    out = io.BytesIO()
    zeros = pyarrow.table({"x": np.zeros(rows)})
    with parquet.ParquetWriter(out, zeros.schema, compression="zstd", use_dictionary=True) as writer:
        for _ in range(blocks):
            writer.write_table(zeros)
    return out.getvalue()


def bomb(rng: random.Random, folder: Path) -> Attack:
    """A count, or a file, that would fill the memory."""
    n, objects = rng.choice(COUNTS), made()
    solution, problem, square = objects["solution"], objects["problem"], objects["square"]
    asks: dict[str, Callable[[], Any]] = {
        "along": lambda: solution.along((0, 0), (1, 1), points=n),
        "grid": lambda: square.grid((n, n)),
        "interior": lambda: square.interior(n),
        "boundary": lambda: objects["polygon"].boundary("boundary", n),
        "holed": lambda: objects["holed"].interior(n),
        "points": lambda: tn.solve(problem, neurons=20, points=tn.Points(interior=(n, n))),
        "neurons": lambda: tn.solve(problem, neurons=n),
        "waves": lambda: tn.FeatureSpace.waves(2, n),
        "fields": lambda: tn.random_fields(2, 0.5, realisations=n),
        "result along": lambda: problem_of_text(
            GOOD + f"[results]\na = {{along = [[0, 0], [1, 1]], points = {n}}}\n", folder / "b.toml"
        ),
        "powers": lambda: tn.Problem(
            square, [sp.Eq(tn.laplacian(sp.Function("u")(*sp.symbols("x y"))), sp.Symbol("x") ** n)], []
        ),
        "parquet": lambda: read_table(path),
        "many": lambda: objects["prepared of k"].solve_many({"k": np.zeros(10**7)}),
        "streamed": lambda: tn.solve(problem, neurons=n, engine=tn.Streamed()),
        "slabs": lambda: tn.solve(objects["marched"].problem, slabs=max(n, 10**9)),
        "times": lambda: objects["marched"].export("bomb.pvd", times=n),
        "probe": lambda: objects["marched"].probe([[0.5]], times=n),
        "resolution": lambda: solution.plot(resolution=n),
    }
    kind = rng.choice(list(asks))
    path = folder / "swells.parquet"
    raw = _parquet(10**6, 150) if kind == "parquet" else b""
    if raw is None:
        return "no Parquet here", lambda: None

    def attack() -> object:
        path.write_bytes(raw)
        return asks[kind]()

    return f"{kind} of {n}", attack
