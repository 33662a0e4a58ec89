"""What the simulated DHL understands of an order that broke no rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from shipcli.carrier import load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Party, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.models.basics.reference import find_table

CATALOGUE = load_catalogue(__file__)
DROP_POINTS = {"lockerID": "Packstation", "retailID": "Postfiliale", "poBoxID": "Postfach"}
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
COUNTRIES = {three: two for two, three in find_table("country_iso3").items()}
PER_KG = {"kg": 1, "g": 1000}


def read_booking(shipment: Json, kind: str) -> Booking:
    weight = shipment["details"]["weight"]
    return Booking(
        shipper=read_somebody(shipment["shipper"]),
        recipient=read_somebody(shipment["consignee"]),
        weights=(read_kilograms(weight),),
        parcels=(_measure(shipment["details"]),),
        service=shipment["product"],
        account=shipment["billingNumber"],
        reference=shipment.get("refNo"),
        items=read_items(get_path(shipment, "customs/items") or (), ITEM),
        label="ZPL" if kind.startswith("ZPL") else "PDF",
        ship_date=date.fromisoformat(shipment["shipDate"]),
    )


def read_kilograms(weight: Json) -> Decimal:
    return Decimal(weight["value"]) / PER_KG[weight["uom"]]


def _measure(details: Json) -> MeasuredParcel:
    size = details.get("dim") or {}
    factor = Decimal("0.1") if size.get("uom") == "mm" else 1
    sides = [size[name] * factor for name in ("length", "width", "height") if name in size]
    return measure_parcel(read_kilograms(details["weight"]), "KG", sides, rounding="1")


def read_somebody(party: Json) -> Party:
    """Somebody; countries have three letters on the wire."""
    contact = read_party(party, PARTY)
    if member := find_drop_point(party):
        lines = (str(party.get("postNumber") or ""), f"{DROP_POINTS[member]} {party[member]}")
        contact = replace(contact, lines=tuple(filter(None, lines)))
    return replace(contact, country=COUNTRIES.get(contact.country, contact.country))


def find_drop_point(party: Json) -> str | None:
    return next((member for member in DROP_POINTS if member in party), None)
