"""Build the wheel and the source archive twice, compare them byte by byte, check them, and use the wheel.

`python .ci/release_check.py` builds into dist/ and needs `build` and `twine`; with `--installed dist` it only installs
the wheel of that folder into a fresh environment, and runs the README's program and its commands there. `--every` does
so with every Python from 3.11 to 3.14 that is on the path, and there with each extra alone as well; those that are
downloads of hundreds of megabytes, and all of them at once, only with `--large`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EPOCH = "315532800"
"""The first second that a zip archive can hold, 1 January 1980, for a tree without history."""
EXTRAS = re.compile(r"^(cli|plot|mesh|distributed|pinn|torch|jax|onnx|grid|tables|studio) = ", re.MULTILINE)
LARGE = ("pinn", "torch", "jax")
"""Extras whose packages are downloads of hundreds of megabytes."""


def run(*command: str | Path, cwd: Path = ROOT, **more: str) -> str:
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, env=os.environ | more, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def epoch() -> str:
    """The time of the last commit, which dates what is in the archives."""
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or EPOCH


def built(folder: Path) -> dict[str, str]:
    """Build into a folder: the digest of each file."""
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, SOURCE_DATE_EPOCH=epoch(), PYTHONUTF8="1")
    return {f.name: sha256(f.read_bytes()).hexdigest() for f in sorted(folder.iterdir()) if "transnet_pde" in f.name}


def installed(place: Path, python: str, what: str) -> Path:
    """A fresh environment of a Python with the wheel: the folder of its commands."""
    run(python, "-m", "venv", "--clear", place / "env")
    scripts = place / "env" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", what, cwd=place)
    return scripts


def every(wheel: Path, large: bool) -> None:
    """The first program with each Python that is here, without extras and with each."""
    listed = EXTRAS.findall((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = [*LARGE, "all"] if large else [e for e in listed if e not in LARGE]
    for version in ("3.11", "3.12", "3.13", "3.14"):
        python = shutil.which(f"python{version}")
        if python is None:
            print(f"{version}: not here")
            continue
        used(wheel, python)
        for extra in extras if large else ["", *extras]:
            with tempfile.TemporaryDirectory() as name:
                what = f"{wheel.resolve()}[{extra}]" if extra else str(wheel.resolve())
                run(installed(Path(name), python, what) / "python", ROOT / ".ci" / "first.py", cwd=Path(name))
            print(f"{version} with {extra or 'no extra'}", flush=True)


def used(wheel: Path, python: str = sys.executable) -> None:
    """Install a wheel into a fresh environment, and run the README's program and its commands."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        scripts = installed(place, python, f"{wheel.resolve()}[cli,plot]")
        python, command = str(scripts / "python"), scripts / "transnet"
        readme = (ROOT / "README.md").read_text("utf-8")
        program = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
        assert program is not None
        (place / "first.py").write_text(program[1], encoding="utf-8")
        report = run(python, "first.py", cwd=place, MPLBACKEND="Agg", PYTHONUTF8="1")
        print(next(line.strip() for line in report.splitlines() if "estimated" in line))
        commands = re.findall(r"^    transnet ((?:new|check|solve|show|export) .*?)(?:  +#.*)?$", readme, re.MULTILINE)
        assert len(commands) >= 5, commands
        for line in commands:
            run(command, *line.split(), cwd=place, MPLBACKEND="Agg", PYTHONUTF8="1")
            print(f"transnet {line}")
        assert (place / "ring.vtu").stat().st_size > 0


def main() -> None:
    if "--every" in sys.argv:
        every(next(Path(sys.argv[-1]).glob("*.whl")), "--large" in sys.argv)
        return
    if "--installed" in sys.argv:
        used(next(Path(sys.argv[-1]).glob("*.whl")))
        return
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    for old in dist.glob("transnet_pde*"):
        old.unlink()
    first = built(dist)
    with tempfile.TemporaryDirectory() as again:
        second = built(Path(again))
    assert len(first) == 2, first
    if first != second:
        sys.exit(f"Two builds differ:\n{first}\n{second}")
    for name, digest in first.items():
        print(f"{digest}  {name}")
    print(run(sys.executable, "-m", "twine", "check", "--strict", *(dist / n for n in first)).strip())
    used(next(dist.glob("*.whl")))


if __name__ == "__main__":
    main()
