"""The program of the README runs as it stands, and the documents name files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import transnet as tn

ROOT = Path(__file__).parents[1]


def test_the_first_program_has_the_digits_that_it_promises(capsys: pytest.CaptureFixture) -> None:
    program = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert program is not None
    names: dict = {}
    exec(program[1].replace("solution.plot()", ""), names)  # no window
    solution = names["solution"]
    assert "estimated error" in capsys.readouterr().out
    # Ten digits, and a larger network agrees that they are right.
    assert solution.error < 1e-10
    points = solution.problem.domain.interior(300)
    other = tn.solve(names["problem"], neurons=500, seed=1)
    assert other.error < 1e-11
    np.testing.assert_allclose(solution(points), other(points), rtol=0, atol=3e-10)
    assert solution.flux("boundary").value == pytest.approx(other.flux("boundary").value, abs=1e-7)


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_files_that_are_named_exist(document: str) -> None:
    text = (ROOT / document).read_text()
    named = re.findall(r"`((?:src|tests)/[\w/.]+)`", text) + re.findall(r"\]\((?!http|docs/images)([\w/.]+)\)", text)
    assert named
    for name in named:
        assert (ROOT / name).exists(), name
