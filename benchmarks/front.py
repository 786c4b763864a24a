"""The tables of README and of the paper that come from kept measurements: races on random problems, and a part of the
scoreboard.

`python benchmarks/front.py` writes them into README.md and paper/paper.md, between the lines `<!-- races -->` and
`<!-- board -->` and the next empty line after the table.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
README, PAPER = HERE.parent / "README.md", HERE.parent / "paper" / "paper.md"
GOALS = {"0.0001": "1e-4", "1e-06": "1e-6", "1e-09": "1e-9"}
SHOWN = (
    "jaxpi_allen_cahn", "jaxpi_stokes", "jaxpi_kuramoto_sivashinsky", "pinnacle_poisson_classic", "pinnacle_step",
    "fem_cavity_1000", "pinnacle_heat_inverse",
)  # fmt: skip
"""Rows of the scoreboard on the front: those with figures of others that are known, and the losses."""
IN_PAPER = {
    "jaxpi_allen_cahn": "Allen-Cahn equation [@jaxpi]", "jaxpi_advection": "advection with speed 100 [@jaxpi]",
    "jaxpi_stokes": "Stokes flow around a cylinder [@jaxpi]",
    "pinnacle_poisson_classic": "Poisson's equation around four holes [@pinnacle]",
    "pinnacle_heat_inverse": "a conductivity from noisy values [@pinnacle]",
}  # fmt: skip
"""Rows of the scoreboard in the paper, by what they are called there: one of them is lost."""


def races(kept: dict[str, dict[str, float]]) -> str:
    """How much slower NGSolve is at each goal: the least, the median and the greatest ratio, with their problems."""
    lines = [
        f"| relative error | farthest behind | median of {len(kept)} | farthest ahead | ahead |",
        "|---|---|---|---|---|",
    ]
    for goal, shown in GOALS.items():
        ratios = {name: row[goal] for name, row in kept.items() if row.get(goal)}
        least, most = min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__)
        middle, ahead = np.median(list(ratios.values())), sum(r > 1 for r in ratios.values())
        lines.append(
            f"| {shown} | {ratios[least]:.2g} ({least.split(' ', 1)[1]}) | **{middle:.2g}** "
            f"| {ratios[most]:.2g} ({most.split(' ', 1)[1]}) | {ahead} of {len(ratios)} |"
        )
    return "\n".join(lines)


def board(rows: list[dict[str, Any]]) -> str:
    """A few rows of the scoreboard."""
    kept = {row["name"]: row for row in rows}
    lines = ["| board | problem | error | seconds | published |", "|---|---|---|---|---|"]
    for row in (kept[name] for name in SHOWN if name in kept):
        others = ", ".join(f"{who} {figure:.1e}" for who, figure in row["published"].items()) or "-"
        title = row["title"].split(": ", 1)[-1]
        lines.append(f"| {row['board']} | {title} | {_reached(row)} | {others} |")
    return "\n".join(lines)


def _reached(row: dict[str, Any]) -> str:
    if "unsolved" in row:
        return "not solved | -"
    error = f"**{row['error']:.0e}**" if row["error"] <= row["tol"] else f"{row['error']:.0e} (missed)"
    return f"{error} | {row['processor']:.2g}"


def in_paper(rows: list[dict[str, Any]]) -> str:
    """The rows of the paper, with the smallest published error of each."""
    kept = {row["name"]: row for row in rows}
    lines = ["| problem | published | here | processor time |", "|---|---|---|---|"]
    for name, title in IN_PAPER.items():
        row = kept[name]
        here = "not solved | -" if "unsolved" in row else f"{_power(row['error'])} | {row['processor']:.2g} s"
        lines.append(f"| {title} | {_power(min(row['published'].values()))} | {here} |")
    return "\n".join(lines)


def _power(value: float) -> str:
    digits, exponent = f"{value:.1e}".split("e")
    return rf"${digits}\cdot 10^{{{int(exponent)}}}$"


def filled(text: str, tables: dict[str, str], count: int) -> str:
    """A document with the tables of today's measurements, and the number of rows that the scoreboard has."""
    for name, table in tables.items():
        text = re.sub(rf"(<!-- {name} -->\n).*?(?=\n\n)", lambda m, t=table: m[1] + t, text, flags=re.DOTALL)
    return re.sub(r"(?<=\[all )\d+(?= rows\])|(?<=has )\d+(?= problems of others)", str(count), text)


def front(text: str) -> str:
    """README with the tables of today's measurements."""
    rows = json.loads((HERE / "scoreboard.json").read_text("utf-8"))
    raced = races(json.loads((HERE / "generic.json").read_text("utf-8")))
    return filled(text, {"races": raced, "board": board(rows)}, len(rows))


def paper(text: str) -> str:
    """The paper with the table of today's measurements."""
    rows = json.loads((HERE / "scoreboard.json").read_text("utf-8"))
    return filled(text, {"board": in_paper(rows)}, len(rows))


if __name__ == "__main__":
    README.write_text(front(README.read_text("utf-8")), encoding="utf-8")
    PAPER.write_text(paper(PAPER.read_text("utf-8")), encoding="utf-8")
