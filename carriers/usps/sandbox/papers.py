"""The papers of the simulated Postal Service: labels in every format, receipts and SCAN forms."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

from shipcli.carrier import MultipartPart, Reply, load_catalogue
from shipcli.carrier.desk import Sale
from shipcli.carrier.json_paths import Json
from shipcli.carrier.multipart import join
from shipcli.carrier.simulated_papers import customs_lines, draw_booking, group_text
from shipcli.drawing import LabelSpec, draw_form, draw_label
from shipcli.models import json as plain_json

CATALOGUE = load_catalogue(__file__)
BOUNDARY = "usps-label-part"
DRAWN = {"PDF": "PDF", "ZPL203DPI": "ZPL", "ZPL300DPI": "ZPL"}  # as the kit draws them
PICTURES = {"JPG": "JPEG", "TIFF": "TIFF"}
POUNDS_PER_KG = 2.205
HOME_GROUPS, POSTAL_GROUPS = (4, 4, 4, 4, 4), (2, 3, 3, 3, 2)  # as people read the two kinds of numbers


def write_answer(facts: Json, sale: Sale, body: Json, label: LabelSpec) -> Reply:
    """Multipart: the facts of the label as JSON, its image and receipt as base64 text."""
    kind, package = sale.booking.label, body["packageDescription"]
    said = {**facts, "labelAddress": body["toAddress"], "weightUOM": "LB", "weight": package["weight"]}
    parts = [MultipartPart("labelMetadata", plain_json.dumps(said), content_type="application/json")]
    if kind not in ("NONE", "LABEL_BROKER"):
        parts.append(_file("labelImage", kind, draw_image(label, kind)))
    if kind == "PDF" and body["imageInfo"].get("receiptOption") == "SEPARATE_PAGE":
        parts.append(_file("receiptImage", kind, draw_receipt(sale)))
    return Reply(200, join(parts, BOUNDARY), {"content-type": f"multipart/form-data; boundary={BOUNDARY}"})


def _file(name: str, kind: str, content: bytes) -> MultipartPart:
    ending = kind.lower()
    return MultipartPart(name, base64.b64encode(content), f"{name}.{ending}", f"application/{ending}")


# -- labels ----------------------------------------------------------------------------------------


def spec(sale: Sale) -> LabelSpec:
    """A label inside the country: one barcode of the ZIP code (420) and the number.

    Source: Intelligent Mail Package Barcode specification; Publication 199.
    """
    number, to = sale.numbers[0], sale.booking.recipient
    label = draw(
        sale, number, banner="USPS TRACKING #", mark=CATALOGUE.table("label_marks").get(sale.booking.service)
    )
    return label._replace(tracking_number=f"420{to.postal_code}{number}")


def draw(sale: Sale, number: str, **furniture: Any) -> LabelSpec:
    """The service's name, the postage block, the number in groups, the goods where it goes abroad."""
    booking = sale.booking
    service = booking.service.replace("_", " ")
    shown = draw_booking(booking, number, 0, "USPS", service, **furniture)
    lines = [one for one in shown.references if one.startswith("REF ")]
    return shown._replace(
        routing=service,
        caption=group_text(number, *(HOME_GROUPS if number.isdigit() else POSTAL_GROUPS)),
        references=(*postage_block(sale), *lines, *customs_lines(booking)),
    )


def postage_block(sale: Sale) -> list[str]:
    booking = sale.booking
    pounds = float(booking.weights[0]) * POUNDS_PER_KG
    return [
        "US POSTAGE PAID",
        f"{sale.priced.total} {sale.priced.currency}   {pounds:.2f} LB",
        f"{booking.ship_date:%d %b %Y}   FROM {booking.origin.postal_code}".upper(),
    ]


def draw_image(label: LabelSpec, kind: str) -> bytes:
    if kind in DRAWN:
        return draw_label(label, DRAWN[kind])
    png = draw_label(label, "PNG")
    return _convert(png, PICTURES[kind]) if kind in PICTURES else _svg(png)


def _convert(png: bytes, kind: str) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("L").save(out, kind, dpi=(203, 203))
    return out.getvalue()


def _svg(png: bytes) -> bytes:
    data = base64.b64encode(png).decode()
    image = f'<image width="812" height="1218" href="data:image/png;base64,{data}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="812" height="1218">{image}</svg>'.encode()


# -- other papers ----------------------------------------------------------------------------------


def draw_receipt(sale: Sale) -> bytes:
    from shipcli.drawing import Block

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
    )


def draw_scan_form(number: str, labels: Sequence[Mapping[str, Any]], body: Json) -> bytes:
    from shipcli.drawing import Block

    sender = body["fromAddress"]
    names = ("firstName", "lastName", "firm", "streetAddress", "city", "ZIPCode")
    rows = [
        (str(one["number"]), str(one["service"]), f"{one['destination']} {one['recipient_postal_code']}")
        for one in labels
    ]
    return draw_form(
        "USPS SCAN Form 5630",
        rows,
        columns=("Tracking number", "Mail class", "Destination"),
        address=Block("Mailer", tuple(sender[name] for name in names if sender.get(name))),
        details=(("Form", number), ("Mailing date", body["mailingDate"]), ("Pieces", str(len(labels)))),
        sample=True,
    )
