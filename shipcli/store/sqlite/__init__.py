"""The engine of a store in one SQLite file."""
