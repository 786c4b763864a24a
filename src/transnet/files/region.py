"""The domain of a problem file: a text, a table that names a file, or pieces."""

from __future__ import annotations

from transnet.drawings import read_domain as domain_from_file
from transnet.errors import TransnetError
from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.words import told
from transnet.geometry import Domain, Pieces
from transnet.language.domains import domain as read_domain
from transnet.language.names import Names


def region_of(builder: Builder, numbers: Names) -> Domain:
    """The domain: a text, a table that names a file, or pieces."""
    if "pieces" in builder.table:
        if "domain" in builder.table:
            builder.fail(("pieces",), "The file has a 'domain' and 'pieces'. The pieces are the domain: leave one out.")
        return _pieces(builder, numbers)
    stated = builder.table["domain"]
    if isinstance(stated, str):
        return builder.read(("domain",), read_domain, stated, numbers, builder.path.parent)
    schema.check(stated, schema.DOMAIN_FILE, builder.locator, ("domain",))
    source = builder.beside(("domain", "file"), stated["file"])
    try:
        domain = domain_from_file(source, float(stated.get("scale", 1.0)))
    except TransnetError as error:
        builder.fail(("domain", "file"), told(error))
    if "times" in stated:
        domain = domain * builder.read(("domain", "times"), read_domain, stated["times"], numbers, builder.path.parent)
    return domain


def _pieces(builder: Builder, numbers: Names) -> Domain:
    """The domain of several materials."""
    shapes = {}
    for name, text in builder.table["pieces"].items():
        if not isinstance(text, str):
            builder.fail(("pieces", name), f"The piece '{name}' must be a domain as a text.")
        shapes[name] = builder.read(("pieces", name), read_domain, text, numbers, builder.path.parent)
    try:
        return Pieces(shapes)
    except TransnetError as error:
        return builder.fail(("pieces",), told(error))
