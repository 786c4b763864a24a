"""Reflections: a problem that they leave as it is falls apart into independent ones, for functions even and odd."""
