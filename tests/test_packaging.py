"""The wheel has what it needs, and the library works with its core dependencies alone."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXTRAS = ("matplotlib", "torch", "dask", "distributed", "trimesh", "typer", "rich", "click", "xarray", "gstools")


MAKE = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def run(code: str, *arguments: str) -> subprocess.CompletedProcess:
    """Run code in a process where no optional package can be imported."""
    block = f"""
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {EXTRAS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Block())
"""
    return subprocess.run([sys.executable, "-c", block + code, *arguments], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    build = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.strip().splitlines()[-1]


def test_what_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(n for n in names if n.endswith("METADATA"))).decode()
        entry = archive.read(next(n for n in names if n.endswith("entry_points.txt"))).decode()
    assert "transnet/py.typed" in names
    assert "transnet/cli/templates/poisson.toml" in names
    assert "transnet = transnet.cli:main" in entry
    sources = {f"transnet/{p.relative_to(ROOT / 'src/transnet')}" for p in (ROOT / "src/transnet").rglob("*.py")}
    assert sources <= set(names)
    assert not [n for n in names if "__pycache__" in n or n.startswith("tests")]
    for extra in ("cli", "plot", "mesh", "distributed", "pinn", "all"):
        assert f"Provides-Extra: {extra}" in metadata


def test_the_unpacked_wheel_solves_with_the_core_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = """
sys.path.insert(0, sys.argv[1])
import sympy as sp, transnet as tn
assert tn.__file__.startswith(sys.argv[1]), tn.__file__
x = sp.Symbol("x")
u = tn.unknown("u", x)
conditions = [tn.on("boundary", sp.Eq(u, sp.sin(x)))]
problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(sp.diff(u, x, 2), -sp.sin(x))], conditions)
solution = tn.solve(problem, neurons=30)
print(tn.load(solution.save(sys.argv[1] + "/s"))(x=0.5), solution.export(sys.argv[1] + "/s.vtu"))
"""
    done = run(code, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert abs(float(done.stdout.split()[0]) - 0.479425538604203) < 1e-6


def test_the_command_says_how_to_install_what_it_needs():
    done = run("from transnet.cli import main; main()")
    assert done.returncode == 3
    assert "pip install 'transnet-pde[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_all_extras_are_part_of_all():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {e for e in project["optional-dependencies"] if e not in ("all", "dev", "docs") and "bench" not in e}
    (everything,) = project["optional-dependencies"]["all"]
    assert set(everything.split("[")[1].rstrip("]").split(",")) == extras
    assert {d.split(">")[0] for d in project["dependencies"]} == {
        "numpy", "scipy", "sympy", "shapely", "threadpoolctl"
    }  # fmt: skip


def test_the_import_is_light():
    """Neither extras nor the parts of SciPy that take long to load and are rarely needed."""
    heavy = (*EXTRAS, "scipy.stats", "scipy.optimize", "scipy.ndimage")
    code = f"import sys, transnet; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "[]\n", done.stdout + done.stderr


# -- what accompanies a release ----------------------------------------------------------------------------------------
def test_every_file_has_the_version_and_the_bounds_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version, bounds = project["version"], dict(d.split(">=") for d in project["dependencies"])
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text("utf-8")
    assert f'version: "{version}"' in recipe
    extras = project["optional-dependencies"]
    for name, bound in (bounds | dict(d.split(">=") for d in extras["cli"])).items():
        assert f"- {name} >={bound}\n" in recipe
    oldest = dict(re.findall(r"^([\w-]+)==([\d.]+)$", (ROOT / "oldest.txt").read_text("utf-8"), re.MULTILINE))
    small = ("cli", "plot", "mesh", "distributed", "grid", "tables", "studio")
    declared_oldest = bounds | dict(d.replace("[distributed]", "").split(">=") for e in small for d in extras[e])
    assert set(oldest) == set(declared_oldest)
    for name, bound in declared_oldest.items():  # the first release of the series that is declared
        assert (oldest[name] + ".").startswith(bound + ".")
    tested = re.findall(r"3\.\d+", re.search(r"python: (\[.*\])", (ROOT / ".github/workflows/test.yml").read_text())[1])
    declared = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert tested == declared
    assert project["requires-python"] == f">={declared[0]}"


def test_the_lock_has_each_dependency_at_a_version_that_is_declared():
    packaging = pytest.importorskip("packaging.requirements")
    lines = (ROOT / "requirements-dev.lock").read_text("utf-8").splitlines()[1:]
    locked = {name.lower().replace("_", "-"): version for name, version in (line.split("==") for line in lines)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    for stated in [*project["dependencies"], *(d for name in ("cli", "plot", "mesh", "dev") for d in extras[name])]:
        wanted = packaging.Requirement(stated)
        assert wanted.specifier.contains(locked[wanted.name.lower()]), stated


def test_forms_and_workflows_are_read_as_they_are_meant():
    yaml = pytest.importorskip("yaml")
    for file in [*(ROOT / ".github").rglob("*.yml"), ROOT / "recipe" / "recipe.yaml", ROOT / "CITATION.cff"]:
        content = yaml.safe_load(file.read_text("utf-8"))
        if file.parent.name == "workflows":
            for job in content["jobs"].values():
                for command in re.findall(r"(?:make|python) ([\w./-]+)", str(job["steps"])):
                    assert command in MAKE or (ROOT / command).exists() or command.startswith("-"), command
