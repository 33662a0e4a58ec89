"""Prices of Easyship: what is asked, and what it costs. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import RequestOptions, list_cheapest
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Charge, Quote

from .parts import (
    Request,
    behind,
    read_service,
    units_of,
    write_address,
    write_incoterm,
    write_insurance,
    write_parcels,
)

if TYPE_CHECKING:
    from . import Easyship, EasyshipConfig

CHARGES = (
    "shipment_charge", "fuel_surcharge", "insurance_fee", "remote_area_surcharge", "oversized_surcharge",
    "additional_services_surcharge", "residential_discounted_fee", "minimum_pickup_fee",
    "warehouse_handling_fee", "ddp_handling_fee", "import_duty_charge", "import_tax_charge", "sales_tax",
    "provincial_sales_tax",
)  # fmt: skip
NOTES = (
    "available_handover_options", "value_for_money_rank", "tracking_rating", "min_delivery_time",
    "max_delivery_time", "delivery_time_rank", "cost_rank",
)  # fmt: skip


def write_rates(request: Request, carrier: Easyship) -> Json:
    options = carrier.options_of(request)
    body = {
        "courier_selection": _write_selection(options, carrier.config),
        "destination_address": write_address(request.recipient),
        "incoterms": write_incoterm(request, options),
        "insurance": write_insurance(options),
        "origin_address": write_address(request.shipper),
        "parcels": write_parcels(
            request, [carrier.options_of(request, parcel) for parcel in request.parcels]
        ),
        "shipping_settings": {
            "output_currency": options.text("currency"),
            "units": units_of(request).to_dict(),
        },
    }
    written: Json = drop_empty(body)
    return written


def _write_selection(options: RequestOptions, config: EasyshipConfig) -> Json | None:
    """Which couriers are asked, and with what; None where nobody wants anything of the kind."""
    logos = options.value("easyship_show_courier_logo_url")
    applies = choose(options.value("easyship_apply_shipping_rules"), config.apply_shipping_rules)
    if not (applies or config.apply_shipping_rules or logos):
        return None
    return {"apply_shipping_rules": applies, "show_courier_logo_url": logos}


def choose(chosen: bool | None, usual: bool | None) -> bool | None:
    """What the request says, else what is usual for the connection."""
    return usual if chosen is None else chosen


def read_rates(rates: Sequence[Json]) -> list[Quote]:
    """One quote of each service, the cheapest where several courier accounts offer it."""
    return list_cheapest(read_each(rates, read_rate))


def find_courier(rates: Sequence[Json], couriers: Sequence[str]) -> str | None:
    """The courier that is quoted for a service: the cheapest of these; None if none offers it."""
    priced = read_each(rates, lambda rate: (_price_of(rate), str(rate["courier_id"])))
    return min((pair for pair in priced if pair[1] in couriers), default=(None, None))[1]


def _price_of(rate: Json) -> Decimal:
    return Decimal(str(rate["total_charge"]))


def read_rate(rate: Json) -> Quote:
    """Units: delivery times in working days."""
    courier = {"id": rate["courier_id"], "name": rate.get("courier_name")}
    return Quote(
        carrier_name="easyship",
        service=read_service(rate["courier_id"]),
        total_charge=_price_of(rate),
        currency=rate.get("currency"),
        transit_days=rate.get("max_delivery_time"),
        extra_charges=_charges(rate),
        meta={
            **behind(courier),
            "easyship_courier_id": rate["courier_id"],
            "easyship_incoterms": rate.get("incoterms"),
            **{name: rate.get(name) for name in NOTES},
        },
    )


def _charges(rate: Json) -> list[Charge]:
    """What the price is made of; Easyship leaves out what costs nothing, or says 0 or an empty text."""
    fees = [{"name": name.replace("_", " ").title(), "fee": rate.get(name)} for name in CHARGES]
    others = as_list((rate.get("other_surcharges") or {}).get("details"))
    return [
        Charge(name=fee["name"], amount=fee["fee"], currency=rate.get("currency"))
        for fee in [*fees, *others]
        if fee.get("fee")
    ]
