"""Labels for carriers that give none (`labels = "ours"`): drawn here, one page for each number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier.base import CarrierError
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models import Address, Label, Message, ShipmentRequest

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

FORMATS, PAGED = ("PDF", "ZPL", "PNG"), ("PDF", "ZPL")


def check_printable(request: ShipmentRequest) -> None:
    """Look before anything is bought whether the label can be drawn.

    Errors: CarrierError naming the text that no font can print.
    """
    from shipcli.drawing import Unprintable
    from shipcli.drawing.shaping import shape

    try:
        for line in _list_written_lines(request):
            shape(line)
    except Unprintable as error:
        raise CarrierError(Message(code="unprintable", message=str(error)), definite=True) from None


def _list_written_lines(request: ShipmentRequest) -> tuple[str, ...]:
    """The lines of its labels that people have written."""
    shipper, recipient = (
        list_address_lines(request.shipper, True),
        list_recipient_lines(request.recipient, True),
    )
    return (*shipper, *recipient, *_list_references(request, 0))


def draw_own_label(carrier: Carrier[Any, Any], request: ShipmentRequest, label: Label) -> Label:
    """The label with its file, in the format asked for where we draw it, else as PDF."""
    from shipcli.drawing import Block, LabelSpec, draw_labels

    wanted = (request.label_type or "PDF").upper().split("_")[0]
    numbers = [str(one) for one in label.meta.get("tracking_numbers") or [label.tracking_number]]
    kind = wanted if wanted in (FORMATS if len(numbers) == 1 else PAGED) else "PDF"
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
    return label.changed(docs={**label.docs, "label": content}, label_type=kind)


def list_address_lines(address: Address, abroad: bool) -> tuple[str, ...]:
    """An address as it is written on a parcel; the country goes on it when it leaves one."""
    region = " ".join(part for part in (address.state_code, address.postal_code) if part)
    place = ", ".join(part for part in (address.city, region) if part)
    country = (address.country_name or "").upper() if abroad else None
    lines = (address.person_name, address.company_name, *address.lines, place, country)
    return tuple(line for line in lines if line)


def list_recipient_lines(address: Address, abroad: bool) -> tuple[str, ...]:
    """An address, and the number that a driver calls."""
    phone = (address.phone_number,) if address.phone_number else ()
    return (*list_address_lines(address, abroad), *phone)


def describe_routing(address: Address, place: int, count: int) -> str | None:
    """What is read from afar: the postal code parcels are sorted by, and which of several it is."""
    words = (address.postal_code, f"{place} OF {count}" if count > 1 else None)
    return "   ".join(word for word in words if word) or None


def _list_references(request: ShipmentRequest, at: int) -> tuple[str, ...]:
    parcel = request.parcels[at] if at < len(request.parcels) else None
    lines = (
        f"Ref: {request.reference}" if request.reference else None,
        f"Weight: {parcel.weight:f} {parcel.weight_unit}" if parcel and parcel.weight else None,
    )
    return tuple(line for line in lines if line)
