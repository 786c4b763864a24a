"""The program of the README runs as it stands, and the documents name files that exist."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

import transnet as tn

ROOT = Path(__file__).parents[1]


def test_the_first_program_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    program = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert program is not None
    # A fixed network, to be quick; and no window.
    monkeypatch.setattr(tn, "solve", partial(tn.solve, neurons=400))
    names: dict = {}
    exec(program[1].replace("solution.plot()", ""), names)
    assert names["solution"].error < 1e-3
    assert "estimated error" in capsys.readouterr().out


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_files_that_are_named_exist(document: str) -> None:
    text = (ROOT / document).read_text()
    named = re.findall(r"`((?:src|tests)/[\w/.]+)`", text) + re.findall(r"\]\((?!http|docs/images)([\w/.]+)\)", text)
    assert named
    for name in named:
        assert (ROOT / name).exists(), name
