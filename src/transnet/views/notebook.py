"""How problems and solutions are displayed in a notebook."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING

from transnet.errors import TransnetError
from transnet.solution.diagnostics import error_in_words

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


def solution_html(solution: Solution) -> str:
    """A picture, the main numbers, and the whole report to unfold."""
    known = solution.diagnostics
    rows = [
        ("estimated relative error", error_in_words(known.error)),
        ("neurons", f"{solution.neurons}"),
        ("rank", f"{known.rank} of {known.columns}"),
        ("largest relative residual", f"{max((r.relative for r in known.residuals), default=0.0):.1e}"),
        ("seconds", f"{sum(known.seconds.values()):.2f}"),
    ]
    if known.status not in ("solved", "converged"):
        rows.insert(0, ("status", known.status))
    table = "".join(
        f'<tr><td style="text-align:left">{html.escape(k)}</td><td style="text-align:right">{html.escape(v)}</td></tr>'
        for k, v in rows
    )
    warned = "".join(f'<p style="color:#b00">{html.escape(str(m))}</p>' for m in known.messages)
    title = html.escape(", ".join(map(str, solution.problem.unknowns)) + f" on {solution.problem.domain}")
    report = f"<details><summary>report</summary><pre>{html.escape(solution.report())}</pre></details>"
    return (
        f'<div><b>{title}</b><div style="display:flex;gap:2em;align-items:center">'
        f"{_picture(solution)}<table>{table}</table></div>{warned}{report}</div>"
    )


def _picture(solution: Solution) -> str:
    from transnet.views.plot import plot

    stream = io.BytesIO()
    try:
        plot(solution, managed=False, resolution=70).savefig(stream, format="png", dpi=80)
    except TransnetError:  # no matplotlib, or a domain that is not stored: the numbers are still shown
        return ""
    image = base64.b64encode(stream.getvalue()).decode()
    return f'<img alt="the solution" style="max-width:32em" src="data:image/png;base64,{image}"/>'
