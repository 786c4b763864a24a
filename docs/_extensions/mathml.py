"""Formulas as MathML, which browsers draw by themselves: no script, nothing from the network."""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert
from sphinx.application import Sphinx

SCRIPT = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵", strict=True))


def mathml(formula: str, display: str) -> str:
    """The formula as MathML. What the converter lacks is put otherwise, and what it leaves over is refused."""
    text = re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{align*}", formula.strip())
    text = re.sub(r"\\mathcal\s*\{?([A-Z])\}?", lambda m: SCRIPT[m.group(1)], text)
    text = text.replace(r"\displaystyle", "").replace(r"\#", r"\text{#}")
    found = convert(text, display=display).replace("<mi>&</mi>", "<mi>&amp;</mi>")
    left = re.findall(r"\\[A-Za-z]+", found)
    if left:
        raise ValueError(f"The formula {formula!r} uses {', '.join(left)}, which docs/_extensions/mathml.py lacks.")
    return found


def inline(self: Any, node: Any) -> None:
    self.body.append(mathml(node.astext(), "inline"))
    raise self.skip


def block(self: Any, node: Any) -> None:
    self.body.append(f'<div class="formula">{mathml(node.astext(), "block")}</div>\n')
    raise self.skip


def setup(app: Sphinx) -> dict[str, bool]:
    from docutils import nodes

    def wrapped(visit: Any) -> Any:
        def visitor(self: Any, node: Any) -> None:
            self.skip = nodes.SkipNode
            visit(self, node)

        return visitor

    app.add_html_math_renderer("mathml", (wrapped(inline), None), (wrapped(block), None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
