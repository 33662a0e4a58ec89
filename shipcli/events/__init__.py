"""Events: what happened, written in the transaction that made it happen."""

from shipcli.events.outbox import deliver, emit, list_subscribers, name_queue

__all__ = ["deliver", "emit", "name_queue", "list_subscribers"]
