"""What carriers are asked to do once: written down before it is asked for, so that no crash repeats it."""
