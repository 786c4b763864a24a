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
    """`from a import f` in one file and `from b import f` in another would leave a reader guessing; numbers too."""
    homes = defaultdict(set)
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("transnet."):
                for alias in node.names:
                    homes[alias.name].add(_home(node.module or "", alias.name))
    single = {n: hs for n, hs in homes.items() if (n.islower() or n.isupper()) and n not in SEVERAL}
    several = {n: {h for h in hs if h is not None} for n, hs in single.items()}
    several = {n: {h for h in hs if not h.startswith(FRONT)} for n, hs in several.items()}
    assert not {n: sorted(hs) for n, hs in several.items() if len(hs) > 1}


def _home(module: str, name: str) -> str | None:
    """The file in which a function or a number is defined, also if another passes it on; None for anything else."""
    base = ROOT.joinpath(*module.split(".")[1:])
    file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    tree = parsed(file)
    if any(isinstance(n, ast.FunctionDef) and n.name == name for n in tree.body) or name in _assigned(tree):
        return file.relative_to(ROOT).as_posix()
    passed = [n for n in tree.body if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("transnet.")]
    homes = (_home(n.module or "", name) for n in passed if any(a.name == name for a in n.names))
    return next(homes, None)


def _assigned(tree: ast.Module) -> set[str]:
    """The capital names of a file."""
    targets = [t for n in tree.body if isinstance(n, ast.Assign) for t in n.targets]
    targets += [n.target for n in tree.body if isinstance(n, ast.AnnAssign)]
    names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return {n for n in names if n.isupper()}


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
