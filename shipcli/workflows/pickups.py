"""A pickup of all waiting shipments, where the user names only the day and the hours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.features.book.addresses import get_address
from shipcli.features.core.shipment_lookup import HELD_BY, list_sellers, make_place_key
from shipcli.features.pickups.bookings import is_cancelled
from shipcli.features.pickups.filters import PICKUPS
from shipcli.features.pickups.shorthand import complete_change
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.gateway.where import make_where
from shipcli.models import Invalid, NoConnection, NotFound, Pickup, Shipment
from shipcli.models.pickup import PickupSchedule
from shipcli.store.query import flag
from shipcli.workflows.lookup import find_shipment, list_accounts, select_leaving

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway

Body = Mapping[str, Any]
WHEN = ("pickup_date", "ready_time", "closing_time")


def complete_pickup(gateway: Gateway, carrier_name: str, body: Body) -> tuple[dict[str, Any], int]:
    """The body of a new pickup with the day and the hours spelled out, and how many shipments it leaves out.

    Without numbers it covers all waiting shipments; without an address, those at the place of the first one.
    Errors: NoConnection; Invalid for a carrier that takes no pickups, on `tracking_numbers` when
            nothing waits, on `hours` and `pickup_date`.
    """
    _check_books_pickups(gateway, carrier_name)
    numbers, left_out = body.get("tracking_numbers"), 0
    if not numbers:
        waiting = list_waiting(gateway, carrier_name)
        here = make_place_key(waiting[0].shipper)
        near = [
            shipment
            for shipment in waiting
            if body.get("address") or make_place_key(shipment.shipper) == here
        ]
        numbers, left_out = [str(shipment.tracking_number) for shipment in near], len(waiting) - len(near)
    full = complete_change(gateway.now(), body, _find_place(gateway, body, numbers))
    return {**full, "tracking_numbers": numbers}, left_out


def find_booked(gateway: Gateway, carrier_name: str, body: Body) -> Pickup | None:
    """The pickup that was booked with this body, if nothing is left of it to book.

    Errors: Invalid on `hours` and `pickup_date`.
    """
    numbers = body.get("tracking_numbers") or []
    holders = {_find_holder(gateway, number) for number in numbers}
    if None in holders or (not numbers and _select_waiting(gateway, carrier_name)):
        return None
    rows = gateway.each("pickup", make_where(PICKUPS, {"cancelled": False}))
    booked = (Pickup.model_validate(row) for row in rows if not is_cancelled(row))
    return next(
        (
            pickup
            for pickup in booked
            if carrier_name in (pickup.carrier_name, pickup.carrier_id)
            and holders <= {pickup.id}
            and _fits(pickup, complete_change(gateway.now(), body, pickup.address.model_dump()))
        ),
        None,
    )


def find_cancelled(gateway: Gateway, pickup_ids: Sequence[str]) -> dict[str, Pickup]:
    """The pickups among these that are cancelled, by id."""
    rows = gateway.each("pickup", make_where(PICKUPS, {"cancelled": True}))
    cancelled = [row for row in rows if is_cancelled(row) and row["id"] in pickup_ids]
    return {str(row["id"]): Pickup.model_validate(row) for row in cancelled}


def list_in_none(gateway: Gateway, shipment_ids: Sequence[str]) -> list[str]:
    """Those of these shipments that are in no pickup."""
    return [shipment_id for shipment_id in shipment_ids if not _find_holder(gateway, shipment_id)]


def _find_holder(gateway: Gateway, number: str) -> str | None:
    """The id of the pickup that a shipment is in."""
    shipment = find_shipment(gateway, number)
    return (shipment.meta or {}).get(HELD_BY) if shipment else None


def _fits(pickup: Pickup, body: Body) -> bool:
    """Whether a body says when the parcels are fetched, and a pickup is as it says."""
    plain, address = pickup.model_dump(), body.get("address") or {}
    return (
        all(body.get(name) for name in WHEN)
        and all(body[name] == plain[name] for name in PickupSchedule.model_fields if body.get(name))
        and all(plain["address"].get(name) == value for name, value in address.items() if name != "id")
    )


def list_waiting(gateway: Gateway, carrier_name: str) -> list[Shipment]:
    """The bought shipments of a carrier that we hand over and that are in no pickup, oldest first.

    Errors: Invalid on `tracking_numbers` if there are none.
    """
    waiting = _select_waiting(gateway, carrier_name)
    if not waiting:
        raise Invalid("tracking_numbers", f"No bought shipment of {carrier_name} waits for a pickup.")
    return waiting


def _select_waiting(gateway: Gateway, carrier_name: str) -> list[Shipment]:
    bought = make_where(SHIPMENTS, {"status": "purchased"})
    free = replace(bought, conditions=[*bought.conditions, flag("has_pickup", False)])
    rows = (row for row in gateway.each("shipment", free) if not (row["meta"] or {}).get(HELD_BY))
    every = select_leaving(map(Shipment.model_validate, rows))
    return [shipment for shipment in every if carrier_name in {*list_sellers(shipment), shipment.carrier_id}][
        ::-1
    ]


def _check_books_pickups(gateway: Gateway, carrier_name: str) -> None:
    """Errors: Invalid on `carrier_name` for a carrier without pickups; NoConnection for one not connected."""
    able = list_accounts(gateway, "pickup")
    if any(carrier_name in (account.carrier_name, account.carrier_id) for account in able):
        return
    is_connected = any(
        carrier_name in (account.carrier_name, account.carrier_id) for account in list_accounts(gateway)
    )
    if not is_connected and "pickup" in registry.get_facts(carrier_name).capabilities:
        raise NoConnection.of(carrier_name)
    names = ", ".join(sorted({account.carrier_name for account in able}))
    others = f"these do: {names}" if names else "no carrier that is connected does"
    raise Invalid("", f"{carrier_name} takes no pickups through shipcli; {others}.")


def _find_place(gateway: Gateway, body: Body, numbers: Sequence[str]) -> Body | None:
    """Where the parcels are: the given address (fields or id), else the shipper of the first shipment."""
    address = body.get("address")
    if not isinstance(address, Mapping):
        first = find_shipment(gateway, numbers[0])
        return first.shipper.model_dump() if first else None
    if not address.get("id"):
        return address
    try:
        return gateway.ask(get_address, str(address["id"])).model_dump()
    except NotFound:
        return address
