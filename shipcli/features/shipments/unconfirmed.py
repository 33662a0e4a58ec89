"""Purchases whose result nobody has seen yet.

A line has nothing that makes it the same when it is typed again. So whoever buys at a terminal takes a key
first, buys with it, and drops it when the result was put out. If the process dies in between, the next one
that is to do the same finds the key and uses it: it gets what was bought, and buys only what was not. Two
people who buy the same at the same time have a key each, for a key belongs to its process while that lives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.core.idempotency import digest_request
from shipcli.features.core.processes import identity, is_alive
from shipcli.store.query import starts

if TYPE_CHECKING:
    from shipcli.features.core.app import App

KEPT_S = 7 * 86_400.0  # as long as what was bought with a key is remembered


@dataclass(frozen=True)
class PurchaseKey:
    """A key of this process: `value` goes with the purchase, `name` is its row."""

    name: str
    value: str


def take_key(app: App, asked: Any) -> PurchaseKey:
    """The key that a dead process left behind for the same purchase, else a new one.

    Shapes: `asked` is plain data: all that makes two purchases the same, the server included.
    """
    prefix = f"unconfirmed/{'test' if app.test_mode else 'live'}/{digest_request(asked)}/"
    with app.store.transaction() as tx:
        rows = tx.select("locks", [starts("name", prefix)])
        left = (
            row["name"] for row in rows if row["until"] > app.store.steady() and not is_alive(row["owner"])
        )
        name = next(left, None) or f"{prefix}{app.new_id('')}"
        tx.upsert("locks", {"name": name, "owner": identity(), "until": app.store.steady() + KEPT_S})
    return PurchaseKey(name, f"line-{name.rpartition('/')[2]}")


def drop_keys(app: App, keys: list[PurchaseKey]) -> None:
    """Say that the results were seen: whoever buys the same from now on wants another one."""
    with app.store.transaction() as tx:
        for key in keys:
            tx.remove("locks", {"name": key.name})
            tx.remove("settings", {"key": key.name})


def add_to_list(app: App, key: PurchaseKey, ids: Sequence[str]) -> list[str]:
    """What dead processes with this key were to buy and these, each once, noted for the next one."""
    with app.store.transaction() as tx:
        rows = tx.select("settings", {"key": key.name})
        both = list(dict.fromkeys([*(rows[0]["value"] if rows else ()), *ids]))
        tx.upsert("settings", {"key": key.name, "value": both})
    return both
