"""What every room stands on: the app, idempotency, locks, checkpoints, filters of lists, results of rows."""
