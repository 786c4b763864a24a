"""Remove each guard and each heuristic of the driver, the judge, the choice and the estimates in turn, and list those
that no nearby test misses.

    python benchmarks/mutate.py                     # all of them, about an hour
    python benchmarks/mutate.py drive/driver.py     # those of one file

A mutation is one of: an `if` that only returns, raises, breaks or continues is never taken; an `and` or `or` loses its
last part; a `min` or `max` of two becomes its first argument. The tests of the file's package run after each, until the
first failure. What survives has no test that notices, and is listed with its line: it needs one, or should go.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
SOURCE = ROOT / "src" / "transnet"
NEARBY = {
    "drive/driver.py": ("tests/drive", "tests/doors/test_tolerance.py", "tests/doors/test_messages.py"),
    "drive/shortfall.py": ("tests/drive", "tests/doors/test_tolerance.py", "tests/doors/test_warnings.py"),
    "drive/select.py": ("tests/drive",),
    "judge/estimate.py": ("tests/judge", "tests/doors/test_linear.py"),
    "judge/diagnose.py": ("tests/judge", "tests/doors/test_warnings.py"),
    "judge/stability.py": ("tests/judge", "tests/doors/test_warnings.py"),
    "choose/bandwidth.py": ("tests/choose/test_laws.py", "tests/choose/test_bandwidth.py"),
    "choose/trials.py": ("tests/choose/test_laws.py", "tests/choose/test_bandwidth.py"),
    "method/network.py": ("tests/choose/test_laws.py", "tests/choose/test_grow.py", "tests/doors/test_first.py"),
    "method/defaults.py": (
        "tests/doors/test_first.py",
        "tests/choose/test_singular.py",
    ),
}
"""The files that are mutated, and the tests that should notice."""
LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
SECONDS = 120
"""The tests of a mutation that take longer are stopped: it is noticed."""


@dataclass(frozen=True)
class Mutation:
    """One change of a file: its line, what is removed, and the text with it."""

    line: int
    words: str
    text: str


def mutations(source: str) -> Iterator[Mutation]:
    """All mutations of a file, one at a time."""
    tree = ast.parse(source)
    spots = [node for node in ast.walk(tree) if _kind(node)]
    for number, spot in enumerate(spots):
        copied = ast.parse(source)
        node = [n for n in ast.walk(copied) if _kind(n)][number]
        words = f"{_kind(spot)}: {ast.unparse(_shown(spot))}"
        if isinstance(node, ast.If):
            node.test = ast.Constant(value=False)
        elif isinstance(node, ast.BoolOp):
            node.values = node.values[:-1]
        else:
            assert isinstance(node, ast.Call)
            node.args = node.args[:1]
            node.func = ast.parse("(lambda first: first)", mode="eval").body
        yield Mutation(spot.lineno, words, ast.unparse(ast.fix_missing_locations(copied)))


def _kind(node: ast.AST) -> str:
    if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], LEAVES):
        return "never taken"
    if isinstance(node, ast.BoolOp):
        return "without its last part"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        return "first only" if len(node.args) == 2 and not node.keywords and not _starred(node) else ""
    return ""


def _starred(node: ast.Call) -> bool:
    return any(isinstance(a, ast.Starred) for a in node.args)


def _shown(node: ast.AST) -> ast.AST:
    return node.test if isinstance(node, ast.If) else node


def noticed(tests: tuple[str, ...]) -> bool:
    """Whether a test fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="which files, such as drive/driver.py; all by default")
    survivors = 0
    for name in parser.parse_args().files or NEARBY:
        path = SOURCE / name
        source = path.read_text()
        if noticed(NEARBY[name]):
            sys.exit(f"The tests of {name} fail before anything is changed.")
        try:
            for mutation in mutations(source):
                path.write_text(mutation.text)
                if not noticed(NEARBY[name]):
                    survivors += 1
                    print(f"{name}:{mutation.line} {mutation.words}", flush=True)
        finally:
            path.write_text(source)
    print(f"{survivors} mutations that no nearby test notices")


if __name__ == "__main__":
    main()
