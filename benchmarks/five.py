"""The same five problems in six tools: run the programs of examples/tools that can be imported here.

`python benchmarks/five.py` adds what it measures to benchmarks/five.json and writes the table of docs/howto/five-
problems.md. Run it in an environment that has the tools: NGSolve, scikit-fem, py-pde and DeepXDE come from PyPI,
FEniCSx from conda. Names of programs and problems select some: `with_deepxde layer ring`. DeepXDE trains for minutes
and has to be named; it does not need this library.
"""

from __future__ import annotations

import importlib
import json
import math
import re
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FOLDER = HERE.parent / "examples" / "tools"
KEPT = HERE / "five.json"
PAGE = HERE.parent / "docs" / "howto" / "five-problems.md"
TRUTH = {
    "ring": -0.1377344092438, "layer": 0.999 - math.exp(-1), "phases": 0.9959438549961, "l_shape": 0.102362157656,
    "number": 9.0,
}  # fmt: skip
"""The ring by finite elements of degree 15, the phases by a Fourier series, the L-shape by its corner functions."""
TOOLS = {
    "with_transnet": "this library", "with_ngsolve": "NGSolve", "with_fenicsx": "FEniCSx", "with_skfem": "scikit-fem",
    "with_pypde": "py-pde", "with_deepxde": "DeepXDE", "with_chebfun": "Chebfun",
}  # fmt: skip
NOT_RUN = "not run"
TRAINED = "with_deepxde"
"""Solved once: a second training takes as long."""


def measured(name: str, asked: list[str]) -> dict[str, Any]:
    """The relative error and the processor's seconds of each problem, the second time it is solved."""
    module = importlib.import_module(name)
    rows: dict[str, Any] = {}
    for problem in asked:
        if solve := getattr(module, problem, None):
            if name != TRAINED:
                solve()
            begun = time.process_time()
            rows[problem] = [abs(solve() / TRUTH[problem] - 1), round(time.process_time() - begun, 3)]
            print(name, problem, *rows[problem], flush=True)
    return rows


def lines_of(name: str, problem: str) -> int:
    """The lines of a problem's function, without its docstring."""
    text = (FOLDER / f"{name}.py").read_text("utf-8")
    body = re.search(rf"^def {problem}\(.*?(?=^def |\Z)", text, re.DOTALL | re.MULTILINE)
    bare = re.sub(r'^    """.*?"""\n', "", body[0], flags=re.DOTALL | re.MULTILINE) if body else ""
    return sum(bool(line.strip()) for line in bare.splitlines())


def table(kept: dict[str, Any]) -> str:
    """Errors, seconds and lines of each problem in each tool."""
    lines = ["| tool | " + " | ".join(name.replace("_", "-") for name in TRUTH) + " |", "|---" * (len(TRUTH) + 1) + "|"]
    for name, tool in TOOLS.items():
        stated = (FOLDER / f"{name}.py").exists()
        cells = []
        for problem in TRUTH:
            known, count = kept.get(name, {}).get(problem), lines_of(name, problem) if stated else 0
            if stated and not count:
                cells.append("-")
            elif known:
                cells.append(f"{known[0]:.0e}, {known[1]:.2g} s, {count} lines")
            else:
                cells.append(f"{NOT_RUN}, {count} lines" if stated else NOT_RUN)
        lines.append(f"| {tool} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def page(text: str) -> str:
    """The document with the table of what is kept."""
    made = table(json.loads(KEPT.read_text("utf-8")))
    return re.sub(r"(<!-- five -->\n).*?(?=\n\n)", lambda m: m[1] + made, text, flags=re.DOTALL)


def main() -> None:
    sys.path.insert(0, str(FOLDER))
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    names = [n for n in TOOLS if n in sys.argv] or [n for n in TOOLS if n != TRAINED]
    asked = [p for p in TRUTH if p in sys.argv] or list(TRUTH)
    for name in [] if "--page" in sys.argv else names:
        try:
            kept[name] = kept.get(name, {}) | measured(name, asked)
        except ImportError as missing:
            print(f"{name}: {missing}")
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
