"""The paper's program runs, and what it cites is in its bibliography."""

import re
from pathlib import Path

PAPER = Path(__file__).parents[2] / "paper"


def test_the_program_gives_a_number_with_its_error():
    text = (PAPER / "paper.md").read_text("utf-8")
    program = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    names = {}
    exec(program, names)
    found = names["solution"].integral(names["u"] ** 2)
    finer = names["tn"].solve(names["problem"], tol=1e-11).integral(names["u"] ** 2)
    assert abs(found.value - finer.value) <= 10 * found.error + 1e-12
    assert found.error < 1e-6 * found.value


def test_what_is_cited_is_listed_and_what_is_listed_is_cited():
    text, listed = ((PAPER / name).read_text("utf-8") for name in ("paper.md", "paper.bib"))
    cited = set(re.findall(r"@(\w+)[\];]", text))
    assert cited == set(re.findall(r"^@\w+\{(\w+),", listed, re.MULTILINE))
