"""Domains from files and from other libraries: outlines, drawings and meshes, with the names of their parts."""

from transnet.drawings.read import from_shapely, read_domain

__all__ = ["from_shapely", "read_domain"]
