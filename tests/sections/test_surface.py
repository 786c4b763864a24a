"""Rules on the boundary of several pieces in space, against the divergence theorem."""

from __future__ import annotations

import numpy as np
import pytest

import transnet as tn
from transnet.sections.surface import surface_rule

CHIP = tn.Pieces(
    board=tn.Box(x=(0, 2), y=(0, 2), z=(0, 1)),
    chip=tn.Box(x=(0.5, 1.5), y=(0.5, 1.2), z=(1, 1.4)),
)
BALL = tn.Ball(radius=0.4)
CORED = tn.Pieces(core=BALL, cube=tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1)) - BALL)


@pytest.mark.parametrize("domain", [CHIP, CORED])
def test_the_divergence_theorem_holds_on_several_pieces(domain: tn.Pieces) -> None:
    points, normals, weights = surface_rule(domain, "boundary", 8)
    field = np.stack([points[:, 0] ** 3, points[:, 0] * points[:, 1], points[:, 2] ** 2], axis=1)
    nodes, volumes = domain.quadrature(80_000)
    inside = volumes @ (3 * nodes[:, 0] ** 2 + nodes[:, 0] + 2 * nodes[:, 2])
    assert weights @ np.sum(field * normals, axis=1) == pytest.approx(inside, rel=1e-3)
    assert weights @ np.sum(points * normals, axis=1) / 3 == pytest.approx(domain.volume, rel=1e-12)


def test_what_a_box_covers_of_another_is_left_out_exactly() -> None:
    assert surface_rule(CHIP, "z=1", 8)[2].sum() == pytest.approx(3.3, rel=1e-13)
    _, normals, weights = surface_rule(CHIP, "chip|board", 8)
    assert weights @ normals == pytest.approx([0, 0, -0.7], abs=1e-13)
