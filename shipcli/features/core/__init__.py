"""What every feature builds on: the app, idempotency, locks, checkpoints, list filters, row results."""
