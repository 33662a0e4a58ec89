"""Anything by any words of it."""
