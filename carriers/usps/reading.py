"""The Postal Service's answers read into our models; pure.

Shapes: JSON or, for labels, multipart with a JSON part and base64 files.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from carriers.usps.catalogue import DEFAULT_STATUS, STATUSES
from carriers.usps.wire import given, two_decimals
from shipcli.carrier import MultipartPart, Reply, ServiceTable
from shipcli.models import (
    Charge,
    Label,
    ManifestDetails,
    Message,
    PickupDetails,
    Quote,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)
from shipcli.models import json as plain_json

CURRENCY = "USD"
LABEL_META = ("SKU", "postage", "routingInformation", "labelBrokerID")
RATE_META = {
    "usps_processing_category": "processingCategory",
    "usps_zone": "zone",
    "usps_rate_indicator": "rateIndicator",
    "usps_price_type": "priceType",
}

Row = Mapping[str, Any]


# -- bodies ----------------------------------------------------------------------------------------


def is_multipart(reply: Reply) -> bool:
    return "multipart" in reply.header("content-type") or reply.content.lstrip().startswith(b"--")


def read_body(reply: Reply) -> dict[str, Any]:
    """The members of an answer, JSON or multipart.

    Errors: ValueError when it is neither.
    """
    if is_multipart(reply):
        return {part.name: _member(part) for part in reply.parts}
    body = reply.json
    if not isinstance(body, dict):
        raise ValueError("an answer that is no JSON object")
    return body


def _member(part: MultipartPart) -> Any:
    content = part.content if isinstance(part.content, bytes) else part.content.encode()
    return plain_json.loads(content) if part.content_type == "application/json" else in_base64(content)


def in_base64(content: bytes) -> str:
    """A file as base64 text, whether it came so or as it is."""
    try:
        base64.b64decode(b"".join(content.split()), validate=True)
    except binascii.Error:
        return base64.b64encode(content).decode()
    return content.decode("ascii")


def read_errors(body: Mapping[str, Any]) -> list[Message]:
    """What an answer says of errors.

    Shapes: {"error": {"code", "message", "errors": [{"code", "detail", "source"}]}}, or from the login
            {"error": "invalid_client", "error_description", "error_uri"}.
    """
    error = body.get("error")
    if isinstance(error, str):
        details = given(error_uri=body.get("error_uri"))
        return [Message(code=error, message=body.get("error_description"), details=details or None)]
    if not isinstance(error, Mapping):
        return []
    rows = error.get("errors") or [{}]
    return [_error(error, row) for row in rows]


def _error(error: Mapping[str, Any], row: Mapping[str, Any]) -> Message:
    """One fault; what its row leaves out stands in the error around it."""
    return Message(
        code=row.get("code") or error.get("code"),
        message=row.get("detail") or row.get("title") or error.get("message"),
        details=given(source=row.get("source")) or None,
    )


# -- prices ----------------------------------------------------------------------------------------


def priced(options: Sequence[Row], indicator: str) -> list[Row]:
    """For each mail class the price a label is bought at: that of the rate indicator, else the first.

    Of equal prices the first stands.
    """
    firsts: dict[str, Row] = {}
    wanted: dict[str, Row] = {}
    for option in options:
        rate = option["rates"][0]
        firsts.setdefault(rate["mailClass"], option)
        if rate.get("rateIndicator") == indicator:
            wanted.setdefault(rate["mailClass"], option)
    return [_other(first, wanted.get(mail_class)) for mail_class, first in firsts.items()]


def _other(first: Row, wanted: Row | None) -> Row:
    return wanted if wanted and wanted["totalBasePrice"] != first["totalBasePrice"] else first


def read_quote(
    carrier: str, service: str, option: Row, asked: Container[str], *, lists_extras: bool
) -> Quote:
    """One price: the postage, and the extras that were asked for.

    Shapes: postage may come in parts of one name (per piece and per pound), which are added; `asked` has the
            codes of the extras asked for. With `lists_extras` what is named besides them is on offer only.
    """
    rate = option["rates"][0]
    extras = [one for one in option.get("extraServices") or () if one.get("price")]
    paid = [one for one in extras if str(one.get("extraService")) in asked]
    named = [(one.get("description"), one["price"]) for one in option["rates"]]
    named += [(one.get("name"), one["price"]) for one in (extras if lists_extras else paid)]
    meta = {name: rate.get(member) for name, member in RATE_META.items()}
    return Quote(
        carrier_name=carrier,
        service=service,
        total_charge=sum((one["price"] for one in paid), option["totalBasePrice"]),
        currency=CURRENCY,
        extra_charges=charges(named),
        meta=given(service_name=service, **meta),
    )


def charges(named: Iterable[tuple[str | None, Decimal]]) -> list[Charge]:
    """One charge per name, equal names added; a price per pound may be less than a cent."""
    sums: dict[str | None, Decimal] = {}
    for name, amount in named:
        sums[name] = sums.get(name, Decimal(0)) + amount
    return [
        Charge(name=name, amount=two_decimals(amount), currency=CURRENCY) for name, amount in sums.items()
    ]


# -- labels ----------------------------------------------------------------------------------------


def read_label(body: Row) -> Label:
    """One parcel's label.

    Errors: LookupError when the answer has no tracking number.
    """
    facts = body["labelMetadata"]
    number = facts["trackingNumber"]
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        docs=given(label=body.get("labelImage"), invoice=body.get("receiptImage")),
        meta=given(**{name: facts.get(name) for name in LABEL_META}),
    )


def combined(labels: Sequence[Label], kind: str, *, as_png: bool) -> Label:
    """The labels of a shipment as one, under the first number. `kind` is the carrier's word for the file."""
    ours = "ZPL" if kind.startswith("ZPL") else kind
    if len(labels) == 1:
        turned = png(labels[0].docs) if as_png and kind != "PDF" else None
        return labels[0].changed(label_type="PNG" if turned else ours, docs=turned or labels[0].docs)
    numbers = [label.tracking_number for label in labels]
    files = {name: [one.docs[name] for one in labels if name in one.docs] for name in ("label", "invoice")}
    kinds = {"label": ours, "invoice": "PDF"}
    return labels[0].changed(
        label_type=ours,
        docs={name: joined(some, kinds[name]) for name, some in files.items() if some},
        meta={**labels[0].meta, "tracking_numbers": numbers, "shipment_identifiers": numbers},
    )


