"""The ready-made problems of the shelf: problem files, in the order of their names."""

from __future__ import annotations

import tomllib
from importlib import resources


def ready_problems() -> list[dict[str, str]]:
    """The title and the text of each, and what it shows, which its first line says as a comment."""
    folder = resources.files("transnet.studio") / "ready"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    texts = [f.read_text(encoding="utf-8") for f in files]
    return [
        {"title": str(tomllib.loads(text)["title"]), "about": text.partition("\n")[0].lstrip("# "), "toml": text}
        for text in texts
    ]
