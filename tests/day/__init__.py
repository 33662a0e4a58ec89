"""A day at the packing table, played in a pseudo-terminal of 80 columns; every screen is kept and read."""
