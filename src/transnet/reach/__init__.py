"""Boxes with ends at infinity: solved in a window that reaches as far as the solution does."""
