"""Orders and labels of bpost: which box a product goes in, and what stands on it. Pure.

Units: grams; millimetres in the country, centimetres abroad.
Source: shm_deep_integration_v5.xsd, national_v5.xsd, international_v5.xsd.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lxml.etree import _Element

from shipcli.carrier.contents import cut_item_text, list_goods
from shipcli.carrier.wire.address_parts import cut_text, fit_email, fit_phone
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.xml import element, every, find, require
from shipcli.models import Address, Invalid, Label, ShipmentRequest

from .customs import write_contents, write_declaration
from .parts import (
    CATALOGUE,
    LINE,
    PHONE,
    Piece,
    write_address,
    write_options,
    write_party,
)

SPACE = "http://schema.post.be/shm/deepintegration/v5/"
UPDATE_SPACE = "http://schema.post.be/shm/deepintegration/v3/"
SPACES = {f"@xmlns:{name}": f"{SPACE}{name}" for name in ("common", "national", "international")}
TEXT, REMARK, LOCKER_EMAIL = 255, 50, 40  # the longest texts of an order
WHOLE, TENTH = Decimal(1), Decimal("0.1")
LOCKER = "parcelsDepot"
PNG = "image/png"


@dataclass(frozen=True, slots=True)
class Box:
    """How a product is delivered: the element of its box, whether that is abroad, the kind of place it waits
    at, and what must be said of the place (`id`, `name`)."""

    element: str
    abroad: bool
    place: str | None = None
    mandatory: Sequence[str] = ()


def find_box(request: ShipmentRequest) -> Box:
    """The box of the service; of one that bpost is not known to have, delivery at home.

    Errors: Invalid when the service does not go there.
    """
    abroad = request.shipper.country_code != request.recipient.country_code
    row = CATALOGUE.table("boxes").get(CATALOGUE.services.wire_code(request.service))
    box = Box(**row) if row else Box("international" if abroad else "atHome", abroad)
    if box.abroad != abroad:
        raise Invalid(
            "service", f"{request.service} goes {'abroad' if box.abroad else 'inside a country'} only"
        )
    return box


# -- the order -------------------------------------------------------------------------------------


def write_order(account: str, reference: str, cost_centre: str | None, pieces: Sequence[Piece]) -> _Element:
    """One order with a box for each parcel.

    Errors: Invalid for what can't be ordered.
    """
    request = pieces[0].request
    lines = [
        (cut_item_text(article, article.description or article.title, TEXT), article.quantity)
        for article in list_goods(request)
    ]
    body = {
        **SPACES,
        "accountId": account,
        "reference": reference,
        "costCenter": cut_text(cost_centre, REMARK),
        "orderLine": [{"text": text, "nbOfItems": count} for text, count in lines if text],
        "box": [_write_box(piece, find_box(request)) for piece in pieces],
    }
    return element("order", body, SPACE, "tns")


def _write_box(piece: Piece, box: Box) -> Json:
    _check_place(piece, box)
    space, write = ("international", _write_abroad) if box.abroad else ("national", _write_national)
    head = {
        "product": CATALOGUE.services.wire_code(piece.request.service),
        "options": write_options(piece),
    }
    return {
        "sender": write_party(piece.request.shipper),
        f"{space}Box": {f"{space}:{box.element}": {**head, **write(piece, box)}},
        "remark": cut_text(piece.request.reference, REMARK),
    }


def _write_national(piece: Piece, box: Box) -> Json:
    parcel, to = piece.parcel, piece.request.recipient
    size = {
        "weight": _round(parcel.weight_in("G"), WHOLE),
        "height": _round(parcel.height_in("MM"), WHOLE),
        "length": _round(parcel.length_in("MM"), WHOLE),
        "width": _round(parcel.width_in("MM"), WHOLE),
    }
    if not box.place:
        return {**size, "receiver": write_party(to)}
    return {
        **size,
        **_write_place(piece, box, box.place),
        "unregistered": _write_locker_user(piece, to) if box.place == LOCKER else None,
        "receiverName": cut_text(to.name, LINE),
        "receiverCompany": cut_text(to.company_name, LINE),
    }


def _write_abroad(piece: Piece, box: Box) -> Json:
    parcel = piece.parcel
    return {
        "receiver": write_party(piece.request.recipient),
        "parcelWeight": _round(parcel.weight_in("G"), WHOLE),
        "parcelHeight": _round(parcel.height_in("CM"), TENTH),
        "parcelLength": _round(parcel.length_in("CM"), TENTH),
        "parcelWidth": _round(parcel.width_in("CM"), TENTH),
        "customsInfo": write_declaration(piece),
        "parcelContents": write_contents(piece),
        **(_write_place(piece, box, box.place) if box.place else {}),
    }


def _round(value: Decimal | None, step: Decimal) -> Decimal | None:
    return round_measure(value, step) if value else None


def _write_locker_user(piece: Piece, to: Address) -> Json:
    """Who is sent the code that opens the locker.

    Errors: Invalid without an e-mail address that bpost has room for.
    """
    email = fit_email(piece.options.text("email_notification_to") or to.email, LOCKER_EMAIL)
    if email is None:
        text = f"bpost sends the code of the locker there: up to {LOCKER_EMAIL} characters"
        raise Invalid("recipient.email", text)
    return {
        "language": piece.language,
        "mobilePhone": fit_phone(to.phone_number, PHONE),
        "emailAddress": email,
    }


# -- where a parcel waits --------------------------------------------------------------------------


def _write_place(piece: Piece, box: Box, place_name: str) -> Json:
    """The post office, shop or locker, under the options of its kind; its address, else the recipient's.

    Errors: Invalid naming the option that the place is not found without.
    """
    options, names = piece.options, CATALOGUE.table("places")[place_name]
    addresses = {name: options.address(name) for name in ("hold_at_location_address", names["address"])}
    named = next(((name, address) for name, address in addresses.items() if address), None)
    address = _check_address(*named) if named else piece.request.recipient
    for member in box.mandatory:
        if not options.text(names[member]):
            raise Invalid(f"options.{names[member]}", f"{piece.request.service} needs it")
    return {
        f"{place_name}Id": options.text(names["id"]),
        f"{place_name}Name": cut_text(options.text(names["name"]), LINE),
        f"{place_name}Address": write_address(address),
    }


def _check_address(option: str, address: Address) -> Address:
    """Errors: Invalid naming what the address of a place lacks."""
    for field in ("address_line1", "postal_code", "city", "country_code"):
        if not getattr(address, field):
            raise Invalid(f"options.{option}.{field}", "is required")
    return address


def _check_place(piece: Piece, box: Box) -> None:
    """Errors: Invalid naming a place that is given for a service that does not go there."""
    for place_name, names in CATALOGUE.table("places").items():
        wrong = [name for name in names.values() if place_name != box.place and piece.options.value(name)]
        if wrong:
            raise Invalid(f"options.{wrong[0]}", f"{piece.request.service} does not deliver to such a place")
    if not box.abroad and piece.options.value("bpost_parcel_return_instructions"):
        raise Invalid("options.bpost_parcel_return_instructions", "is for parcels to other countries")


# -- labels and cancellation -----------------------------------------------------------------------


def label_sheet(name: str | None) -> tuple[str, str]:
    """The size of a label and the media type that asks for it; PDF of A4 for what bpost does not print."""
    sheets = CATALOGUE.table("label_types")
    size, media = sheets.get(name or "") or sheets["PDF"]
    return size, media


def read_labels(root: _Element, reference: str, link: Callable[[str], str | None]) -> Label:
    """The labels of an order as one.

    Shapes: a label has one number, or that of its return beside it; several pictures become one PDF.
    Errors: LookupError when there is no label.
    """
    labels = every(root, "label")
    numbers = list(dict.fromkeys(barcode.text.strip() for barcode in every(root, "barcode") if barcode.text))
    files = list_files(find(label, "bytes") for label in labels)
    picture = len(files) == 1 and require(labels[0], "mimeType") == PNG
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=reference,
        label_type="PNG" if picture else "PDF",
        docs=merge_papers({"label": files}),
        meta={
            "carrier_tracking_link": link(numbers[0]),
            "shipment_identifiers": [reference],
            "tracking_numbers": numbers,
        },
    )


def write_cancellation() -> _Element:
    return element("orderUpdate", {"status": "CANCELLED"}, UPDATE_SPACE)
