"""A report to send: what was stated, a picture, the results with their errors, what is known of them, the versions."""

from __future__ import annotations

import base64
import html
import io
import platform
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transnet.calls import shown
from transnet.errors import FileError, MissingExtraError, ProblemError, TransnetError
from transnet.pictures.picture import Picture
from transnet.problem.equations import shortened, text_of
from transnet.solution.diagnostics import error_in_words
from transnet.solution.report import few_digits, report
from transnet.writing import replacing, target

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

PAPER = (8.27, 11.69)
"""The sides of A4 in inches."""
LINES, WIDTH = 70, 110
"""Lines of a page of a PDF, and characters of a line."""
TOP, LEFT, STEP, FONT, TITLE = 0.95, 0.08, 0.0125, 7.5, 14
"""Where the text of a page begins, how far lines are apart, in units of the page, and the sizes of letters: 110 of 7.5
points fill a line of A4."""
DPI = 130
"""Of the pictures of a page."""
WIDEST = 110
"""The most characters of a statement."""
STYLE = """body { font: 15px/1.5 system-ui, sans-serif; max-width: 52em; margin: 2em auto; padding: 0 1em; }
body { color: #222; } h1 { font-size: 1.6em; margin-bottom: 0; } h2 { font-size: 1.15em; margin-top: 2em; }
.quiet { color: #666; } td { overflow-wrap: anywhere; } td.number { white-space: nowrap; }
table { border-collapse: collapse; } td, th { padding: 0.25em 1em 0.25em 0; text-align: left; vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; } tr { border-bottom: 1px solid #ddd; }
pre { background: #f6f6f6; padding: 0.8em; white-space: pre-wrap; font-size: 12px; } img { max-width: 100%; }
.warning { border-left: 4px solid #c60; padding: 0.3em 0.8em; background: #fff6ec; }
@media print { body { margin: 0; } }"""


@dataclass(frozen=True, eq=False)
class ReportPage:
    """What a report says, before it is typeset."""

    title: str
    about: str
    statement: list[tuple[str, str]]
    parameters: list[tuple[str, str]]
    results: list[tuple[str, str]]
    messages: list[str]
    known: str
    versions: str
    pictures: list[Any] = field(default_factory=list)


def page_of(
    solution: Solution,
    title: str | None,
    results: Mapping[str, Any] | None,
    units: Mapping[str, str] | None,
    pictures: Any,
    messages: Sequence[str] | None = None,
) -> ReportPage:
    """The contents of a report."""
    problem = solution.problem
    names = ", ".join(map(str, problem.unknowns))
    if results is not None and not isinstance(results, Mapping):
        raise ProblemError(f'results are given by name: results={{"greatest stress": value}}, not {shown(results)}.')
    strange = [name for name in units or {} if name not in (results or {})]
    if strange:
        raise ProblemError(f"units has '{strange[0]}', which is not among the results.")
    try:
        stated = [(_text(e), "in the domain") for e in problem.equations]
        stated += [(_text(what), place) for c in problem.conditions for what, place in c.lines()]
    except ProblemError as error:  # a problem that is not stored with its solution
        stated = [(str(error), "")]
    return ReportPage(
        title or f"{names} on {shortened(str(problem.domain), WIDEST)}",
        f"{names} on {problem.domain}",
        stated,
        [(str(symbol), f"{value:.6g}") for symbol, value in solution.parameters.items()],
        [
            *((name, with_unit(value, (units or {}).get(name, ""))) for name, value in (results or {}).items()),
            ("estimated relative error of the solution", error_in_words(solution.error)),
        ],
        list(map(str, solution.diagnostics.messages)) if messages is None else list(messages),
        report(solution),
        ", ".join(f"{name} {_version(name)}" for name in ("transnet-pde", "numpy", "scipy", "sympy", "shapely"))
        + f", Python {platform.python_version()} on {platform.system()}",
        _drawn(solution, pictures),
    )


def _text(statement: Any) -> str:
    """A statement with the digits of its numbers that a reader wants."""
    text = statement if isinstance(statement, str) else text_of(statement)
    return shortened(few_digits(text), WIDEST)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # from a folder that was not installed
        return "not installed"


