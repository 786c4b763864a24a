"""Check the links of the built pages: every file that a page names is there, and every anchor in it.

    python docs/links.py docs/_build/html

Addresses of other sites are not looked at: this is done without a network.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

NAMED = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src", "video": "src"}


class Page(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.anchors |= {value for key in ("id", "name") if (value := found.get(key))}
        if (link := found.get(NAMED.get(tag, ""))) is not None:
            self.links.append(link)


def broken(folder: Path) -> list[str]:
    """The links that lead nowhere, each with the page that it is on."""
    pages = {file.resolve(): Page(file.read_text(encoding="utf-8")) for file in folder.rglob("*.html")}
    wrong = []
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                wrong.append(f"{file.relative_to(folder.resolve())}: {link}: there is no such file")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                wrong.append(f"{file.relative_to(folder.resolve())}: {link}: there is no such place")
    return wrong


if __name__ == "__main__":
    found = broken(Path(sys.argv[1]))
    print("\n".join(found) or "every link leads somewhere")
    sys.exit(bool(found))
