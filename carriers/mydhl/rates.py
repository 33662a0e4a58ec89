"""Prices of MyDHL: the question, and the priced products. Pure.

Source: MyDHL API 3.1.1, POST /rates.
"""

from __future__ import annotations

from typing import Any

from shipcli.carrier import RequestOptions, is_dutiable, list_charges, list_goods, sum_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.flow_steps import list_first
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Quote, RateRequest

from . import parts

BILLED = "BILLC"  # of the currencies of a price the one that is billed


def write_rate(request: RateRequest, options: RequestOptions, account: str, moment: str) -> Json:
    """The question for all products, or for the one that is named."""
    units = parts.choose_units(request.parcels)
    rows = parts.CATALOGUE.services.list_chosen(request.services)
    dutiable = is_dutiable(request)
    body = {
        "accounts": [{"typeCode": "shipper", "number": account}],
        "productCode": rows[0].code if len(rows) == 1 else None,
        "valueAddedServices": parts.write_services(request, options),
        "plannedShippingDateAndTime": moment,
        "unitOfMeasurement": parts.SYSTEMS[units],
        "isCustomsDeclarable": dutiable,
        "monetaryAmount": write_value(request, options) if dutiable else None,
        "packages": [parts.write_package(parcel, units) for parcel in request.parcels],
    }
    ends = {"shipperDetails": request.shipper, "receiverDetails": request.recipient}
    places = {name: parts.write_place(address) for name, address in ends.items()}
    return {"customerDetails": places, **drop_empty(body)}


def write_value(request: RateRequest, options: RequestOptions) -> list[Json]:
    value = options.amount("declared_value") or sum_goods(list_goods(request)) or 1
    currency = name_declared_currency(request, options, parts.find_currency_of(request, options))
    return [{"typeCode": "declaredValue", "value": value, "currency": currency}]


def read_rates(body: Json, request: RateRequest) -> list[Quote]:
    """One quote for each product that has a price, of those that were asked for."""
    chosen = {row.slug for row in parts.CATALOGUE.services.list_chosen(request.services)}
    priced = [product for product in body["products"] if find_price(product)]
    quotes = list_first(read_each(priced, read_product))
    return [quote for quote in quotes if not chosen or quote.service in chosen]


def find_price(product: Json) -> Json | None:
    """The billed one of the prices of a product, else the first that is any."""
    prices = [price for price in as_list(product.get("totalPrice")) if read_amount(price.get("price"))]
    billed = (price for price in prices if price.get("currencyType") == BILLED)
    return next(billed, prices[0] if prices else None)


def read_product(product: Json) -> Quote:
    price = find_price(product) or {}
    code, currency = product["productCode"], price.get("priceCurrency") or "USD"
    days = get_path(product, "deliveryCapabilities/totalTransitDays")
    meta = {
        "service_name": product.get("productName"),
        "product_code": code,
        "network_type_code": product.get("networkTypeCode"),
        "local_product_code": product.get("localProductCode"),
        "estimated_delivery": get_path(product, "deliveryCapabilities/estimatedDeliveryDateAndTime"),
    }
    return Quote(
        carrier_name="mydhl",
        service=parts.CATALOGUE.services.find_slug(code) or code,
        total_charge=price["price"],
        currency=currency,
        transit_days=None if days is None else int(days),
        extra_charges=list_charges(list_lines(product, price.get("currencyType")), currency),
        meta=drop_empty(meta),
    )


def list_lines(product: Json, kind: Any) -> list[tuple[str | None, Any]]:
    """The lines of a price, in the currency in which it is told."""
    breakdowns = as_list(product.get("totalPriceBreakdown"))
    same = [row for row in breakdowns if row.get("currencyType") == kind]
    rows = as_list((same or [{}])[0].get("priceBreakdown"))
    return [(row.get("typeCode"), read_amount(row.get("price"))) for row in rows]
