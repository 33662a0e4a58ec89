"""What the simulated UPS understands of a request that broke no rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Party, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
ROUNDING = "1"  # sides are rounded up to whole numbers
BILLING = {
    "BillShipper": "P/P",
    "BillThirdParty": "3RD PARTY",
    "BillReceiver": "F/C",
    "ConsigneeBilledIndicator": "F/C",
}


def read_booking(body: Json) -> Booking:
    """The shipment of a request, to be priced or to be bought."""
    shipment = body["Shipment"]
    packages, options = as_list(shipment["Package"]), shipment.get("ShipmentServiceOptions") or {}
    signed = any(get_path(package, "PackageServiceOptions/DeliveryConfirmation") for package in packages)
    extras = {
        "saturday": options.get("SaturdayDeliveryIndicator"),
        "signature": signed or options.get("DeliveryConfirmation"),
    }
    forms, day = options.get("InternationalForms") or {}, shipment.get("ShipmentDate")
    return Booking(
        shipper=read_party(shipment["Shipper"], PARTY),
        sender=read_party(shipment["ShipFrom"], PARTY),
        recipient=read_recipient(shipment),
        weights=tuple(_kilograms(package["PackageWeight"]) for package in packages),
        parcels=tuple(map(_measure, packages)),
        service=str(get_path(shipment, "Service/Code")),
        account=get_path(shipment, "Shipper/ShipperNumber"),
        reference=get_path(shipment, "ReferenceNumber/Value"),
        references=tuple(get_path(package, "ReferenceNumber/Value") for package in packages),
        key=get_path(body, "Request/TransactionReference/CustomerContext"),
        extras=tuple(name for name, flag in extras.items() if flag),
        items=read_items(as_list(forms.get("Product")), ITEM, forms.get("CurrencyCode") or ""),
        label=str(get_path(body, "LabelSpecification/LabelImageFormat/Code")),
        ship_date=date.fromisoformat(day) if day else None,
        billing=_billing(shipment),
    )


def read_recipient(shipment: Json) -> Party:
    """Who gets the shipment, at the access point where it is held."""
    recipient, place = read_party(shipment["ShipTo"], PARTY), shipment.get("AlternateDeliveryAddress")
    if not place:
        return recipient
    point = read_party(place, PARTY)
    return replace(point, name=recipient.name, company=point.name, phone=recipient.phone)


def _measure(package: Json) -> MeasuredParcel:
    size, weight = package.get("Dimensions") or {}, package["PackageWeight"]
    unit = "LB" if get_path(weight, "UnitOfMeasurement/Code") == "LBS" else "KG"
    sides = [size.get(name) for name in ("Length", "Width", "Height")]
    size_unit = str(get_path(size, "UnitOfMeasurement/Code") or "CM")
    return measure_parcel(weight["Weight"], unit, sides, size_unit, ROUNDING)


def _kilograms(weight: Json) -> Decimal:
    unit = "LB" if get_path(weight, "UnitOfMeasurement/Code") == "LBS" else "KG"
    return convert_weight(Decimal(weight["Weight"]), unit, "KG")


def _billing(shipment: Json) -> str:
    """Who pays, as the label says it: prepaid, by a third party, or by who receives it."""
    charge: dict[str, Any] = next(iter(get_path(shipment, "PaymentInformation/ShipmentCharge") or ()), {})
    return next((word for name, word in BILLING.items() if name in charge), "F/C" if charge else "")
