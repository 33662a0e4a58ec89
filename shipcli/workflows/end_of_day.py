"""The end of a warehouse day: what is bought and on no form yet goes on forms, by account and place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from shipcli.features.core.dates import find_midnight
from shipcli.features.core.interruption import Interrupted
from shipcli.features.core.shipment_lookup import (
    HELD_BY,
    LISTED_IN,
    find_account,
    format_place,
    list_sellers,
    make_place_key,
)
from shipcli.features.pickups import manifests
from shipcli.features.pickups import service as pickups
from shipcli.features.pickups.filters import MANIFESTS
from shipcli.features.pickups.manifest_grouping import NOT_LISTED
from shipcli.features.pickups.shorthand import complete_change, read_hours
from shipcli.gateway.where import make_where
from shipcli.models import (
    Address,
    Conflict,
    Connection,
    Invalid,
    Manifest,
    ManifestData,
    NoConnection,
    PickupData,
    Refused,
    ShipcliError,
    Shipment,
)
from shipcli.models.parts.address import copy_fields
from shipcli.workflows.lookup import find_shipment, list_accounts, list_purchased, select_leaving

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway

State = Literal["open", "closed", "failed", "no_label"]


@dataclass(frozen=True)
class ManifestGroup:
    """Shipments that belong on one form: those of one account (None if it no longer exists) at one place."""

    carrier_name: str
    carrier_id: str
    account: Connection | None
    origin: Address
    shipments: tuple[Shipment, ...]


@dataclass(frozen=True)
class DayLine:
    """What became of a group, or an order or shipment that has no label."""

    state: State
    carrier_name: str | None = None
    carrier_id: str | None = None
    origin: str | None = None
    shipments: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    manifest_id: str | None = None
    pickup_id: str | None = None
    detail: str | None = None
    exit_code: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The line as data."""
        lists = {"shipments": list(self.shipments), "orders": list(self.orders)}
        row = asdict(self) | lists | {"count": len(self.shipments) or len(self.orders)}
        del row["exit_code"]
        return row


def list_open_groups(gateway: Gateway, carrier: str | None = None) -> list[ManifestGroup]:
    """What is bought and on no form yet, of one carrier (slug or friendly name) or of all; oldest first."""
    bought = list_purchased(gateway, has_manifest=False)
    return filter_by_carrier(group_shipments(gateway, select_leaving(bought)), carrier)


def filter_by_carrier(groups: Iterable[ManifestGroup], carrier: str | None) -> list[ManifestGroup]:
    """The groups of a carrier, by its slug or friendly name; all of them if none is named."""
    return [group for group in groups if carrier is None or carrier in list_carrier_names(group)]


def list_carrier_names(group: ManifestGroup) -> set[str]:
    """The names by which people may refer to the carrier of a group."""
    return {group.carrier_name, group.carrier_id, *list_sellers(group.shipments[0])}


def group_shipments(gateway: Gateway, shipments: Iterable[Shipment]) -> list[ManifestGroup]:
    """Group shipments by account and place, in the order in which they come."""
    able = list_accounts(gateway, "shipping")
    return gather_groups(
        make_shipment_group(shipment, find_account(shipment, able)) for shipment in shipments
    )


def make_shipment_group(shipment: Shipment, account: Connection | None) -> ManifestGroup:
    """A group of one shipment, with the account it was bought with if that is known."""
    name = account.carrier_name if account else str((shipment.meta or {}).get("ext") or shipment.carrier_name)
    carrier_id = account.carrier_id if account else str(shipment.carrier_id)
    return ManifestGroup(name, carrier_id, account, shipment.shipper, (shipment,))


def gather_groups(groups: Iterable[ManifestGroup]) -> list[ManifestGroup]:
    """Join groups of the same account and place, in the order in which the first of each comes."""
    groups_by_place: dict[tuple[str, ...], list[ManifestGroup]] = {}
    for group in groups:
        account = group.account.id if group.account else group.carrier_name
        groups_by_place.setdefault((account, group.carrier_id, *make_place_key(group.origin)), []).append(
            group
        )
    return [
        replace(some[0], shipments=tuple(shipment for group in some for shipment in group.shipments))
        for some in groups_by_place.values()
    ]


def make_open_line(group: ManifestGroup) -> DayLine:
    """The line of a group that is still open."""
    ids = tuple(shipment.id for shipment in group.shipments)
    held = (holder for shipment in group.shipments if (holder := (shipment.meta or {}).get(HELD_BY)))
    origin = format_place(group.origin)
    return DayLine("open", group.carrier_name, group.carrier_id, origin, ids, pickup_id=next(held, None))


def finish_interrupted(gateway: Gateway) -> list[DayLine]:
    """Finish what an interrupted end of day left open with carriers; gives a line for each form."""
    return [_make_finished_line(gateway, manifest) for manifest in gateway.ask(manifests.finish_interrupted)]


def _make_finished_line(gateway: Gateway, manifest: Manifest) -> DayLine:
    """The line of a form that an earlier run had requested."""
    ids = tuple(shipment.id for shipment in _list_shipments_on(gateway, manifest.id))
    origin = format_place(Address.model_validate(manifest.address.model_dump()))
    line = DayLine("closed", manifest.carrier_name, manifest.carrier_id, origin, ids)
    return replace(line, manifest_id=manifest.id, detail="asked for by an earlier run")


