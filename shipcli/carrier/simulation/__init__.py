"""What the fake servers of carriers are made of. No carrier's own code reads it."""
