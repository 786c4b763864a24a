"""The page about problem files has every key that is read, and the limits that hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transnet.files import schema, source
from transnet.language import domains, grammar, guarded, names

PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "problem-files.md").read_text()
TABLES = {
    "PROBLEM": schema.PROBLEM, "SOLVE": schema.SOLVE, "POINTS": schema.POINTS_TABLE, "EIGEN": schema.EIGEN,
    "UNKNOWN": schema.UNKNOWN, "DOMAIN": schema.DOMAIN_FILE, **schema.CONDITION, **schema.RESULT,
}  # fmt: skip


@pytest.mark.parametrize("keys", TABLES.values(), ids=list(TABLES))
def test_every_key_is_on_the_page(keys):
    words = set(re.findall(r"\w+", PAGE))
    assert [key for key in keys if key not in words] == []


def test_the_limits_are_those_that_hold():
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d[^|]+) \|$", PAGE.partition("Limits keep")[2], re.MULTILINE))
    told = {what: list(map(int, re.findall(r"\d+", most))) for what, most in rows.items()}
    assert told["the file"] == [source.LARGEST]
    assert told["formulas of one list, pieces"] == [schema.FORMULAS, schema.PROBLEM["pieces"].most]
    pairs = [domains.MOST_SHAPES, domains.MOST_MEETINGS // 2]
    assert told["shapes of a domain, pairs of them that meet"] == pairs
    assert told["a formula"] == [grammar.LONGEST, grammar.DEEPEST]
    assert told["a formula with its definitions expanded"] == [guarded.MOST_TERMS]
    assert told["an exponent, the order of a derivative"] == [guarded.LARGEST_EXPONENT, names.HIGHEST_ORDER]
