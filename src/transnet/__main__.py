"""`python -m transnet` is the command `transnet`."""

from transnet.cli import main

main()
