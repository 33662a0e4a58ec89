"""Nested objects: the addresses, parcels and commodities of a shipment or an order.

They have their own ids and can be read by them, but are stored only inside their owner's document.
The table `members` records which document that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.store.transaction import Transaction

PLACES: Mapping[str, Mapping[str, str]] = {
    "shipment": {"shipper": "address", "recipient": "address", "parcels": "parcel", "customs": "customs"},
    "order": {"shipping_to": "address", "shipping_from": "address", "line_items": "commodity"},
    "pickup": {"address": "address"},
    "address": {},
    "parcel": {"items": "commodity"},
    "customs": {"commodities": "commodity", "duty_billing_address": "address"},
    "commodity": {},
}  # the fields of each kind that contain nested objects, and the kind of those objects
ALONE = ("address", "parcel", "customs")  # kinds that can also be stored stand-alone


def find_nested(kind: str, document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the kind and document of each object inside a document, at any depth."""
    for name, member_kind in PLACES.get(kind, {}).items():
        value = document.get(name)
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, dict):
                if member.get("id"):
                    yield member_kind, member
                yield from find_nested(member_kind, member)


def follow(app: App, tx: Transaction, saved: SavedDocument) -> None:
    """Update the members table after a document was saved."""
    if not saved.is_new:
        if saved.cause != "content":
            return
        leave_all(tx, saved.document["id"])
    enter(tx, saved.kind, saved.document)


def store(tx: Transaction, kind: str, document: Mapping[str, Any]) -> None:
    """Write a stand-alone object and record what is nested in it."""
    tx.put(kind, document)
    enter(tx, kind, document)


def enter(tx: Transaction, kind: str, document: Mapping[str, Any]) -> None:
    """Record the nested objects of a document in the members table."""
    owner = {"owner_kind": kind, "owner_id": document["id"]}
    members = find_nested(kind, document)
    tx.upsert_many(
        "members", [{"id": member["id"], "kind": one_kind, **owner} for one_kind, member in members]
    )


def leave_all(tx: Transaction, owner_id: str) -> None:
    """Remove what is nested in a document from the members table."""
    tx.remove("members", {"owner_id": owner_id})


def leave(tx: Transaction, kind: str, document: Mapping[str, Any]) -> None:
    """Remove an object that is no longer in its owner, and all objects inside it, from the members table."""
    for member_id in (document["id"], *(member["id"] for _, member in find_nested(kind, document))):
        tx.remove("members", {"id": member_id})


def find_owner(app: App, member_id: str) -> tuple[str, dict[str, Any]] | None:
    """Return the kind and document of the owner of an object, or None if it has no owner."""
    rows = app.store.select("members", {"id": member_id})
    if not rows:
        return None
    owner = app.store.get(rows[0]["owner_kind"], rows[0]["owner_id"])
    return (rows[0]["owner_kind"], owner) if owner else None


def find(app: App, kind: str, member_id: str) -> dict[str, Any] | None:
    """Return a stored object by id, stand-alone or nested, or None if there is none."""
    if kind in ALONE:
        alone = app.store.get(kind, member_id)
        if alone:
            return alone
    owner = find_owner(app, member_id)
    if owner is None:
        return None
    members = find_nested(*owner)
    return next(
        (member for one_kind, member in members if one_kind == kind and member["id"] == member_id), None
    )
