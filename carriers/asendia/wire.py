"""Between our models and the JSON of Asendia Sync. Pure.

Units: kilograms to the hundredth, rounded up; those of goods to the gram.
Source: recorded requests of www.asendia-sync.com; its page of documentation is /swagger-ui.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import THOUSANDTH, read_amount, round_half_up, round_measure
from shipcli.carrier.wire.rows import read_each, sort_newest_first
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import (
    Address,
    Commodity,
    Invalid,
    Label,
    ManifestDetails,
    Message,
    Parcel,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
)

CATALOGUE = load_catalogue(__file__)
EUROS, PACKET = "EUR", "B"
RETURN_TYPE, PREPAID = "EPAQRETDOM", "RETPP"
LONGEST_ARTICLE = 200
FAULT, PARCEL_FAULT, MANIFEST_FAULT = "ERROR", "PARCEL_ERROR", "MANIFEST_ERROR"


# -- the order -------------------------------------------------------------------------------------


def choose_format(*names: str | None) -> str:
    """Asendia's word for the first kind of label that it prints."""
    return str(CATALOGUE.choose("label_types", *names, usual="PDF"))


def write_parcel(
    request: ShipmentRequest, parcel: Parcel, options: RequestOptions, customer: str | None, kind: str
) -> Json:
    """The order of one parcel.

    Errors: Invalid for a service that Asendia does not have, and for more cover than it sells.
    """
    body: Json = {
        "customerId": customer,
        "labelType": kind,
        "referencenumber": request.reference,
        "weight": round_measure(parcel.weight_in("KG")),
        "asendiaService": write_service(request.service, parcel, options),
        "addresses": {
            "sender": write_address(request.shipper),
            "receiver": write_address(request.recipient),
        },
        "customsInfo": write_customs(request, parcel, options),
        "receiverTaxId": request.recipient.federal_tax_id or request.recipient.state_tax_id,
        "senderTaxId": request.shipper.federal_tax_id or request.shipper.state_tax_id,
    }
    if request.customs:
        RequestOptions.of_customs(CATALOGUE, request.customs).write(body, "ship")
    options.write(body, "ship")
    return dict(drop_empty(body))


def write_service(slug: str, parcel: Parcel, options: RequestOptions) -> Json:
    """Product and service are two halves of a code: `EPAQSTD_CUP`."""
    if slug not in CATALOGUE.services:
        raise Invalid("service", f"Asendia has no service {slug}")
    product, _, service = CATALOGUE.services.code(slug).partition("_")
    packaging = CATALOGUE.packaging.get(parcel.packaging_type)
    return {
        "format": packaging.code if packaging else PACKET,
        "product": product,
        "service": service,
        "insurance": choose_cover(options.text("asendia_insurance")),
        "returnLabelOption": write_return_label(options),
    }


def choose_cover(text: str | None) -> str | None:
    """The level of cover: the one that is named, else the lowest that covers the amount.

    Errors: Invalid for more than the highest pays.
    """
    covers = CATALOGUE.table("covers")
    if not text or text in covers:
        return text or None
    amount = read_amount(text)
    if amount is None:
        raise Invalid("options.insurance", f"{text!r} is neither an amount nor one of {', '.join(covers)}")
    fitting = [level for level, most in covers.items() if amount <= Decimal(most)]
    if not fitting:
        raise Invalid("options.insurance", f"Asendia covers up to {list(covers.values())[-1]} {EUROS}")
    return fitting[0] if amount > 0 else None


def write_return_label(options: RequestOptions) -> Json | None:
    """A label for the way back, ordered with the parcel."""
    kind, payment = options.text("asendia_return_label_type"), options.text("asendia_return_label_payment")
    if not (options.flag("asendia_return_label") or kind or payment):
        return None
    return {"enabled": True, "type": kind or RETURN_TYPE, "payment": payment or PREPAID}


def write_address(address: Address) -> Json:
    return {
        "name": address.name,
        "company": address.company_name,
        "address1": address.street,
        "address2": address.address_line2,
        "city": address.city,
        "province": address.state_code,
        "postalCode": address.postal_code,
        "country": address.country_code,
        "email": address.email,
        "phone": address.phone_number,
    }


