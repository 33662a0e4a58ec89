"""What the simulated FedEx understands of a request that broke no rule."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party, measure_parcel
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.units import convert_weight

ONE = "1"  # sides are rounded up to whole numbers, so each is less than one above the truth
SIGNED = frozenset({"ADULT", "DIRECT", "INDIRECT"})
BILLING = {"SENDER": "SENDER", "RECIPIENT": "RECIPIENT", "THIRD_PARTY": "3RD PARTY"}


def read_booking(body: Json, key: str | None = None) -> Booking:
    """The shipment of a request, to be priced or to be bought."""
    shipment = body["requestedShipment"]
    packages = as_list(shipment["requestedPackageLineItems"])
    special = as_list(get_path(shipment, "shipmentSpecialServices/specialServiceTypes"))
    signatures = [get_path(package, "packageSpecialServices/signatureOptionType") for package in packages]
    extras = {"saturday": "SATURDAY_DELIVERY" in special, "signature": bool(SIGNED & set(signatures))}
    day = shipment.get("shipDatestamp") or shipment.get("shipDateStamp")
    return Booking(
        shipper=_party(shipment["shipper"]),
        sender=_party(shipment["origin"]) if shipment.get("origin") else None,
        recipient=_party(shipment.get("recipient") or shipment["recipients"][0]),
        weights=tuple(_kilograms(package["weight"]) for package in packages),
        parcels=tuple(map(_measure, packages)),
        service=str(shipment.get("serviceType")),
        account=get_path(body, "accountNumber/value"),
        references=tuple(get_path(package, "customerReferences/value") for package in packages),
        key=key,
        extras=tuple(name for name, on in extras.items() if on),
        items=tuple(_items(shipment)),
        label=str(get_path(shipment, "labelSpecification/imageType")).replace("ZPLII", "ZPL"),
        ship_date=date.fromisoformat(day) if day else None,
        billing=BILLING.get(str(get_path(shipment, "shippingChargesPayment/paymentType")), ""),
    )


def read_place(address: Json) -> Party:
    """Near which address places are looked for."""
    return _party({"address": address})


def _party(party: Json) -> Party:
    address, contact = party["address"], party.get("contact") or {}
    return Party(
        name=contact.get("personName") or "",
        company=contact.get("companyName") or "",
        lines=tuple(address.get("streetLines") or ()),
        city=address.get("city") or "",
        state=address.get("stateOrProvinceCode") or "",
        postal_code=address.get("postalCode") or "",
        country=address["countryCode"],
        phone=contact.get("phoneNumber") or "",
        residential=bool(address.get("residential")),
    )


def _measure(package: Json) -> MeasuredParcel:
    weight, size = package["weight"], package.get("dimensions") or {}
    sides = [size.get(name) for name in ("length", "width", "height")]
    return measure_parcel(weight["value"], weight["units"], sides, size.get("units") or "IN", ONE)


def _kilograms(weight: Json) -> Decimal:
    return convert_weight(Decimal(weight["value"]), weight["units"], "KG")


def _items(shipment: Json) -> list[BookedItem]:
    return [
        BookedItem(
            description=commodity["description"],
            quantity=int(commodity["quantity"]),
            value=Decimal(get_path(commodity, "unitPrice/amount") or 0),
            currency=get_path(commodity, "customsValue/currency"),
            origin=commodity.get("countryOfManufacture") or "",
            code=commodity.get("harmonizedCode") or "",
        )
        for commodity in as_list(get_path(shipment, "customsClearanceDetail/commodities"))
    ]
