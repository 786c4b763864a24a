"""One name means one thing: classes in the whole library, and whatever one file imports from another."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import transnet

ROOT = Path(transnet.__file__).parent
FRONT = ("cli/", "solution/shown.py", "solution/written.py", "solution/results/")
"""Commands and methods of `Solution` are called as what they do: `transnet solve`, `solution.plot`, `solution.mean`."""
SEVERAL = {"register"}
"""One verb for an activation, a shape, a strategy, a condition and a basis: a user sees `tn.register` alone."""


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def test_classes_have_names_of_their_own():
    homes = defaultdict(set)
    for file in ROOT.rglob("*.py"):
        for node in parsed(file).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].add(file.relative_to(ROOT).as_posix())
    assert not {n: sorted(files) for n, files in homes.items() if len(files) > 1}


def test_names_that_are_imported_mean_one_thing():
    """`from a import f` in one file and `from b import f` in another would leave a reader guessing."""
    homes = defaultdict(set)
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("transnet."):
                for alias in node.names:
                    homes[alias.name].add(_home(node.module or "", alias.name))
    several = {n: {h for h in hs if h is not None} for n, hs in homes.items() if n.islower() and n not in SEVERAL}
    several = {n: {h for h in hs if not h.startswith(FRONT)} for n, hs in several.items()}
    assert not {n: sorted(hs) for n, hs in several.items() if len(hs) > 1}


def _home(module: str, name: str) -> str | None:
    """The file in which a function is defined, also if a package passes it on; None for what is no function."""
    base = ROOT.joinpath(*module.split(".")[1:])
    file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    tree = parsed(file)
    if any(isinstance(n, ast.FunctionDef) and n.name == name for n in tree.body):
        return file.relative_to(ROOT).as_posix()
    passed = [n for n in tree.body if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("transnet.")]
    homes = (_home(n.module or "", name) for n in passed if any(a.name == name for a in n.names))
    return next(homes, None)


KINDS = {"On", "At", "Data", "Mean", "Periodic"}


def test_conditions_answer_for_themselves():
    """A new kind of condition is one file: other rooms ask what it is on, at or of, never which kind it is."""
    found = set()
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                asked = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
            elif isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name):
                asked = {node.cls.id}
            else:
                continue
            if asked & KINDS:
                found.add(file.relative_to(ROOT).as_posix())
    assert not found
