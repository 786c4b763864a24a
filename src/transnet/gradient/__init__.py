"""Derivatives of results with respect to whatever is in a problem, and what they are good for."""
