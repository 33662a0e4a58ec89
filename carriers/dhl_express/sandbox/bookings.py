"""What the simulated DHL understands of a question or an order that broke no rule."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import BookedItem, Booking, Party
from shipcli.carrier.json_paths import Json, as_list, get_path
from shipcli.models.units import convert_weight

CATALOGUE = load_catalogue(__file__)
UNITS = {"K": "KG", "L": "LB"}


def read_question(body: Json) -> Booking:
    """What is to be priced; `billing` holds whether it is dutiable."""
    details = body["BkgDetails"]
    products = as_list(details.get("QtdShp"))
    codes = {one.get("SpecialServiceType") for row in products for one in as_list(row.get("QtdShpExChrg"))}
    return Booking(
        shipper=_read_party(body["From"]),
        recipient=_read_party(body["To"]),
        weights=_read_weights(details, details["WeightUnit"]),
        extras=read_extras(codes | ({"II"} if details.get("InsuredValue") else set())),
        ship_date=date.fromisoformat(details["Date"]),
        billing=details.get("IsDutiable", "N"),
    )


def read_order(body: Json) -> Booking:
    details = body["ShipmentDetails"]
    pieces = as_list(get_path(details, "Pieces/Piece"))
    return Booking(
        shipper=_read_party(body["Shipper"]),
        recipient=_read_party(body["Consignee"]),
        weights=_read_weights(details, UNITS[details["WeightUnit"]]),
        service=details["GlobalProductCode"],
        account=get_path(body, "Billing/ShipperAccountNumber"),
        reference=get_path(body, "Reference/ReferenceID"),
        references=tuple(get_path(one, "PieceReference/ReferenceID") for one in pieces),
        extras=read_extras(one["SpecialServiceType"] for one in as_list(body.get("SpecialService"))),
        items=tuple(_read_items(body)),
        label="PDF" if body["LabelImageFormat"] == "PDF" else "ZPL",
        ship_date=date.fromisoformat(details["Date"]),
        billing=CATALOGUE.table("payers")[get_path(body, "Billing/ShippingPaymentType")],
    )


def read_extras(codes: Iterable[Any]) -> tuple[str, ...]:
    wanted = set(codes)
    return tuple(name for name, row in CATALOGUE.surcharges.items() if row.code in wanted)


def _read_weights(details: Json, unit: str) -> tuple[Decimal, ...]:
    pieces = as_list(get_path(details, "Pieces/Piece"))
    return tuple(convert_weight(Decimal(one["Weight"]), unit, "KG") for one in pieces)


def _read_party(party: Json) -> Party:
    """Somebody of an order, or an end of a question, which is spelt otherwise and says less."""
    return Party(
        name=get_path(party, "Contact/PersonName") or "",
        company=party.get("CompanyName", ""),
        lines=tuple(line for at in (1, 2, 3) if (line := party.get(f"AddressLine{at}"))),
        city=party.get("City", ""),
        state=party.get("DivisionCode", ""),
        postal_code=party.get("PostalCode") or party.get("Postalcode", ""),
        country=party["CountryCode"],
    )


def _read_items(body: Json) -> list[BookedItem]:
    currency = get_path(body, "Dutiable/DeclaredCurrency") or ""
    return [
        BookedItem(
            description=one["Description"],
            quantity=int(one["Quantity"]),
            value=Decimal(one["Value"]),
            currency=currency,
            origin=one["ManufactureCountryCode"],
            code=one.get("CommodityCode", ""),
        )
        for one in as_list(get_path(body, "ExportDeclaration/ExportLineItem"))
    ]
