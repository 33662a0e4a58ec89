"""Events: what happened, written in the transaction that made it happen."""

from shipcli.events.outbox import deliver, emit, queue_of, subscribers

__all__ = ["deliver", "emit", "queue_of", "subscribers"]
