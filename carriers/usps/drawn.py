"""The papers of the simulated Postal Service, labels, receipts and SCAN forms, and the answer to a label."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shipcli.carrier.multipart import join
from shipcli.carrier.simulator import Offer
from shipcli.carrier.wire import MultipartPart, Reply
from shipcli.drawing import Block, LabelSpec, draw_form, draw_label
from shipcli.models import json as plain_json

BOUNDARY = "usps-label-part"
KEY = re.compile(r"[0-9a-f]{30}")  # the end of a purchase key, which no person reads
PILLOW_NAMES = {"JPG": "JPEG", "TIFF": "TIFF"}


@dataclass(frozen=True, slots=True)
class Sold:
    """A label just sold: its number, its price, the request it answers, and the day."""

    number: str
    offer: Offer
    body: Mapping[str, Any]
    day: str

    @property
    def kind(self) -> str:
        return str(self.body["imageInfo"]["imageType"])

    @property
    def destination(self) -> str:
        to = self.body["toAddress"]
        return str(to.get("ZIPCode") or to["countryISOAlpha2Code"])


def label_reply(sold: Sold) -> Reply:
    """Multipart: the facts of the label as JSON, its image and receipt as base64 text."""
    parts = [MultipartPart("labelMetadata", plain_json.dumps(facts(sold)), content_type="application/json")]
    if sold.kind in IMAGES:
        parts.append(_file("labelImage", sold.kind, IMAGES[sold.kind](spec(sold))))
    if sold.body["imageInfo"].get("receiptOption") == "SEPARATE_PAGE" and sold.kind == "PDF":
        parts.append(_file("receiptImage", "PDF", receipt(sold)))
    return Reply(200, join(parts, BOUNDARY), {"content-type": f"multipart/form-data; boundary={BOUNDARY}"})


def _file(name: str, kind: str, content: bytes) -> MultipartPart:
    text = base64.b64encode(content)
    return MultipartPart(
        name, text, filename=f"{name}.{kind.lower()}", content_type=f"application/{kind.lower()}"
    )


def facts(sold: Sold) -> dict[str, Any]:
    package = sold.body["packageDescription"]
    broker = {"labelBrokerID": sold.number[-10:]} if sold.kind == "LABEL_BROKER" else {}
    return {
        "labelAddress": sold.body["toAddress"],
        "routingInformation": f"420{sold.destination}",
        "trackingNumber": sold.number,
        "postage": sold.offer.total,
        "extraServices": [],
        "zone": "01",
        "commitment": {"name": f"{sold.offer.days} Days"},
        "weightUOM": "LB",
        "weight": package["weight"],
        "fees": [],
        "bannerText": "USPS TRACKING # USPS Ship",
        "serviceTypeCode": sold.number[2:5],
        "constructCode": "C03",
        "SKU": f"D{sold.offer.code[0]}XR0XXXXC",
        **broker,
    }


def is_key(reference: str | None) -> bool:
    return bool(KEY.fullmatch(reference or ""))


# -- labels ----------------------------------------------------------------------------------------


def spec(sold: Sold) -> LabelSpec:
    package = sold.body["packageDescription"]
    references = [one["referenceNumber"] for one in package.get("customerReference") or ()]
    lines = [f"Ship date: {package['mailingDate']}", f"Weight: {package['weight']} lb"]
    return LabelSpec(
        carrier="USPS",
        service=sold.offer.code.replace("_", " "),
        sender=Block("From", address_lines(sold.body["fromAddress"])),
        recipient=Block("Ship to", address_lines(sold.body["toAddress"])),
        tracking_number=sold.number,
        references=(*lines, *(f"Ref: {one}" for one in references if not is_key(one))),
        code2d=("datamatrix", f"420{sold.destination}{sold.number}"),
        sample=True,
        routing=sold.destination,
    )


def address_lines(address: Mapping[str, Any]) -> tuple[str, ...]:
    person = " ".join(address[name] for name in ("firstName", "lastName") if address.get(name))
    town = (address.get(name) for name in ("city", "state", "province", "ZIPCode", "postalCode"))
    lines = [
        person,
        address.get("firm"),
        address.get("streetAddress"),
        address.get("secondaryAddress"),
        " ".join(part for part in town if part),
        address.get("countryISOAlpha2Code"),
    ]
    return tuple(line for line in lines if line)


def _image(kind: str) -> Callable[[LabelSpec], bytes]:
    def draw(label: LabelSpec) -> bytes:
        from PIL import Image

        out = io.BytesIO()
        with Image.open(io.BytesIO(draw_label(label, "PNG"))) as picture:
            picture.convert("L").save(out, PILLOW_NAMES[kind], dpi=(203, 203))
        return out.getvalue()

    return draw


def _svg(label: LabelSpec) -> bytes:
    data = base64.b64encode(draw_label(label, "PNG")).decode()
    image = f'<image width="812" height="1218" href="data:image/png;base64,{data}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="812" height="1218">{image}</svg>'.encode()


IMAGES: Mapping[str, Callable[[LabelSpec], bytes]] = {
    "PDF": lambda label: draw_label(label, "PDF"),
    "ZPL203DPI": lambda label: draw_label(label, "ZPL"),
    "ZPL300DPI": lambda label: draw_label(label, "ZPL"),
    "JPG": _image("JPG"),
    "TIFF": _image("TIFF"),
    "SVG": _svg,
}


# -- papers ----------------------------------------------------------------------------------------


def receipt(sold: Sold) -> bytes:
    rows = [(sold.offer.code, sold.number, f"{sold.offer.total} USD")]
    return draw_form(
        "USPS receipt",
        rows,
        columns=("Mail class", "Tracking number", "Postage"),
        address=Block("From", address_lines(sold.body["fromAddress"])),
        details=(("Date", sold.day),),
        signature=None,
        sample=True,
    )


def draw_scan_form(number: str, labels: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> bytes:
    rows = [
        (str(one["number"]), str(one["service"]), f"{one['destination']} {one['recipient_postal_code']}")
        for one in labels
    ]
    return draw_form(
        "USPS SCAN Form 5630",
        rows,
        columns=("Tracking number", "Mail class", "Destination"),
        address=Block("Mailer", address_lines(body["fromAddress"])),
        details=(("Form", number), ("Mailing date", body["mailingDate"]), ("Pieces", str(len(labels)))),
        sample=True,
    )
