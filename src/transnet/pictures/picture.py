"""The result of every plot: a picture that can be saved, shown, and changed like a matplotlib figure."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transnet.errors import FileError
from transnet.writing import replacing
from transnet.writing import target as place


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture: `save("file.png")` writes it, `show()` opens it, `figure` is its matplotlib figure.

    It has all attributes of the figure: `picture.axes`, `picture.suptitle("...")`.
    """

    figure: Any

    def save(self, path: str | Path, dpi: float = 150.0) -> Path:
        """Write it in the format that the name ends in: png, svg, pdf, jpg."""
        target = place(path)
        if not target.suffix:
            raise FileError(
                f"'{target}' does not say what kind of picture to write. End its name in .png, .svg or .pdf."
            )
        formats = self.figure.canvas.get_supported_filetypes()
        if target.suffix.lower().lstrip(".") not in formats:
            raise FileError(
                f"'{target.suffix}' is not a kind of picture. End the name in one of {', '.join(sorted(formats))}."
            )
        with replacing(target) as partial:
            self.figure.savefig(partial, dpi=dpi)
        return target

    def show(self) -> None:
        """Open it in a window, if there is a display."""
        from transnet.pictures.panels import pyplot

        pyplot().show()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "figure":
            raise AttributeError(name)
        return getattr(self.figure, name)

    def _repr_png_(self) -> bytes:
        """The display in a notebook."""
        stream = io.BytesIO()
        self.figure.savefig(stream, format="png", dpi=100)
        return stream.getvalue()

    def __repr__(self) -> str:
        width, height = self.figure.get_size_inches()
        count = len([a for a in self.figure.axes if a.get_label() != "<colorbar>"])
        panels = "one panel" if count == 1 else f"{count} panels"
        return f'Picture of {panels}, {width:.0f} x {height:.0f} inches: save it with .save("file.png"), or .show() it'
