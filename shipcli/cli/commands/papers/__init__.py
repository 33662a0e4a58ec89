"""Commands about documents, and what prints and weighs."""
