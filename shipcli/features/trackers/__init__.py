"""Our watch on tracking numbers."""
