"""How the documentation is built: `make docs`, or `sphinx-build -W docs docs/_build/html` once the gallery is made."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "src"))

project = "transnet"
author = "the transnet developers"
copyright = "the transnet developers, MIT licence"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",  # so that formulas need no network
]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "transnet"
html_static_path = ["_static"]
html_css_files = ["transnet.css"]
html_theme_options = {"sidebar_hide_name": False}
html_copy_source = False

myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 3

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False
pygments_style = "friendly"
pygments_dark_style = "native"


def plain_bars(app: object, what: str, name: str, of: object, options: object, lines: list[str]) -> None:
    """Docstrings write |u| as mathematics does; reStructuredText takes bars for substitutions."""
    lines[:] = [line.replace("|", "\\|") if "``" not in line else line for line in lines]


def no_types(app: object, what: str, name: str, of: object, options: object, lines: list[str]) -> None:
    """Napoleon takes what stands before a colon in the docstring of a property for its type; here it is a sentence."""
    if what == "property":
        lines[:] = [line.replace(": ", " – ") for line in lines]


def setup(app: object) -> None:
    app.connect("autodoc-process-docstring", no_types, priority=100)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", plain_bars, priority=900)  # type: ignore[attr-defined]
