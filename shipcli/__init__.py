"""One terminal command, one SQLite file and one REST API for many shipping carriers."""

__version__ = "0.1.0"
