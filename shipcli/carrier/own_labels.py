"""Labels for carriers that give none (`labels = "ours"`): drawn here, one page for each number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier.base import CarrierError
from shipcli.carrier.printable import explain_unprintable
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models import Address, Label, Message, ShipmentRequest

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

FORMATS, PAGED = ("PDF", "ZPL", "PNG"), ("PDF", "ZPL")


def check_printable(request: ShipmentRequest) -> None:
    """Check, before anything is bought, that the label can be drawn.

    Errors: CarrierError naming the field that no font can print.
    """
    from shipcli.drawing import Unprintable
    from shipcli.drawing.text.shaping import shape

    sender = list_address_lines(request.shipper, abroad=True)
    recipient = list_recipient_lines(request.recipient, abroad=True)
    try:
        for line in (*sender, *recipient, *_list_references(request, 0)):
            shape(line)
    except Unprintable as error:
        plain = Message(code="unprintable", message=str(error))
        message = explain_unprintable(request, error.character) or plain
        raise CarrierError(message, definite=True) from None


def draw_own_label(carrier: Carrier[Any, Any], request: ShipmentRequest, label: Label) -> Label:
    """Return the label with its file, in the requested format where we draw it, else as PDF."""
    from shipcli.drawing import Block, LabelSpec, draw_labels

    requested = (request.label_type or "PDF").upper().split("_")[0]
    numbers = [str(number) for number in label.meta.get("tracking_numbers") or [label.tracking_number]]
    kind = requested if requested in (FORMATS if len(numbers) == 1 else PAGED) else "PDF"
    abroad = request.shipper.country_code != request.recipient.country_code
    specs = [
        LabelSpec(
            carrier=carrier.name,
            service=request.service.removeprefix(f"{carrier.slug}_").replace("_", " ").upper(),
            sender=Block("FROM", list_address_lines(request.shipper, abroad)),
            recipient=Block("TO", list_recipient_lines(request.recipient, abroad)),
            tracking_number=number,
            references=_list_references(request, at),
            routing=describe_routing(request.recipient, at + 1, len(numbers)),
            sample=carrier.context.sample,
        )
        for at, number in enumerate(numbers)
    ]
    content = encode_file(draw_labels(specs, kind))
    return label.model_copy(update={"docs": {**label.docs, "label": content}, "label_type": kind})


def list_address_lines(address: Address, abroad: bool) -> tuple[str, ...]:
    """Return an address as it is written on a parcel, with the country if the parcel goes abroad."""
    region = " ".join(part for part in (address.state_code, address.postal_code) if part)
    city_line = ", ".join(part for part in (address.city, region) if part)
    country = (address.country_name or "").upper() if abroad else None
    lines = (address.person_name, address.company_name, *address.lines, city_line, country)
    return tuple(line for line in lines if line)


def list_recipient_lines(address: Address, abroad: bool) -> tuple[str, ...]:
    """Return an address, and the phone number for the driver."""
    phone = (address.phone_number,) if address.phone_number else ()
    return (*list_address_lines(address, abroad), *phone)


def describe_routing(address: Address, position: int, count: int) -> str | None:
    """Return what is printed large: the postal code for sorting, and which of several parcels it is."""
    words = (address.postal_code, f"{position} OF {count}" if count > 1 else None)
    return "   ".join(word for word in words if word) or None


def _list_references(request: ShipmentRequest, at: int) -> tuple[str, ...]:
    """Return the reference of the shipment and the weight of a parcel."""
    parcel = request.parcels[at] if at < len(request.parcels) else None
    lines = (
        f"Ref: {request.reference}" if request.reference else None,
        f"Weight: {parcel.weight:f} {parcel.weight_unit}" if parcel and parcel.weight else None,
    )
    return tuple(line for line in lines if line)