def write_customs(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json | None:
    goods = list_parcel_goods(request, parcel)
    if not goods:
        return None
    currency = name_declared_currency(request, options, EUROS)
    return {"currency": currency, "items": [write_item(item, currency) for item in goods]}


def write_item(item: Commodity, currency: str | None) -> Json:
    """The value and the weight are of one piece."""
    weight, value = item.weight_in("KG"), item.value_amount
    return {
        "articleDescription": cut_item_text(item, item.description or item.title, LONGEST_ARTICLE),
        "articleNumber": item.sku,
        "unitValue": round_half_up(value) if value is not None else None,
        "currency": item.value_currency or currency,
        "harmonizationCode": item.hs_code,
        "originCountry": item.origin_country,
        "unitWeight": round_measure(weight, THOUSANDTH) if weight else None,
        "quantity": item.quantity,
    }


# -- answers ---------------------------------------------------------------------------------------


def is_problem(body: Json) -> bool:
    """Whether an answer is the description of a problem, or says that nothing was done."""
    status = body.get("status")
    failed = (isinstance(status, int) and status >= 400) or body.get("success") is False
    return failed or bool(body.get("title") or body.get("fieldErrors"))


def read_errors(body: Json) -> list[Message]:
    return [*read_problem(body), *read_faults(body)]


def read_problem(body: Json) -> list[Message]:
    """A problem, or what is wrong with each field."""
    if not is_problem(body):
        return []
    code = str(body.get("status") or FAULT)
    if rows := body.get("fieldErrors"):
        return [
            Message(
                code=code,
                message=f"{row.get('field')}: {row.get('message')}",
                details={"objectName": row.get("objectName"), "field": row.get("field")},
            )
            for row in rows
        ]
    text = body.get("detail") or body.get("message") or body.get("title")
    details = {name: body[name] for name in ("type", "path") if body.get(name)}
    return [Message(code=code, message=text, details=details or None)]


def read_faults(body: Json) -> list[Message]:
    """What is wrong with a parcel, or with a manifest and the parcels that it lacks."""
    parcel = [
        Message(code=PARCEL_FAULT, message=f"{row.get('field')}: {row.get('message')}")
        for row in body.get("errorMessages") or ()
    ]
    text = body.get("errorMessage")
    manifest = [Message(code=MANIFEST_FAULT, message=text)] if text else []
    missing = [
        Message(code=PARCEL_FAULT, message=f"Parcel {number} is not on the manifest")
        for number in body.get("errorParcelIds") or ()
    ]
    return [*parcel, *manifest, *missing]


def read_label(body: Json, kind: str, link: str | None) -> Label:
    """A parcel that was ordered; its file is fetched by another call."""
    meta = {name: body.get(key) for name, key in CATALOGUE.table("label_meta").items()}
    return Label(
        tracking_number=body["trackingNumber"],
        shipment_identifier=body["id"],
        label_type=kind,
        meta=drop_empty({"carrier_tracking_link": link, **meta}),
    )


def read_manifest(body: Json, file: str | None) -> ManifestDetails:
    meta = {name: body.get(key) for name, key in CATALOGUE.table("manifest_meta").items()}
    return ManifestDetails(doc={"manifest": file} if file else {}, meta=drop_empty(meta))


def read_tracking(body: Json, number: str) -> Tracking:
    events = sort_newest_first(as_list(body["trackingEvents"]), "time")
    status = CATALOGUE.statuses.read(events[0].get("code")) if events else "pending"
    return Tracking(
        tracking_number=body.get("trackingNumber") or number,
        status=status,
        delivered=status == "delivered",
        events=read_each(events, read_event),
    )


def read_event(row: dict[str, Any]) -> TrackingEvent:
    at = row.get("time")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=row.get("code"),
        description=row.get("carrierEventDescription"),
        location=", ".join(filter(None, (row.get("locationName"), row.get("locationCountry")))) or None,
    )
