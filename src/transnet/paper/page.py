"""The page: one self-contained HTML file, light or dark like the reader's system, readable on a phone."""

from __future__ import annotations

from collections.abc import Sequence

from transnet.paper.figures.drawing import Figure

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --soft: #59636e; --line: #d1d9e0; --wash: #f6f8fa;
  --link: #0b5fc4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #14171b; --soft: #9aa4af; --line: #343b44;
  --wash: #1c2127; --link: #79b8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1.25rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .5rem 0 .75rem; } h2 { font-size: 1.3rem; margin: 0 0 .4rem; }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .3rem; }
a { color: var(--link); } p { max-width: 52rem; margin: .5rem 0; }
section { border-top: 1px solid var(--line); padding-top: 1.4rem; margin-top: 2.2rem; }
nav ul { list-style: none; padding: 0; margin: 1rem 0; columns: 18rem; } nav li { padding: .15rem 0; }
.lead { font-size: 1.1rem; } .soft, .data { color: var(--soft); font-size: .9rem; }
.note { background: var(--wash); border: 1px solid var(--line); border-radius: 8px; padding: .6rem 1rem;
  margin: 1rem 0; }
.note ul { margin: .3rem 0; padding-left: 1.2rem; }
.panels { display: grid; gap: 1.1rem 1.4rem; margin: 1rem 0; }
.panels figure { margin: 0; } .panels figcaption { font-weight: 600; font-size: .92rem; margin-bottom: .15rem; }
.panels svg { display: block; width: 100%; height: auto; max-width: 26rem; }
.panels svg text { font-family: inherit; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.3rem; max-width: none; font-size: .92rem; }
.legend svg { vertical-align: -1px; }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem; border-bottom: 1px solid var(--line); }
#table-times td, #table-errors td, #table-glance td, #table-kept td { text-align: right; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--line); } tbody th { font-weight: 500; }
#table-corrections td { min-width: 13rem; }
tbody th:first-child { min-width: 9rem; }
@media (max-width: 40rem) { body { padding: 1rem .9rem 3rem; } h1 { font-size: 1.5rem; }
  th, td { padding: .25rem .45rem; } }
"""


def page(figures: Sequence[Figure], notes: Sequence[str], foot: str) -> str:
    """The whole page.

    Parameters
    ----------
    figures : sequence of Figure
        In their order.
    notes : sequence of str
        What is smaller here than in the paper, in sentences; empty if nothing is.
    foot : str
        A last line: what made the page, and how long it took.
    """
    links = "".join(f'<li><a href="#{f.key}">{f.title}</a></li>' for f in figures)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>TransNet: the paper, reproduced</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n"
        "<h1>TransNet: the paper, reproduced</h1>\n"
        '<p class="lead">Every figure and table of <i>TransNet: Transferable Neural Networks for Partial Differential '
        "Equations</i> (Zhang, Bao, Ju, Zhang), reproduced on this machine, beside what was published and what the "
        "defaults of this library make of the same problems.</p>\n"
        f"<nav><ul>{links}</ul></nav>\n</header>\n<main>\n"
        f"{_section(figures[0])}{_notes(notes)}{''.join(map(_section, figures[1:]))}</main>\n"
        f'<footer><p class="soft">{foot}</p></footer>\n</body>\n</html>\n'
    )


def _notes(notes: Sequence[str]) -> str:
    if not notes:
        return '<p class="note">Everything is at the sizes of the paper.</p>'
    items = "".join(f"<li>{n}</li>" for n in notes)
    return (
        f'<div class="note"><b>What is smaller here than in the paper</b><ul id="reductions">{items}</ul>'
        "<code>transnet paper report --full</code> does all of it at the paper's sizes.</div>"
    )


def _section(figure: Figure) -> str:
    grid = f"grid-template-columns:repeat(auto-fill,minmax(min(100%,{figure.width:g}rem),1fr))"
    panels = "".join(f"<figure><figcaption>{p.title}</figcaption>{p.svg}</figure>\n" for p in figure.panels)
    files = ", ".join(f'<a href="data/{name}.csv">{name}.csv</a>' for name in figure.data)
    return (
        f'<section id="{figure.key}">\n<h2>{figure.title}</h2>\n<p>{figure.caption}</p>\n{figure.body}'
        + (f'<div class="panels" style="{grid}">{panels}</div>\n' if panels else "")
        + (f'<p class="data">Data: {files}</p>\n' if files else "")
        + "</section>\n"
    )
