"""Where webhooks may point to: anywhere, or out into the world only where others can reach the server.

Who may add webhooks from elsewhere could otherwise have this machine knock at doors within its own network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from shipcli.features.core.app import read_setting
from shipcli.loopback import is_here
from shipcli.models import Invalid
from shipcli.security.public_addresses import is_public, read_numeric

if TYPE_CHECKING:
    from shipcli.features.core.app import App

OPEN_TO_OTHERS = "open_to_others"
AUTO, ANY, PUBLIC = "auto", "any", "public"


def note_reach(app: App, *, open_to_others: bool) -> None:
    """Remember whether other machines reach the server of a store, for workers in other processes too."""
    if bool(read_setting(app.store, OPEN_TO_OTHERS)) != open_to_others:
        with app.store.transaction() as tx:
            tx.upsert("settings", {"key": OPEN_TO_OTHERS, "value": open_to_others})


def must_be_public(app: App) -> bool:
    """Whether webhooks may point to public addresses only."""
    wanted = app.config["webhook_targets"]
    return bool(wanted == PUBLIC or (wanted == AUTO and read_setting(app.store, OPEN_TO_OTHERS)))


def check_target(app: App, url: str) -> None:
    """Refuse a target that is plainly within; names are looked up when something is sent to them.

    Errors: Invalid.
    """
    if not must_be_public(app):
        return
    host = urlsplit(url).hostname or ""
    address = read_numeric(host)
    if is_here(host) or (address and not is_public(address)):
        reason = "points into the network of a server that others reach; see the setting webhook_targets"
        raise Invalid("url", reason)
