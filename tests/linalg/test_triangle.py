"""Streaming: the triangle of rows that arrive in blocks is that of all rows, in the memory of one block."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import transnet as tn
import transnet.engines.engine as engines
from transnet.errors import ProblemError
from transnet.linalg.least_squares import triangle_of
from transnet.linalg.memory import available_memory
from transnet.linalg.triangle import Triangle


def same_up_to_signs(r: np.ndarray, s: np.ndarray) -> None:
    """Two triangles of one matrix differ by the signs of their rows."""
    signs = np.sign(np.diag(r)) * np.sign(np.diag(s))
    assert np.allclose(r, signs[:, None] * s, atol=1e-12 * np.abs(r).max())


@pytest.mark.parametrize("sizes", [(200,), (7, 50, 1, 142), (100, 100), (3,) * 66 + (2,)])
def test_any_partition_of_the_rows_has_the_same_triangle(sizes):
    a = np.random.default_rng(0).standard_normal((200, 30))
    parts = np.split(a, np.cumsum(sizes)[:-1])
    found = Triangle.of_blocks((np.array(p, order="F") for p in parts), 30).array
    assert np.allclose(found, np.triu(found))
    same_up_to_signs(triangle_of(np.array(a, order="F")), found)


def test_a_tree_of_triangles_is_the_triangle():
    a = np.random.default_rng(1).standard_normal((400, 20))
    leaves = [Triangle.of_blocks([np.array(p, order="F")], 20) for p in np.split(a, 4)]
    before = [leaf.array.copy() for leaf in leaves]
    whole = leaves[0].joined(leaves[1]).joined(leaves[2].joined(leaves[3]))
    same_up_to_signs(triangle_of(np.array(a, order="F")), whole.array)
    assert whole.rows == 400
    assert all(np.array_equal(x, y.array) for x, y in zip(before, leaves, strict=True)), "leaves may be needed again"


def test_it_is_backward_stable_on_a_numerically_singular_matrix():
    rng = np.random.default_rng(2)
    u, _ = np.linalg.qr(rng.standard_normal((600, 40)))
    v, _ = np.linalg.qr(rng.standard_normal((40, 40)))
    a = u * 10.0 ** -np.linspace(0, 18, 40) @ v
    r = Triangle.of_blocks((np.array(p, order="F") for p in np.split(a, 6)), 40).array
    # R^T R = A^T A to rounding: the normal equations are only the check here.
    assert np.abs(r.T @ r - a.T @ a).max() <= 1e-15
    x = rng.standard_normal(40)
    assert np.linalg.norm(r @ x) == pytest.approx(np.linalg.norm(a @ x), rel=1e-13)


def test_memory_is_one_block_and_one_triangle():
    columns, rows, block = 100, 40_000, 500

    def blocks():
        memory = np.empty(columns * block)
        rng = np.random.default_rng(3)
        for _ in range(rows // block):
            rows_here = memory.reshape(columns, block)
            rng.standard_normal(out=rows_here)
            yield rows_here.T

    tracemalloc.start()
    Triangle.of_blocks(blocks(), columns)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * (columns * block + 8 * columns**2)
    assert peak < 8 * rows * columns / 20


def test_absorb_works_in_place_where_asked():
    rng = np.random.default_rng(4)
    r = np.array(np.triu(rng.standard_normal((10, 10))), order="F")
    before, rows = r.copy(), np.array(rng.standard_normal((5, 10)), order="F")
    triangle = Triangle(r, 10)
    assert triangle.absorb(rows.copy(order="F")).array is not r
    np.testing.assert_array_equal(r, before)
    assert triangle.absorb(rows, overwrite=True).array is r


@pytest.mark.parametrize(("stay", "change"), [(0, 60), (5, 60), (60, 60), (200, 25), (25, 10), (300, 80), (18, 2)])
def test_rows_that_stay_and_rows_that_change_have_the_triangle_of_all(stay, change):
    rng = np.random.default_rng(stay + change)
    n = 20
    constant = np.asfortranarray(rng.standard_normal((stay, n)))
    stack = Triangle.before(constant.copy(order="F"), change)
    for _ in range(3):
        rows = np.asfortranarray(rng.standard_normal((change, n)))
        whole = np.concatenate([constant, rows])
        found = stack.absorb(rows).array
        expected = triangle_of(whole.copy(order="F"))
        assert np.allclose(np.abs(found), np.abs(expected), atol=1e-12 * np.linalg.norm(whole))
        assert np.allclose(found.T @ found, whole.T @ whole)


def test_threads_share_a_kept_rotation():
    """The first call that forms Q must not spoil it for those that are reading the reflectors."""
    rng = np.random.default_rng(5)
    a, b = rng.standard_normal((600, 150)), rng.standard_normal((600, 40))
    expected = np.linalg.lstsq(a, b, rcond=None)[0]
    for _ in range(5):
        kept = Triangle.of(np.array(a, order="F"), keep=True)
        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(lambda _, k=kept: np.linalg.solve(k.array, k.rotated(b)), range(12)))
        assert all(np.allclose(x, expected, atol=1e-12) for x in found)


def test_the_solver_is_told_what_is_left():
    rng = np.random.default_rng(6)
    a, b = rng.standard_normal((50, 8)), rng.standard_normal((50, 1))
    told = {}

    class Told(tn.QR):
        def informed(self, triangle, right, rest, rows):
            told.update(rest=rest, rows=rows)
            return self.solve(triangle, right)

    found = Triangle.of(np.array(np.column_stack([a, b]), order="F")).solve(Told(), 8)
    assert told["rows"] == 50
    assert told["rest"] == pytest.approx(np.linalg.norm(a @ found.values - b))


def test_streaming_is_chosen_when_the_matrix_would_not_fit():
    gib = 2**30
    assert isinstance(engines.automatic(10_000, 1_000, 8 * gib), engines.InMemory)
    streamed = engines.automatic(2_000_000, 2_000, 2 * gib)
    assert isinstance(streamed, engines.Streamed)
    assert 8 * 2_000 * (streamed.rows + 4 * 2_000) < gib
    with pytest.raises(ProblemError, match=r"do not fit into memory.*fewer neurons"):
        engines.automatic(2_000_000, 50_000, 2 * gib)
    assert available_memory() > 0
