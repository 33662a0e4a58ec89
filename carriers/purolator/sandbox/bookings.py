"""What the simulated Purolator understands of a shipment that broke no rule."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier import load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Party, measure_parcel
from shipcli.carrier.simulation.mappings import read_items
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)


def read_booking(body: Json) -> Booking:
    """A question, an order, or the order of a return."""
    shipment = body.get("Shipment") or body["ReturnsManagementShipment"]
    package = shipment["PackageInformation"]
    goods = as_list(get_path(shipment, "InternationalInformation/ContentDetails/ContentDetail"))
    chosen = as_list(get_path(package, "OptionsInformation/Options/OptionIDValuePair"))
    ids = {option["ID"] for option in chosen if option["Value"] != "false"}
    return Booking(
        shipper=_read_party(shipment["SenderInformation"]["Address"]),
        recipient=_read_party(shipment["ReceiverInformation"]["Address"]),
        weights=tuple(
            _read_weight(piece["Weight"]) for piece in as_list(package["PiecesInformation"]["Piece"])
        ),
        parcels=tuple(map(_measure, as_list(package["PiecesInformation"]["Piece"]))),
        service=package["ServiceID"],
        account=shipment["PaymentInformation"]["RegisteredAccountNumber"],
        reference=get_path(shipment, "TrackingReferenceInformation/Reference1"),
        key=get_path(shipment, "TrackingReferenceInformation/Reference4"),
        extras=tuple(name for name, row in CATALOGUE.surcharges.items() if row.code in ids),
        items=read_items(goods, CATALOGUE.paths("item")),
        ship_date=date.fromisoformat(shipment["ShipmentDate"]) if "ShipmentDate" in shipment else None,
        billing=shipment["PaymentInformation"]["PaymentType"].upper(),
    )


def _measure(piece: Json) -> MeasuredParcel:
    weight, unit = piece["Weight"], get_path(piece, "Length/DimensionUnit") or "cm"
    sides = [get_path(piece, f"{name}/Value") for name in ("Length", "Width", "Height")]
    return measure_parcel(weight["Value"], weight["WeightUnit"].upper(), sides, unit.upper())


def _read_weight(weight: Json) -> Decimal:
    return convert_weight(Decimal(weight["Value"]), weight["WeightUnit"].upper(), "KG")


def _read_party(address: Json) -> Party:
    street = " ".join(part for part in (address["StreetNumber"], address["StreetName"]) if part)
    return Party(
        name=address["Name"],
        company=address.get("Company", ""),
        lines=tuple(line for line in (street, address.get("StreetAddress2")) if line),
        city=address["City"],
        state=address["Province"],
        postal_code=address["PostalCode"],
        country=address["Country"],
        phone=address["PhoneNumber"]["Phone"],
    )
