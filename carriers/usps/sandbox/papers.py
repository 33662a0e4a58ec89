"""The papers of the simulated Postal Service: labels in every format, receipts and SCAN forms."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from shipcli.carrier import MultipartPart, Reply, load_catalogue
from shipcli.carrier.simulation.bookings import Sale
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text, list_customs_lines
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.multipart import join
from shipcli.drawing import LETTER, Block, LabelSpec, draw_form
from shipcli.models import json as plain_json
from shipcli.models.basics.units import convert_weight

from .answers import read_address, write_facts

CATALOGUE = load_catalogue(__file__)
OUTBOUND = ("commitment", "constructCode")  # of labels to a customer
BOUNDARY = "usps-label-part"
FORMATS: Mapping[str, tuple[str, int]] = {"ZPL203DPI": ("ZPL", 203), "ZPL300DPI": ("ZPL", 300)}
HOME_GROUPS, POSTAL_GROUPS = (4, 4, 4, 4, 4), (2, 3, 3, 3, 2)  # as people read the two kinds of numbers


def write_answer(sale: Sale, body: Json, *, is_return: bool = False) -> Reply:
    """Multipart: the facts of the label as JSON, its image and receipt as base64 text."""
    label, receipt = ("returnLabel", "returnReceipt") if is_return else ("label", "receipt")
    facts = write_facts(sale, body)
    if is_return:
        facts = {name: value for name, value in facts.items() if name not in OUTBOUND}
    kind, written = sale.booking.label, plain_json.dumps(facts)
    parts = [MultipartPart(f"{label}Metadata", written, content_type="application/json")]
    if kind not in ("NONE", "LABEL_BROKER"):
        parts.append(_file(f"{label}Image", kind, draw_format(draw_spec(sale), *FORMATS.get(kind, (kind,)))))
    if kind == "PDF" and body["imageInfo"].get("receiptOption") == "SEPARATE_PAGE":
        parts.append(_file(f"{receipt}Image", kind, draw_receipt(sale)))
    return Reply(200, join(parts, BOUNDARY), {"content-type": f"multipart/form-data; boundary={BOUNDARY}"})


def _file(name: str, kind: str, content: bytes) -> MultipartPart:
    ending = kind.lower()
    return MultipartPart(name, base64.b64encode(content), f"{name}.{ending}", f"application/{ending}")


def draw_spec(sale: Sale) -> LabelSpec:
    """What a label says: the postage block, the service with its sign, the number in groups.

    At home one barcode holds the ZIP code (420) and the number; abroad it holds the number, and the goods are
    named.
    Source: Intelligent Mail Package Barcode specification; Publication 199.
    """
    booking, number = sale.booking, sale.numbers[0]
    service = booking.service.replace("_", " ")
    mark = CATALOGUE.table("label_marks").get(booking.service)
    label = draw_booking(booking, number, 0, "USPS", service, mark=mark, routing=service)
    references = [reference for reference in label.references if reference.startswith("REF ")]
    label = label._replace(
        caption=group_text(number, *(HOME_GROUPS if number.isdigit() else POSTAL_GROUPS)),
        references=(*postage_block(sale), *references, *list_customs_lines(booking)),
    )
    if booking.abroad:
        return label
    code = f"420{booking.recipient.postal_code}{number}"
    return label._replace(tracking_number=code, banner="USPS TRACKING #")


def postage_block(sale: Sale) -> list[str]:
    booking, paid = sale.booking, sale.priced
    pounds = convert_weight(booking.weights[0], "KG", "LB")
    return [
        "US POSTAGE PAID",
        f"{paid.total} {paid.currency}   {pounds:.2f} LB",
        f"{booking.ship_date:%d %b %Y}   FROM {booking.origin.postal_code}".upper(),
    ]


def draw_receipt(sale: Sale) -> bytes:
    booking = sale.booking
    paid = f"{sale.priced.total} {sale.priced.currency}"
    return draw_form(
        "USPS receipt",
        [(booking.service, sale.numbers[0], paid)],
        columns=("Mail class", "Tracking number", "Postage"),
        address=Block("From", booking.origin.block()),
        details=(("Date", str(booking.ship_date)),),
        signature=None,
        sample=True,
        sheet=LETTER,
    )


def draw_scan_form(number: str, labels: Sequence[Mapping[str, Any]], body: Json) -> bytes:
    rows = [
        (
            str(label["number"]),
            str(label["service"]),
            f"{label['destination']} {label['recipient_postal_code']}",
        )
        for label in labels
    ]
    return draw_form(
        "USPS SCAN Form 5630",
        rows,
        columns=("Tracking number", "Mail class", "Destination"),
        address=Block("Mailer", read_address(body["fromAddress"]).block()),
        details=(("Form", number), ("Mailing date", body["mailingDate"]), ("Pieces", str(len(labels)))),
        barcode=number,
        sample=True,
        sheet=LETTER,
    )
