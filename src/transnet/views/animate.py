"""A solution in motion: an animation over the coordinate `t`."""

from __future__ import annotations

from contextlib import nullcontext
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.arrays import FLOAT, check_room
from transnet.calls import file_path
from transnet.errors import FileError, ProblemError
from transnet.pictures.panels import (
    colour_bar,
    draw_lines,
    draw_map,
    dress_lines,
    dress_map,
    new_figure,
    norm_of,
    pyplot,
)
from transnet.sections.section import section
from transnet.solution.held import fineness, held
from transnet.solution.quantities import quantities_of
from transnet.views.plot import _alike, _axis_labels

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


FILMS = (".gif", ".mp4", ".webp", ".apng", ".html")
"""The formats in which an animation can be written."""


def animate(
    solution: Solution,
    what: Any = None,
    *,
    frames: int = 60,
    interval: float = 50.0,
    resolution: int | None = None,
    cmap: str | None = None,
    managed: bool = True,
    path: str | Path | None = None,
    **fixed: Any,
) -> Any:
    """Draw every frame once; `Solution.animate` says how."""
    if path is None and (isinstance(what, Path) or (isinstance(what, str) and Path(what).suffix in FILMS)):
        what, path = None, what
    if path is not None:
        found = _ffmpeg(file_path(path)) if file_path(path).suffix.lower() == ".mp4" else nullcontext()
        film = animate(
            solution, what, frames=frames, interval=interval, resolution=resolution, cmap=cmap, managed=False, **fixed
        )
        with found:
            return _saved(film, file_path(path), interval)
    pyplot()
    from matplotlib.animation import FuncAnimation

    names = [c.name for c in solution.problem.coordinates]
    if "t" not in names:
        raise ProblemError(f"Nothing moves: the coordinates are {', '.join(names)}, and none is called t.")
    unknown = [n for n in fixed if n not in names or n == "t"]
    if unknown:
        raise ProblemError(f"'{unknown[0]}' is neither an option of animate nor a coordinate of space.")
    if frames < 2:
        raise ProblemError(f"An animation has two frames or more, not {frames}.")
    if what is None and len(solution.fields) > 1:
        raise ProblemError(f"Choose what to animate: {', '.join(map(repr, solution.fields))} or an expression.")
    quantity, *more = quantities_of(solution, what)
    if more and (len(more) > 1 or not more[0].name.startswith("phase of ")):  # the modulus of a complex unknown
        raise ProblemError("A film shows one quantity: choose one, or an expression.")
    axis = names.index("t")
    low, high = np.asarray(solution.problem.domain.bounds)[:, axis]
    times = np.linspace(low, high, frames)
    at = held(names, fixed)
    free = len(names) - 1 - len(at)
    if not 1 <= free <= 2:
        raise ProblemError(f"A frame has one or two coordinates, but {free} are free: fix some, as in z=0.5.")
    cut = section(solution.problem.domain, {**at, axis: float(low)}, fineness(resolution, 300 if free == 1 else 80))
    check_room(frames * len(cut.points), FLOAT, f"A film of {frames} frames")
    values = [quantity.values(cut.at({axis: float(moment)})) for moment in times]
    norm = norm_of(values, False)
    labels = _axis_labels(solution, cut)
    if free == 1:
        figure = new_figure(6.0, 3.4, managed)
        axes = figure.subplots()
        draw_lines(axes, cut, values[0], color="C0", linewidth=1.8)
        dress_lines(axes, labels[0], quantity.label, False)
        room = 0.05 * (norm.vmax - norm.vmin)
        axes.set_ylim(norm.vmin - room, norm.vmax + room)
        runs = [(line, np.searchsorted(cut.cells.points[:, 0], line.get_xdata())) for line in axes.lines]
    else:
        equal = _alike(cut, names)
        size = np.ptp(cut.cells.points, axis=0)
        figure = new_figure(5.2, 3.9 * (float(np.clip(size[1] / size[0], 0.3, 2.0)) if equal else 0.75) + 0.8, managed)
        axes = figure.subplots()
        drawn = draw_map(axes, cut, values[0], norm, cmap, False)
        dress_map(axes, cut, labels, equal)
        colour_bar(figure, drawn, [axes], quantity.label, False)
    title = axes.set_title(f"$t = {times[0]:.3f}$")

    def show(number: int) -> tuple[Any, ...]:
        title.set_text(f"$t = {times[number]:.3f}$")
        if free == 1:
            for line, nodes in runs:
                line.set_ydata(values[number][nodes])
            return (title, *(line for line, _ in runs))
        drawn.set_array(values[number])
        return title, drawn

    return FuncAnimation(figure, show, frames=frames, interval=interval, blit=False)


def _saved(film: Any, path: Path, interval: float) -> Path:
    suffix = path.suffix.lower()
    if suffix not in FILMS:
        raise FileError(f"'{path}' does not say what kind of film to write. End its name in {', '.join(FILMS)}.")
    try:
        if suffix == ".html":
            path.write_text(film.to_jshtml(), encoding="utf-8")
        elif suffix == ".mp4":
            film.save(path, writer="ffmpeg", fps=1000.0 / interval)
        else:
            film.save(path, writer="pillow", fps=1000.0 / interval)
    except (OSError, ValueError) as error:
        raise FileError(f"'{path}' cannot be written: {error}.") from None
    return path


def _ffmpeg(path: Path) -> Any:
    """A context in which matplotlib finds ffmpeg: that of the system, or of the package imageio-ffmpeg."""
    import matplotlib
    from matplotlib.animation import writers

    if writers.is_available("ffmpeg"):
        return nullcontext()
    if find_spec("imageio_ffmpeg") is None:
        raise FileError(
            f"'{path}' cannot be written: an mp4 needs ffmpeg, which is not installed. Install it with 'pip install "
            f"imageio-ffmpeg', or write a .gif or .html, which need nothing."
        )
    program = import_module("imageio_ffmpeg").get_ffmpeg_exe()
    return matplotlib.rc_context({"animation.ffmpeg_path": program})
