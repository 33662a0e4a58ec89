"""`shipcli events`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import Raw
from shipcli.cli.current_run import current
from shipcli.cli.stored_nouns import StoredNoun, make_commands
from shipcli.models.errors import NotFound

if TYPE_CHECKING:
    from shipcli.features.core.filters import Rules


def _filters() -> Rules:
    from shipcli.features.webhooks.filters import EVENTS

    return EVENTS


def _get(id: str) -> Raw:
    app = current().app
    text = app.store.raw("event", id, app.test_mode)
    if text is None:
        raise NotFound("event", id)
    return Raw(text)


EVENTS = StoredNoun(
    "events", "event", ("id", "type", "data.id", "pending_webhooks", "created_at"), _get,
    ("--type shipment_purchased,tracker_updated", "--json=type,created_at"), filters=_filters,
)  # fmt: skip
verb = Verbs(make_commands(EVENTS))
