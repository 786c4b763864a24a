"""The pictures of the documentation's home: a moving one, and one for each card, made by examples of the gallery.

python docs/images/make_cards.py [name ...]
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import sympy as sp
from matplotlib.animation import FuncAnimation

HERE = Path(__file__).parents[1] / "_static" / "front"
EXAMPLES = Path(__file__).parents[2] / "examples"
WIDTH, HEIGHT, DPI = 3.6, 2.4, 120


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def card(name: str, draw: Any) -> None:
    """One picture without axes, as large as a card."""
    figure, axes = plt.subplots(figsize=(WIDTH, HEIGHT), layout="constrained")
    draw(axes)
    for other in figure.axes:
        if other is not axes:
            other.remove()
    axes.set_axis_off()
    axes.set_title("")
    figure.savefig(HERE / f"card_{name}.png", dpi=DPI, bbox_inches="tight", pad_inches=0.06)
    plt.close(figure)
    print(name, flush=True)


def fin() -> None:
    m = load("fin")
    s, _ = m.main()
    flow = (-sp.diff(m.u, m.x), -sp.diff(m.u, m.y))
    card("fin", lambda ax: s.plot(m.u, streamlines=flow, cmap="inferno", ax=ax))


def cylinder() -> None:
    m = load("cylinder_flow")
    s, _ = m.main()
    card("cylinder", lambda ax: s.plot(vector=(m.u, m.v), streamlines=True, ax=ax))


def membrane() -> None:
    m = load("drum")
    s, _ = m.main(600)
    card("membrane", lambda ax: s.plot(t=0.55, cmap="RdBu_r", contours=9, ax=ax))


def hole() -> None:
    m = load("plate_with_hole")
    s, _ = m.main()
    card("hole", lambda ax: s.plot(m.stress[0, 0], contours=12, cmap="turbo", ax=ax))


def packet() -> None:
    m = load("schroedinger")
    s, _ = m.main()
    card("packet", lambda ax: s.plot(m.u, cmap="RdBu_r", ax=ax))


def inverse() -> None:
    m = load("diffusion_field")
    s, _ = m.main()

    def draw(ax: Any) -> None:
        s.plot("a", t=0.5, contours=8, cmap="magma", ax=ax)
        ax.plot(*m.points[:, :2].T, "o", color="white", markeredgecolor="black", markersize=2.5, markeredgewidth=0.4)

    card("inverse", draw)


def hero(frames: int = 44) -> None:
    """A drum in motion, as a film that begins where it ends."""
    import numpy as np

    m = load("drum")
    s, _ = m.main(600)
    from transnet.sections.section import section

    cut = section(m.domain, {2: 0.0}, 70)
    period = 2 * np.pi / m.FREQUENCY / 2
    moments = period * (1 - np.cos(2 * np.pi * np.arange(frames) / frames)) / 2
    x, y = cut.cells.points.T
    values = [s[s.names[0]].at(np.column_stack([x, y, np.full(len(x), t)])) for t in moments]
    figure, axes = plt.subplots(figsize=(3.2, 3.2), subplot_kw={"projection": "3d"})
    figure.subplots_adjust(0, 0, 1, 1)
    figure.patch.set_alpha(0)

    def show(k: int) -> None:
        axes.clear()
        axes.set_axis_off()
        axes.patch.set_alpha(0)
        axes.set(zlim=(-1.3, 1.3), xlim=(-0.72, 0.72), ylim=(-0.72, 0.72))
        axes.view_init(32, -60)
        axes.plot_trisurf(
            x,
            y,
            values[k],
            triangles=cut.cells.corners,
            cmap="viridis",
            vmin=-0.6,
            vmax=1.0,
            antialiased=False,
            linewidth=0,
        )

    film = FuncAnimation(figure, show, frames=frames)
    film.save(HERE / "hero.webp", writer="pillow", fps=22, dpi=110, savefig_kwargs={"transparent": True})
    crop(HERE / "hero.webp")
    print("hero", flush=True)


def crop(path: Path) -> None:
    """Take the empty space around a film away."""
    from PIL import Image, ImageSequence

    with Image.open(path) as film:
        frames = [frame.convert("RGBA") for frame in ImageSequence.Iterator(film)]
    boxes = [frame.getchannel("A").point(lambda a: 255 * (a > 8)).getbbox() for frame in frames]
    box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    cut = [frame.crop(box) for frame in frames]
    cut[0].save(path, save_all=True, append_images=cut[1:], duration=45, loop=0, quality=82, method=6)


if __name__ == "__main__":
    for name in sys.argv[1:] or ["fin", "cylinder", "membrane", "hole", "packet", "inverse", "hero"]:
        globals()[name]()
