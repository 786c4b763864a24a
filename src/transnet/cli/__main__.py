"""`python -m transnet.cli` is the command `transnet`."""

from transnet.cli import main

main()
