"""Orders, and what of them is shipped."""
