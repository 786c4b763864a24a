"""What the documentation shows runs: the programs of the tutorial, and the Python blocks of the how-to pages.

Blocks of a page are run in order, as one program. Those marked `py` instead of `python` are other libraries' code.
"""

import re
import runpy
from pathlib import Path

import matplotlib
import pytest

matplotlib.use("Agg")
ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "docs" / "tutorial").glob("*.py"))
PAGES = [
    ROOT / "docs" / "howto" / f"{name}.md"
    for name in (
        "conditions", "data", "error-estimates", "files", "from-deepxde", "from-scikit-fem", "geometry", "materials",
        "neurons", "nonlinear", "results", "eigenvalues", "time", "extending", "electromagnetics", "heat-and-flow",
        "elasticity", "gradients", "design", "uncertainty", "inequalities", "moving", "shocks", "surfaces",
        "which-tool",
    )
]  # fmt: skip


def blocks(page: Path) -> str:
    """The Python blocks of a page, at the lines where they stand, so that an error points to them."""
    text = page.read_text()
    code = [""] * (text.count("\n") + 1)
    for found in re.finditer(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        first = text[: found.start(1)].count("\n")
        for k, line in enumerate(found.group(1).splitlines()):
            code[first + k] = line
    return "\n".join(code)


@pytest.fixture(autouse=True)
def _figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_the_programs_of_the_tutorial_run(program):
    runpy.run_path(str(program))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(page), str(page), "exec"), {"__name__": "page"})


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_front_runs_as_it_is_printed(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(ROOT / page), page, "exec"), {"__name__": "page"})
    assert "estimated error" in capsys.readouterr().out


def test_the_first_program_is_the_same_everywhere():
    first = (ROOT / "docs" / "tutorial" / "first.py").read_text()
    stated = first.partition("# [state]\n")[2].partition("# [solve]")[0].split("\n")
    for page in ("README.md", "docs/index.md"):
        shown = blocks(ROOT / page).split("\n")
        assert [line for line in stated if line and line not in shown] == []


def test_every_link_between_pages_and_files_leads_somewhere():
    broken = []
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        if "_build" in page.parts or page.parent.name == "gallery":
            continue
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
            if "://" in target or "/gallery/" in f"/{target}":
                continue
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_links_to_the_gallery_name_examples():
    names = {file.stem for file in (ROOT / "examples").glob("*.py")} | {"index"}
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        if "_build" not in page.parts and page.parent.name != "gallery":
            assert set(re.findall(r"gallery/(\w+)\.md", page.read_text())) <= names
