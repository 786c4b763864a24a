"""Union, intersection, difference and product: names, seams, cuts along faces, random cases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transnet.errors import GeometryError
from transnet.geometry import Ball, Box, Disk, Interval
from transnet.geometry.csg import combine
from transnet.measure.sampling import apportion, quasi


def test_parts_of_a_difference_keep_their_names():
    plate = Box(x=(0, 2), y=(0, 1)) - Disk((1, 0.5), 0.2, name="hole")
    assert plate.parts == ("x=0", "x=2", "y=0", "y=1", "hole")
    assert plate.resolve("left") == ("x=0",)
    hole = plate.boundary("hole", 40)
    inward = (np.array([1, 0.5]) - hole.points) / 0.2
    np.testing.assert_allclose(hole.normals, inward, atol=1e-12)
    assert plate.measure("hole") == pytest.approx(0.4 * np.pi)
    both = Disk() - Disk((0.2, 0), 0.5)
    assert both.parts == ("circle",)
    assert both.measure("circle") == pytest.approx(3 * np.pi)
    assert both.names == (None, None)
    assert plate.names == ("x", "y")


def test_l_shape():
    shape = Box(x=(0, 1), y=(0, 1)) - Box(x=(0.5, 1), y=(0.5, 1))
    assert set(shape.parts) == {"x=0", "x=1", "y=0", "y=1", "x=0.5", "y=0.5"}
    lengths = {part: shape.measure(part) for part in shape.parts}
    assert lengths == pytest.approx({"x=0": 1, "x=1": 0.5, "y=0": 1, "y=1": 0.5, "x=0.5": 0.5, "y=0.5": 0.5})
    np.testing.assert_allclose(shape.boundary("x=0.5", 9).normals, [[1, 0]] * 9)
    assert len(shape.grid(11)) == 121 - 25  # no point of the cut-away faces is left over
    assert shape.contains([[0.5, 0.5], [0.5, 1], [1, 0.5]]).all()
    assert not shape.contains([[1, 1], [1, 0.75], [0.75, 1]]).any()


def test_seams_and_shared_faces():
    pair = Box(x=(0, 1), y=(0, 1)) | Box(x=(1, 2), y=(0, 1))
    assert pair.parts == ("x=0", "y=0", "y=1", "x=2")
    assert pair.measure() == pytest.approx(6)
    assert pair.measure("y=0") == pytest.approx(2)
    assert pair.contains([[1, 0.5]]).all()
    overlap = Box(x=(0, 2), y=(0, 1)) | Box(x=(1, 3), y=(0, 1))
    assert overlap.measure() == pytest.approx(8)  # the shared stretches are counted once
    beside = Box(x=(0, 1), y=(0, 1)) - Box(x=(1, 2), y=(0, 1))
    assert beside.measure() == pytest.approx(4)
    assert beside.volume == pytest.approx(1)
    cut = pair - Box(x=(0.5, 1.5), y=(0.5, 1))
    assert cut.volume == pytest.approx(1.5)
    through = Box(x=(0, 1), y=(0, 1)) - Box(x=(0.5, 2), y=(-1, 2))
    np.testing.assert_allclose(through.bounds, [[0, 0], [0.5, 1]], atol=1e-7)


def test_rounded_ends_touch_their_straight_sides():
    slot = Box(x=(0, 2), y=(0, 1)) | Disk((2, 0.5), 0.5, name="end")
    assert slot.volume == pytest.approx(2 + np.pi / 8, rel=1e-12)
    assert slot.measure("end") == pytest.approx(np.pi / 2, rel=1e-12)
    assert slot.quadrature(1000)[1].sum() == pytest.approx(slot.volume, rel=1e-12)
    plate = Box(x=(-1, 4), y=(-1, 2)) - slot
    assert plate.volume == pytest.approx(15 - slot.volume, rel=1e-12)
    rounded = Box(x=(0.1, 0.9), y=(0, 1)) | Box(x=(0, 1), y=(0.1, 0.9))
    for centre in ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)):
        rounded = rounded | Disk(centre, 0.1)
    assert rounded.volume == pytest.approx(1 - (4 - np.pi) * 0.01, rel=1e-12)
    assert rounded.measure() == pytest.approx(3.2 + 0.2 * np.pi, rel=1e-12)


def test_combinations_in_space():
    shell = Ball() - Ball(radius=0.5, name="core")
    assert shell.parts == ("sphere", "core")
    assert shell.volume == pytest.approx(4 * np.pi / 3 * 7 / 8)
    assert shell.measure("core") == pytest.approx(np.pi)
    core = shell.boundary("core", 100)
    np.testing.assert_allclose(core.normals, -core.points / 0.5, atol=1e-12)
    cut = Box(x=(0, 1), y=(0, 1), z=(0, 1)) - Box(x=(0.5, 1), y=(0.5, 1), z=(0, 1))
    assert cut.measure("z=0") == pytest.approx(0.75, rel=1e-3)
    assert cut.volume == pytest.approx(0.75, rel=1e-3)
    assert len(cut.boundary(n=333).points) == 333
    lens = Ball() & Ball((1, 0, 0))
    assert lens.volume == pytest.approx(5 * np.pi / 12, rel=1e-3)


def test_intervals():
    two = Interval(x=(0, 1)) | Interval(x=(2, 3))
    assert two.parts == ("x=0", "x=1", "x=2", "x=3")
    np.testing.assert_array_equal(two.boundary("x=2").normals, [[-1]])
    joined = Interval(x=(0, 2)) | Interval(x=(1, 3))
    assert joined.parts == ("x=0", "x=3")
    assert (Interval(x=(0, 3)) - Interval(x=(1, 2))).volume == pytest.approx(2)


def test_products_have_sides():
    rod = Interval(x=(0, 1)) * Interval(t=(0, 2))
    assert rod.names == ("x", "t")
    assert rod.parts == ("x=0", "x=1", "t=0", "t=2")
    assert rod.resolve("sides") == ("x=0", "x=1")
    assert rod.resolve("t=max") == ("t=2",)
    tube = Disk() * Interval(t=(0, 2))
    assert tube.names == (None, None, "t")
    assert tube.measure("sides") == pytest.approx(4 * np.pi)
    start = tube.boundary("t=0", 50)
    np.testing.assert_array_equal(start.normals, [[0, 0, -1]] * 50)
    assert (start.points[:, 2] == 0).all()
    assert len(tube.grid((50, 50, 3))) == 3 * 1876
    assert (Disk() * Disk((1, 1))).measure("circle") == pytest.approx(4 * np.pi**2)
    four = Box(x=(0, 1), y=(0, 1)) * Interval(z=(0, 1)) * Interval(t=(0, 1))
    assert four.dimension == 4
    assert four.volume == pytest.approx(1)
    assert four.resolve("sides") == four.first.parts


@pytest.mark.parametrize("shape", [Disk(), Ball(), Interval(x=(-1, 1))], ids=str)
def test_sides_of_a_product_are_spread_jointly(shape):
    """The sides, cut into cells of place and time, have nearly equal numbers of samples in each."""
    sides = (shape * Interval(t=(0, 1))).boundary("sides", 1024).points
    place = (sides[:, 0] > 0).astype(int) + 2 * (sides[:, 1] > 0) * (shape.dimension > 1)
    counts = np.bincount(place * 8 + np.minimum((sides[:, -1] * 8).astype(int), 7))
    counts = counts[counts > 0]
    assert np.ptp(counts) <= 0.35 * counts.mean()


def test_product_grid_is_a_tensor_product():
    tube = (Disk() * Interval(t=(0, 1))).boundary("circle", 100, "grid").points
    assert len(np.unique(tube[:, 2].round(12))) == 10


def test_quasi_is_spread_and_apportion_is_exact():
    points = quasi(4096, 3, np.random.default_rng(0))
    counts = np.histogramdd(points, bins=4, range=[(0, 1)] * 3)[0]
    assert np.all(np.abs(counts - 64) < 16)
    rng = np.random.default_rng(1)
    for _ in range(50):
        measures = rng.random(7) ** 4 + 1e-9
        for n in (3, 7, 8, 100):
            counts = apportion(n, measures)
            assert counts.sum() == n
            assert counts.min() >= (1 if n >= 7 else 0)
    np.testing.assert_array_equal(apportion(8, [1, 1, 2]), [2, 2, 4])


coordinate = st.floats(-1, 1).map(lambda v: round(v, 3))
size = st.floats(0.2, 1.5).map(lambda v: round(v, 3))
boxes = st.builds(lambda a, b, w, h: Box(x=(a, a + w), y=(b, b + h)), coordinate, coordinate, size, size)
disks = st.builds(lambda a, b, r: Disk((a, b), r), coordinate, coordinate, size)
shapes = st.one_of(boxes, disks)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(shapes, shapes, st.sampled_from("-|&"))
def test_random_combinations(first, second, op):
    """Inside is what the two say; the boundary is where inside ends; areas obey inclusion and exclusion."""
    try:
        domain = combine(op, first, second)
    except GeometryError:
        inside = first.interior(200)
        if op == "-":
            assert second.contains(inside).mean() > 0.95  # next to nothing is left
        else:
            assert op == "&"
            assert second.contains(inside).mean() < 0.05
        return
    points = np.random.default_rng(0).uniform(-3, 3, (500, 2))
    a, b = first.contains(points), second.contains(points)
    np.testing.assert_array_equal(domain.contains(points), {"-": a & ~b, "|": a | b, "&": a & b}[op])
    rim = domain.boundary(n=60)
    assert domain.contains(rim.points).all()
    inner, outer = domain.contains(rim.points - 1e-7 * rim.normals), domain.contains(rim.points + 1e-7 * rim.normals)
    assert inner.mean() > 0.95  # but for samples within a step of a corner
    assert outer.mean() < 0.05
    if op == "-":
        try:
            both = (first & second).volume
        except GeometryError:
            both = 0.0
        assert domain.volume == pytest.approx(first.volume - both, abs=1e-5)
