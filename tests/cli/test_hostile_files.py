"""Hostile files through the command line: exit code 2, one message, no traceback, little time and memory."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("typer")
from typer.testing import CliRunner

from transnet.cli.app import app

_spec = importlib.util.spec_from_file_location("hostile", Path(__file__).parents[1] / "files" / "hostile.py")
assert _spec is not None
assert _spec.loader is not None
hostile = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(hostile)


@pytest.mark.parametrize("name", hostile.HOSTILE)
@pytest.mark.parametrize("command", ["check", "solve"])
def test_exit_code_2_and_the_line(name, command, tmp_path):
    text, line, words = hostile.HOSTILE[name]
    path = tmp_path / "p.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    told = CliRunner().invoke(app, [command, str(path), "--json"])
    assert told.exit_code == 2
    error = json.loads(told.stdout)["error"]
    assert error["line"] == line
    assert words in error["message"]
    plain = CliRunner().invoke(app, [command, str(path)])
    assert plain.exit_code == 2
    assert plain.output.count("error:") == 1
    assert f"p.toml:{line}:" in plain.output.replace("\n", "")
    assert not (tmp_path / "p.npz").exists()


@pytest.mark.parametrize("name", ["tower of powers", "ten megabytes"])
def test_as_a_process_with_limits(name, tmp_path):
    """One second of processor time beyond the import, 300 MB beyond it, and no file left behind."""
    text, line, _ = hostile.HOSTILE[name]
    path = tmp_path / "p.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    script = """
import pathlib, resource, sys
from transnet.cli.app import app
used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000,) * 2)
seconds = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + 3
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
app(["solve", sys.argv[1]])
"""
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert f"p.toml:{line}:" in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.toml"]
