"""Operations: logs, the worker, retention, and settling what was left open."""
