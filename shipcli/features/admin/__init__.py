"""The installation: set up, search, logs, the worker, retention, and settling what was left open."""
