"""What SEKO's bodies share: addresses, packages, and what it says went wrong. Pure.

Units: kilograms and centimetres, to the hundredth.
Source: OmniParcel integration guide, 2 Data definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shipcli.carrier import RequestOptions, load_catalogue, name_sides
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Message, Parcel

CATALOGUE = load_catalogue(__file__)
LONGEST_NAME = 50


def write_party(address: Address) -> Json:
    """Somebody at an address. Shapes: the town is the suburb, the state the city."""
    return {
        "Name": address.company_name,
        "Address": {
            "BuildingName": address.address_line2,
            "StreetAddress": address.street,
            "Suburb": address.city,
            "City": address.state_code,
            "PostCode": address.postal_code,
            "CountryCode": address.country_code,
        },
        "ContactPerson": address.name,
        "PhoneNumber": address.phone_number,
        "Email": address.email,
        "RecipientTaxId": address.federal_tax_id or address.state_tax_id,
    }


def write_destination(options: RequestOptions) -> Json:
    """What the options say of where it goes."""
    return {
        "Id": options.text("seko_destination_id"),
        "DeliveryInstructions": options.text("destination_instructions"),
    }


def write_package(parcel: Parcel, default: str | None = None) -> Json:
    packaging = CATALOGUE.packaging.get(parcel.packaging_type or default)
    inside = ", ".join(text for item in parcel.items if (text := item.title or item.description))
    return {
        **name_sides(parcel, "CM", height="Height", length="Length", width="Width"),
        "Kg": round_measure(parcel.weight_in("KG")),
        "Name": cut_text(parcel.description or inside, LONGEST_NAME),
        "Type": packaging.code if packaging else None,
    }


# -- what SEKO says went wrong ---------------------------------------------------------------------


def read_messages(body: Any, *, failed: bool = False) -> list[Message]:
    """What an answer says: of errors the first kind that is there, else what a manifest left out.

    Shapes: a list holds what is known of tracking numbers; `failed` marks answers with an error status,
            which have a sentence only.
    """
    if isinstance(body, list):
        unknown = (entry for entry in body if is_unknown(entry))
        return [_refused(entry["ConsignmentNo"], entry.get("Status")) for entry in unknown]
    if outcomes := read_outcomes(body):
        return [_refused(number, text) for number, text in outcomes.items() if text != "Deleted"]
    errors = _errors(body) or _left_out(body)
    return errors or ([_error("Error", body)] if failed else [])


def _left_out(body: Json) -> list[Message]:
    """The consignments that a manifest left out without a reason."""
    return [
        _refused(number, "It is not on the manifest") for number in body.get("UnManifestedConnotes") or ()
    ]


def is_unknown(entry: Json) -> bool:
    """Whether an entry of a tracking answer says nothing of its number."""
    return not entry.get("Events") and not entry.get("Tracking")


def read_outcomes(body: Json) -> Mapping[str, str]:
    """What became of each consignment number that was to be deleted; nothing of other answers."""
    texts = all(isinstance(text, str) for text in body.values())
    return body if texts and "Message" not in body else {}


def _errors(body: Json) -> list[Message]:
    validation, rejected = body.get("ValidationErrors"), as_list(body.get("Rejected"))
    if validation:
        return [_error("ValidationError", problem) for problem in as_list(validation)]
    if rejected and not body.get("Available"):
        return [_error("Rejected", rejection) for rejection in rejected]
    whole = [body] if body.get("Property") else []  # an answer may be an error itself
    errors = [*as_list(body.get("Errors")), *as_list(body.get("Error")), *whole]
    return [_error("Error", error) for error in errors]


def _error(code: str, error: Any) -> Message:
    """One error. Shapes: an object with a Message or a Reason, one of field and sentence, or a sentence."""
    if not isinstance(error, dict):
        return Message(code=code, message=str(error))
    text = error.get("Message") or error.get("Reason") or _first(error.values())
    names = ("Property", "Key", "Value", "CarrierName", "DeliveryType")
    details = {name: error[name] for name in names if error.get(name)}
    return Message(code=code, message=text, details=details or None)


def _first(values: Iterable[Any]) -> str | None:
    """The sentence of a field that is wrong; there may be several of one field."""
    texts = (text for value in values for text in as_list(value))
    return next((text for text in texts if isinstance(text, str) and text), None)


def _refused(number: str, text: str | None) -> Message:
    return Message(code="Error", message=text or "Nothing is known of it", details={"ConsignmentId": number})
