"""Prices: the enquiry of one parcel, and its price. Pure. Source: the carrier's sample RateEnquiry 1.0."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import list_charges
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Parcel, Quote, RateRequest

from ..allied_express.wire import write_volume
from .parts import (
    BUSINESS,
    CATALOGUE,
    PRICES_CHANNEL,
    TENTH,
    freight_mode,
    pickup_day,
    write_header,
    write_place,
)

if TYPE_CHECKING:
    from . import Tge
FREIGHT, CURRENCY = "X", "AUD"
LEAST_EXTRA = Decimal(10)  # dollars of extra services, of a shipment that declares no value
CHARGES = (
    "BaseAmount",
    "GSTAmount",
    "TotalSurcharges",
    "FreightCharge",
    "TollExtraServiceCharge",
    "TotalFees",
)


def service_code(request: RateRequest) -> str:
    return next((row.code for row in CATALOGUE.services.list_chosen(request.services)), FREIGHT)


def write_rate(carrier: Tge, request: RateRequest, parcel: Parcel, index: int) -> Json:
    """The enquiry of parcel number `index`; its pickup is at the time of day it is now."""
    options = carrier.options_of(request)
    worth = options.amount("declared_value") or LEAST_EXTRA
    pickup = f"{pickup_day(carrier, request.shipper, options)}T{carrier.now:%H:%M:%S}.000+00:00"
    header = {
        **write_header(carrier, "RateEnquiry", "1.0", index),
        "CreateTimestamp": f"{carrier.now:%Y-%m-%dT%H:%M:%S}.000+00:00",
        "Environment": "prd",
        "SourceSystemCode": PRICES_CHANNEL,
        "MessageReceiver": "TOLL",
    }
    enquiry = {
        "BusinessID": carrier.config.business_id or BUSINESS,
        "SystemFields": {"PickupDateTime": pickup},
        "ShipmentService": {"ServiceCode": service_code(request)},
        "ShipmentFlags": {"ExtraServiceFlag": "true"},
        "ShipmentFinancials": {
            "ExtraServicesAmount": {"Currency": options.currency(CURRENCY), "Value": _whole(worth)}
        },
        "FreightMode": freight_mode(carrier, options),
        "BillToParty": {"AccountCode": carrier.account.account_code},
        "ConsignorParty": {"PhysicalAddress": write_place(request.shipper)},
        "ConsigneeParty": {"PhysicalAddress": write_place(request.recipient)},
        "ShipmentItems": {"ShipmentItem": [_item(parcel)]},
    }
    return dict(drop_empty({"TollMessage": {"Header": header, "RateEnquiry": {"Request": enquiry}}}))


def _item(parcel: Parcel) -> Json:
    """One parcel: the enquiries of the others count them themselves. Numbers are texts."""
    volume = write_volume([parcel])
    return {
        "Commodity": {"CommodityCode": "Z", "CommodityDescription": "ALL FREIGHT"},
        "ShipmentItemTotals": {"ShipmentItemCount": "1"},
        "Dimensions": {
            "Width": _whole(parcel.width_in("CM")),
            "Length": _whole(parcel.length_in("CM")),
            "Height": _whole(parcel.height_in("CM")),
            "Volume": None if volume is None else str(volume),
            "Weight": str(round_measure(parcel.weight_in("KG"), TENTH)),
        },
    }


def _whole(value: Decimal | None) -> str | None:
    return None if value is None else str(value.to_integral_value(ROUND_CEILING))


def read_rate(body: Json, code: str) -> Quote:
    """The parts of the price are its charges; the recordings list its total and the days among them."""
    price = get_path(body, "TollMessage/RateEnquiry/Response")
    service, days = CATALOGUE.services.slug(code), get_path(price, "TransitTime/Value")
    charges = [(name, Decimal(get_path(price, f"{name}/Value") or 0)) for name in CHARGES]
    return Quote(
        carrier_name="tge",
        service=service,
        total_charge=Decimal(price["TotalChargeAmount"]["Value"]),
        currency=CURRENCY,
        transit_days=int(days) if days else None,
        extra_charges=list_charges(charges, CURRENCY),
        meta={"service_name": service, "EnquiryID": price.get("EnquiryID")},
    )
