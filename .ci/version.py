"""Print the version in pyproject.toml."""

import tomllib
from pathlib import Path

print(tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]["version"])
