"""Objects that live inside others: the addresses, parcels and commodities of a shipment or an order.

They have ids of their own and can be read by them; they are kept in one place only, their owner's document.
The table `members` says which document that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.repository import Saved
    from shipcli.store.transaction import Transaction

PLACES: Mapping[str, Mapping[str, str]] = {
    "shipment": {"shipper": "address", "recipient": "address", "parcels": "parcel", "customs": "customs"},
    "order": {"shipping_to": "address", "shipping_from": "address", "line_items": "commodity"},
    "pickup": {"address": "address"},
    "address": {},
    "parcel": {"items": "commodity"},
    "customs": {"commodities": "commodity", "duty_billing_address": "address"},
    "commodity": {},
}  # where each kind holds others, and of which kind they are


ALONE = ("address", "parcel", "customs")  # kinds that are stored by themselves too


def find_nested(kind: str, document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kind and document of every object inside a document, at any depth."""
    for name, member_kind in PLACES.get(kind, {}).items():
        value = document.get(name)
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, dict):
                if member.get("id"):
                    yield member_kind, member
                yield from find_nested(member_kind, member)


def follow(app: App, tx: Transaction, saved: Saved) -> None:
    """Keep the list of what a document holds."""
    if not saved.is_new:
        if saved.cause != "content":
            return
        tx.remove("members", {"owner_id": saved.document["id"]})
    enter(tx, saved.kind, saved.document)


def enter(tx: Transaction, kind: str, document: Mapping[str, Any]) -> None:
    """Write down which objects a new document holds."""
    owner = {"owner_kind": kind, "owner_id": document["id"]}
    rows = [
        {"id": member["id"], "kind": its_kind, **owner} for its_kind, member in find_nested(kind, document)
    ]
    tx.upsert_many("members", rows)


def leave(tx: Transaction, kind: str, document: Mapping[str, Any]) -> None:
    """Forget an object that was taken out of its owner, and all inside it."""
    for member_id in (document["id"], *(member["id"] for _, member in find_nested(kind, document))):
        tx.remove("members", {"id": member_id})


def owner_of(app: App, member_id: str) -> tuple[str, dict[str, Any]] | None:
    """Kind and document of what holds an object; None when nothing does."""
    rows = app.store.select("members", {"id": member_id})
    if not rows:
        return None
    owner = app.store.get(rows[0]["owner_kind"], rows[0]["owner_id"])
    return (rows[0]["owner_kind"], owner) if owner else None


def find(app: App, kind: str, member_id: str) -> dict[str, Any] | None:
    """A stored object by id, stand-alone or inside another."""
    if kind in ALONE:
        alone = app.store.get(kind, member_id)
        if alone:
            return alone
    owner = owner_of(app, member_id)
    if owner is None:
        return None
    members = find_nested(*owner)
    return next((one for one_kind, one in members if one_kind == kind and one["id"] == member_id), None)
