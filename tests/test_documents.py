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
    exec(program[1].replace('solution.plot().save("ring.png")', ""), names)  # no file
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


def rows_of(heading: str) -> list[list[str]]:
    """The cells of the table below a heading of CONTRIBUTING, without its first two lines."""
    text = (ROOT / "CONTRIBUTING.md").read_text().split(heading)[1].split("\n## ")[0].split("\n### ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_the_map_has_every_package_and_no_other() -> None:
    package = Path(tn.__file__).parent
    there = {p.name.removesuffix(".py") for p in package.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    named = [name for row in rows_of("## Where things are") for name in re.findall(r"`(\w+)`", row[0])]
    assert len(named) == len(set(named))
    assert set(named) == {name for name in there if not name.startswith("_")}


def test_the_way_through_a_solve_names_what_is_there() -> None:
    package = Path(tn.__file__).parent
    for stop, files in rows_of("### The way through a solve"):
        texts = [(package / name).read_text() for name in re.findall(r"`([\w/.]+)`", files)]
        name = re.match(r"`(\w+)`", stop)
        assert texts
        assert name is not None
        assert any(re.search(rf"^(class|def) {name[1]}\b", text, re.MULTILINE) for text in texts), stop
