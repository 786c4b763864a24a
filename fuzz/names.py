"""Attacks by names: coordinates called like functions, outputs that lead out of their folder, files that are pipes."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sympy as sp
from attacks import GOOD, saved
from typer.testing import CliRunner

import transnet as tn
from transnet.cli.app import app

Attack = tuple[str, Callable[[], object]]
WORDS = (
    "less", "select", "logical_and", "greater", "where", "array", "x", "y", "t", "n_x", "pi", "E", "I", "lambda", "u",
    "def", "numpy", "sin", "ﬁ", "fi", "ｘ", "𝑥", "μ", "µ", "Å", "K", "_", "__class__", "real", "abs", "max",
    "piecewise", "boundary", "x_y", "u_x", "é", "e\u0301", "S", "N", "Q", "O", "beta", "gamma", "zeta", "", "a b",
    "1x", "a\0b", "d", "inf", "nan", "None", "True", "amin", "amax", "ones", "x0", "Dummy_1", "_Dummy_1", "z'", "x;y",
)  # fmt: skip
LEVELS = ("Min(x, y)", "Max(x, -y) - 1", "Abs(x) + Abs(y) - 1", "Max(Abs(x), Abs(y)) - 1", "Min(x**2 + y**2 - 1, x)",
          "x**2 + Abs(y)**3 - 1", "Max(x**2 + y**2 - 1, -x*y)", "sign(x)", "1", "-1")  # fmt: skip
ENDS = ("png", "csv", "npz", "pdf", "sh", "py", "")


def named(rng: random.Random, folder: Path) -> Attack:
    """A problem whose coordinates and unknown are called like anything, on a box or in a level set with kinks."""
    a, b, name = (rng.choice(WORDS) for _ in range(3))
    level = rng.choice(LEVELS) if rng.random() < 0.3 else ""
    zero = rng.random() < 0.3

    def attack() -> object:
        x, y = sp.symbols("x y") if level else (sp.Symbol(a), sp.Symbol(b))
        u = tn.unknown(name, x, y)
        domain = tn.LevelSet(sp.sympify(level), x=(-2, 2), y=(-2, 2)) if level else tn.Box({x: (0, 1), y: (0, 1)})
        source = 0 if zero else x
        left = tn.laplacian(u) + (tn.lagged(u) * sp.diff(u, x) if zero else 0)
        stated = tn.Problem(domain, [sp.Eq(left, source)], [tn.on("boundary", sp.Eq(u, 0, evaluate=False))])
        return tn.solve(stated, neurons=12).report()

    return f"coordinates {a!r}, {b!r}, unknown {name!r}, level set {level!r}, by Picard {zero}", attack


def escape(rng: random.Random, folder: Path) -> Attack:
    """Results whose names and files lead elsewhere: nothing is written outside of the folder of the problem file."""
    inside, outside = folder / "escape" / "in", folder / "escape" / "out"
    ways = ("../out/e", "../../escape/out/e", f"{outside}/e", "a/../../out/e", "link/e", "./e", "a/e", "~/e", "e\0",
            "..\\out\\e", "%2e%2e/out/e", "../out", ".", "..", "", "e" * 300, "C:e", "con", "victim.png",
            "data.csv", "p.toml", "a\nb", "link/../e")  # fmt: skip
    name, file = (rng.choice(ways) + rng.choice(("", f".{rng.choice(ENDS)}")) for _ in range(2))
    what = rng.choice(
        ('"plot(u)"', f'{{plot = "u", file = {json.dumps(file)}}}',
         f'{{along = [[0, 0], [0.2, 0.2]], points = 3, file = {json.dumps(file)}}}')
    )  # fmt: skip
    measured = GOOD.replace('"u = 0 on boundary"', '"u = 0 on boundary", {data = "u", file = "data.csv"}')
    text = measured + f"[results]\n{json.dumps(name)} = {what}\n"
    command = ["solve", str(inside / "p.toml"), "--quiet"]

    def attack() -> object:
        for place in (inside, outside):
            place.mkdir(parents=True, exist_ok=True)
        if not (inside / "link").is_symlink():
            (inside / "link").symlink_to(outside)
        (inside / "p.toml").write_text(text)
        mine = {outside.parent / "mine": "mine", inside / "data.csv": "x,y,u\n0.1,0.1,0.2\n"}
        for place, kept in mine.items():
            place.write_text(kept)
        for way in ("victim.png", "p.npz"):
            (inside / way).unlink(missing_ok=True)
            (inside / way).symlink_to(outside.parent / "mine")
        done = CliRunner().invoke(app, command)
        if done.exit_code not in (0, 1, 2, 3):
            raise AssertionError(f"exit code {done.exit_code}: {done.output[-1500:]} {done.exception!r}")
        if any(place.read_text() != kept for place, kept in mine.items()) or (inside / "p.toml").read_text() != text:
            raise AssertionError("a file of the user was written to")
        known = (inside, outside, *mine)
        beyond = [p.name for p in (*outside.iterdir(), *outside.parent.iterdir()) if p not in known]
        if beyond:
            raise AssertionError(f"written elsewhere: {beyond}")
        return done

    return text, attack


def odd_file(rng: random.Random, folder: Path) -> Attack:
    """A pipe, a folder, a device, or coefficients that are no numbers, where a file is expected."""
    kind = rng.choice(("pipe", "folder", "null", "zero", "beside", "loop"))
    ask = rng.choice((tn.load, tn.read_domain, lambda p: CliRunner().invoke(app, ["show", str(p)]),
                      lambda p: CliRunner().invoke(app, ["check", str(p)])))  # fmt: skip
    suffix = rng.choice(("npz", "svg", "dxf", "toml", "csv", "parquet", "stl"))

    def attack() -> object:
        path = folder / f"odd.{suffix}"
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
        match kind:
            case "pipe":
                os.mkfifo(path)
            case "folder":
                path.mkdir()
            case "null" | "zero":
                path.symlink_to(f"/dev/{kind}")
            case "loop":
                path.symlink_to(path)
            case "beside":
                np.savez(folder / "odd.npy", a=np.full(3, np.nan))
                path.write_bytes(saved()[: rng.randrange(2000)])
        return ask(path)

    return f"{kind} as .{suffix}", attack
