"""Waves that leave at open ends: the orders of a grating, the modes of a channel, and the power in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.basis.end_modes import EndModes
from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.measure.rules import gauss
from transnet.solution.results.numbers import Number

if TYPE_CHECKING:
    from transnet.basis.outside import Formula
    from transnet.solution.solution import Solution

POINTS = 4
"""Points of a rule for each of the waves across: a product of two has twice the wave number."""


@dataclass(frozen=True)
class WaveOrder:
    """A wave that leaves, u = amplitude phi(s) exp(i along |t|).

    Attributes
    ----------
    end : str
        Where it leaves, such as "y=oo".
    number : int
        n: across it is exp(i across (s - s_0)) with across = (phase + 2 pi n) / period in a grating, and the sine or
        cosine with n half waves in a channel.
    along, across : float
        Its wave numbers.
    amplitude : complex
        At the origin of the coordinate along which it runs.
    share : Number
        Of the power that comes in, or of all that leaves where nothing comes in.
    """

    end: str
    number: int
    along: float
    across: float
    amplitude: complex
    share: Number


@explained
def orders(self: Solution) -> tuple[WaveOrder, ...]:
    """The waves that leave at open ends and do not decay: the orders of a grating, the modes of a channel.

    Without absorption their shares add up to one. What an incident wave becomes beyond the bodies is among them.
    """
    terms = [term for _, term in getattr(self.basis, "terms", ()) if isinstance(term.functions, EndModes)]
    ends = [t for t in terms if not _inside(self, t.functions)]
    if not ends:
        raise ProblemError(
            "Only waves that leave at open ends have orders: a channel or a row of bodies with tn.outgoing(u, k), such "
            "as tn.Box(x=(-sp.oo, sp.oo), y=(0, 1)) - body. Around bodies there is solution.far_field(angles)."
        )
    found, incoming = [], 0.0
    basis: Any = self.basis
    where = {id(term): columns for (_, term), columns in zip(basis.terms, basis.slices, strict=True)}
    for term in ends:
        modes: EndModes = term.functions
        running = modes.running
        leaving, coming = _of_given(modes, term.given, term.inwards)
        amplitudes = term.factors(self.coefficients[where[id(term)]])[:, 0] + leaving
        power = modes.gamma.real * modes.squares()
        incoming += float((power * np.abs(coming) ** 2)[running].sum())
        back = np.exp(-1j * modes.gamma * modes.way * modes.at)
        for n in running:
            amplitude = complex(amplitudes[n] * back[n])
            amplitude = amplitude.conjugate() if term.inwards else amplitude
            found.append((modes, n, amplitude, float(power[n] * abs(amplitudes[n]) ** 2)))
    total = incoming or sum(power for *_, power in found) or 1.0
    axis = str(self.problem.domain.names[ends[0].functions.axis])
    return tuple(
        WaveOrder(
            f"{axis}={'oo' if modes.way > 0 else '-oo'}",
            modes.number(n),
            float(modes.gamma[n].real),
            float(modes.kappa[n]),
            amplitude,
            Number(power / total, 2.0 * self.error * float(np.sqrt(power / total)) + self.error**2),
        )
        for modes, n, amplitude, power in found
    )


def _inside(self: Solution, modes: EndModes) -> bool:
    """Whether waves run into the domain from an end that is closed."""
    low, high = self.problem.domain.bounds[:, modes.axis]
    return (modes.way > 0) == (modes.at - low < high - modes.at) and not low < modes.at < high


def _of_given(modes: EndModes, given: Formula, inwards: bool) -> tuple[np.ndarray, np.ndarray]:
    """The parts of an incident wave that leave and that come in, as factors of the waves at an end."""
    count = int(POINTS * (len(modes) + 2))
    nodes, weights = gauss(count)
    points = np.full((count, 2), modes.at)
    points[:, 1 - modes.axis] = modes.across.low + modes.across.width * nodes
    slope = (1 - modes.axis, modes.axis)
    shapes = modes.shape(points[:, 1 - modes.axis]).conj() * weights * modes.across.width
    values, slopes = (given.derivative(points, index) for index in ((0, 0), slope))
    if inwards:
        values, slopes = values.conj(), slopes.conj()
    value, rise = (shapes @ f / modes.squares() for f in (values, slopes))
    half = rise / (1j * modes.gamma * modes.way)
    return 0.5 * (value + half), 0.5 * (value - half)
