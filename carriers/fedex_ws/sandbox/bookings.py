"""What the simulated web services understand of a request that broke no rule."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party, measure_parcel
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.units import convert_weight

ONE = "1"  # sides are rounded up to whole numbers, so each is less than one above the truth
SIGNED = frozenset({"ADULT", "DIRECT", "INDIRECT"})


def read_booking(body: Json) -> Booking:
    """The parcels of a request: all of them to be priced, one to be bought."""
    shipment = body["RequestedShipment"]
    packages = as_list(shipment["RequestedPackageLineItems"])
    special = as_list(get_path(shipment, "SpecialServicesRequested/SpecialServiceTypes"))
    option = "SpecialServicesRequested/SignatureOptionDetail/OptionType"
    extras = {
        "saturday": "SATURDAY_DELIVERY" in special,
        "signature": bool(SIGNED & {get_path(package, option) for package in packages}),
    }
    return Booking(
        shipper=_party(shipment["Shipper"]),
        recipient=_party(shipment["Recipient"]),
        weights=tuple(_kilograms(package["Weight"]) for package in packages),
        parcels=tuple(map(_measure, packages)),
        service=str(shipment.get("ServiceType")),
        account=get_path(shipment, "Shipper/AccountNumber"),
        references=tuple(_find_reference(package) for package in packages),
        extras=tuple(name for name, on in extras.items() if on),
        items=tuple(
            _item(commodity)
            for commodity in as_list(get_path(shipment, "CustomsClearanceDetail/Commodities"))
        ),
        label=str(get_path(shipment, "LabelSpecification/ImageType")).replace("ZPLII", "ZPL"),
        ship_date=datetime.fromisoformat(shipment["ShipTimestamp"]).date(),
        position=(int(packages[0]["SequenceNumber"]), int(shipment["PackageCount"]))
        if len(packages) == 1
        else None,
        billing=str(get_path(shipment, "ShippingChargesPayment/PaymentType") or ""),
    )


def _party(party: Json) -> Party:
    address, contact = party["Address"], party.get("Contact") or {}
    return Party(
        name=contact.get("PersonName") or "",
        company=contact.get("CompanyName") or "",
        lines=tuple(as_list(address.get("StreetLines"))),
        city=address.get("City") or "",
        state=address.get("StateOrProvinceCode") or "",
        postal_code=address.get("PostalCode") or "",
        country=address["CountryCode"],
        phone=contact.get("PhoneNumber") or "",
        residential=address.get("Residential") == "true",
    )


def _measure(package: Json) -> MeasuredParcel:
    weight, size = package["Weight"], package.get("Dimensions") or {}
    sides = [size.get(name) for name in ("Length", "Width", "Height")]
    return measure_parcel(weight["Value"], weight["Units"], sides, size.get("Units") or "IN", ONE)


def _kilograms(weight: Json) -> Decimal:
    return convert_weight(Decimal(weight["Value"]), weight["Units"], "KG")


def _item(commodity: Json) -> BookedItem:
    return BookedItem(
        description=commodity["Description"],
        quantity=int(commodity["Quantity"]),
        value=Decimal(get_path(commodity, "UnitPrice/Amount") or 0),
        currency=get_path(commodity, "UnitPrice/Currency") or "",
        origin=commodity["CountryOfManufacture"],
        code=commodity.get("HarmonizedCode") or "",
    )


def _find_reference(package: Json) -> str | None:
    rows = as_list(package.get("CustomerReferences"))
    return next((str(row["Value"]) for row in rows), None)
