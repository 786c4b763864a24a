"""A program that only loads a solution knows every kind of basis."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import transnet


def test_every_kind_of_basis_is_known_to_a_program_that_only_loads():
    root = Path(transnet.__file__).parent
    kinds = {
        kind
        for file in root.rglob("*.py")
        if re.search(r"^register\(\w+\.kind", file.read_text(), re.MULTILINE)
        for kind in re.findall(r'kind: ClassVar\[str\] = "(.*?)"', file.read_text())
    }
    program = "import transnet as tn; tn.load; from transnet.basis.expansion import _readers; print(sorted(_readers))"
    known = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert len(kinds) >= 5
    assert all(repr(kind) in known for kind in kinds), known
