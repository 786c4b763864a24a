"""Integrals of functions that are singular at corners."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

import transnet as tn
from transnet.discretise.averages import averaging_rule
from transnet.discretise.foci import foci_of
from transnet.discretise.placement import Placement

ELL = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)])


def rule(domain: tn.Domain) -> tuple[np.ndarray, np.ndarray]:
    placement = Placement.of(domain)
    return averaging_rule(domain, 900, foci_of(tn.singularities(domain), placement.centre, placement.scale))


@pytest.mark.parametrize("alpha", [1 / 3, 2 / 3, 4 / 3, 2.0])
def test_powers_of_the_distance_to_the_inner_corner(alpha):
    """In polar coordinates the integral of r^alpha cos(alpha phi) is one over the angle, of a known outline."""
    nodes, weights = rule(ELL)
    assert ELL.contains(nodes).all()
    angle = np.arctan2(-nodes[:, 0] - nodes[:, 1], nodes[:, 1] - nodes[:, 0]) + 3 * np.pi / 4

    def along(phi: float) -> float:
        outline = 1 / max(abs(np.cos(phi)), abs(np.sin(phi)))
        return outline ** (2 + alpha) / (2 + alpha) * np.cos(alpha * phi)

    exact = sum(quad(along, k * np.pi / 4, (k + 1) * np.pi / 4, epsabs=1e-14)[0] for k in range(6))
    found = weights @ (np.hypot(*nodes.T) ** alpha * np.cos(alpha * angle))
    assert found == pytest.approx(exact, abs=1e-11)


@pytest.mark.parametrize(
    ("domain", "bound"),
    [
        (ELL, 1e-9),
        (tn.Box(x=(0, 3), y=(0, 1)), 1e-9),
        (tn.Box(x=(-2, 2), y=(-1, 1)) - tn.Box(x=(-1, 1), y=(-0.2, 0.4)), 2e-6),  # little room beside its hole
        (tn.Disk() - tn.Disk(center=(0.3, 0), radius=0.3), 1e-9),
    ],
    ids=str,
)
def test_smooth_functions(domain, bound):
    nodes, weights = rule(domain)
    assert domain.contains(nodes).all()
    plain, others = domain.quadrature(20_000)
    for f in (lambda p: np.ones(len(p)), lambda p: np.exp(p[:, 0]) * np.cos(2 * p[:, 1])):
        assert weights @ f(nodes) == pytest.approx(others @ f(plain), rel=bound)