def _list_shipments_on(gateway: Gateway, manifest_id: str) -> list[Shipment]:
    """The bought shipments on a form."""
    return list_purchased(gateway, meta_key=LISTED_IN, meta_value=manifest_id)


def list_closed_today(gateway: Gateway, carrier: str | None = None) -> list[ManifestGroup]:
    """The groups of what was closed today and is in no pickup; what was closed earlier is not read."""
    shipments = [
        shipment for form in list_forms_of_today(gateway) for shipment in _list_shipments_on(gateway, form)
    ]
    return filter_by_carrier(group_shipments(gateway, select_without_pickup(shipments)), carrier)


def list_forms_of_today(gateway: Gateway) -> list[str]:
    """The manifests that were made today, newest first."""
    today = make_where(MANIFESTS, {"created_after": find_midnight(gateway.now()).isoformat()})
    return [str(row["id"]) for row in gateway.each("manifest", today)]


def select_without_pickup(shipments: Iterable[Shipment]) -> list[Shipment]:
    """The shipments that are in no pickup."""
    return [shipment for shipment in shipments if not (shipment.meta or {}).get(HELD_BY)]


def close_group(gateway: Gateway, group: ManifestGroup) -> DayLine:
    """Put a group on a form; an error goes into its line, and the other groups are still closed."""
    try:
        made = make_manifest(gateway, group)
    except ShipcliError as error:
        return replace(make_open_line(group), state="failed", detail=error.message, exit_code=error.exit_code)
    left_out = [str(message.message) for message in made.messages if message.code == NOT_LISTED]
    line = replace(make_open_line(group), state="closed", manifest_id=made.id)
    return replace(line, detail="; ".join(left_out), exit_code=Refused.exit_code) if left_out else line


def make_manifest(gateway: Gateway, group: ManifestGroup) -> Manifest:
    """The form of a group.

    Errors: NoConnection if its account no longer exists; Conflict if its shipments have changed; those of
            `manifests.create_manifest`.
    """
    if group.account is None:
        raise NoConnection.of(group.carrier_name)
    body = {
        "carrier_name": group.carrier_name,
        "address": copy_fields(group.origin.model_dump()),
        "shipment_ids": [shipment.id for shipment in group.shipments],
    }
    try:
        data = ManifestData.model_validate(body)
    except ValueError as error:
        raise Invalid("address", str(error)) from None
    try:
        return gateway.ask(manifests.create_manifest, data)
    except Invalid as error:
        if {field for field, _ in error.problems} == {"shipment_ids"}:  # we named only what was open
            raise Conflict("These shipments were put on a manifest or changed meanwhile") from None
        raise


def complete_manifest(gateway: Gateway, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a manifest; without an address, the shipper of the first shipment."""
    words = body.get("shipment_ids") or body.get("shipment_identifiers") or []
    first = None if body.get("address") or not words else find_shipment(gateway, str(words[0]))
    return {**body, "address": copy_fields(first.shipper.model_dump())} if first else dict(body)


def find_closed(gateway: Gateway, carrier_name: str, body: Mapping[str, Any]) -> Manifest | None:
    """The manifest that all shipments of a body are on, if it is as the body says."""
    words = body.get("shipment_ids") or body.get("shipment_identifiers") or []
    named = [find_shipment(gateway, str(word)) for word in words]
    forms = {((shipment.meta or {}) if shipment else {}).get(LISTED_IN) for shipment in named}
    if len(forms) != 1 or None in forms:
        return None
    made = gateway.ask(manifests.get_manifest, str(forms.pop()))
    is_same = body.get("reference") in (None, made.reference)
    return made if is_same and carrier_name in (made.carrier_name, made.carrier_id) else None


def book_pickup(
    gateway: Gateway, group: ManifestGroup, line: DayLine, span: str, day: str = "today"
) -> DayLine:
    """Book a pickup for the shipments of a line that are in none yet, if the carrier takes bookings.

    If that fails, the line says why.
    """
    free = select_without_pickup(group.shipments)
    if group.account is None or "pickup" not in (group.account.capabilities or ()) or not free:
        return line
    body = complete_change(gateway.now(), {"pickup_date": day, "hours": span}, group.origin.model_dump())
    try:
        data = PickupData.model_validate({**body, "tracking_numbers": [shipment.id for shipment in free]})
        made = gateway.ask(pickups.schedule_pickup, group.carrier_name, data)
    except NoConnection:
        return line
    except ShipcliError as error:
        detail = "; ".join(part for part in (line.detail, f"no pickup: {error.message}") if part)
        return replace(line, detail=detail, exit_code=line.exit_code or error.exit_code)
    return replace(line, pickup_id=made.id)


def check_hours(span: str | None) -> None:
    """Errors: Invalid if these are not hours."""
    if span is not None:
        read_hours(span)


def choose_exit_code(lines: Sequence[DayLine]) -> int:
    """0 if all went well, 130 if interrupted, the error's own code if all failed in the same way, else 9."""
    codes = {line.exit_code for line in lines if line.state != "no_label"}
    if Interrupted.exit_code in codes:
        return Interrupted.exit_code
    if codes <= {0}:
        return 0
    return codes.pop() if len(codes) == 1 and not any(line.state == "closed" for line in lines) else 9
