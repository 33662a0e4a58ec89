"""One module per kind of act, each with a list `SCENARIOS`."""
