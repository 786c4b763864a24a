"""How a picture is labelled: its title, the names and units of what it shows, the range of values, its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.calls import explained, shown
from transnet.errors import ProblemError

LARGEST_SIDE = 100
"""The most inches of a side of a picture."""


@explained
@dataclass(frozen=True)
class Labels:
    """What a user says of a picture; None leaves it to the picture."""

    title: str | None = None
    label: str | Sequence[str] | None = None
    unit: str | Sequence[str] | None = None
    limits: Sequence[float] | None = None
    size: Sequence[float] | None = None

    def __post_init__(self) -> None:
        for name, example in (("limits", "(0, 250)"), ("size", "(8, 5), in inches")):
            pair = getattr(self, name)
            if pair is None:
                continue
            try:
                low, high = (float(v) for v in pair)
            except (TypeError, ValueError):
                low, high = np.nan, np.nan
            good = low < high if name == "limits" else 0 < low <= LARGEST_SIDE and 0 < high <= LARGEST_SIDE
            if not (np.isfinite([low, high]).all() and good):
                raise ProblemError(f"{name} is a pair of numbers such as {example}, not {shown(pair)}.")
            object.__setattr__(self, name, (low, high))

    def labels(self, own: Sequence[str]) -> list[str]:
        """The labels of quantities, whose own ones are used where none are given, with their units."""
        given, units = (_each(getattr(self, name), len(own), name) for name in ("label", "unit"))
        found = [label if text is None else text for label, text in zip(own, given, strict=True)]
        return [f"{label} [{unit}]" if unit else label for label, unit in zip(found, units, strict=True)]

    def dressed(self, figure: Any, axes: Sequence[Any]) -> Any:
        """The figure with its title and size."""
        if self.title is not None and len(axes) == 1:
            below = axes[0].get_title()
            axes[0].set_title(f"{self.title}\n{below}" if below else self.title)
        elif self.title is not None:
            figure.suptitle(self.title)
        if self.size is not None:
            figure.set_size_inches(*self.size)
        return figure


def _each(given: str | Sequence[str] | None, count: int, name: str) -> list[str | None]:
    if given is None or isinstance(given, str):
        return [given] * count
    texts = list(given) if isinstance(given, list | tuple) else [None]
    if len(texts) != count or not all(isinstance(text, str) for text in texts):
        raise ProblemError(
            f"{name} is a text, or a list of one for each of the {count} quantities, not {shown(given)}."
        )
    return texts
