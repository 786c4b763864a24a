"""How many: points at which something is looked at, numbers held at once, steps of what converges quadratically.

They bound an effort. None of them affects accuracy: results are the same with half or twice as many.
"""

LOOKS = 65
"""Points along an arc, a face or a step at which it is asked where something changes."""
ALONG = 400
"""Points along a line or a part of a boundary at which something is looked at closely, or drawn."""
SAMPLE = 300
"""Points at which the size of something smooth is measured: to a few per cent."""
MANY = 4_000
"""Points of a domain or of a surface at which something is looked at closely."""
NEWTON = 8
"""Steps of Newton's method from a start that is a sample away: five are enough."""
STEPS = 20
"""The most steps of Newton's method where nothing better is known: five are usual."""
EXAMINED = 512
"""The most arcs, ends or lines of a domain that are examined one by one."""
HIGHEST = 30
"""The highest degree of a function in a file: a larger one means that it is damaged."""
RECENT = 256
"""Things that are remembered because they are soon asked for again."""
IN_CACHE = 200_000
"""Numbers of an array of which a few stay in the cache."""
AT_ONCE = 2_000_000
"""Numbers that are held at once: a few arrays of them stay below a hundred megabytes."""
RIGHTS = 256
"""Right-hand sides that are solved for at once."""
