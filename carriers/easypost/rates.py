"""A shipment as EasyPost prices it, and the prices. Pure."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions, list_cheapest
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Parcel, Quote

from .customs import write_customs
from .parts import (
    Request,
    behind,
    read_service,
    write_address,
    write_options,
    write_parcel,
)


def write_shipment(request: Request, parcel: Parcel, options: RequestOptions, reference: str | None) -> Json:
    """The shipment of one parcel, to be priced and perhaps bought."""
    shipment = {
        "reference": reference,
        "is_return": options.flag("is_return") or None,
        "to_address": write_address(request.recipient),
        "from_address": write_address(request.shipper),
        "return_address": write_address(request.return_address),
        "buyer_address": write_address(request.billing_address),
        "parcel": write_parcel(parcel),
        "options": write_options(request, options),
        "customs_info": write_customs(request, parcel),
    }
    return {"shipment": drop_empty(shipment)}


def read_rates(shipment: Json) -> list[Quote]:
    """One quote of each service, the cheapest where several accounts offer it."""
    return list_cheapest(read_each(as_list(shipment.get("rates")), read_rate))


def find_rate(shipment: Json, service: str) -> Json | None:
    """The rate that was quoted for a service, by our word for it or by EasyPost's; None if there is none."""
    priced = read_each(as_list(shipment.get("rates")), lambda rate: (price_of(rate), read_names(rate), rate))
    fitting = [(price, rate) for price, names, rate in priced if service in names]
    return min(fitting, key=lambda pair: pair[0], default=(None, None))[1]


def read_names(rate: Json) -> tuple[str, str]:
    """Our word for the service of a rate, and EasyPost's."""
    return read_service(rate), rate["service"]


def price_of(rate: Json) -> Decimal:
    return Decimal(str(rate["rate"]))


def read_rate(rate: Json) -> Quote:
    return Quote(
        carrier_name="easypost",
        service=read_service(rate),
        total_charge=price_of(rate),
        currency=rate.get("currency"),
        transit_days=rate.get("delivery_days"),
        estimated_delivery=str(day)[:10] if (day := rate.get("delivery_date")) else None,
        meta=behind(rate),
    )
