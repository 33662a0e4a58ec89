"""The engine of a store in a schema of PostgreSQL."""
