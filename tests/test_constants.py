"""A number that decides something has a name and a reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import transnet

FOLDER = Path(__file__).parents[1] / "benchmarks"
ROOT = Path(transnet.__file__).parent


def test_the_list_of_unnamed_numbers_can_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    inline_numbers = pytest.importorskip("inline_numbers")
    monkeypatch.setattr(inline_numbers, "ROOT", tmp_path)
    (tmp_path / "file.py").write_text("HALF = 0.1\n\n\ndef f(x, y=7):\n    return x[9] ** 12 + 0.37 * x + 2 * HALF\n")
    assert [line.split(":")[1] for line in inline_numbers.unnamed()] == ["5"]


def _unexplained(file: Path) -> list[str]:
    """Numbers with names at the top of a file with neither a docstring nor a comment, their own or that of the next."""
    text = file.read_text()
    body, lines = ast.parse(text).body, text.splitlines()
    found: list[str] = []
    for node, after in zip(body, [*body[1:], None], strict=False):
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Tuple)):
            continue
        name = ast.unparse(node.targets[0]).strip("()")
        numeric = any(isinstance(c, ast.Constant) and type(c.value) in (int, float) for c in ast.walk(node.value))
        said = isinstance(after, ast.Expr) and isinstance(getattr(after.value, "value", None), str)
        beside = any("#" in line for line in lines[max(node.lineno - 2, 0) : node.end_lineno])
        public = name.replace(", ", "").replace("_", "").isupper() and not name.startswith("_")
        if numeric and public and not (said or beside or isinstance(after, ast.Assign)):
            found.append(f"{file.name}: {name}")
    return found


def test_every_number_with_a_name_says_what_it_is() -> None:
    files = [f for f in sorted(ROOT.rglob("*.py")) if f.relative_to(ROOT).parts[0] != "paper"]
    assert [line for file in files for line in _unexplained(file)] == []