def joined(files: Sequence[str], kind: str) -> str:
    from shipcli.drawing import merge

    return base64.b64encode(merge([base64.b64decode(one) for one in files], kind)).decode()


def png(docs: Mapping[str, str]) -> dict[str, str] | None:
    """The documents with their label as PNG; None when it can't be made one and is better kept as it came."""
    from shipcli.drawing import Unconvertible, convert

    try:
        image = convert(base64.b64decode(docs["label"]), "PNG")
    except (Unconvertible, LookupError, ValueError):
        return None
    return {**docs, "label": base64.b64encode(image).decode()}


# -- tracking --------------------------------------------------------------------------------------


def read_tracking(body: Row, services: ServiceTable, link: Callable[[str], str | None]) -> Tracking:
    """What is known of one number; scans newest first, as they come."""
    number = body["trackingNumber"]
    status = read_status(body)
    due = day(body.get("expectedDeliveryTimeStamp"))
    mail_class = body.get("mailClass")
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == "delivered",
        estimated_delivery=due,
        events=[read_event(scan) for scan in body.get("trackingEvents") or ()],
        info=TrackingInfo(
            carrier_tracking_link=link(number),
            expected_delivery=due,
            shipment_service=services.slug(mail_class) if mail_class else None,
            shipment_origin_country=body.get("originCountry"),
            shipment_origin_postal_code=body.get("originZIP"),
            shipment_destination_country=body.get("destinationCountryCode"),
            shipment_destination_postal_code=body.get("destinationZIP"),
        ),
    )


def read_status(body: Row) -> str:
    """The unified status: the first known word that occurs in the carrier's status or its category."""
    said = f"{body.get('status') or ''} | {body.get('statusCategory') or ''}".lower()
    return next((ours for word, ours in STATUSES.items() if word in said), DEFAULT_STATUS)


def read_event(scan: Row) -> TrackingEvent:
    """One scan.

    Shapes: eventTimestamp is local to the place, with or without a Z; the time is told as "13:58 PM".
    """
    at = moment(scan.get("eventTimestamp"))
    place = [scan.get(name) for name in ("eventCity", "eventZIP", "eventState", "eventCountry")]
    return TrackingEvent(
        date=at.date().isoformat() if at else None,
        time=at.strftime("%H:%M %p") if at else None,
        code=scan.get("eventCode"),
        description=scan.get("eventType"),
        location=", ".join(part for part in place if part) or None,
    )


def moment(text: str | None) -> datetime | None:
    """The local instant of a timestamp, without its zone and fraction; None when it is not one."""
    try:
        return datetime.fromisoformat((text or "")[:19])
    except ValueError:
        return None


def day(text: str | None) -> str | None:
    at = moment(text)
    return at.date().isoformat() if at else None


# -- collections and forms -------------------------------------------------------------------------


def read_pickup(body: Row) -> PickupDetails:
    return PickupDetails(confirmation_number=body["confirmationNumber"], pickup_date=body.get("pickupDate"))


def read_form(body: Row) -> ManifestDetails:
    facts = body.get("SCANFormMetadata") or {}
    return ManifestDetails(
        doc={"manifest": body["SCANFormImage"]},
        meta=given(manifestNumber=facts.get("manifestNumber"), trackingNumbers=facts.get("trackingNumbers")),
    )
