"""A sandbox in which the examples of `--help` run."""
