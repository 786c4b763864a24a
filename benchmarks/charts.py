"""Charts of time against error: one for each problem, one of them all, and bars for each tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

IMAGES = Path(__file__).parent.parent / "docs" / "images"
STYLES = (
    ("NGSolve with its mesh", "#888888", "s"),
    ("tn.solve(problem, tol=...)", "#c0392b", "o"),
    ("tn.solve(problem, neurons=...), best", "#2c6fbb", "^"),
)


def envelope(runs: Sequence[Any]) -> list[tuple[float, float]]:
    """(error, milliseconds) of the runs that no other beats in both."""
    found: list[tuple[float, float]] = []
    for run in sorted(runs, key=lambda r: r.whole):
        if not found or run.error < found[-1][0]:
            found.append((run.error, 1e3 * run.whole))
    return found


def races(curves: Mapping[str, tuple[Any, ...]], whole: bool = True) -> None:
    """Draw one chart per problem, docs/images/race-*.png; with `whole` also the summary for the front page."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    IMAGES.mkdir(exist_ok=True)
    for name, (title, *runs) in curves.items():
        figure, axes = plt.subplots(figsize=(5, 3.6), layout="constrained")
        _draw(axes, title, runs)
        axes.legend(fontsize=8, frameon=False)
        axes.set(xlabel="relative error", ylabel="processor time, ms")
        figure.savefig(IMAGES / f"race-{name}.png", dpi=110)
        plt.close(figure)
    if whole:
        columns = 5
        lines = -(-len(curves) // columns)
        figure, grid = plt.subplots(lines, columns, figsize=(13, 2.6 * lines), layout="constrained", squeeze=False)
        for axes, (title, *runs) in zip(grid.flat, curves.values(), strict=False):
            _draw(axes, title, runs)
        for axes in list(grid.flat)[len(curves) :]:
            axes.axis("off")
        figure.supxlabel("relative error", fontsize=9)
        figure.supylabel("processor time, ms", fontsize=9)
        handles, labels = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False, fontsize=9)
        figure.savefig(IMAGES / "races.png", dpi=110)
        plt.close(figure)


def _draw(axes: Any, title: str, runs: Sequence[Sequence[Any]]) -> None:
    for (label, colour, marker), of in zip(STYLES, runs, strict=True):
        points = envelope(of)
        axes.loglog(*zip(*points, strict=True), marker=marker, color=colour, label=label, markersize=4, linewidth=1.2)
    axes.set_title(title, fontsize=9)
    axes.set_xlim(1e-1, 1e-13)
    axes.tick_params(labelsize=7)
    axes.grid(alpha=0.3, which="major")


GOALS = (1e-6, 1e-9)
LIGHT = 0.45
"""How much of its colour the bar of the first goal has, beside that of the second."""
OURS, HIGH = "this library", "NGSolve, high degree"
COLOURS = {OURS: "#c0392b", HIGH: "#555555"}
Bar = tuple[float, str]
"""Milliseconds, and a remark for a tool that ended at a larger error."""


def of_tools(tables: Mapping[str, Any]) -> dict[str, list[Bar | None]]:
    """The time of each tool to each goal on the paper's first case, from the kept tables."""

    def rows(part: str) -> list[dict[str, Any]]:
        return [dict(zip(tables[part]["header"], row, strict=True)) for row in tables[part]["rows"] if row[0] in C1]

    def least(times: Sequence[float], scale: float = 1e3) -> Bar | None:
        return (scale * min(times), "") if times else None

    raced = [{r["wanted"]: r for r in rows("highorder")}[goal] for goal in GOALS]
    trained = rows("deepxde")[0]
    ended = (1e3 * trained["its seconds"], f"ends at {trained['its relative error']:.0e}".replace("e-0", "e-"))
    fastlsq, elements = rows("fastlsq"), [r for r in rows("fem") if r["error"] != "-"]
    return {
        OURS: [(r["ours, tol, ms"], "") for r in raced],
        HIGH: [(r["NGSolve with mesh, ms"], "") for r in raced],
        "FastLSQ, best scale": [least([r["its seconds"] for r in fastlsq if r["relative error"] <= g]) for g in GOALS],
        "scikit-fem, quartic": [least([r["its seconds"] for r in elements if r["wanted"] == g]) for g in GOALS],
        "DeepXDE": [ended, ended],
    }


