"""The five problems here and in scikit-fem give what the page says, whose table is that of the kept figures."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("five", ROOT / "benchmarks" / "five.py")
five = importlib.util.module_from_spec(spec)
spec.loader.exec_module(five)


@pytest.mark.parametrize("tool", ["with_transnet", "with_skfem"])
def test_the_programs_give_the_numbers_of_the_page(tool, monkeypatch):
    pytest.importorskip("skfem")
    monkeypatch.syspath_prepend(str(five.FOLDER))
    module = importlib.import_module(tool)
    kept = json.loads(five.KEPT.read_text("utf-8"))[tool]
    for problem, truth in five.TRUTH.items():
        assert abs(getattr(module, problem)() / truth - 1) < 3 * kept[problem][0] + 1e-12, problem
    sys.modules.pop(tool)


def test_the_page_has_the_table_of_what_is_kept():
    text = five.PAGE.read_text("utf-8")
    assert five.page(text) == text
