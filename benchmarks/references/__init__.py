"""Methods other than ours by which the references of the scoreboard are computed."""
