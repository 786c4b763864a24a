"""Numbers that stand in the code without a name: `python benchmarks/inline_numbers.py [package ...]`.

A constant that decides accuracy or growth has a name at the top of its file and a line that says how it was found. This
lists what has none, but for the small whole numbers and halves of formulas.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "transnet"
PLAIN = {0, 1, 2, 3, 4, 0.5, 0.25, 1.5}
"""Numbers of formulas: counts, halves, powers."""


def numbers_of(file: Path) -> Iterator[tuple[int, float]]:
    """Lines and numbers of a file, outside of constants with names and of defaults of arguments."""
    tree = ast.parse(file.read_text())
    named = [n.value for n in tree.body if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None]
    skipped = {id(c) for n in named for c in ast.walk(n)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            defaults = [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
            skipped |= {id(c) for d in defaults for c in ast.walk(d)}
        if isinstance(node, ast.ClassDef):  # fields have documented defaults
            fields = [n.value for n in node.body if isinstance(n, ast.AnnAssign) and n.value is not None]
            skipped |= {id(c) for f in fields for c in ast.walk(f)}
        if isinstance(node, ast.Subscript):  # entries of arrays
            skipped |= {id(c) for c in ast.walk(node.slice)}
        if isinstance(node, ast.FormattedValue | ast.JoinedStr):
            skipped |= {id(c) for c in ast.walk(node)}
    for node in ast.walk(tree):
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        if number and id(node) not in skipped and node.value not in PLAIN:
            yield node.lineno, node.value


def main(packages: list[str]) -> None:
    total = 0
    for file in sorted(ROOT.rglob("*.py")):
        name = file.relative_to(ROOT)
        if packages and name.parts[0].removesuffix(".py") not in packages:
            continue
        lines = file.read_text().splitlines()
        for line, number in numbers_of(file):
            total += 1
            print(f"{name}:{line}: {number!r:10} {lines[line - 1].strip()}")
    print(f"{total} numbers")


if __name__ == "__main__":
    main(sys.argv[1:])
