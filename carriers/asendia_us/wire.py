"""Between our models and the JSON of Asendia's A1 platform. Pure.

Units: pounds or kilograms, inches or centimetres, as the parcel is given, to the hundredth.
Source: A1 shipping platform 1.0 and tracking 2.0, sample requests and answers.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue, name_sides, read_cost
from shipcli.carrier.contents import list_currencies_of
from shipcli.carrier.flow_steps import list_cheapest
from shipcli.carrier.wire.address_parts import split_name
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import (
    Address,
    Commodity,
    Customs,
    Invalid,
    Label,
    Message,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
)

CATALOGUE = load_catalogue(__file__)
EVERY_SERVICE = "*"
VAT_NUMBERS = ("ioss", "vat_registration_number")
# Statuses come as a number or as the name that .NET has for it: 401, "Unauthorized".
STATUS_NAMES = {status.phrase.replace(" ", "").lower(): status.value for status in HTTPStatus}
SUCCESS, FIRST_REFUSAL, FIRST_FAULT = 200, 400, 500


# -- what goes out ---------------------------------------------------------------------------------


def weight_unit(parcel: Parcel) -> str:
    """Asendia knows kilograms and pounds."""
    return "KG" if parcel.weight_unit in ("KG", "G") else "LB"


def write_weight(parcel: Parcel) -> Json:
    unit = weight_unit(parcel)
    return {
        "totalPackageWeight": round_measure(parcel.weight_in(unit)),
        "weightUnit": CATALOGUE.table("weight_unit")[unit],
    }


def write_rate(request: RateRequest, parcel: Parcel, account: Json) -> Json:
    """The query for the price of a parcel: of the service asked for, or of all."""
    unit, chosen = parcel.size_unit, CATALOGUE.services.list_chosen(request.services)
    return {
        **account,
        "recipientPostalCode": request.recipient.postal_code,
        "recipientCountryCode": request.recipient.country_code,
        **write_weight(parcel),
        **name_sides(parcel, unit, length="dimLength", width="dimWidth", height="dimHeight"),
        "dimUnit": unit,
        "productCode": chosen[0].code if len(chosen) == 1 else EVERY_SERVICE,
    }


def write_package(request: ShipmentRequest, at: int, options: RequestOptions, account: Json) -> Json:
    """The order of the label of one parcel; the shipper is who sells and who gets it back."""
    parcel, several = request.parcels[at], len(request.parcels) > 1
    packaging = CATALOGUE.packaging.get(parcel.packaging_type)
    reference = request.reference or parcel.reference_number
    goods = list_parcel_goods(request, parcel)
    body = {
        **account,
        "includeRate": True,
        "labelType": "PDF" if several and request.label_type == "PNG" else request.label_type,
        "packageID": f"{reference}-{at + 1}" if reference and several else reference,
        "recipientTaxID": request.recipient.federal_tax_id or request.recipient.state_tax_id,
        **write_party("return", request.return_address or request.shipper),
        **write_party("recipient", request.recipient),
        **write_weight(parcel),
        "currencyType": next(iter(list_currencies_of(goods)), None) or options.text("currency"),
        "productCode": CATALOGUE.services.code(request.service),
        "customerReferenceNumber1": reference,
        "vatNumber": read_vat_number(request),
        "contentType": packaging.code if packaging else parcel.packaging_type,
        "packageContentDescription": parcel.description,
        **write_seller(request.shipper),
        "items": [write_item(article, weight_unit(parcel)) for article in goods],
    }
    return dict(drop_empty(body))


def read_vat_number(request: ShipmentRequest) -> str | None:
    """Return the one number that the form has for the seller's taxes.

    Errors: Invalid for two of them.
    """
    options = RequestOptions.of_customs(CATALOGUE, request.customs or Customs())
    numbers = {name: number for name in VAT_NUMBERS if (number := options.text(name))}
    if len(numbers) > 1:
        raise Invalid("customs.options", f"Asendia takes one of {', '.join(numbers)}")
    return next(iter(numbers.values()), None)


def write_party(role: str, address: Address) -> Json:
    """Who is at an address. Shapes: the members' names begin with the role; a single word is both names."""
    first, last = split_name(address.name)
    company = "recipientBusinessName" if role == "recipient" else "returnCompanyName"
    return {
        f"{role}FirstName": first,
        f"{role}LastName": last or first,
        company: address.company_name,
        **write_place(role, address),
    }


