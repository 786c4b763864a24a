"""The benchmarks are scripts beside the package: put on the path, and left out where they do not come along."""

import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"
if FOLDER.is_dir():
    sys.path.insert(0, str(FOLDER))
else:
    collect_ignore_glob = ["test_*.py"]
