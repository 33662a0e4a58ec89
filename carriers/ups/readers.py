"""What UPS answers: prices, labels, documents and what it says went wrong. Pure."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from carriers.ups.catalogue import SURCHARGES, Sheet, service_of
from carriers.ups.shapes import Json, iso_day, listed, within
from shipcli.carrier.wire import Token
from shipcli.models import (
    Charge,
    Label,
    Message,
    Quote,
    UploadDetails,
    UploadedDocument,
)

SLUG = "ups"
# A token is renewed half an hour before UPS would refuse it.
MARGIN = timedelta(minutes=30)


def read_token(body: Json) -> Token:
    """Units: issued_at in epoch milliseconds, expires_in in seconds; both are texts."""
    issued = datetime.fromtimestamp(int(body["issued_at"]) / 1000, UTC)
    return Token(str(body["access_token"]), issued + timedelta(seconds=int(body["expires_in"])) - MARGIN)


# -- messages ----------------------------------------------------------------------------------


def read_messages(body: Any) -> list[Message]:
    """Errors and warnings, wherever this kind of answer keeps them."""
    return [*read_errors(body), *(_message(one) for one in _warnings(body))]


def read_errors(body: Any) -> list[Message]:
    """Errors alone: an answer that has one is a refusal."""
    faults = listed(within(body, "Fault/detail/Errors/ErrorDetail"))
    found = [*listed(within(body, "response/errors")), *(one.get("PrimaryErrorCode") for one in faults)]
    return [_message(one) for one in found if isinstance(one, dict)]


def _warnings(body: Any) -> list[Any]:
    shipments = listed(within(body, "trackResponse/shipment"))
    histories = listed(within(body, "UploadResponse/FormsHistoryDocumentID"))
    return [
        warning
        for part in (*shipments[:1], *histories)
        if isinstance(part, dict)
        for warning in listed(part.get("warnings"))
        if isinstance(warning, dict)
    ]


def _message(said: Json) -> Message:
    code = said.get("code", said.get("Code"))
    text = said.get("message", said.get("Description"))
    return Message(code=None if code is None else str(code), message=text)


# -- prices ------------------------------------------------------------------------------------


def read_rates(body: Json, origin: str | None) -> list[Quote]:
    return [read_rate(rated, origin) for rated in listed(within(body, "RateResponse/RatedShipment"))]


def read_rate(rated: Json, origin: str | None) -> Quote:
    """One priced service; negotiated prices go before published ones, prices with taxes before those without.

    Shapes: NegotiatedRateCharges has TotalCharge where the shipment itself has TotalCharges.
    """
    prices = rated.get("NegotiatedRateCharges") or rated
    totals = [
        prices.get("TotalChargesWithTaxes"),
        prices.get("TotalCharge"),
        prices.get("TotalCharges"),
        rated.get("TotalCharges"),
    ]
    total: Json = next((one for one in totals if one), {})
    arrival = within(rated, "TimeInTransit/ServiceSummary/EstimatedArrival") or {}
    days = arrival.get("BusinessDaysInTransit")
    currency = within(rated, "TransportationCharges/CurrencyCode") or total.get("CurrencyCode")
    service = service_of(rated["Service"]["Code"], origin)
    return Quote(
        carrier_name=SLUG,
        service=service,
        total_charge=Decimal(total["MonetaryValue"]),
        currency=currency,
        transit_days=int(days) if days else None,
        estimated_delivery=iso_day(within(arrival, "Arrival/Date")),
        extra_charges=[
            Charge(name=name, amount=amount, currency=currency) for name, amount in _lines(rated, prices)
        ],
        meta={"service_name": service},
    )


def _lines(rated: Json, prices: Json) -> Iterable[tuple[str, Decimal]]:
    """The lines of a price, those that cost nothing left out; UPS names surcharges by codes."""
    items = [
        ("BASE CHARGE", prices.get("BaseServiceCharge")),
        # The sum of the service options goes by the code of the service, as UPS gives it no name.
        (rated["Service"]["Code"], rated.get("ServiceOptionsCharges")),
        *((_surcharge(one), one) for one in listed(prices.get("ItemizedCharges"))),
        *((str(one.get("Type")), one) for one in listed(prices.get("TaxCharges"))),
    ]
    amounts = ((name, Decimal((one or {}).get("MonetaryValue") or 0)) for name, one in items)
    return [(name, amount) for name, amount in amounts if amount]


def _surcharge(item: Json) -> str:
    code = str(item.get("Code"))
    return SURCHARGES.get(code, code).replace("_", " ").upper()


# -- labels ------------------------------------------------------------------------------------


def read_shipment(body: Json, sheet: Sheet, kind: str, link: str | None) -> Label:
    """The bought label: one document for all packages.

    Shapes: PackageResults is an object for one package, a list for several; `kind` is what the caller wants.
    """
    results = body["ShipmentResponse"]["ShipmentResults"]
    packages = listed(results.get("PackageResults"))
    number = results["ShipmentIdentificationNumber"]
    images = [image for one in packages if (image := within(one, "ShippingLabel/GraphicImage"))]
    label, got = read_label(images, sheet, kind)
    docs = {"label": label, "invoice": within(results, "Form/Image/GraphicImage")}
    if sheet.image == "ZPL" and got != "ZPL":
        docs["zpl_label"] = _text(_joined(images))
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=got,
        docs={name: text for name, text in docs.items() if text},
        meta={"carrier_tracking_link": link, "tracking_numbers": [one["TrackingNumber"] for one in packages]},
    )


def read_label(images: list[str], sheet: Sheet, kind: str) -> tuple[str | None, str]:
    """The labels of all packages as one file in base64, and its kind.

    Pictures become PDF pages. Printer language becomes PDF where it can be drawn here, else it stays.
    """
    from shipcli.drawing import Unconvertible, label_kind, merge

    files = [_bytes(image) for image in images]
    if not all(file and label_kind(file) for file in files):
        return (images[0] if images else None), sheet.kind
    if sheet.image == "ZPL":
        try:
            return _text(merge([file for file in files if file], kind)), kind
        except Unconvertible:
            return _text(_joined(images)), "ZPL"
    pages = [_page(file, sheet) for file in files if file]
    drawn = len(pages) == 1 and label_kind(files[0] or b"") != "PDF"
    return _text(pages[0] if drawn else merge(pages)), "PDF"  # merging also checks what UPS sent


def _page(picture: bytes, sheet: Sheet) -> bytes:
    """A label picture as an upright PDF page: UPS draws labels lying on their side."""
    from shipcli.drawing import convert, label_kind

    if label_kind(picture) == "PDF":
        return picture
    turn = 90 if _lies(picture) else 0
    return convert(picture, "PDF", size_in=(sheet.width, sheet.height), turn=turn)


def _lies(picture: bytes) -> bool:
    """Whether a PNG or GIF is wider than high."""
    if picture.startswith(b"\x89PNG"):
        return int.from_bytes(picture[16:20], "big") > int.from_bytes(picture[20:24], "big")
    return int.from_bytes(picture[6:8], "little") > int.from_bytes(picture[8:10], "little")


def _joined(images: list[str]) -> bytes:
    from shipcli.drawing import merge

    return merge([base64.b64decode(image) for image in images], "ZPL")


def _bytes(image: str) -> bytes | None:
    try:
        return base64.b64decode(image, validate=True)
    except (binascii.Error, ValueError):
        return None


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


# -- documents ---------------------------------------------------------------------------------


def read_documents(body: Json) -> UploadDetails:
    """Shapes: one history with one or many numbers, or a history per document. UPS keeps no file name."""
    numbers = [
        str(number)
        for history in listed(within(body, "UploadResponse/FormsHistoryDocumentID"))
        for number in listed(history.get("DocumentID"))
    ]
    return UploadDetails(documents=[UploadedDocument(doc_id=one, file_name=one) for one in numbers])
