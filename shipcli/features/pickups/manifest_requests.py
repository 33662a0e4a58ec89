"""Request an end-of-day form from a carrier, and interpret its answer.

Shipments that the carrier objects to are dropped and the request repeated without them: those it reports as
already on a form are closed, those it refuses stay open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.connections.intent_actions import CarrierAction
from shipcli.features.core.shipment_lookup import find_connection_id, find_shipments, list_purchased
from shipcli.features.pickups.manifest_grouping import NOT_LISTED, find_obstacle, list_left_out_options
from shipcli.models import (
    Address,
    ManifestDetails,
    ManifestRequest,
    Message,
    OutcomeUnknown,
    Refused,
    Shipment,
)
from shipcli.store.query import flag, pair

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

GROUP, EXCLUDED = "group_id", "excluded_shipments"
LISTED_BEFORE = "listed_before"
Body = Mapping[str, Any]


@dataclass(frozen=True)
class CarrierForm:
    """A carrier's form: its answer, the shipments closed now or earlier, and the messages."""

    details: ManifestDetails
    closed: Sequence[Shipment]
    messages: Sequence[Message]


def read_address(action: CarrierAction) -> Address:
    return Address.model_validate(action.details["address"])


def list_open_shipments(app: App, action: CarrierAction) -> list[Shipment]:
    """Return the shipments of an action that can still be put on a form."""
    return [
        shipment
        for shipment in find_shipments(app, action.shipment_ids).values()
        if not find_obstacle(shipment)
    ]


def request_form(app: App, account: Account, action: CarrierAction) -> CarrierForm:
    """Request a form, dropping the shipments the carrier objects to and retrying until it accepts the rest.

    Errors: Refused if it accepts none; OutcomeUnknown.
    """
    left, before, notes = list_open_shipments(app, action), list[Shipment](), list[Message]()
    while left:
        try:
            details, messages = _ask(app, account, action, left)
        except OutcomeUnknown:
            raise
        except Refused as refusal:
            named = {
                shipment.id: matches
                for shipment in left
                if (matches := _select_messages(shipment, refusal.messages))
            }
            listed, refused = _split_refused(
                account, [shipment for shipment in left if shipment.id in named], named
            )
            left, before = [shipment for shipment in left if shipment.id not in named], [*before, *listed]
            if not named or not (left or before):
                raise
            notes += [_make_note(account, shipment, named[shipment.id], LISTED_BEFORE) for shipment in listed]
            notes += [_make_note(account, shipment, named[shipment.id], NOT_LISTED) for shipment in refused]
        else:
            return CarrierForm(details, [*left, *before], [*messages, *notes])
    return CarrierForm(ManifestDetails(), before, notes)


def _ask(
    app: App, account: Account, action: CarrierAction, shipments: Sequence[Shipment]
) -> tuple[ManifestDetails, list[Message]]:
    body = action.details["body"]
    options = add_exclusions(app, account, shipments, body["options"])
    request = make_manifest_request(shipments, read_address(action), {**body, "options": options})
    return ask_carrier(app, account, "manifest", request, object_id=action.object_id)


def _split_refused(
    account: Account, dropped: Sequence[Shipment], named: Mapping[str, Sequence[Message]]
) -> tuple[list[Shipment], list[Shipment]]:
    """Split dropped shipments into those already on a form, according to the carrier, and those refused."""
    before = {
        shipment.id: account.kind.says_done_before("manifest", named[shipment.id]) for shipment in dropped
    }
    listed = [shipment for shipment in dropped if before[shipment.id]]
    return listed, [shipment for shipment in dropped if not before[shipment.id]]


def _select_messages(shipment: Shipment, messages: Sequence[Message]) -> list[Message]:
    """Return the messages that mention one of a shipment's numbers or its group."""
    names = [*list_identifiers(shipment), shipment.tracking_number, (shipment.meta or {}).get(GROUP)]
    pattern = "|".join(re.escape(str(name)) for name in names if name)
    mention = re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])")
    return [message for message in messages if mention.search(message.message or "")]


def _make_note(account: Account, shipment: Shipment, messages: Sequence[Message], code: str) -> Message:
    reasons = "; ".join(str(message.message) for message in messages)
    note = list_left_out_options(account, shipment.id, reasons)
    if code == NOT_LISTED:
        return note
    return note.model_copy(
        update={"code": code, "message": f"{shipment.display_name} was closed before: {reasons}"}
    )


def make_manifest_request(
    shipments: Sequence[Shipment], address: Address, body: Body, others: Sequence[str] = ()
) -> ManifestRequest:
    """Build the manifest request; `others` are identifiers of shipments that are not stored."""
    documents = {"shipments": [shipment.model_dump() for shipment in shipments]} if shipments else {}
    return ManifestRequest(
        shipment_identifiers=[
            *(identifier for shipment in shipments for identifier in list_identifiers(shipment)),
            *others,
        ],
        address=address,
        reference=body["reference"],
        options={**body["options"], **documents},
    )


def add_exclusions(
    app: App, account: Account, shipments: Sequence[Shipment], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Add to the options the purchased shipments to leave out, for carriers that close whole groups."""
    groups = dict.fromkeys(group for shipment in shipments if (group := (shipment.meta or {}).get(GROUP)))
    listed = {shipment.id for shipment in shipments}
    out = [
        identifier
        for group in groups
        for other in list_purchased(app, flag("has_manifest", False), pair("meta", GROUP, group))
        if other.id not in listed and find_connection_id(other) in (None, account.id)
        for identifier in list_identifiers(other)
    ]
    excluded = options.get(EXCLUDED) or []
    excluded = excluded.split(",") if isinstance(excluded, str) else excluded
    return {**options, EXCLUDED: [*excluded, *out]} if out else dict(options)


def choose_identifier(shipment: Shipment) -> str:
    """Return the carrier's identifier of a shipment."""
    return str(shipment.shipment_identifier or shipment.tracking_number)


def list_identifiers(shipment: Shipment) -> list[str]:
    """Return the carrier's identifiers of a shipment and of its other pieces."""
    further = (shipment.meta or {}).get("shipment_identifiers") or []
    return list(dict.fromkeys([choose_identifier(shipment), *map(str, further)]))
