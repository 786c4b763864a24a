"""The mutations are what they say, one at a time."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
SOURCE = """
def f(a, b):
    if a > b:
        return 0
    if a:
        c = 1
    return max(a, b) if a and b else min(*b)
"""


def test_each_guard_is_removed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    found = list(importlib.import_module("mutate").mutations(SOURCE))
    assert sorted(m.words for m in found) == [
        "first only: max(a, b)",
        "never taken: a > b",
        "without its last part: a and b",
    ]
    made = {}
    for mutation in found:
        space: dict = {}
        exec(mutation.text, space)
        made[mutation.words.split(":")[0]] = space["f"]
    assert made["never taken"](2, 1) == 2
    assert made["first only"](1, 3) == 1
    assert made["without its last part"](-1, 0) == 0


def test_every_file_and_test_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    mutate = importlib.import_module("mutate")
    for name, tests in mutate.NEARBY.items():
        assert (mutate.SOURCE / name).exists()
        assert all((mutate.ROOT / t).exists() for t in tests)
