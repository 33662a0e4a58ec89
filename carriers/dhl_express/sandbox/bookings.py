"""What the simulated DHL understands of a question or an order that broke no rule."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
UNITS = {"K": "KG", "L": "LB"}


def read_question(body: Json) -> Booking:
    """What is to be priced; `billing` holds whether it is dutiable."""
    details = body["BkgDetails"]
    products = as_list(details.get("QtdShp"))
    codes = {
        charge.get("SpecialServiceType") for row in products for charge in as_list(row.get("QtdShpExChrg"))
    }
    return Booking(
        shipper=read_party(body["From"], PARTY),
        recipient=read_party(body["To"], PARTY),
        weights=_read_weights(details, details["WeightUnit"]),
        extras=read_extras(codes | ({"II"} if details.get("InsuredValue") else set())),
        ship_date=date.fromisoformat(details["Date"]),
        billing=details.get("IsDutiable", "N"),
    )


def read_order(body: Json) -> Booking:
    details = body["ShipmentDetails"]
    pieces = as_list(get_path(details, "Pieces/Piece"))
    goods = as_list(get_path(body, "ExportDeclaration/ExportLineItem"))
    return Booking(
        shipper=read_party(body["Shipper"], PARTY),
        recipient=read_party(body["Consignee"], PARTY),
        weights=_read_weights(details, UNITS[details["WeightUnit"]]),
        service=details["GlobalProductCode"],
        account=get_path(body, "Billing/ShipperAccountNumber"),
        reference=get_path(body, "Reference/ReferenceID"),
        references=tuple(get_path(piece, "PieceReference/ReferenceID") for piece in pieces),
        extras=read_extras(service["SpecialServiceType"] for service in as_list(body.get("SpecialService"))),
        items=read_items(goods, ITEM, get_path(body, "Dutiable/DeclaredCurrency") or ""),
        label="PDF" if body["LabelImageFormat"] == "PDF" else "ZPL",
        ship_date=date.fromisoformat(details["Date"]),
        billing=CATALOGUE.table("payers")[get_path(body, "Billing/ShippingPaymentType")],
    )


def read_extras(codes: Iterable[Any]) -> tuple[str, ...]:
    requested = set(codes)
    return tuple(name for name, row in CATALOGUE.surcharges.items() if row.code in requested)


def _read_weights(details: Json, unit: str) -> tuple[Decimal, ...]:
    pieces = as_list(get_path(details, "Pieces/Piece"))
    return tuple(convert_weight(Decimal(piece["Weight"]), unit, "KG") for piece in pieces)
