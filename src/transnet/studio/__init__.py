"""The studio: a web page on which a problem is drawn, stated and solved while it changes."""

from transnet.studio.door import Studio, studio

__all__ = ["Studio", "studio"]
