"""Purchases whose result has not been shown to the user yet.

A command typed again cannot be recognized as a repetition. So a purchase at a terminal first takes a key,
buys with it, and drops it once the result has been printed. If the process dies in between, the next process
with the same request finds and reuses the key: it gets what was bought, and buys only the rest. Two people
who make the same purchase at the same time have separate keys: a key belongs to its process while it lives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.core.idempotency import digest_request
from shipcli.features.core.presence import is_gone
from shipcli.features.core.processes import name_process
from shipcli.store.query import starts

if TYPE_CHECKING:
    from shipcli.features.core.app import App

LISTS = "purchase_lists"
KEPT_S = 7 * 86_400.0  # as long as the response to a key is remembered


@dataclass(frozen=True)
class PurchaseKey:
    """A key of this process: `value` is sent with the purchase, `name` identifies its row in the store."""

    name: str
    value: str


def take_key(app: App, purchase: Any) -> PurchaseKey:
    """Take over the key that a dead process left for the same purchase, or make a new one.

    Shapes: `asked` is plain data that identifies the purchase, including the server.
    """
    app.presence.begin()
    prefix = f"unconfirmed/{'test' if app.test_mode else 'live'}/{digest_request(purchase)}/"
    with app.store.transaction() as tx:
        rows = tx.select("locks", [starts("name", prefix)])
        left = (
            row["name"]
            for row in rows
            if row["until"] > app.store.steady() and is_gone(app.store, row["owner"], tx)
        )
        name = next(left, None) or f"{prefix}{app.new_id('')}"
        tx.upsert("locks", {"name": name, "owner": name_process(), "until": app.store.steady() + KEPT_S})
    return PurchaseKey(name, f"line-{name.rpartition('/')[2]}")


def drop_keys(app: App, keys: list[PurchaseKey]) -> None:
    """Drop keys whose results have been seen: the same request is from now on a new purchase."""
    are_last = app.presence.release(len(keys))
    with app.store.transaction() as tx:
        for key in keys:
            tx.remove("locks", {"name": key.name})
            tx.remove(LISTS, {"name": key.name})
        if are_last:
            app.presence.leave(tx)


def add_to_list(app: App, key: PurchaseKey, ids: Sequence[str]) -> list[str]:
    """Add ids to the list of what is to be bought with a key, and return the whole list without duplicates,
    including the ids from dead processes that had the key.
    """
    with app.store.transaction() as tx:
        rows = tx.select(LISTS, {"name": key.name})
        all_ids = list(dict.fromkeys([*(rows[0]["ids"] if rows else ()), *ids]))
        tx.upsert(LISTS, {"name": key.name, "ids": all_ids})
    return all_ids
