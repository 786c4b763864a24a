"""Numbers that stand in the code without a name: `python benchmarks/inline_numbers.py [package ...]`.

A constant that decides accuracy or growth has a name at the top of its file and a line that says how it was found. This
lists what has none. Not listed are the numbers of formulas (`PLAIN`, powers, a base, an index), sizes of caches,
documented defaults, numbers in texts, what only draws or talks (`SPEAKING`), and the functions of `FORMULAS`, whose
numbers are mathematics or belong to a file format.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "transnet"
PLAIN = {0, 1, 2, 3, 4, 0.5, 0.25, 0.75, 1.5, 1e-300}
"""Counts, halves, powers, and the divisor that is never zero."""
SPEAKING = ("cli", "paper", "pictures", "studio", "plot", "animate", "notebook")
"""Packages and beginnings of file names: inches, colours, exit codes, and what the paper's authors chose."""
FORMULAS = {
    "files/positions.py:inside": "lengths of TOML's escapes",
    "measure/contour.py:level_arc": "a cubic Hermite polynomial",
    "geometry/corners.py:_moments": "second moments of a polygon",
    "drawings/dxf.py:read_dxf": "codes of the format",
    "drawings/dxf.py:_polyline": "codes of the format",
    "drawings/dxf.py:_ellipse": "codes of the format",
    "drawings/svg.py:_path": "numbers of each command of the format",
    "drawings/svg.py:_arc_numbers": "numbers of the command of the format",
    "problem/unknowns.py:__call__": "a difference of sixth order",
}
"""Functions whose numbers are exact, with what they are."""


def numbers_of(file: Path) -> Iterator[tuple[int, float]]:
    """Lines and numbers of a file, outside of constants with names and of what needs none."""
    tree = ast.parse(file.read_text())
    place = str(file.relative_to(ROOT))
    skipped: set[int] = set()

    def skip(*nodes: ast.AST | None) -> None:
        skipped.update(id(c) for n in nodes if n is not None for c in ast.walk(n))

    skip(*(n.value for n in tree.body if isinstance(n, ast.Assign | ast.AnnAssign)))
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                skip(*node.args.defaults, *node.args.kw_defaults)
                if f"{place}:{getattr(node, 'name', '')}" in FORMULAS:
                    skip(node)
                skip(*(d for d in getattr(node, "decorator_list", ()) if "lru_cache" in ast.unparse(d)))
            case ast.ClassDef():  # fields have documented defaults
                skip(*(n.value for n in node.body if isinstance(n, ast.AnnAssign | ast.Assign)))
            case ast.Subscript():  # entries of arrays
                skip(node.slice)
            case ast.BinOp(op=ast.Pow()):  # powers, and powers of ten and two
                skip(node.right, *([node.left] if isinstance(node.left, ast.Constant) else []))
            case ast.JoinedStr():
                skip(node)
    for node in ast.walk(tree):
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        if number and id(node) not in skipped and node.value not in PLAIN:
            yield node.lineno, node.value


def unnamed(packages: tuple[str, ...] = ()) -> list[str]:
    """The lines with numbers that have no name."""
    found = []
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).parts
        chosen = not packages or parts[0].removesuffix(".py") in packages
        if not chosen or parts[0] in SPEAKING or file.stem.startswith(SPEAKING):
            continue
        lines = file.read_text().splitlines()
        found += [f"{'/'.join(parts)}:{k}: {v!r:8} {lines[k - 1].strip()}" for k, v in sorted(numbers_of(file))]
    return found


if __name__ == "__main__":
    listed = unnamed(tuple(sys.argv[1:]))
    print(*listed, f"{len(listed)} numbers", sep="\n")
