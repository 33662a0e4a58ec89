"""Allowed targets of webhooks and hosts of connections: any, but only public addresses if other machines can
reach the server.

Otherwise anyone who may add them remotely could make this machine send requests into its own network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from shipcli.features.core.app import read_fact
from shipcli.loopback import is_here
from shipcli.models import Invalid
from shipcli.public_addresses import is_public, read_numeric

if TYPE_CHECKING:
    from shipcli.features.core.app import App

OPEN_TO_OTHERS = "open_to_others"
SERVED_AT = "served_at"
AUTO, ANY, PUBLIC = "auto", "any", "public"


def note_reach(app: App, *, open_to_others: bool) -> None:
    """Store whether other machines can reach the server, so that workers in other processes know it too."""
    if bool(read_fact(app.store, OPEN_TO_OTHERS)) != open_to_others:
        with app.store.transaction() as tx:
            tx.upsert("store_facts", {"name": OPEN_TO_OTHERS, "value": open_to_others})


def note_address(app: App, address: str) -> None:
    """Store where the server of a store can be reached, for commands that show how to call it."""
    with app.store.transaction(locks=()) as tx:
        tx.upsert("store_facts", {"name": SERVED_AT, "value": address})


def must_be_public(app: App) -> bool:
    """Return whether webhooks and connections may name public addresses only."""
    allowed = app.config["webhook_targets"]
    return bool(allowed == PUBLIC or (allowed == AUTO and read_fact(app.store, OPEN_TO_OTHERS)))


def check_target(app: App, url: str, field: str = "url") -> None:
    """Check a target by its spelling; host names are looked up only when a message is sent.

    Errors: Invalid for this machine, or a numeric address that is not public, if targets must be public.
    """
    if not must_be_public(app):
        return
    host = urlsplit(url).hostname or ""
    address = read_numeric(host)
    if is_here(host) or (address and not is_public(address)):
        reason = "points into the network of a server that others reach; see the setting webhook_targets"
        raise Invalid(field, reason)
