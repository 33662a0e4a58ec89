"""What the orders and answers of ParcelOne share: the catalogue, addresses, refusals. Pure.

Source: Parcel.One Shipping REST API 1.0.0: Address, Contact, ResultError, ShipmentActionResult.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from shipcli.carrier import load_catalogue
from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_half_up
from shipcli.models import Address, Message

CATALOGUE = load_catalogue(__file__)
SUCCESS = 1


def write_party(address: Address) -> Json:
    """Shapes: the house number has a member of its own, and stays out of the street."""
    number, street = split_street(address)
    return {
        "Name1": address.company_name or address.person_name,
        "Name2": address.person_name if address.company_name else None,
        "Name3": address.address_line2,
        "ShipmentAddress": {
            "Street": street,
            "Streetno": number,
            "PostalCode": address.postal_code,
            "City": address.city,
            "State": address.state_code,
            "Country": address.country_code,
        },
        "ShipmentContact": {"Email": address.email, "Phone": address.phone_number},
    }


def write_amount(amount: Decimal, currency: str | None) -> Json:
    return {"Currency": currency, "Value": str(round_half_up(amount))}


# -- what went wrong -------------------------------------------------------------------------------


def is_refused(body: Json) -> bool:
    """Whether an answer, or the action that it tells of, failed."""
    action = read_action(body)
    return any(part.get(name, SUCCESS) != SUCCESS for part, name in ((body, "success"), (action, "Success")))


def read_action(body: Json) -> Json:
    """What became of the shipment that an answer is about."""
    results = body.get("results")
    if not isinstance(results, dict):
        return {}
    action = results.get("ActionResult")
    return action if isinstance(action, dict) else results


def read_messages(body: Json) -> list[Message]:
    """Errors, and warnings beside what went well."""
    about = {"instance": body.get("instance"), "uniq_id": body.get("UniqId")}
    errors = body.get("errors") or ()
    if not errors and body.get("success", SUCCESS) != SUCCESS and body.get("message"):
        return [Message(code=_write_code(body.get("status")), message=body["message"])]
    action = read_action(body)
    names = {"shipment_id": action.get("ShipmentID"), "tracking_id": action.get("TrackingID")}
    return [
        *_read_rows(errors, about),
        *_read_rows(action.get("Errors") or (), names),
        *_read_rows(action.get("Warnings") or (), names),
    ]


def _read_rows(rows: Iterable[Json], about: Json) -> list[Message]:
    details = {name: value for name, value in about.items() if value}
    return [
        Message(
            code=_write_code(row.get("ErrorNo") or row.get("WarningNo") or row.get("StatusCode")),
            message=row.get("Message"),
            details=details,
        )
        for row in rows
    ]


def _write_code(code: object) -> str | None:
    return str(code) if code else None
