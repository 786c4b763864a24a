"""Attacks on what reads and writes for people: physics, results and exterior domains in files, commands, reports."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import sympy as sp
from attacks import GOOD, expression, mutated
from typer.testing import CliRunner

import transnet as tn
from transnet.cli.app import app
from transnet.files import read_problem

Attack = tuple[str, Callable[[], object]]
ODD = (0, -1, 1e300, 1e-300, 0.3, 2, True, "", "x", "u", "u_x", "1/0", "nan", [], [0, 1], ["x", "1"], {"a": 1},
       "\x1b[2J",
       "../a.png", "/etc/a.png", "<script>boom()</script>", "'; boom()", "MPa", 10**18, "e" * 300)  # fmt: skip
BASE: dict[str, Any] = {
    "coordinates": ["x", "y"], "unknowns": ["u"], "domain": "Box(x=(0, 1), y=(0, 1))",
    "equations": ["laplacian(u) = 1"], "conditions": ["u = 0 on boundary"],
}  # fmt: skip
VECTOR = {"name": "v", "vector": True}
PHYSICS: tuple[dict[str, Any], ...] = (
    {"elasticity": {"of": "v", "E": 210e3, "nu": 0.3, "plane": "stress", "load": [0, -1], "expansion": 1e-5}},
    {"flow": {"of": ["v", "p"], "viscosity": 1, "density": 1, "picard": True}},
    {"heat": {"of": "u", "k": 2, "source": "x", "density": 1, "capacity": 1}},
    {"electrostatics": {"of": "u", "permittivity": 1, "charge": "x"}},
    {"magnetostatics": {"of": "u", "permeability": 1, "current": "x"}},
    {"waves": {"of": "u", "speed": 1}},
)
RESULTS: tuple[Any, ...] = (
    "integral(u)", "maximum(u)", "flux('boundary')", "force(left)", "plot(u)", "mean(u_x) over left",
    {"value": "u", "at": [[0.5, 0.5]]}, {"along": [[0, 0], [1, 1]], "points": 5, "file": "a.csv"},
    {"plot": "u", "title": "t", "label": "l", "unit": "K", "limits": [0, 1]}, {"probe": [[0.5, 0.5]], "times": 3},
)  # fmt: skip
OUTSIDE: dict[str, Any] = BASE | {
    "domain": "Exterior(Disk(radius=1))", "equations": ["laplacian(u) = 0"],
    "conditions": ["u = x on circle", {"at_infinity": "u"}],
}  # fmt: skip


def toml(table: dict[str, Any]) -> str:
    """A table as TOML: tables inside it in one line, since JSON's texts, numbers and lists are TOML, too."""

    def of(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{json.dumps(k)} = {of(v)}" for k, v in value.items()) + "}"
        return f"[{', '.join(map(of, value))}]" if isinstance(value, list) else json.dumps(value)

    return "\n".join(f"{json.dumps(key)} = {of(value)}" for key, value in table.items()) + "\n"


def changed(rng: random.Random, value: Any) -> Any:
    """A table with an odd value somewhere, or a key misspelt."""
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            return {(k + "_" if k == key else k): v for k, v in value.items()}
        return value | {key: changed(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.7:
        k = rng.randrange(len(value))
        return [*value[:k], changed(rng, value[k]), *value[k + 1 :]]
    return rng.choice(ODD) if rng.random() < 0.7 else expression(rng, 2)


def stated_file(rng: random.Random, folder: Path) -> Attack:
    """A file with physics by name, results, or a domain outside a body, with something odd in it."""
    table = dict(rng.choice((BASE, OUTSIDE)))
    if rng.random() < 0.6:
        table["unknowns"] = ["u", "p", VECTOR]
        table["physics"] = {k: v for kind in rng.sample(PHYSICS, rng.randint(1, 2)) for k, v in kind.items()}
    if rng.random() < 0.6:
        table["results"] = {rng.choice(("a", "b/c", "../d", "é")): rng.choice(RESULTS) for _ in range(3)}
    for _ in range(rng.randint(0, 2)):
        table = changed(rng, table)
    text = toml(table)
    path = folder / "stated.toml"

    def attack() -> object:
        path.write_text(text)
        file = read_problem(path)
        return file.found(file.solve(neurons=15)) if rng.random() < 0.3 and "results" in table else file

    return text, attack


def cli_command(rng: random.Random, folder: Path) -> Attack:
    """A command with odd options on a file with something changed: no exit code but those that are documented."""
    text = mutated(rng, GOOD, 0.4)
    path = folder / "c.toml"
    odd = lambda: str(rng.choice(ODD))  # noqa: E731
    arguments = rng.choice(
        (
            ["check", "c.toml"], ["solve", "c.toml", "--neurons", "15", "--set", f"k={odd()}"], ["new", odd()],
            ["solve", "c.toml", "--neurons", odd()], ["solve", "c.toml", "--out", odd(), "--neurons", "15"],
            ["show", odd()], ["export", odd(), odd()], ["report", "c.toml", odd()], ["show", "c.npz", "--what", odd()],
            ["solve", "c.toml", "--neurons", "15", "--method", odd()], ["tune", odd(), "--length", odd()],
        )
    )  # fmt: skip
    arguments += ["--json"] if rng.random() < 0.3 else []

    def attack() -> object:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        done = CliRunner().invoke(app, arguments)
        if done.exit_code not in (0, 1, 2, 3):
            raise AssertionError(f"exit code {done.exit_code}: {done.output[-1500:]} {done.exception!r}")
        if "\x1b" in done.output:
            raise AssertionError("control codes in the output")
        return done.exit_code

    return f"{arguments}\n{text}", attack


class Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.add(tag)


@lru_cache(maxsize=1)
def solved() -> Any:
    """A solution with a parameter."""
    x, y, k = sp.symbols("x y k", real=True)
    u = tn.unknown("u", x, y)
    stated = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), k * x)], [tn.on("boundary", sp.Eq(u, 0))])
    return tn.solve(stated, neurons=20, parameters={k: 2})


def page(rng: random.Random, folder: Path) -> Attack:
    """A report with hostile titles, names, values and units: no tag of them is in the page."""
    title, name, value, unit = (rng.choice((*ODD, "$x^$", "\\frac", "%", "\x00", "a\nb", "&amp;")) for _ in range(4))
    path = folder / f"page.{rng.choice(('html', 'html', 'html', 'pdf'))}"

    def attack() -> object:
        key = str(name)
        solved().save_report(path, title=str(title), results={key: value}, units={key: str(unit)}, pictures=[])
        if path.suffix == ".html":
            reader = Tags()
            reader.feed(path.read_text())
            if reader.found & {"script", "img", "iframe"}:
                raise AssertionError("a name became a tag")
        return path

    return f"title={title!r}, results={{{name!r}: {value!r}}}, unit={unit!r}, {path.suffix}", attack
