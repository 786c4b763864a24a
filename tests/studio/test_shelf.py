"""The shelf says what each of its problems shows."""

from __future__ import annotations

from transnet.studio.shelf import ready_problems


def test_every_ready_problem_says_what_it_shows() -> None:
    for ready in ready_problems():
        assert ready["toml"].startswith(f"# {ready['about']}\n")
        assert ready["about"].endswith(".")
        assert ready["about"] != ready["title"]