def write_seller(shipper: Address) -> Json:
    return {"sellerName": shipper.company_name or shipper.person_name, **write_place("seller", shipper)}


def write_place(role: str, address: Address) -> Json:
    first, second = [*address.lines, None, None][:2]
    return {
        f"{role}AddressLine1": first,
        f"{role}AddressLine2": second,
        f"{role}City": address.city,
        f"{role}Province": address.state_code,
        f"{role}PostalCode": address.postal_code,
        f"{role}CountryCode": address.country_code,
        f"{role}Phone": address.phone_number,
        f"{role}Email": address.email,
    }


def write_item(item: Commodity, unit: str) -> Json:
    weight = item.weight_in(unit)
    return {
        "sku": item.sku,
        "itemDescription": item.description or item.title,
        "unitPrice": item.value_amount,
        "quantity": item.quantity,
        "unitWeight": None if weight is None else round_measure(weight),
        "countryOfOrigin": item.origin_country,
        "htsNumber": item.metadata.get("hts_number") or item.hs_code,
    }


# -- what comes back -------------------------------------------------------------------------------


def read_status(body: Json) -> tuple[Any, str | None]:
    """Asendia's word for how it went, and its sentence; they stand apart, or in the answer itself."""
    status = body.get("responseStatus") or body
    return status.get("responseStatusCode"), status.get("responseStatusMessage")


def status_number(code: Any) -> int:
    """The HTTP status that a word means; 0 for one that means none."""
    text = str(code or "")
    return int(text) if text.isdigit() else STATUS_NAMES.get(text.lower(), 0)


def is_refusal(body: Json) -> bool:
    return status_number(read_status(body)[0]) >= FIRST_REFUSAL


def is_fault(body: Json) -> bool:
    """Whether something broke in their server: then it may be done all the same."""
    return status_number(read_status(body)[0]) >= FIRST_FAULT


def is_success(body: Json) -> bool:
    """Errors: ValueError for an answer that says nothing of how it went."""
    code, _ = read_status(body)
    if code is None:
        raise ValueError("the answer has no status")
    return status_number(code) == SUCCESS


def read_messages(body: Json) -> list[Message]:
    """What Asendia says; a success without a word is no message."""
    code, text = read_status(body)
    if code is None or (not text and status_number(code) == SUCCESS):
        return []
    return [Message(code=str(code), message=text)]


def read_rates(body: Json) -> list[Quote]:
    """One quote of each service, the cheapest where there are several."""
    return list_cheapest(read_each(as_list(body.get("shippingRates")), read_rate))


def read_rate(rate: Json) -> Quote:
    service = CATALOGUE.services.slug(rate["productCode"])
    return Quote(
        carrier_name="asendia_us",
        service=service,
        total_charge=rate["rate"],
        currency=rate["currencyType"],
        meta={"service_name": service},
    )


def read_label(body: Json, service: str) -> Label:
    """The label of one parcel; it is paid at the rate of its own service."""
    package = body["packageLabel"]
    file = (package.get("labels") or [{}])[0]
    return Label(
        tracking_number=package["trackingNumber"],
        shipment_identifier=package["packageId"],
        label_type=file.get("type"),
        docs=drop_empty({"label": file.get("content")}),
        selected_rate=read_cost(_read_paid, body, service),
        meta={"package_id": package["packageId"]},
    )


def _read_paid(body: Json, service: str) -> Quote | None:
    return next((rate for rate in read_rates(body) if rate.service == service), None)


def read_tracking(record: Json) -> Tracking:
    """One number with its milestones, newest first as they come."""
    events = read_each(record.get("trackingMilestoneEvents") or (), read_event)
    status = CATALOGUE.statuses.read(events[0].code if events else None)
    return Tracking(
        tracking_number=record["trackingNumberVendor"],
        status=status,
        delivered=status == "delivered",
        events=events,
    )


def read_event(event: Json) -> TrackingEvent:
    """One milestone. Shapes: eventOn is ISO 8601, its fraction of a second of any length."""
    at = event.get("eventOn")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=event.get("eventCode"),
        description=event.get("eventDescription"),
        location=event.get("eventLocation") or None,
    )
