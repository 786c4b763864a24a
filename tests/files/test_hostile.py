"""Wrong and hostile problem files: one clear message with its line, quickly and in little memory."""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from transnet.files import ProblemFileError, read_problem

_spec = importlib.util.spec_from_file_location("hostile", Path(__file__).with_name("hostile.py"))
assert _spec is not None
assert _spec.loader is not None
hostile = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(hostile)


def write(folder: Path, text: str) -> Path:
    path = folder / "problem.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return path


def test_the_good_file_is_good(tmp_path):
    assert read_problem(write(tmp_path, hostile.GOOD)).problem.names == ("u",)


@pytest.mark.parametrize("name", hostile.HOSTILE)
def test_one_clear_message_with_its_line(name, tmp_path):
    text, line, words = hostile.HOSTILE[name]
    path = write(tmp_path, text)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    with pytest.raises(ProblemFileError) as caught:
        read_problem(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 2.0, "of processor time"
    error = caught.value
    assert words in error.message
    assert error.place.line == line
    assert str(error).startswith(f"{path}:{line}:")
    assert len(str(error)) < 1200
    assert not Path("/tmp/pwned").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "problem.toml")
    with pytest.raises(ProblemFileError, match="not a file"):
        read_problem(tmp_path / "problem.toml")
    with pytest.raises(ProblemFileError, match="not a file"):
        read_problem(tmp_path)


def test_all_of_them_together_stay_small(tmp_path):
    """One process reads them all with 400 MB of address space beyond what the import needs."""
    for number, (text, _, _) in enumerate(hostile.HOSTILE.values()):
        (tmp_path / f"{number}.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    script = """
import pathlib, resource, sys
from transnet.files import ProblemFileError, read_problem
used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 400_000_000,) * 2)
failed = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.toml")):
    try:
        read_problem(path)
    except ProblemFileError:
        failed += 1
print(failed)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == str(len(hostile.HOSTILE)), done.stderr
