"""Integrals of functions that are singular at corners and in holes."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import quad

import transnet as tn
from transnet.basis.foci import foci_of
from transnet.features.placement import Placement
from transnet.rows import averages
from transnet.rows.averages import averaging_rule

S = sp.Symbol("s")
ELLIPSE = tn.Curve((0.04 * sp.cos(S) + 0.2, 0.005 * sp.sin(S) + 0.1), (S, 0, 2 * sp.pi))
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


@pytest.mark.parametrize(
    ("radius", "centre"), [(0.2, (0, 0)), (0.03, (0, 0)), (0.005, (0.3, 0.2)), (0.005, (0.98, 0)), (0.0005, (-0.4, 0))]
)
def test_poles_and_logarithms_in_a_round_hole(radius, centre):
    """Green's formula makes the integral of a power of z one over both circles; that of log|z| is known in a disk."""
    domain = tn.Disk() - tn.Disk(center=centre, radius=radius)
    nodes, weights = rule(domain)
    assert domain.contains(nodes).all()
    c = complex(*centre)
    z = nodes @ [1, 1j] - c
    whole = np.pi * (abs(c) ** 2 - 1) / 2 - np.pi * radius**2 * (np.log(radius) - 0.5)
    assert weights @ np.log(abs(z)) == pytest.approx(whole, abs=1e-12)
    turn = np.exp(2j * np.pi * np.arange(4000) / 4000)
    for k in (1, 2, 8, 16):
        outer, inner = (
            np.mean((circle - shift).conj() * (radius / (circle - shift)) ** k * circle) * np.pi
            for circle, shift in ((turn, c), (radius * turn, 0))
        )
        assert weights @ (radius / z) ** k == pytest.approx(outer - inner, abs=1e-10)


@pytest.mark.parametrize("hole", [tn.Region(ELLIPSE), tn.Box(x=(0.2, 0.22), y=(0.1, 0.13))], ids=str)
def test_the_logarithm_in_other_small_holes(hole):
    """The mean of log|z - c| over what the hole leaves of a disk, c in the hole."""
    domain = tn.Disk() - hole
    nodes, weights = rule(domain)
    c = np.mean(hole.bounds, axis=0)
    # Over the hole: div((z - c) (log r / 2 - 1 / 4)) = log r, so an integral around its rim.
    inside = 0.0
    for part in hole.parts:
        for arc in hole.arcs(part):
            for k in range(40):
                p, n, w = arc.quadrature(20, k * arc.length / 40, (k + 1) * arc.length / 40)
                r = np.linalg.norm(p - c, axis=1)
                inside += w @ (np.einsum("ij,ij->i", p - c, n) * (np.log(r) / 2 - 0.25))
    exact = np.pi * (c @ c - 1) / 2 - inside
    assert weights @ np.log(np.linalg.norm(nodes - c, axis=1)) == pytest.approx(exact, abs=1e-10)


def test_the_energy_between_two_plates_is_the_work_of_their_charges():
    """Eight reentrant corners close to each other have no room for polar coordinates and get panels."""
    x, y = sp.symbols("x y")
    potential = tn.unknown("V", x, y)
    field = tn.electrostatics(potential, permittivity=1)
    plates = {f"plate {s}": tn.Box(x=(-1, 1), y=(s - 0.05, s + 0.05), name=f"plate {s}") for s in (-0.25, 0.25)}
    domain = tn.Box(x=(-3, 3), y=(-2, 2)) - plates["plate -0.25"] - plates["plate 0.25"]
    earthed = [field.electrode(wall, 0) for wall in ("left", "right", "bottom", "top")]
    charged = [field.electrode("plate -0.25", -1), field.electrode("plate 0.25", 1)]
    solution = tn.solve(tn.Problem(domain, field.equations, earthed + charged), tol=1e-4)
    energy = solution.integral(field.energy)
    work = solution.integral(field.surface_charge, over="plate 0.25")
    assert energy.value == pytest.approx(work.value, abs=3 * (energy.error + work.error))
    assert energy.value == pytest.approx(13.98792, abs=2e-3)  # by finite elements refined towards the corners
    assert energy.error < 1e-2


def test_levels_of_a_rule_differ_where_there_are_too_many_corners_for_panels(monkeypatch):
    """Their difference is taken for the error of the integral."""
    monkeypatch.setattr(averages, "MANY", 0)
    monkeypatch.setattr(averages, "MOST", 4_000)
    plate = tn.Box(x=(-2, 2), y=(-1, 1)) - tn.Box(x=(-1, 1), y=(-0.05, 0.05))
    placement = Placement.of(plate)
    foci = foci_of(tn.singularities(plate), placement.centre, placement.scale)
    sizes = [len(averaging_rule(plate, 900, foci, fine)[1]) for fine in (0.75, 1.0, 1.4)]
    assert sizes[0] < sizes[1] < sizes[2]
