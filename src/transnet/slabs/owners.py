"""Which tests an equation loses to the conditions on the sides of a box.

The polynomials of the highest degrees make room for the conditions. On a line an equation of order m along it loses m.
On a box that leaves modes free in a system of first order such as Maxwell's: there the equation that moves an unknown
loses as many as there are conditions on that unknown across the axis, none for the magnetic field and two for the
electric one, like the equivalent wave equation.
"""

from __future__ import annotations

from transnet.slabs.evolution import Evolution


def drops_of(evolution: Evolution) -> list[tuple[int, ...]]:
    """For each equation the number of tests it loses along each axis of space."""
    usual = [_orders(evolution, number) for number in range(len(evolution.equations))]
    owned = _owned(evolution)
    if owned is not None and len(owned) == 1:
        # Where all characteristics leave there are fewer conditions than orders.
        usual = [
            tuple(
                o if a in evolution.periodic else min(o, c)
                for a, (o, c) in enumerate(zip(usual[0], owned[0], strict=True))
            )
        ]
    if owned is None or len(evolution.bounds[0]) < 2:
        return usual
    free = [a for a in range(len(evolution.bounds[0])) if a not in evolution.periodic]
    fits = all(sum(d[a] for d in owned) == sum(d[a] for d in usual) for a in free)
    return owned if fits else usual


def _orders(evolution: Evolution, number: int) -> tuple[int, ...]:
    """The highest order of an equation along each axis of space."""
    indices = [evolution.split(index)[0] for _, index in evolution.equations[number].equation.slots]
    return tuple(max(orders) for orders in zip(*indices, strict=True))


def _owned(evolution: Evolution) -> list[tuple[int, ...]] | None:
    """The conditions on the unknown that each equation moves; None if that is not one unknown for each."""
    d = len(evolution.bounds[0])
    counts = [[0] * d for _ in evolution.orders]
    for side in evolution.sides:
        named = {number for number, _ in side.statement.equation.slots}
        if len(named) != 1:
            return None
        counts[named.pop()][side.axis] += 1
    owners = evolution.owners
    return None if owners is None else [tuple(counts[owner]) for owner in owners]
