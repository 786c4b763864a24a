"""Parts of a network: how many of the leading columns are a smaller one."""

from __future__ import annotations

from transnet.basis.basis import Basis


def nested_part(fraction: float, basis: Basis) -> tuple[int, int]:
    """How many neurons an unknown, and columns of all, a part of the network has.

    An even number of neurons, because sines come in pairs that belong together. Constants and singular features stay,
    those that come late do not.
    """
    unknowns, kept = len(basis.spaces), max(s.neuron_columns.start for s in basis.spaces)
    neurons = 2 * int(0.5 * fraction * (sum(s.neurons for s in basis.spaces) // unknowns + 1))
    return neurons, (neurons + kept) * unknowns
