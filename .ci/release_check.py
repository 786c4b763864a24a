"""Build the wheel and the source archive twice, compare them byte by byte, check them, and use the wheel.

`python .ci/release_check.py` builds into dist/ and needs `build` and `twine`; with `--installed dist` it only installs
the wheel of that folder into a fresh environment, and runs the README's program and its commands there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import venv
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EPOCH = "315532800"
"""The first second that a zip archive can hold, 1 January 1980, for a tree without history."""


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


def used(wheel: Path) -> None:
    """Install a wheel into a fresh environment, and run the README's program and its commands."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        venv.create(place / "env", with_pip=True)
        scripts = place / "env" / ("Scripts" if os.name == "nt" else "bin")
        python, command = scripts / "python", scripts / "transnet"
        run(python, "-m", "pip", "install", "--quiet", f"{wheel.resolve()}[cli,plot]", cwd=place)
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
