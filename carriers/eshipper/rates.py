"""A shipment as eShipper prices it, and the prices. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from shipcli.carrier import RequestOptions, list_cheapest
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Charge, Quote

from .parts import Request, behind, read_service, weight_unit, write_address, write_packages

# The total among them: the recorded answers are read so.
CHARGES = ("baseCharge", "fuelSurcharge", "carbonNeutralFees", "processingFees", "totalChargedAmount")


def write_quote(
    request: Request,
    options: RequestOptions,
    of_parcels: Sequence[RequestOptions],
    at: datetime,
    service: int | None,
) -> Json:
    """A shipment to be priced, of one service if one is named, else of all; a purchase begins with it too."""
    metric = bool(request.parcels) and weight_unit(request.parcels[0]) == "KG"
    body = {
        "scheduledShipDate": f"{at:%Y-%m-%d %H:%M}",
        "from": write_address(request.shipper),
        "to": write_address(request.recipient),
        "packagingUnit": "Metric" if metric else "Imperial",
        "packages": {"type": "Package", "packages": write_packages(request, of_parcels)},
        "reference1": request.reference,
        "serviceId": service,
    }
    options.write(body, "rate")
    written: Json = drop_empty(body)
    return written


def read_quotes(quotes: Sequence[Json]) -> list[Quote]:
    """One quote of each service, the cheapest where several accounts offer it."""
    return list_cheapest(read_each(quotes, read_quote))


def find_id(quotes: Sequence[Json], service: str) -> int | None:
    """The id of a service among the quotes, by our word for it or by its name; None if it is not there."""
    priced = read_each(quotes, lambda quote: (price_of(quote), int(quote["serviceId"]), read_names(quote)))
    return min(
        ((price, number) for price, number, names in priced if service in names), default=(None, None)
    )[1]


def read_names(quote: Json) -> tuple[str | None, str | None]:
    """Our word for the service of a quote, and eShipper's."""
    return read_service(quote), quote.get("serviceName")


def price_of(quote: Json) -> Decimal:
    return Decimal(str(quote["totalCharge"]))


def read_quote(quote: Json) -> Quote:
    """Units: `transitDays` is a number as text; it may be missing."""
    days = str(quote.get("transitDays") or "")
    return Quote(
        carrier_name="eshipper",
        service=read_service(quote),
        total_charge=price_of(quote),
        currency=quote.get("currency"),
        transit_days=int(days) if days.isdigit() else None,
        extra_charges=_charges(quote),
        meta={**behind(quote), "eshipper_service_id": quote.get("serviceId")},
    )


def _charges(quote: Json) -> list[Charge]:
    fees = [{"name": name, "amount": quote.get(name)} for name in CHARGES]
    rows = [*fees, *as_list(quote.get("surcharges")), *as_list(quote.get("taxes"))]
    return [
        Charge(name=row["name"], amount=row["amount"], currency=quote.get("currency"))
        for row in rows
        if row.get("amount")
    ]
