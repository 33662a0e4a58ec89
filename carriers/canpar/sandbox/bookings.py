"""What the simulated Canpar understands of a shipment that broke no rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)


def read_booking(shipment: Json) -> Booking:
    """A question or an order."""
    packages = as_list(shipment["packages"])
    goods = as_list(get_path(shipment, "proforma/proforma_items"))
    chosen = {
        "extra_care": any(package.get("xc") == "true" for package in packages),
        "premium": "premium" in shipment,
        "dangerous": shipment.get("dg") == "true",
        "insurance": any("declared_value" in package for package in packages),
    }
    return Booking(
        shipper=_read_end(shipment["pickup_address"]),
        recipient=_read_end(shipment["delivery_address"]),
        weights=tuple(
            convert_weight(Decimal(package["reported_weight"]), "LB", "KG") for package in packages
        ),
        service=shipment["service_type"],
        references=tuple(package.get("reference") for package in packages),
        extras=tuple(name for name, flag in chosen.items() if flag),
        items=read_items(goods, CATALOGUE.paths("item")),
        ship_date=date.fromisoformat(shipment["shipping_date"][:10]),
    )


def _read_end(address: Json) -> Party:
    party = read_party(address, CATALOGUE.paths("party"))
    return replace(party, residential=address["residential"] == "true")
