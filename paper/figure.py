"""The figure of the paper: the solution of its program, and estimates against true errors on the scoreboard.

`python paper/figure.py` writes paper/figure.png.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

HERE = Path(__file__).resolve().parent
ROWS = HERE.parent / "benchmarks" / "scoreboard.json"
FINEST = 300
"""Points along an axis of the picture on the left."""
LIMITS = (1e-16, 1e-1)
"""Of the errors on the right."""


def main() -> None:
    program = re.search(r"```python\n(.*?)```", (HERE / "paper.md").read_text(encoding="utf-8"), re.DOTALL)
    assert program is not None
    names: dict = {}
    exec(program[1], names)
    left, right = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")[1]
    a, b = np.meshgrid(*[np.linspace(-1, 1, FINEST)] * 2)
    inside = (np.hypot(a, b) <= 1) & (np.hypot(a, b) >= 1 / 2)
    values = np.full(a.shape, np.nan)
    values[inside] = names["solution"](np.column_stack([a[inside], b[inside]]))
    shown = left.pcolormesh(a, b, values, cmap="RdBu_r", shading="gouraud", rasterized=True)
    left.set(aspect="equal", xlabel="x", ylabel="y")
    plt.colorbar(shown, ax=left, label="u")
    for row in (row for row in json.loads(ROWS.read_text(encoding="utf-8")) if "unsolved" not in row):
        right.loglog(row["error"], row["estimate"], "o", color="C0")
    right.loglog(LIMITS, LIMITS, color="grey", linewidth=1)
    right.set(xlim=LIMITS, ylim=LIMITS, aspect="equal", xlabel="true relative error", ylabel="estimated")
    plt.savefig(HERE / "figure.png", dpi=160)


if __name__ == "__main__":
    main()
