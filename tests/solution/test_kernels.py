"""Notebooks with real kernels: Jupyter's shows a solution with its picture, marimo's runs the same cells."""

import subprocess
import sys
from pathlib import Path

import pytest

CELLS = [
    "import sympy as sp\nimport transnet as tn",
    "x, y = sp.symbols('x y')\nu = tn.unknown('u', x, y)",
    "problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(tn.laplacian(u), 1)], [tn.on('boundary', sp.Eq(u, x))])",
    "solution = tn.solve(problem)",
]
VALUE = 0.5 - 0.75 / 4


def test_a_kernel_of_jupyter_shows_problem_solution_and_picture():
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    cells = [*CELLS, "problem", "solution", "solution.plot()", "print(float(solution(x=0.5, y=0.0)))"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    manager = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": "."}}
    )
    manager.create_kernel_manager()
    manager.km.kernel_spec.argv[0] = sys.executable  # the interpreter of the tests, whatever is installed as "python3"
    manager.execute()
    stated, shown, drawn, printed = [cell["outputs"] for cell in notebook.cells[len(CELLS) :]]
    assert "text/latex" in stated[-1]["data"]
    assert "estimated relative error" in shown[-1]["data"]["text/html"]
    assert "data:image/png;base64," in shown[-1]["data"]["text/html"]
    assert any(kind.startswith("image/") or kind == "text/html" for kind in drawn[-1]["data"])
    assert abs(float(printed[-1]["text"]) - VALUE) < 1e-9
    assert not [out for cell in notebook.cells for out in cell["outputs"] if out["output_type"] == "error"]


def test_marimo_runs_the_cells_and_exports_what_they_show(tmp_path):
    pytest.importorskip("marimo")
    names = [("", "sp, tn"), ("sp, tn", "u, x, y"), ("sp, tn, u, x", "problem,"), ("problem, tn", "solution,")]
    text = "import marimo\n\napp = marimo.App()\n"
    for cell, (takes, gives) in zip(CELLS, names, strict=True):
        body = "\n".join(f"    {line}" for line in cell.splitlines())
        text += f"\n\n@app.cell\ndef _({takes}):\n{body}\n    return {gives}\n"
    text += "\n\n@app.cell\ndef _(solution):\n    solution\n    return\n"
    program = Path(tmp_path, "notebook.py")
    program.write_text(text, encoding="utf-8")
    page = tmp_path / "page.html"
    done = subprocess.run(
        [sys.executable, "-m", "marimo", "export", "html", str(program), "-o", str(page)],
        capture_output=True, text=True, timeout=240, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "estimated relative error" in page.read_text("utf-8")
