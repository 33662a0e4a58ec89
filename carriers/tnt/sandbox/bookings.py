"""What the simulated TNT understands of a question or an order that broke no rule."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.wire.json_paths import Json, as_list, get_path

CATALOGUE = load_catalogue(__file__)


def read_question(check: Json) -> Booking:
    """What is to be priced; without measured pieces all the weight is one."""
    lines = as_list(check.get("pieceLine"))
    weights = [line["pieceMeasurements"]["weight"] for line in lines]
    codes = [option["optionCode"] for option in as_list(get_path(check, "product/options/option"))]
    return Booking(
        shipper=read_party(check["sender"], CATALOGUE.paths("place")),
        recipient=read_party(check["delivery"], CATALOGUE.paths("place")),
        weights=tuple(map(Decimal, weights or [check["consignmentDetails"]["totalWeight"]])),
        extras=_read_extras(codes),
        ship_date=date.fromisoformat(check["collectionDateTime"][:10]),
    )


def read_order(batch: Json) -> Booking:
    details = batch["CONSIGNMENT"]["DETAILS"]
    packages = as_list(details["PACKAGE"])
    articles = [item for package in packages for item in as_list(package.get("ARTICLE"))]
    return Booking(
        shipper=read_party(batch["SENDER"], CATALOGUE.paths("party")),
        recipient=read_party(details["RECEIVER"], CATALOGUE.paths("party")),
        weights=tuple(Decimal(package["WEIGHT"]) for package in packages),
        service=details["SERVICE"],
        account=batch["SENDER"].get("ACCOUNT"),
        reference=batch["CONSIGNMENT"]["CONREF"],
        extras=_read_extras(as_list(details.get("OPTION"))),
        items=read_items(articles, CATALOGUE.paths("item"), details.get("CURRENCY", "")),
        ship_date=datetime.strptime(batch["SENDER"]["COLLECTION"]["SHIPDATE"], "%d/%m/%Y").date(),
        billing="SENDER" if details["PAYMENTIND"] == "S" else "RECEIVER",
    )


def _read_extras(codes: list[Any]) -> tuple[str, ...]:
    return tuple(name for name, row in CATALOGUE.surcharges.items() if row.code in codes)
