"""Boundaries of unknown shape: fronts that are curves, found with the field by Newton's method, or followed in time."""
