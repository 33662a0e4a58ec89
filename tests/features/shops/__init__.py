"""Numbers back to the shops, and hooks."""
