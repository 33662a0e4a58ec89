"""Which shipments can be put in a pickup, and which are in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.features.core.shipment_lookup import HELD_BY, find_shipments, list_sellers
from shipcli.models import Invalid, Shipment
from shipcli.store.query import pair

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

FINISHED = ("cancelled", "delivered")


def list_collectable(
    app: App, able: Sequence[Account], words: Sequence[str], *, pickup_id: str | None = None
) -> list[Shipment]:
    """Return the shipments with these tracking numbers or ids, without duplicates.

    Errors: Invalid on `tracking_numbers` naming each one that cannot be collected, and why.
    """
    shipments = find_shipments(app, words)
    problems = [
        ("tracking_numbers", f"{word}: {reason}")
        for word in dict.fromkeys(words)
        if (reason := _find_obstacle(able, shipments.get(word), pickup_id))
    ]
    if problems:
        raise Invalid.many(problems)
    return list({shipment.id: shipment for shipment in shipments.values()}.values())


def _find_obstacle(able: Sequence[Account], shipment: Shipment | None, pickup_id: str | None) -> str | None:
    """Return why a shipment cannot be put in a pickup, or None if it can."""
    if shipment is None:
        return "there is no such shipment"
    if not shipment.tracking_number:
        return "the shipment has no label yet"
    if shipment.status in FINISHED:
        return f"the shipment is {shipment.status}"
    holder = (shipment.meta or {}).get(HELD_BY)
    if holder and holder != pickup_id:
        return f"it is in a pickup already: shipcli pickups get {holder}"
    if not any(collects(account, shipment) for account in able):
        return f"the shipment was bought with {shipment.carrier_id or shipment.carrier_name}"
    return None


def list_held(app: App, words: Sequence[str], pickup_id: str) -> list[Shipment]:
    """Return the shipments with these tracking numbers or ids that are in a pickup, without duplicates.

    Errors: Invalid on `tracking_numbers` naming each one that is unknown or in another pickup.
    """
    shipments = find_shipments(app, words)
    holders = {word: (shipment.meta or {}).get(HELD_BY) for word, shipment in shipments.items()}
    problems = [
        f"{word}: {f'it is in {holders[word]}' if word in holders else 'there is no such shipment'}"
        for word in dict.fromkeys(words)
        if holders.get(word, "") not in (None, pickup_id)
    ]
    if problems:
        raise Invalid.many([("tracking_numbers", problem) for problem in problems])
    held = (shipment for word, shipment in shipments.items() if holders[word])
    return list({shipment.id: shipment for shipment in held}.values())


def collects(account: Account, shipment: Shipment) -> bool:
    """Return whether an account collects a shipment: its carrier's own, a hub's, or a related carrier's."""
    names = list_sellers(shipment)
    return bool(names & {account.slug, account.shown_name}) or any(
        _is_related(account, name) for name in names
    )


def _is_related(account: Account, slug: str) -> bool:
    """Return whether two carriers belong together: the class of one is derived from that of the other."""
    from shipcli.carrier import registry

    if slug not in registry.list_slugs():
        return False
    try:
        other = registry.get(slug)
    except registry.BrokenCarrier:
        return False
    return issubclass(other, account.kind) or issubclass(account.kind, other)


def list_pickup_shipments(app: App, pickup_id: str) -> list[Shipment]:
    """Return the shipments in a pickup, oldest first."""
    documents = app.store.each("shipment", [pair("meta", HELD_BY, pickup_id)], app.test_mode)
    return [Shipment.model_validate(document) for document in documents][::-1]
