"""How close is the same: bounds of comparisons, as parts of the size of what is compared.

They decide no accuracy. Between the rounding of a computation and the smallest detail that a problem can state lie many
decades, and each of these stands inside that gap; what is computed stays the same with a tenth or ten times of it.
"""

ROUNDED = 1e-12
"""Numbers that differ by rounding alone: some thousand operations with errors of 2e-16 each."""
SAME = 1e-9
"""Places, directions and powers that are meant to be the same although they were computed in two ways, or printed and
read."""
BESIDE = 1e-6
"""A step from a place to its side: far beyond `SAME`, and far below any detail of a domain."""
HALVINGS = 52
"""Halvings after which an interval is as short as rounding lets it be: the bits of a double."""
