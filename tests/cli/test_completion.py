"""Shells complete the commands and options after `transnet --install-completion`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ASKED = {
    "bash": 'source ~/.bashrc; COMP_WORDS=(transnet {}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); '
    '_transnet_completion transnet; printf "%s\\n" "${{COMPREPLY[@]}}"',
    "fish": 'complete -C "transnet {}"',
    "zsh": 'source ~/.zshrc; whence _transnet; '
    '_TYPER_COMPLETE_ARGS="transnet {}" _TRANSNET_COMPLETE=complete_zsh transnet',
}  # fmt: skip
"""How each shell is asked what it would offer for a line."""


@pytest.mark.parametrize("shell", ASKED)
def test_a_shell_completes_commands_and_options(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None or shutil.which("transnet", path=str(Path(sys.executable).parent)) is None:
        pytest.skip(f"{shell} or the command is not installed")
    own = {"HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    own["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"

    def offered(script: str) -> str:
        ran = subprocess.run([shell, "-c", script], env=os.environ | own, capture_output=True, text=True, timeout=60)
        return ran.stdout

    assert "installed" in offered(f"transnet --install-completion {shell}")
    assert "solve" in offered(ASKED[shell].format("so"))
    assert "--what" in offered(ASKED[shell].format("show --wh"))
