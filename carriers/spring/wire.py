"""Between our models and the JSON of Spring: a command for each thing, all to one address. Pure.

Units: kilograms and centimetres to the hundredth, rounded up, as text. The value and the weight of a product
       are those of all its pieces.
Source: recorded requests of mtapi.net: two pieces of 20.00 in all, in a parcel whose value is 20.00.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue
from shipcli.carrier.contents import choose_terms, cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.rounding import THOUSANDTH, round_half_up, round_measure, share_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import (
    Address,
    Commodity,
    Label,
    Message,
    Parcel,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)

CATALOGUE = load_catalogue(__file__)
ORDER, VOID, TRACK = "OrderShipment", "VoidShipment", "TrackShipment"
DONE, DONE_WITH_ERRORS = ("0", "1")
NO_TEXT = "Spring did not say what is wrong"
LONGEST_PRODUCT = 60


# -- the order -------------------------------------------------------------------------------------


def write_order(
    request: ShipmentRequest, parcel: Parcel, options: RequestOptions, reference: str, kind: str
) -> Json:
    """The order of one parcel; its options are those of the parcel alone.

    Errors: Invalid for terms of trade that Spring does not have.
    """
    body: Json = {
        "LabelFormat": CATALOGUE.table("label_types")[kind],
        "ShipperReference": reference,
        "Service": CATALOGUE.services.wire_code(request.service),
        "Weight": write_number(round_measure(parcel.weight_in("KG"))),
        "WeightUnit": "kg",
        **write_sides(parcel),
        **write_customs(request, parcel, options),
        "DangerousGoods": "N",
        "ConsignorAddress": write_address(request.shipper),
        "ConsigneeAddress": write_address(request.recipient),
    }
    shipment = {"Shipment": body}
    if request.customs:
        RequestOptions.of_customs(CATALOGUE, request.customs).write(shipment, "ship")
    options.write(shipment, "ship")
    return dict(drop_empty(body))


def write_number(number: Decimal | None) -> str | None:
    return None if number is None else str(number)


def write_sides(parcel: Parcel) -> Json:
    sides = {
        "Length": parcel.length_in("CM"),
        "Width": parcel.width_in("CM"),
        "Height": parcel.height_in("CM"),
    }
    body = {name: write_number(round_measure(side)) for name, side in sides.items() if side}
    return {**body, "DimUnit": "cm"} if body else {}


def write_address(address: Address) -> Json:
    return {
        "Name": address.name,
        "Company": address.company_name,
        "AddressLine1": address.street,
        "AddressLine2": address.address_line2,
        "City": address.city,
        "State": address.state_code,
        "Zip": address.postal_code,
        "Country": address.country_code,
        "Phone": address.phone_number,
        "Email": address.email,
        "Vat": address.federal_tax_id or address.state_tax_id,
    }


def write_customs(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    """What a parcel is worth, what it holds, and who pays the duties."""
    customs = request.customs
    products = [write_product(item, request) for item in list_parcel_goods(request, parcel)]
    value, shipping = sum_value(request, parcel, options), options.amount("spring_shipping_value")
    kind = customs.content_type if customs else None
    return {
        "Value": write_number(value),
        "ShippingValue": write_number(round_half_up(shipping) if shipping else None),
        "Currency": name_declared_currency(request, options) if value or shipping else None,
        "CustomsDuty": choose_terms("Spring", CATALOGUE.table("duties"), read_terms(customs), "DDU"),
        "Description": parcel.description or (customs.content_description if customs else None),
        "DeclarationType": CATALOGUE.table("content_types").get(kind or ""),
        "InvoiceNumber": customs.invoice if customs else None,
        "Products": products,
    }


def sum_value(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Decimal | None:
    """What the goods of a parcel are worth, else its share of what is declared of all."""
    goods = list_parcel_goods(request, parcel)
    values = [item.value_amount * (item.quantity or 1) for item in goods if item.value_amount is not None]
    if values:
        return round_half_up(sum(values, Decimal(0)))
    duty = request.customs.duty if request.customs else None
    shares = share_amount(duty.declared_value if duty else None, len(request.parcels))
    share = next(share for share, other in zip(shares, request.parcels, strict=True) if other is parcel)
    return share or options.amount("declared_value")


def write_product(item: Commodity, request: ShipmentRequest) -> Json:
    count, weight, value = item.quantity or 1, item.weight_in("KG"), item.value_amount
    return {
        "Description": cut_item_text(item, item.description or item.title, LONGEST_PRODUCT),
        "Sku": item.sku,
        "HsCode": item.hs_code,
        "OriginCountry": item.origin_country or request.shipper.country_code,
        "Quantity": str(count),
        "Value": write_number(round_half_up(value * count) if value is not None else None),
        "Weight": write_number(round_measure(weight * count, THOUSANDTH) if weight else None),
    }


# -- answers ---------------------------------------------------------------------------------------


def read_level(body: Json) -> str:
    """How far a command got: 0 is done, 1 done with errors, 10 not done."""
    return str(body.get("ErrorLevel", DONE))


def is_refused(body: Json) -> bool:
    """Whether nothing was done: what names a parcel made it, whatever else it says."""
    level = read_level(body)
    return level != DONE and not (level == DONE_WITH_ERRORS and get_path(body, "Shipment/TrackingNumber"))


def read_errors(body: Json) -> list[Message]:
    level = read_level(body)
    return [] if level == DONE else [Message(code=level, message=body.get("Error") or NO_TEXT)]


def read_label(body: Json, link: str | None) -> Label:
    shipment = body["Shipment"]
    number, file = shipment["TrackingNumber"], shipment.get("LabelImage")
    meta = {name: shipment.get(key) for name, key in CATALOGUE.table("label_meta").items()}
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=read_kind(shipment.get("LabelFormat")),
        docs={"label": file} if file else {},
        meta={"carrier_tracking_link": link, **drop_empty(meta)},
    )


def read_kind(word: str | None) -> str:
    """Our word for a format of labels: the resolution of printer language does not matter here."""
    return "ZPL" if (word or "").startswith("ZPL") else word or "PDF"


def read_tracking(body: Json, number: str) -> Tracking:
    shipment = body["Shipment"]
    events = sorted(shipment.get("Events") or (), key=lambda row: str(row.get("DateTime") or ""))[::-1]
    status = CATALOGUE.statuses.read(str(events[0].get("Code"))) if events else "pending"
    meta = {name: shipment.get(key) for name, key in CATALOGUE.table("tracking_meta").items()}
    return Tracking(
        tracking_number=shipment.get("TrackingNumber") or number,
        status=status,
        delivered=status == "delivered",
        events=read_each(events, read_event),
        info=TrackingInfo(
            carrier_tracking_link=shipment.get("CarrierTrackingUrl"),
            package_weight=shipment.get("Weight"),
            package_weight_unit=shipment.get("WeightUnit"),
        ),
        meta=dict(drop_empty(meta)),
    )


def read_event(row: dict[str, Any]) -> TrackingEvent:
    at = row.get("DateTime")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=str(row["Code"]),
        description=row.get("Description"),
        location=", ".join(filter(None, (row.get(name) for name in ("City", "State", "Country")))) or None,
    )
