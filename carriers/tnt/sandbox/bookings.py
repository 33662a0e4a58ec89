"""What the simulated TNT understands of a question or an order that broke no rule."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import BookedItem, Booking, Party
from shipcli.carrier.json_paths import Json, as_list, get_path

CATALOGUE = load_catalogue(__file__)


def read_question(check: Json) -> Booking:
    """What is to be priced; without measured pieces all the weight is one."""
    lines = as_list(check.get("pieceLine"))
    weights = [one["pieceMeasurements"]["weight"] for one in lines]
    codes = [one["optionCode"] for one in as_list(get_path(check, "product/options/option"))]
    return Booking(
        shipper=_read_place(check["sender"]),
        recipient=_read_place(check["delivery"]),
        weights=tuple(map(Decimal, weights or [check["consignmentDetails"]["totalWeight"]])),
        extras=_read_extras(codes),
        ship_date=date.fromisoformat(check["collectionDateTime"][:10]),
    )


def read_order(batch: Json) -> Booking:
    details = batch["CONSIGNMENT"]["DETAILS"]
    packages = as_list(details["PACKAGE"])
    articles = [item for one in packages for item in as_list(one.get("ARTICLE"))]
    return Booking(
        shipper=_read_party(batch["SENDER"]),
        recipient=_read_party(details["RECEIVER"]),
        weights=tuple(Decimal(one["WEIGHT"]) for one in packages),
        service=details["SERVICE"],
        account=batch["SENDER"].get("ACCOUNT"),
        reference=batch["CONSIGNMENT"]["CONREF"],
        extras=_read_extras(as_list(details.get("OPTION"))),
        items=tuple(_read_item(one, details.get("CURRENCY", "")) for one in articles),
        ship_date=datetime.strptime(batch["SENDER"]["COLLECTION"]["SHIPDATE"], "%d/%m/%Y").date(),
        billing="SENDER" if details["PAYMENTIND"] == "S" else "RECEIVER",
    )


def _read_extras(codes: list[Any]) -> tuple[str, ...]:
    return tuple(name for name, row in CATALOGUE.surcharges.items() if row.code in codes)


def _read_item(item: Json, currency: str) -> BookedItem:
    return BookedItem(
        description=item["DESCRIPTION"],
        quantity=int(item["ITEMS"]),
        value=Decimal(item.get("INVOICEVALUE", 0)),
        currency=currency,
        origin=item.get("COUNTRY", ""),
        code=item.get("HTS", ""),
    )


def _read_place(place: Json) -> Party:
    return Party(country=place["country"], city=place.get("town", ""), postal_code=place.get("postcode", ""))


def _read_party(party: Json) -> Party:
    return Party(
        name=party.get("CONTACTNAME", ""),
        company=party["COMPANYNAME"],
        lines=tuple(line for at in (1, 2, 3) if (line := party.get(f"STREETADDRESS{at}"))),
        city=party["CITY"],
        state=party.get("PROVINCE", ""),
        postal_code=party.get("POSTCODE", ""),
        country=party["COUNTRY"],
        phone=party.get("CONTACTTELEPHONE", ""),
    )
