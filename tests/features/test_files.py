"""Spaces in files: the same space comes back, and what is not one is refused with its reason."""

import numpy as np
import pytest

import transnet as tn
from transnet import archive
from transnet.errors import FileError

SPACES = [
    tn.FeatureSpace.uniform(2, 30, 1.3, 1.5),
    tn.FeatureSpace.uniform(3, 20, np.linspace(0.5, 2, 20), 1.8, "gauss", "random", seed=4),
    tn.FeatureSpace.spectral(1, 12, 4.0),
]


@pytest.mark.parametrize("space", SPACES, ids=["tanh", "gauss", "sin"])
def test_round_trip(space, tmp_path):
    path = space.save(tmp_path / "space")
    assert path.suffix == ".npz"
    back = tn.FeatureSpace.load(path)
    assert np.array_equal(back.weights, space.weights)
    assert np.array_equal(back.biases, space.biases)
    assert (back.activation, back.radius) == (space.activation, space.radius)
    assert [p.name for p in tmp_path.iterdir()] == ["space.npz"]


def stored(path):
    with np.load(path) as members:
        return {k: members[k] for k in members.files}


def rewritten(tmp_path, **changes):
    path = SPACES[0].save(tmp_path / "space.npz")
    values = stored(path) | changes
    kind, version = values.pop("format"), values.pop("version")
    del values["contents"]
    values = {k: v for k, v in values.items() if v is not None}
    archive.write(path, kind if kind is not None else "", version, values)
    return path


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": np.array(2)}, "newer version"),
        ({"version": np.array("one")}, "version is not a number"),
        ({"format": np.array("transnet.Solution")}, "does not hold a feature space"),
        ({"format": None}, "does not hold a feature space"),
        ({"weights": None}, "lacks weights"),
        ({"biases": np.zeros(3)}, "damaged"),
        ({"weights": np.full((30, 2), np.nan)}, "must be finite"),
        ({"weights": np.array("text")}, "damaged"),
        ({"activation": np.array("relu")}, "no activation 'relu'"),
        ({"weights": np.array([{"a": 1}], dtype=object)}, "cannot be read"),
    ],
)
def test_refused(tmp_path, changes, reason):
    with pytest.raises(FileError, match=reason):
        tn.FeatureSpace.load(rewritten(tmp_path, **changes))


def test_damaged_bytes_are_refused(tmp_path):
    path = SPACES[0].save(tmp_path / "space.npz")
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"not an archive at all", whole[:300] + b"\xff" * 40 + whole[340:]):
        path.write_bytes(damaged)
        with pytest.raises(FileError, match="cannot be read"):
            tn.FeatureSpace.load(path)


def test_a_single_array_is_not_a_space(tmp_path):
    np.save(tmp_path / "array.npy", np.ones(3))
    with pytest.raises(FileError, match="not an npz file"):
        tn.FeatureSpace.load(tmp_path / "array.npy")


def test_missing_file(tmp_path):
    with pytest.raises(FileError, match="There is no file"):
        tn.FeatureSpace.load(tmp_path / "nowhere.npz")


def test_a_custom_activation_cannot_be_saved(tmp_path):
    own = tn.FeatureSpace(
        np.ones((2, 1)), np.zeros(2), type(SPACES[0].activation)("cubic", lambda z, n: [z for _ in n])
    )
    with pytest.raises(FileError, match="holds no code"):
        own.save(tmp_path / "own")
