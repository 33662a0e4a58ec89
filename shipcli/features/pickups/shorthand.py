"""A pickup as a bench asks for it: the day by its name, hours as `14:00-17:00`, all that waits by default."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.connections import accounts
from shipcli.features.core.dates import day_named
from shipcli.features.parts import nested as members
from shipcli.features.parts.drafts import zone_of
from shipcli.features.parts.lookup import list_purchased, named_shipments, place_key, sellers
from shipcli.models import Invalid, Shipment
from shipcli.store.query import flag

if TYPE_CHECKING:
    from shipcli.features.core.app import App

HOURS = "hours"
_HOURS = re.compile(r"([01]?[0-9]|2[0-3])(?::([0-5][0-9]))?\s*-\s*([01]?[0-9]|2[0-3])(?::([0-5][0-9]))?")


def complete_pickup(app: App, carrier_name: str, body: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """The body of a new pickup with the day and the hours spelled out, and how many shipments it leaves out.

    Without numbers it is for all that wait; without an address, for those at the place of the first of them.
    Errors: NoConnection; Invalid on `tracking_numbers` when nothing waits, on `hours` and `pickup_date`.
    """
    return complete_pickup_anywhere(
        body, app.now(), waiting=partial(list_waiting, app, carrier_name), place=partial(place_of, app, body)
    )


def complete_pickup_anywhere(
    body: Mapping[str, Any],
    now: datetime,
    *,
    waiting: Callable[[], list[Shipment]],
    place: Callable[[list[str]], Mapping[str, Any] | None],
) -> tuple[dict[str, Any], int]:
    """The same, wherever what waits is asked for, and the place of the shipments of some numbers."""
    numbers, left_out = body.get("tracking_numbers"), 0
    if not numbers:
        found = waiting()
        here = place_key(found[0].shipper)
        near = [one for one in found if body.get("address") or place_key(one.shipper) == here]
        numbers, left_out = [str(one.tracking_number) for one in near], len(found) - len(near)
    return {**complete_change(now, body, place(numbers)), "tracking_numbers": numbers}, left_out


def complete_change(
    now: datetime, body: Mapping[str, Any], place: Mapping[str, Any] | None
) -> dict[str, Any]:
    """A body with the day and the hours spelled out; days are those at the place of the collection.

    Errors: Invalid on `hours` and `pickup_date`.
    """
    full = {key: value for key, value in body.items() if key != HOURS}
    if body.get(HOURS):
        full["ready_time"], full["closing_time"] = hours(str(body[HOURS]))
    if full.get("pickup_date"):
        today = now.astimezone(zone_of(place)).date()
        full["pickup_date"] = day_named(str(full["pickup_date"]), today, "pickup_date").isoformat()
    return full


def place_of(app: App, body: Mapping[str, Any], numbers: list[str]) -> Mapping[str, Any] | None:
    """Where the parcels are: the address given, fields or id, else the shipper of the first shipment."""
    address = body.get("address")
    if isinstance(address, Mapping):
        stored = members.find(app, "address", str(address["id"])) if address.get("id") else None
        return stored or address
    first = next(iter(named_shipments(app, numbers[:1]).values()), None)
    return first.shipper.plain() if first else None


def hours(text: str) -> tuple[str, str]:
    """Ready and closing time of `14:00-17:00` or `9-17`.

    Errors: Invalid on `hours`.
    """
    found = _HOURS.fullmatch(text.strip())
    if found is None:
        raise Invalid(HOURS, f"{text!r} is not a span of hours such as 14:00-17:00.")
    ready, closing = (f"{int(found[at]):02}:{found[at + 1] or '00'}" for at in (1, 3))
    if closing <= ready:
        raise Invalid(HOURS, f"{text!r} ends before it begins.")
    return ready, closing


def list_waiting(app: App, carrier_name: str) -> list[Shipment]:
    """The bought shipments of a carrier that no pickup holds, oldest first.

    Errors: NoConnection when no connection of the carrier books pickups; Invalid on `tracking_numbers` when
            nothing waits.
    """
    able = accounts.choose(app, "pickup", carrier_name=carrier_name)
    own = {name for account in able for name in (account.slug, account.shown_name)}
    own = own if carrier_name in {account.slug for account in able} else {carrier_name}
    free = list_purchased(app, flag("has_pickup", False))
    found = [shipment for shipment in free if sellers(shipment) & own]
    if not found:
        raise nothing_waits(carrier_name)
    return found


def nothing_waits(carrier_name: str) -> Invalid:
    """The error of a pickup without shipments."""
    return Invalid("tracking_numbers", f"No bought shipment of {carrier_name} waits for a pickup.")
