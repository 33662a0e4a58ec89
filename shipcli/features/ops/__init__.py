"""What an operator looks at: logs, the worker, retention, what was left open."""
