"""The lesson of docs/tutorial/studio.md: what it says to write is read, and gives what it says is seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transnet.errors import UniquenessWarning
from transnet.files.problem_file import problem_of_text

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "studio.md"
WRITTEN = re.findall(r"`([^`]+)`", PAGE.read_text().partition("## A lesson")[2].partition("## What there is")[0])
CONDITIONS = [text for text in WRITTEN if " on " in text]


def stated(equation, q, conditions):
    domain = next(text for text in WRITTEN if text.startswith("Box("))
    return problem_of_text(
        f'coordinates = ["x", "y"]\nunknowns = ["u"]\ndomain = "{domain}"\nequations = ["{equation}"]\n'
        f"conditions = {sorted(set(conditions), key=conditions.index)!r}\n[parameters]\nq = {q}\n",
        Path("lesson.toml"),
    )


def equation(part):
    return next(text for text in WRITTEN if text.startswith("-laplacian") and part in text)


def test_the_scale_alone_changes_with_the_source():
    one, ten = (stated(equation("= q"), q, CONDITIONS).solve() for q in (1, 10))
    assert ten(0.5, 0.2) == pytest.approx(10 * one(0.5, 0.2), rel=1e-6)
    assert one.evaluate("u", x=0.5, y=0.2) > 0


def test_a_forgotten_condition_is_named():
    with pytest.warns(UniquenessWarning, match="'circle'"):
        stated(equation("= q"), 1, [c for c in CONDITIONS if "circle" not in c]).solve()


def test_the_reaction_has_a_solution_for_a_weak_source_alone():
    weak = stated(equation("exp"), 0.5, CONDITIONS).solve(neurons=150)
    assert weak.error < 1e-4
    strong = stated(equation("exp"), 1.0, CONDITIONS).unwarned(neurons=60)
    assert strong.diagnostics.messages
    assert strong.error > 1e-2 or strong.status != "converged"
