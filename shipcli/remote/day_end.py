"""Pickups and manifests of what waits on another server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from shipcli.features.manifests import service as manifests
from shipcli.features.manifests.end_of_day import (
    WITHOUT_LABEL,
    DayLine,
    ManifestGroup,
    close_group_with,
    gather_groups,
    group_of,
    lacking_label,
    midnight,
    names_of,
    select_without_pickup,
    with_pickup,
)
from shipcli.features.parts.lookup import HELD_BY, LISTED_IN, sellers
from shipcli.features.pickups import service as pickups
from shipcli.features.pickups.shorthand import complete_pickup_anywhere, nothing_waits
from shipcli.features.shipments import service as shipments
from shipcli.gateway.where import Where
from shipcli.models import (
    Invalid,
    Manifest,
    ManifestData,
    NoConnection,
    Pickup,
    PickupData,
    Shipment,
)
from shipcli.remote.ship_defaults import OWN, known_to

if TYPE_CHECKING:
    from shipcli.gateway.http import HttpGateway

Body = Mapping[str, Any]


def list_purchased(remote: HttpGateway, **given: Any) -> list[Shipment]:
    """The shipments that are bought and still here; oldest first."""
    rows = remote.each("shipment", Where({"status": "purchased", **given}))
    return [Shipment.model_validate(row) for row in rows][::-1]


def get_shipment_named(remote: HttpGateway, word: str) -> Shipment | None:
    """The shipment of an id or a number."""
    found = remote.find("shipment", word, 1)
    shipment: Shipment | None = remote.ask(shipments.get_shipment, found[0]["id"]) if found else None
    return shipment


# -- pickups ---------------------------------------------------------------------------------------


def complete_pickup(remote: HttpGateway, carrier_name: str, body: Body) -> tuple[dict[str, Any], int]:
    """The body of a new pickup spelled out, and how many shipments that wait it leaves out.

    Errors: Invalid on `tracking_numbers` when nothing waits, on `hours` and `pickup_date`.
    """
    return complete_pickup_anywhere(
        body,
        remote.now(),
        waiting=partial(list_waiting, remote, carrier_name),
        place=partial(_place, remote, body),
    )


def list_waiting(remote: HttpGateway, carrier_name: str) -> list[Shipment]:
    """The bought shipments of a carrier that no pickup holds.

    Errors: Invalid on `tracking_numbers` when there is none.
    """
    bought = (one for one in list_purchased(remote) if carrier_name in {*sellers(one), one.carrier_id})
    found = [one for one in bought if not (one.meta or {}).get(HELD_BY)]
    if not found:
        raise nothing_waits(carrier_name)
    return found


def _place(remote: HttpGateway, body: Body, numbers: Sequence[str]) -> Body | None:
    address = body.get("address")
    if isinstance(address, Mapping):
        return known_to(remote).address(str(address["id"])) if address.get("id") else address
    first = get_shipment_named(remote, numbers[0])
    return first.shipper.plain() if first else None


# -- manifests -------------------------------------------------------------------------------------


def with_address(remote: HttpGateway, body: Body) -> dict[str, Any]:
    """The body of a manifest; without an address, the shipper of the first shipment."""
    words = body.get("shipment_ids") or body.get("shipment_identifiers") or []
    first = None if body.get("address") or not words else get_shipment_named(remote, str(words[0]))
    if first is None:
        return dict(body)
    return {**body, "address": {key: value for key, value in first.shipper.plain().items() if key != "id"}}


def open_groups(remote: HttpGateway, carrier: str | None = None) -> list[ManifestGroup]:
    """What is bought and on no form yet, by account and place; oldest first."""
    found = _grouped(list_purchased(remote, has_manifest=False))
    return [group for group in found if carrier is None or carrier in names_of(group)]


def _grouped(shipments: Iterable[Shipment]) -> list[ManifestGroup]:
    return gather_groups(group_of(shipment, None) for shipment in shipments)


def finish_interrupted(remote: HttpGateway) -> list[DayLine]:
    """Nothing: what was left open is settled by the server, when its worker comes by or the same is asked."""
    return []


def closed_today(remote: HttpGateway, carrier: str | None = None) -> list[ManifestGroup]:
    """What was closed today and no pickup holds."""
    began = {"created_after": midnight(remote.now()).isoformat()}
    forms = [str(row["id"]) for row in remote.each("manifest", Where(began))]
    found = [one for form in forms for one in list_purchased(remote, meta_key=LISTED_IN, meta_value=form)]
    return [
        group
        for group in _grouped(select_without_pickup(found))
        if carrier is None or carrier in names_of(group)
    ]


def manifest_of(remote: HttpGateway, group: ManifestGroup) -> Manifest:
    """The form of a group.

    Errors: those of the API.
    """
    address = {key: value for key, value in group.origin.plain().items() if key not in OWN}
    body = {"carrier_name": group.carrier_name, "address": address,
            "shipment_ids": [one.id for one in group.shipments]}  # fmt: skip
    try:
        wanted = ManifestData.model_validate(body)
    except ValueError as error:
        raise Invalid("address", str(error)) from None
    made: Manifest = remote.ask(manifests.create_manifest, wanted)
    return made


def close_group(remote: HttpGateway, group: ManifestGroup) -> DayLine:
    """The group on a form; what went wrong stands in the line."""
    return close_group_with(group, partial(manifest_of, remote))


def book_pickup(
    remote: HttpGateway, group: ManifestGroup, line: DayLine, span: str, day: str = "today"
) -> DayLine:
    """The line with the pickup of its group, where its carrier books any; the reason where it failed."""

    def booked(data: PickupData) -> Pickup:
        made: Pickup = remote.ask(pickups.schedule_pickup, group.carrier_name, data)
        return made

    try:
        return with_pickup(group, line, remote.now(), span, day, booked)
    except NoConnection:
        return line


def without_label(remote: HttpGateway) -> Iterator[DayLine]:
    """Shipments that can't be sent: not bought, an unsettled purchase, a label that is lost."""
    rows = chain.from_iterable(remote.each("shipment", Where({"status": one})) for one in WITHOUT_LABEL)
    unbought = (Shipment.model_validate(row) for row in rows)
    found = (lacking_label(one) for one in chain(unbought, list_purchased(remote, has_manifest=False)))
    return (line for line in found if line)
