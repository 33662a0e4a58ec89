"""`shipcli events`."""

from __future__ import annotations

from shipcli.cli.command_loader import Verbs
from shipcli.cli.stored_nouns import StoredNoun, make_commands

EVENTS = StoredNoun(
    "events", "event", ("id", "type", "data.id", "pending_webhooks", "created_at"),
    ("--type shipment_purchased,tracker_updated", "--json=type,created_at"),
    filters="features.webhooks.filters.EVENTS",
)  # fmt: skip
verb = Verbs(make_commands(EVENTS))