C1 = ("C1", "Poisson, box (C1)")
"""The names of the paper's first case in the tables."""


def tools(tables: Mapping[str, Any]) -> None:
    """Bars of the time of each tool to 1e-6 and 1e-9 into docs/images/tools.png, from the kept tables."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (upper, lower) = plt.subplots(2, 1, figsize=(5.4, 7.6), layout="constrained", height_ratios=(1, 1.5))
    _bars(upper, of_tools(tables), "#4a7ba6")
    upper.set_title("Poisson in a box (C1): each tool", fontsize=10)
    problems: dict[str, dict[str, list[Bar | None]]] = {}
    for title, goal, theirs, _, _, ours, *_ in tables["highorder"]["rows"]:
        for name, time in ((HIGH, theirs), (OURS, ours)):
            if goal in GOALS and title not in C1 and theirs != "-":
                problems.setdefault(title, {}).setdefault(name, [None, None])[GOALS.index(goal)] = (time, "")
    _pairs(lower, problems)
    lower.set_title("other problems: elements of high degree and this library", fontsize=10)
    for axes in (upper, lower):
        axes.set_xscale("log")
        axes.set_xlabel("milliseconds on one thread: shorter is better", fontsize=9)
        axes.grid(alpha=0.3, axis="x")
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGES / "tools.png", dpi=110)
    plt.close(figure)


def _bars(axes: Any, bars: Mapping[str, list[Bar | None]], other: str) -> None:
    """Two bars a tool."""
    for place, (name, of) in enumerate(bars.items()):
        for goal, bar in enumerate(of):
            if bar is None:
                continue
            time, ended = bar
            if ended and goal:
                continue
            colour, y = COLOURS.get(name, other), -place - 0.19 * (1 if goal else -1) * (not ended)
            style = {"fill": False, "hatch": "///", "edgecolor": colour} if ended else {"color": _shade(colour, goal)}
            axes.barh(y, time, height=0.36, **style)
            text = f"{ended} after {time / 1e3:.0f} s" if ended else f"{('1e-6', '1e-9')[goal]}: {_time(time)}"
            inside = time > 1e4
            where = {"xy": (time, y), "xytext": (-4 if inside else 4, 0), "textcoords": "offset points"}
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5} if inside else None
            axes.annotate(text, **where, va="center", ha="right" if inside else "left", fontsize=8, bbox=box)
    axes.set_yticks([-place for place in range(len(bars))], list(bars), fontsize=9)
    axes.set_xlim(1, 3e5)


def _pairs(axes: Any, problems: Mapping[str, Mapping[str, list[Bar | None]]]) -> None:
    """Of each problem the bars of both, for both goals."""
    height = 0.2
    for place, of in enumerate(problems.values()):
        for step, name in enumerate((OURS, HIGH)):
            for goal, bar in enumerate(of[name]):
                if bar is not None:
                    y = -place + height * (1.5 - (2 * goal + step))
                    axes.barh(y, bar[0], height=height, color=_shade(COLOURS[name], goal))
    for name in (OURS, HIGH):
        for goal, shown in enumerate(("1e-6", "1e-9")):
            axes.barh(0, 0, color=_shade(COLOURS[name], goal), label=f"{name}, {shown}")
    axes.set_yticks([-place for place in range(len(problems))], list(problems), fontsize=9)
    axes.legend(fontsize=8, frameon=False, loc="upper right")
    axes.set_xlim(1, 2e4)


def _shade(colour: str, goal: int) -> tuple[float, ...]:
    strength = 1 if goal else LIGHT
    return tuple(1 - strength * (1 - int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))


def _time(milliseconds: float) -> str:
    return f"{milliseconds:.3g} ms" if milliseconds < 1e3 else f"{milliseconds / 1e3:.2g} s"
