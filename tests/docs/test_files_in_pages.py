"""The problem files that pages show are read, and the batch on the command line has the numbers of its table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from transnet.files.problem_file import problem_of_text

ROOT = Path(__file__).parents[2] / "docs"
SHOWN = [
    pytest.param(text, id=f"{page.stem}-{number}")
    for page in sorted(ROOT.glob("*/*.md"))
    for number, text in enumerate(re.findall(r"^```toml\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL))
    if "coordinates" in text and ("equations" in text or "physics" in text)
]


@pytest.mark.parametrize("text", SHOWN)
def test_a_file_that_is_shown_is_read(text, tmp_path):
    for name in re.findall(r'file = "([\w.]+\.(?:csv|parquet))"', text):
        (tmp_path / name).write_text("x,y,t,u,T\n0.5,0.5,0.1,1,1\n")
    problem_of_text(text, tmp_path / "shown.toml")


def test_the_batch_has_the_numbers_of_its_table(tmp_path, monkeypatch):
    runner = pytest.importorskip("typer.testing").CliRunner()
    from transnet.cli.app import app

    page = (ROOT / "howto" / "batch.md").read_text()
    monkeypatch.chdir(tmp_path)
    Path("disk.toml").write_text(re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1])
    assert runner.invoke(app, ["check", "disk.toml"]).exit_code == 0
    rows = re.findall(r"^\| ([\d.]+) \| ([\d.]+) \| ([\d.]+) ± (\S+) \|", page, re.MULTILINE)
    assert len(rows) == 3
    for r, hottest, through, error in rows:
        done = runner.invoke(app, ["solve", "disk.toml", "--set", f"r={r}", "--out", f"disk-{r}.npz", "--json"])
        assert done.exit_code == 0, done.output
        found = json.loads(done.stdout)["results"]
        assert found["hottest"]["value"] == pytest.approx(float(hottest), abs=2e-5)
        assert found["through"]["value"] == pytest.approx(float(through), abs=3 * float(error))
    values = ",".join(r for r, *_ in rows)
    assert runner.invoke(app, ["sweep", "disk.toml", "--set", f"r={values}", "--out", "disk.csv"]).exit_code == 0
    table = np.genfromtxt("disk.csv", delimiter=",", names=True)
    np.testing.assert_allclose(table["hottest"], [float(hottest) for _, hottest, *_ in rows], atol=2e-5)
    formula = "sqrt(T_x**2 + T_y**2)"
    assert runner.invoke(app, ["show", "disk-0.2.npz", "--what", formula, "--plot", "steep.png"]).exit_code == 0
    assert runner.invoke(app, ["export", "disk-0.2.npz", "steep.csv", "--what", formula]).exit_code == 0
    assert runner.invoke(app, ["report", "disk.toml", "disk.pdf"]).exit_code == 0
    assert all(Path(name).stat().st_size for name in ("steep.png", "steep.csv", "disk.pdf"))
