"""The baselines that are kept with the library."""

from keep import merged


def test_what_is_kept_is_merged_with_what_was_kept_before():
    old = [
        {"case": "C1", "method": "published", "neurons": 100, "seed": 0, "adam_steps": 0, "lbfgs_steps": 0, "mse": 1.0}
    ]
    new = [{"case": "C1", "method": "published", "neurons": 100, "seed": 0, "mse": 2.0},
           {"case": "C1", "method": "published", "neurons": 200, "seed": 0, "mse": 3.0}]  # fmt: skip
    assert [(r["neurons"], r["mse"]) for r in merged(old, new)] == [(100, 2.0), (200, 3.0)]
    assert merged(old, [])[0]["steps"] == {"adam": 0, "lbfgs": 0}
