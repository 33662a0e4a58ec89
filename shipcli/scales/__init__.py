"""Scales at the bench: what they say, over which line, in which protocol."""
