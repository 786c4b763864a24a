"""The reports that the pages print are those of today: the same lines, the same sizes, errors of the same order."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import transnet as tn

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")


def printed(page: str) -> list[str]:
    """The blocks of text of a page that are reports."""
    found = re.findall(r"```text\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    return [block for block in found if "estimated error" in block]


def program(name: str) -> dict:
    """What the part of a tutorial's program up to its solution makes."""
    names: dict = {}
    exec((ROOT / "docs" / "tutorial" / f"{name}.py").read_text().partition("# [use]")[0], names)
    return names


def compare(shown: str, report: str) -> None:
    """Each line that is shown is one of the report; whole numbers are the same, others within two orders."""
    for line in shown.splitlines():
        if line.split()[0] in ("seconds", "more"):
            continue
        alike = [k for k in report.splitlines() if _shape(k) == _shape(line)]
        assert alike, f"the report has no line like '{line}':\n{report}"
        assert any(_close(line, k) for k in alike), f"'{line}' is now one of {alike}"


def _shape(line: str) -> str:
    return re.sub(r" +", " ", NUMBER.sub("#", line))


def _close(a: str, b: str) -> bool:
    for one, other in zip(NUMBER.findall(a), NUMBER.findall(b), strict=True):
        if re.fullmatch(r"-?\d+", one) and "rank" not in a:
            if one != other:
                return False
        elif abs(np.log10(max(abs(float(one)), 1e-14)) - np.log10(max(abs(float(other)), 1e-14))) > 2:
            return False
    return True


def test_the_first_program(capsys: pytest.CaptureFixture) -> None:
    compare(printed("tutorial/index.md")[0], program("first")["solution"].report())


def test_the_system(capsys: pytest.CaptureFixture) -> None:
    compare(printed("tutorial/index.md")[1], program("system")["solution"].report())


def test_the_page_about_estimates(capsys: pytest.CaptureFixture) -> None:
    compare(printed("howto/error-estimates.md")[0], tn.solve(program("first")["problem"]).report())
