"""Waves that leave a channel or a row of bodies: products of a function across and an exponential along it.

    F_n = phi_n(s) exp(i g_n |t - t_0|),   g_n = sqrt(k^2 - kappa_n^2),   Im g_n >= 0.

Between two walls phi_n are sines and cosines, from one period to the next exp(i kappa_n s). Finitely many run, the
others decay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.errors import ProblemError

LN10 = float(np.log(10.0))
"""Powers of e in a digit."""
CUT_OFF = 1e-7
"""|g| / k below which a wave runs across: it neither leaves nor decays."""


@dataclass(frozen=True)
class CrossSection:
    """What holds across a channel.

    Parameters
    ----------
    low, width : float
        Where it begins, and how wide it is.
    phase : float or None
        By which a period turns the field; None between walls.
    signs : (int, int)
        Of images in the walls: -1 where the value is zero, 1 where the flux is.
    """

    low: float
    width: float
    phase: float | None = None
    signs: tuple[int, int] = (1, 1)

    def waves(self, steepest: float) -> tuple[np.ndarray, np.ndarray]:
        """kappa_n up to a limit, the lowest first, and the shifts of their cosines."""
        if self.phase is not None:
            most = int(np.ceil((steepest * self.width + abs(self.phase)) / (2.0 * np.pi)))
            kappa = (self.phase + 2.0 * np.pi * np.arange(-most, most + 1)) / self.width
        else:
            odd = self.signs[0] != self.signs[1]
            first = 0 if odd or self.signs[0] > 0 else 1
            numbers = np.arange(first, first + 2 + int(steepest * self.width / np.pi)) + 0.5 * odd
            kappa = np.pi * numbers / self.width
        kappa = kappa[np.argsort(np.abs(kappa), kind="stable")]
        kappa = kappa[np.abs(kappa) <= max(steepest, float(np.abs(kappa[0])))]
        return kappa, np.full(len(kappa), -0.5 * np.pi if self.signs[0] < 0 else 0.0)


@dataclass(frozen=True, eq=False)
class EndModes:
    """The waves that leave at an end.

    Parameters
    ----------
    wavenumber : complex
    across : CrossSection
    axis : int
        Along which they run.
    at : float
        Where they begin.
    way : int
        1 or -1: upwards or downwards.
    steepest : float
        The largest |kappa| among them.
    """

    wavenumber: complex
    across: CrossSection
    axis: int
    at: float
    way: int
    steepest: float
    regular = True

    @cached_property
    def kappa(self) -> np.ndarray:
        return self.across.waves(self.steepest)[0]

    @cached_property
    def gamma(self) -> np.ndarray:
        """The wave numbers along the channel."""
        found = np.sqrt(self.wavenumber**2 - self.kappa**2 + 0j)
        return np.where(found.imag < 0, -found, found)

    @property
    def running(self) -> np.ndarray:
        """The waves that do not decay."""
        return np.flatnonzero(np.abs(self.gamma.imag) <= CUT_OFF * abs(self.wavenumber))

    def __len__(self) -> int:
        return len(self.kappa)

    @property
    def index(self) -> np.ndarray:
        return np.stack([np.zeros(len(self), dtype=int), np.arange(len(self))], axis=1)

    @property
    def logs(self) -> np.ndarray:
        return np.empty(0, dtype=int)

    @property
    def turns(self) -> np.ndarray:
        return np.ones(len(self), dtype=complex)

    @property
    def centres(self) -> np.ndarray:
        found = np.full((1, 2), self.at)
        found[0, 1 - self.axis] = self.across.low
        return found

    @property
    def radii(self) -> np.ndarray:
        return np.array([self.across.width])

    @property
    def orders(self) -> np.ndarray:
        return np.array([[0, len(self)]])

    def shape(self, s: np.ndarray, order: int = 0) -> np.ndarray:
        """The derivative of phi_n of that order: (F, n)."""
        kappa, shift = (v[:, None] for v in self.across.waves(self.steepest))
        if self.across.phase is not None:
            return np.asarray((1j * kappa) ** order * np.exp(1j * kappa * (s - self.across.low)))
        return np.asarray(kappa**order * np.cos(kappa * (s - self.across.low) + shift + 0.5 * np.pi * order) + 0j)

    def squares(self) -> np.ndarray:
        """The integrals of |phi_n|^2 across."""
        flat = (self.across.phase is not None) | (self.kappa == 0)
        return np.where(flat, 1.0, 0.5) * self.across.width

    def number(self, n: int) -> int:
        """How many periods or half waves a function has across."""
        if self.across.phase is not None:
            return round((self.kappa[n] * self.across.width - self.across.phase) / (2.0 * np.pi))
        return int(np.floor(self.kappa[n] * self.across.width / np.pi + 0.25))

    def derivatives(self, points: np.ndarray, indices: list[tuple[int, int]]) -> list[np.ndarray]:
        """D^k of every function at points for several multi-indices: (F, n) complex each."""
        along = 1j * self.way * self.gamma[:, None]
        run = np.exp(along * (points[:, self.axis] - self.at))
        return [self.shape(points[:, 1 - self.axis], i[1 - self.axis]) * along ** i[self.axis] * run for i in indices]

    def summed(self, points: np.ndarray, indices: list[tuple[int, int]], factors: np.ndarray) -> list[np.ndarray]:
        """D^k of the sum of all functions with complex factors (F, c): (n, c) each."""
        return [values.T @ factors for values in self.derivatives(points, indices)]

    def stored(self) -> dict[str, Any]:
        a = self.across
        return {
            "axis": self.axis, "at": self.at, "way": self.way, "steepest": self.steepest,
            "low": a.low, "width": a.width, "phase": a.phase, "signs": list(a.signs),
        }  # fmt: skip

    @classmethod
    def read(cls, wavenumber: complex, data: Mapping[str, Any]) -> EndModes:
        first, second = (int(s) for s in data["signs"])
        phase = None if data["phase"] is None else float(data["phase"])
        across = CrossSection(float(data["low"]), float(data["width"]), phase, (first, second))
        found = cls(wavenumber, across, int(data["axis"]), float(data["at"]), int(data["way"]), float(data["steepest"]))
        numbers = [across.low, across.width, across.phase or 0.0, found.at, found.steepest]
        fits = np.isfinite(numbers).all() and across.width > 0 and {first, second, found.way} <= {-1, 1}
        if not fits or found.axis not in (0, 1) or not abs(found.steepest) * across.width <= MOST:
            raise ValueError("the waves of a channel have numbers that cannot be")
        return found


MOST = 1e5
"""The most periods of a wave across a channel times 2 pi: more in a file means that it is damaged."""


def end_modes(
    wavenumber: complex, across: CrossSection, axis: int, at: float, way: int, clear: float, digits: float
) -> EndModes:
    """The waves at an end that is so far away from all bodies: steeper ones have decayed by so many digits."""
    steepest = float(np.hypot(abs(wavenumber), digits * LN10 / clear))
    found = EndModes(wavenumber, across, axis, at, way, steepest)
    slow = np.abs(found.gamma) < CUT_OFF * abs(wavenumber)
    if slow.any():
        raise ProblemError(
            f"At k = {wavenumber.real:g} a wave runs straight across the channel (kappa = {found.kappa[slow][0]:.6g}): "
            f"it neither leaves nor decays, so that nothing determines it. Take a wave number beside this cut-off."
        )
    return found
