"""What became of the problems of the calibration: verdicts, tables and the picture of `docs/trust.md`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

DOCS = Path(__file__).parent.parent / "docs"
TOL = 1e-5
"""What every problem is to be solved to."""
FACTOR = 10.0
"""An estimate within this factor of the truth holds."""
FLOOR = {"eigenvalues": 1e-11}
"""Below this the truth is rounding, and so is the estimate: 1e-12, of reference eigenvalues ten times that."""
COLOURS = {"smooth": "tab:blue", "hard": "tab:orange", "nonlinear": "tab:green", "systems": "tab:red"}
MUST_BE_TOLD = "ill-posed"
"""Problems of this kind have no unique solution, or one that is out of reach."""


def floor_of(result: dict) -> float:
    return FLOOR.get(result["kind"], 1e-12)


def below(result: dict) -> bool:
    """Whether an estimate is below a tenth of the truth."""
    return any(off > FACTOR * e and off > floor_of(result) for off, e in result.get("pairs", []))


def above(result: dict) -> bool:
    """Whether an estimate is above ten times the truth. Standard errors say nothing of a single draw, and where the
    truth is zero it is enough that the estimate is below the tolerance."""
    if result["kind"] == "sought":
        return False
    zeros = result.get("zero") or [0.0] * len(result.get("pairs", []))
    return any(
        e > max(FACTOR * max(off, floor_of(result)), zero)
        for (off, e), zero in zip(result.get("pairs", []), zeros, strict=True)
    )


def unknown(result: dict) -> bool:
    """Whether the error is said to be unknown."""
    return any(np.isnan(e) for _, e in result.get("pairs", []))


def holds(result: dict) -> bool:
    """Whether all estimates are within ten times of the truth."""
    return not below(result) and not above(result)


def warned(result: dict) -> bool:
    return bool(result["warning"]) or "refused" in result


def verdict(result: dict) -> str:
    """The outcome of a problem: right, silently wrong, a false alarm, warned of, or told to be ill-posed."""
    pairs = result.get("pairs", [])
    if result["kind"] == MUST_BE_TOLD and not pairs:
        return "told" if warned(result) else "silent"
    if "refused" in result:
        return "refused"
    worst = max((off for off, _ in pairs), default=np.inf)
    if warned(result):
        return "false alarm" if worst < TOL / FACTOR else "warned"
    # Numbers are asked for without a tolerance: there an estimate that is too small is wrong whatever the size.
    wrong = below(result) and ("zero" in result or worst > TOL)
    return "silent" if wrong else "right"


def fails(result: dict) -> bool:
    """Whether something is to be looked at."""
    return verdict(result) in ("silent", "false alarm", "refused") or not (holds(result) or unknown(result))


def table(results: Sequence[dict]) -> str:
    """The figures by kind, in Markdown."""
    lines = [
        "| problems | number | estimate within 10 times | never below a tenth of the truth | silently wrong "
        "| false alarms | warned | of these within 10 times or unknown | median seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    kinds = list(dict.fromkeys(r["kind"] for r in results))
    for kind in [*kinds, "all"]:
        mine = [r for r in results if kind in (r["kind"], "all")]
        if kind == MUST_BE_TOLD:
            told = [r for r in mine if verdict(r) == "told"]
            lines.append(
                f"| {kind} | {len(mine)} | told: {len(told)}, solved: {sum(bool(r.get('pairs')) for r in mine)} | | "
                f"{sum(verdict(r) == 'silent' for r in mine)} | | | | {_median(mine)} |"
            )
            continue
        of_numbers = [r for r in mine if r.get("pairs") and not unknown(r) and verdict(r) != "told"]
        verdicts = [verdict(r) for r in mine]
        doubted = [r for r in mine if verdict(r) == "warned"]
        kept = sum(holds(r) or unknown(r) for r in doubted)
        lines.append(
            f"| {kind} | {len(mine)} | {_share([holds(r) for r in of_numbers])} "
            f"| {_share([not below(r) for r in of_numbers])} | {verdicts.count('silent')} "
            f"| {verdicts.count('false alarm') + verdicts.count('refused')} | {len(doubted)} "
            f"| {kept if doubted else ''} | {_median(mine)} |"
        )
    return "\n".join(lines)


def _median(mine: Sequence[dict]) -> str:
    return f"{np.median([r['seconds'] for r in mine]):.2f}" if mine else ""


def _share(held: Sequence[bool]) -> str:
    return f"{100 * np.mean(held):.1f} %" if held else ""


def losses(results: Sequence[dict]) -> str:
    """What became of each generator, in Markdown."""
    lines = [
        "| kind | problem | number | estimate within 10 times | below a tenth | above ten times | warned, refused |"
    ]
    lines.append("|---|---|---|---|---|---|---|")
    for kind, name in dict.fromkeys((r["kind"], r["what"]) for r in results):
        mine = [r for r in results if r["what"] == name]
        numbers = [r for r in mine if r.get("pairs") and not unknown(r)]
        held = f"{100 * np.mean([holds(r) for r in numbers]):.0f} %" if numbers else ""
        lines.append(
            f"| {kind} | {name.replace('_', ' ')} | {len(mine)} | {held} | {sum(map(below, numbers))} "
            f"| {sum(map(above, numbers))} | {sum(map(warned, mine))} |"
        )
    return "\n".join(lines)


def picture(results: Sequence[dict], path: Path) -> None:
    """Estimate against truth, both logarithmic."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5.2, 5.0), layout="constrained")
    shown = [r for r in results if r.get("pairs") and not unknown(r)]
    for kind in [*COLOURS, "others"]:
        mine = [r for r in shown if r["kind"] == kind or (kind == "others" and r["kind"] not in COLOURS)]
        for doubted, marker in ((False, "o"), (True, "x")):
            chosen = [pair for r in mine if bool(r["warning"]) == doubted for pair in r["pairs"]]
            if not chosen:
                continue
            true, estimate = np.maximum(np.array(chosen).T, 1e-12)
            label = f"{kind}{', warned of' if doubted else ''}"
            axes.scatter(
                true, estimate, s=12, marker=marker, c=COLOURS.get(kind, "tab:grey"), alpha=0.7, linewidths=0.8,
                label=label,
            )  # fmt: skip
    ends = np.array([1e-12 / 3, 10.0])
    axes.plot(ends, ends, "k-", lw=0.8)
    for factor in (FACTOR, 1 / FACTOR):
        axes.plot(ends, factor * ends, "k:", lw=0.8)
    axes.set(xscale="log", yscale="log", xlabel="true relative error", ylabel="estimate", xlim=ends, ylim=ends)
    axes.set_aspect("equal")
    axes.legend(fontsize="x-small", frameon=False)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def write_pages(results: Sequence[dict]) -> None:
    """Put the figures into the pages, between their markers."""
    picture(results, DOCS / "images" / "trust.png")
    for page, name, content in (
        ("trust.md", "table", table(results)),
        ("breaking.md", "losses", losses(results)),
    ):
        path = DOCS / page
        if not path.exists():
            continue
        text = path.read_text()
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = text.split(begin)
        path.write_text(f"{before}{begin}\n{content}\n{end}{rest.split(end)[1]}")
