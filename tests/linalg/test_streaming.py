"""Streaming: the triangle of rows that arrive in blocks is that of all rows, in the memory of one block."""

import tracemalloc

import numpy as np
import pytest

import transnet.engines.engine as engines
from transnet.errors import ProblemError
from transnet.linalg.least_squares import triangle_of
from transnet.linalg.memory import available_memory
from transnet.linalg.streaming import absorb, merge, triangle_of_blocks


def same_up_to_signs(r: np.ndarray, s: np.ndarray) -> None:
    """Two triangles of one matrix differ by the signs of their rows."""
    signs = np.sign(np.diag(r)) * np.sign(np.diag(s))
    assert np.allclose(r, signs[:, None] * s, atol=1e-12 * np.abs(r).max())


@pytest.mark.parametrize("sizes", [(200,), (7, 50, 1, 142), (100, 100), (3,) * 66 + (2,)])
def test_any_partition_of_the_rows_has_the_same_triangle(sizes):
    a = np.random.default_rng(0).standard_normal((200, 30))
    parts = np.split(a, np.cumsum(sizes)[:-1])
    found = triangle_of_blocks((np.array(p, order="F") for p in parts), 30)
    assert np.allclose(found, np.triu(found))
    same_up_to_signs(triangle_of(np.array(a, order="F")), found)


def test_a_tree_of_triangles_is_the_triangle():
    a = np.random.default_rng(1).standard_normal((400, 20))
    leaves = [triangle_of_blocks([np.array(p, order="F")], 20) for p in np.split(a, 4)]
    before = [leaf.copy() for leaf in leaves]
    whole = merge(merge(leaves[0], leaves[1]), merge(leaves[2], leaves[3]))
    same_up_to_signs(triangle_of(np.array(a, order="F")), np.triu(whole))
    assert all(np.array_equal(x, y) for x, y in zip(before, leaves, strict=True)), "leaves may be needed again"


def test_it_is_backward_stable_on_a_numerically_singular_matrix():
    rng = np.random.default_rng(2)
    u, _ = np.linalg.qr(rng.standard_normal((600, 40)))
    v, _ = np.linalg.qr(rng.standard_normal((40, 40)))
    a = u * 10.0 ** -np.linspace(0, 18, 40) @ v
    r = triangle_of_blocks((np.array(p, order="F") for p in np.split(a, 6)), 40)
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
    triangle_of_blocks(blocks(), columns)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * (columns * block + 8 * columns**2)
    assert peak < 8 * rows * columns / 20


def test_absorb_works_in_place():
    rng = np.random.default_rng(4)
    r = np.array(np.triu(rng.standard_normal((10, 10))), order="F")
    assert absorb(r, np.array(rng.standard_normal((5, 10)), order="F")) is r


def test_streaming_is_chosen_when_the_matrix_would_not_fit():
    gib = 2**30
    assert isinstance(engines.automatic(10_000, 1_000, 8 * gib), engines.InMemory)
    streamed = engines.automatic(2_000_000, 2_000, 2 * gib)
    assert isinstance(streamed, engines.Streamed)
    assert 8 * 2_000 * (streamed.rows + 4 * 2_000) < gib
    with pytest.raises(ProblemError, match=r"do not fit into memory.*fewer neurons"):
        engines.automatic(2_000_000, 50_000, 2 * gib)
    assert available_memory() > 0
