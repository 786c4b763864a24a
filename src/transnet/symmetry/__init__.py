"""Reflections: a problem that they leave unchanged splits into independent ones, for even and odd functions."""