def _drawn(solution: Solution, pictures: Any) -> list[Any]:
    if pictures is None:
        try:
            from transnet.views.plot import plot

            return [Picture(plot(solution, managed=False))]
        except TransnetError:  # no matplotlib, or a domain that is not stored: the numbers are still told
            return []
    found = list(pictures) if isinstance(pictures, list | tuple) else [pictures]
    wrong = [p for p in found if not hasattr(p, "save")]
    if wrong:
        raise ProblemError(
            f"A picture is what solution.plot(...) or solution.view(...) returns, not {shown(wrong[0])}."
        )
    return found


def with_unit(value: Any, unit: str) -> str:
    """A result as text: a unit stands behind the number and before the place where it is taken."""
    text = value if isinstance(value, str) else f"{value:.10g}" if type(value) in (int, float) else str(value)
    number, at, place = text.partition(" at ")
    return f"{number} {unit}{at}{place}" if unit else text


def save_page(page: ReportPage, path: str | Path) -> Path:
    """Write the report in the format that the name ends in."""
    place = target(path)
    if place.suffix.lower() not in (".html", ".pdf"):
        raise FileError(f"A report is a page or a document: end its name in .html or .pdf, not '{place.name}'.")
    with replacing(place) as partial:
        if place.suffix.lower() == ".html":
            Path(partial).write_text(html_of(page), encoding="utf-8")
        else:
            _write_pdf(page, partial)
    return place


# -- HTML --------------------------------------------------------------------------------------------------------------
def html_of(page: ReportPage) -> str:
    """The report as one page that needs no other file."""
    parts = [f"<h1>{html.escape(page.title)}</h1>", f'<p class="quiet">{html.escape(page.about)}</p>']
    parts += [f'<p class="warning">{html.escape(message)}</p>' for message in page.messages]
    parts += [_table("Results", page.results), *map(_figure, page.pictures)]
    parts += [_table("Statement", page.statement), _table("Parameters", page.parameters)]
    parts.append(f"<h2>How it was solved</h2><pre>{html.escape(page.known)}</pre>")
    parts.append(f'<p class="quiet">{html.escape(page.versions)}</p>')
    head = f'<meta charset="utf-8"><title>{html.escape(page.title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _table(heading: str, rows: Sequence[tuple[str, str]]) -> str:
    if not rows:
        return ""
    body = "".join(f'<tr><td>{html.escape(a)}</td><td class="number">{html.escape(b)}</td></tr>' for a, b in rows)
    return f"<h2>{heading}</h2><table>{body}</table>"


def _figure(picture: Any) -> str:
    if not isinstance(picture, Picture):
        return str(picture._repr_html_())
    stream = io.BytesIO()
    picture.figure.savefig(stream, format="png", dpi=DPI)
    return f'<p><img alt="the solution" src="data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"></p>'


# -- PDF ---------------------------------------------------------------------------------------------------------------
def _write_pdf(page: ReportPage, path: Any) -> None:
    try:
        from matplotlib.backends.backend_pdf import PdfPages
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError(
            "A PDF is drawn by matplotlib, which is not installed. Install it with 'pip install transnet-pde[plot]', "
            "or write a .html page, which a browser prints."
        ) from None
    with PdfPages(path, metadata={"Title": page.title}) as book:
        first, *rest = [lines[k : k + LINES] for lines in [_lines(page)] for k in range(0, len(lines), LINES)]
        for number, lines in enumerate([first, *rest]):
            figure = Figure(figsize=PAPER)
            if number == 0:
                figure.text(LEFT, TOP, shortened(page.title, WIDTH).replace("$", ""), fontsize=TITLE, va="bottom")
            for k, line in enumerate(lines):
                figure.text(
                    LEFT, TOP - (k + 1.5) * STEP, line, fontsize=FONT, family="monospace", va="top", parse_math=False
                )
            book.savefig(figure)
            for picture in page.pictures if number == 0 else ():
                if isinstance(picture, Picture):
                    book.savefig(picture.figure)


def _lines(page: ReportPage) -> list[str]:
    """The text of a PDF, wrapped."""
    sections = {
        "Results": [f"{name:<28} {value}" for name, value in page.results],
        "Warnings": page.messages,
        "Statement": [f"{what}   {place}" for what, place in page.statement],
        "Parameters": [f"{name:<12} {value}" for name, value in page.parameters],
        "How it was solved": page.known.splitlines(),
        "Versions": [page.versions],
    }
    lines = textwrap.wrap(page.about, WIDTH)
    for heading, texts in sections.items():
        if texts:
            lines += ["", heading.upper(), *(w for t in texts for w in _wrapped(t))]
    return lines


def _wrapped(text: str) -> list[str]:
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, drop_whitespace=False) or [""]
