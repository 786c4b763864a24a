"""Imports go one way only, importing the library is light, and numbers have names."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import transnet

ROOT = Path(transnet.__file__).parent
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
# From the ground up: a package may import those before it, and itself.
LAYERS = (
    ("remedies", "interrupts", "tolerances", "counts", "other_words", "remember"),
    ("arguments", "errors", "progress", "clock", "threads", "lazy"),
    ("calls", "arrays"),
    ("writing", "formulas"),
    ("archive", "tables", "pictures", "reading"),
    ("measure", "linalg"),
    ("geometry",),
    ("sections", "drawings"),
    ("features",),
    ("problem",),
    ("physics",),
    ("language",),
    ("basis",),
    ("rows",),
    ("solution",),
    ("views", "xarray"),
    ("checks",),
    ("facts",),
    ("judge", "engines"),
    ("choose",),
    ("iterate",),
    ("prepared",),
    ("cuts", "slabs", "cross"),
    ("pieces",),
    ("steps", "boxes", "cells"),
    ("plane",),
    ("blocks",),
    ("eigen",),
    ("drive",),
    ("shocks",),
    ("method",),
    ("contact", "motion", "reach"),
    ("fronts",),
    ("doors",),
    ("gradient",),
    ("files",),
    ("paper",),
    ("studio",),
    ("cli",),
    ("__main__",),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
HEAVY = (
    "matplotlib",
    "torch",
    "jax",
    "dask",
    "distributed",
    "trimesh",
    "typer",
    "rich",
    "gstools",
    "meshio",
    "starlette",
    "uvicorn",
    "websockets",
)


def imported(file: Path) -> set[str]:
    """The parts of the library that a file imports, wherever in the file; "" is the library's front page."""
    package = ("transnet", *file.relative_to(ROOT).parts[:-1])
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            names = [f"{module}.{a.name}" for a in node.names] if module == "transnet" else [module]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "transnet":
                found.add(parts[1] if len(parts) > 1 else "")
    return found


@pytest.mark.parametrize("file", sorted(ROOT.rglob("*.py")), ids=lambda f: str(f.relative_to(ROOT)))
def test_a_file_imports_only_from_below(file: Path) -> None:
    place = file.relative_to(ROOT).parts[0].removesuffix(".py")
    if place == "__init__":
        return
    assert place in LEVEL, f"{place} has no place among the layers: add it to LAYERS and to the documents"
    for other in imported(file) - {place}:
        level = LEVEL["doors"] + 0.5 if other == "" else LEVEL[other]
        below = level < LEVEL[place]
        assert below, f"{file.relative_to(ROOT)} imports transnet.{other}, which is not below it"


def test_importing_the_library_does_not_import_extras() -> None:
    code = f"import sys, transnet; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_plain_solve_does_not_import_the_ways_that_it_does_not_take() -> None:
    code = """
import sys, sympy as sp, transnet as tn
u = tn.unknown("u", *sp.symbols("x y"))
problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [tn.laplacian(u) + 1], [tn.on("boundary", u)])
tn.solve(problem, tol=1e-3)
ways = ("pieces", "cells", "eigen", "cross", "steps", "files", "language", "paper", "cli")
print([f"transnet.{w}" for w in ways if f"transnet.{w}" in sys.modules])
print([m for m in ("scipy.linalg", "scipy.spatial", "scipy.special", "shapely") if m in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found == "[]\n[]\n"


def test_the_front_page_knows_where_each_name_is() -> None:
    tree = ast.parse((ROOT / "__init__.py").read_text())
    stated = {a.name: str(n.module) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names}
    known = {name: f"transnet.{part}" for name, part in transnet._HOME.items()}
    assert {n: m for n, m in stated.items() if n in transnet.__all__ and n != "studio"} == known
    assert {*known, "studio"} == set(transnet.__all__) <= set(dir(transnet))


def test_every_public_name_exists_and_is_documented() -> None:
    for name in transnet.__all__:
        assert getattr(transnet, name).__doc__, name
    assert len(set(transnet.__all__)) == len(transnet.__all__)


@pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks do not come along")
def test_no_number_stands_in_the_code_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from inline_numbers import unnamed

    found = "\n".join(unnamed())
    assert not found, f"give these a name at the top of their file and a line that says how they were found:\n{found}"


def test_no_room_is_larger_than_one_can_know() -> None:
    sizes = {
        d.name: sum(len(f.read_text().splitlines()) for f in d.rglob("*.py")) for d in ROOT.iterdir() if d.is_dir()
    }
    assert {name: lines for name, lines in sizes.items() if lines > 5_000} == {}
