"""The cases as the peers want them stated, apart from the timing: what tests can check."""
