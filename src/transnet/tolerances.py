"""When two values count as equal: tolerances of comparisons, relative to the size of what is compared.

They do not affect accuracy. Many decades lie between the rounding of a computation and the smallest detail that a
problem can have, and each of these is inside that gap: results are the same with a tenth of it or ten times as much.
"""

ROUNDED = 1e-12
"""For numbers that differ only by rounding: a few thousand operations with errors of 2e-16 each."""
SAME = 1e-9
"""For places, directions and powers that are meant to be equal although they were computed in two ways, or printed and
read."""
BESIDE = 1e-6
"""A step from a place to its side: far above `SAME`, and far below any detail of a domain."""
PRECISION = 1e-14
"""What rounding leaves of a computation that is stable: some dozens of units in the last place."""
HALVINGS = 52
"""Halvings after which an interval is as short as rounding allows: the bits of a double."""
EPS = 2.0**-52
"""The spacing of doubles at one."""
DECIMALS, DIGITS = 9, 17
"""Decimals to which numbers are rounded that are compared, and digits with which a double is read back as it was."""
