"""Pictures of a solution, as methods; the drawing code is imported on first use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from transnet.arguments import Axes, Formula, Held
from transnet.calls import explained
from transnet.lazy import Later
from transnet.pictures.picture import Picture

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

# Pictures are drawn above: they are imported when one is asked for.
plots: Any = Later("transnet.views.plot")
turned: Any = Later("transnet.views.view")
left: Any = Later("transnet.views.plot_residual")
neurons: Any = Later("transnet.views.plot_neurons")
cells: Any = Later("transnet.views.plot_pieces")
moving: Any = Later("transnet.views.animate")


@explained
def plot(
    self: Solution,
    what: Formula | None = None,
    *,
    error_against: Any = None,
    vector: Sequence[Any] | None = None,
    arrows: Any = False,
    streamlines: Any = False,
    contours: bool | int | Sequence[float] | None = False,
    resolution: int | None = None,
    cmap: str | None = None,
    title: str | None = None,
    label: str | Sequence[str] | None = None,
    unit: str | Sequence[str] | None = None,
    limits: Sequence[float] | None = None,
    size: Sequence[float] | None = None,
    deformed: Any = None,
    scale: float | None = None,
    ax: Axes | None = None,
    **fixed: Held,
) -> Picture:
    """Draw the solution, or anything made of it, on the true shape of the domain.

    One coordinate gives a line, two a map; of three the middle slices are drawn, or snapshots if one is time.
    Coordinates are fixed by name: `solution.plot(z=0.5)`, `solution.plot(t=[0, 0.1, 1])`.

    Parameters
    ----------
    what : str, expression or list of them, optional
        Unknowns by name, or any expression of them; all unknowns by default.
    error_against : expression, callable or mapping, optional
        The exact solution: draws |u - exact| on a logarithmic scale.
    vector : pair, optional
        Two unknowns or expressions, drawn as arrows over their magnitude.
    arrows, streamlines : bool or pair, optional
        A field to draw over the map: two expressions, or the gradient of what is drawn. With `vector`,
        `streamlines=True` draws lines instead of arrows.
    contours : bool, int or sequence, optional
        Lines of equal value: whether, how many, or at which values.
    resolution : int, optional
        Cells along the longest side.
    cmap : str, optional
        A colour map of matplotlib.
    title : str, optional
    label, unit : str or list of str, optional
        What is drawn, and in which unit: `label="von Mises stress", unit="MPa"`. A list has one for each quantity.
    limits : pair of float, optional
        The range of the colours, or of the values of a line.
    size : pair of float, optional
        Inches.
    deformed : vector, optional
        A plane displacement by which the body is drawn deformed, `deformed=u`.
    scale : float, optional
        The factor of that displacement; by default the largest becomes a tenth of the body.
    ax : matplotlib Axes, optional
        Where to draw a picture of one panel.

    Returns
    -------
    Picture
        `solution.plot().save("file.png")` writes it; its `figure` is the matplotlib figure.
    """
    from transnet.pictures.labels import Labels

    return Picture(
        plots.plot(
            self, what, error_against=error_against, vector=vector, arrows=arrows, streamlines=streamlines,
            contours=contours, resolution=resolution, cmap=cmap, look=Labels(title, label, unit, limits, size),
            deformed=deformed, scale=scale, ax=ax, **fixed,
        )
    )  # fmt: skip


@explained
def view(
    self: Solution,
    what: Formula | None = None,
    *,
    title: str | None = None,
    label: str | None = None,
    unit: str | None = None,
    limits: Sequence[float] | None = None,
    resolution: int | None = None,
    **fixed: Held,
) -> Any:
    """A body to turn with the mouse, coloured by a quantity; in the plane, a surface above the domain.

    It needs nothing but a browser: `solution.view().show()` opens it, `.save("part.html")` writes a page that can be
    sent, and a notebook shows it in place. The options are those of `plot`; time is at its end unless `t` is given.
    """
    from transnet.pictures.labels import Labels

    return turned.view(self, what, Labels(title, label, unit, limits), resolution, fixed)


@explained
def plot_residual(self: Solution, *, resolution: int | None = None, **fixed: Held) -> Picture:
    """Draw |residual| of every equation on a logarithmic scale; in the plane also along the conditions.

    Coordinates are fixed by name, as for `plot`.
    """
    return Picture(left.plot_residual(self, resolution, **fixed))


@explained
def plot_neurons(self: Solution, unknown: str | None = None) -> Picture:
    """Draw the neurons of an unknown in the colour of their output weights.

    In the plane these are the lines w.y + b = 0 over the domain; for sines, and in space, a point for each wave
    vector or hyperplane.
    """
    return Picture(neurons.plot_neurons(self, unknown))


@explained
def plot_pieces(self: Solution) -> Picture:
    """Draw where the domain of a solution in pieces is cut, in one colour for each material."""
    return Picture(cells.plot_pieces(self))


@explained
def animate(
    self: Solution, what: Formula | None = None, *, frames: int = 60, interval: float = 50.0, **options: Any
) -> Any:
    """Animate over the coordinate `t`: `solution.animate("heat.gif")` writes a file.

    Parameters
    ----------
    what : str or expression, optional
        What to draw; needed if there are several unknowns. With a single unknown the file may be given instead.
    frames : int
        The number of frames, evenly spaced in time.
    interval : float
        Milliseconds between them.
    options
        `path`, the file to write (.gif, .mp4, .webp or .html); `resolution`, `cmap`, and coordinates of space to
        fix by name.

    Returns
    ------- The path of the file, or without a file a matplotlib.animation.FuncAnimation
    """
    return moving.animate(self, what, frames=frames, interval=interval, **options)
