"""What the simulated UPS understands of a request that broke no rule."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier.desk import BookedItem, Booking, Party
from shipcli.carrier.json_paths import Json, as_list, get_path
from shipcli.models.units import convert_weight

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
    signed = any(get_path(one, "PackageServiceOptions/DeliveryConfirmation") for one in packages)
    extras = {
        "saturday": options.get("SaturdayDeliveryIndicator"),
        "signature": signed or options.get("DeliveryConfirmation"),
    }
    day = shipment.get("ShipmentDate")
    return Booking(
        shipper=_party(shipment["Shipper"]),
        sender=_party(shipment["ShipFrom"]),
        recipient=_party(shipment["ShipTo"]),
        weights=tuple(_kilograms(one["PackageWeight"]) for one in packages),
        service=str(get_path(shipment, "Service/Code")),
        account=get_path(shipment, "Shipper/ShipperNumber"),
        reference=get_path(shipment, "ReferenceNumber/Value"),
        references=tuple(get_path(one, "ReferenceNumber/Value") for one in packages),
        key=get_path(body, "Request/TransactionReference/CustomerContext"),
        extras=tuple(name for name, wanted in extras.items() if wanted),
        items=tuple(_items(get_path(options, "InternationalForms") or {})),
        label=str(get_path(body, "LabelSpecification/LabelImageFormat/Code")),
        ship_date=date.fromisoformat(day) if day else None,
        billing=_billing(shipment),
    )


def _party(party: Json) -> Party:
    address = party["Address"]
    return Party(
        name=party.get("AttentionName") or "",
        company=party.get("Name") or "",
        lines=tuple(as_list(address.get("AddressLine"))),
        city=address.get("City") or "",
        state=address.get("StateProvinceCode") or "",
        postal_code=address.get("PostalCode") or "",
        country=address["CountryCode"],
        residential="ResidentialAddressIndicator" in address,
    )


def _kilograms(weight: Json) -> Decimal:
    unit = "LB" if get_path(weight, "UnitOfMeasurement/Code") == "LBS" else "KG"
    return convert_weight(Decimal(weight["Weight"]), unit, "KG")


def _items(forms: Json) -> list[BookedItem]:
    return [
        BookedItem(
            description=one["Description"],
            quantity=int(one["Unit"]["Number"]),
            value=Decimal(one["Unit"].get("Value") or 0),
            currency=forms.get("CurrencyCode") or "",
            origin=one.get("OriginCountryCode") or "",
            code=one.get("CommodityCode") or "",
        )
        for one in as_list(forms.get("Product"))
    ]


def _billing(shipment: Json) -> str:
    """Who pays, as the label says it: prepaid, by a third party, or by who receives it."""
    charge: dict[str, Any] = get_path(shipment, "PaymentInformation/ShipmentCharge") or {}
    charge = charge[0] if isinstance(charge, list) else charge
    return next((word for name, word in BILLING.items() if name in charge), "F/C" if charge else "")
