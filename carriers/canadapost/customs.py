"""The customs declaration of a shipment abroad. Pure.

Source: CustomsType and SkuType of shipment.xsd (v8).
"""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions, list_parcel_goods
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import THOUSANDTH, round_half_up, round_measure
from shipcli.models import Commodity, Customs, Invalid, Parcel, ShipmentRequest

from . import parts

OTHER = "OTH"
NUMBERS = {"certificate_number": "certificate-number", "license_number": "licence-number", "ioss": "ioss-id"}
SHORT, DESCRIPTION, SKU, REASON = 10, 35, 15, 44


def write_customs(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json | None:
    """Only amounts fit `duties-and-taxes-prepaid`, so no account number goes there.

    Errors: Invalid for goods that nobody names, and naming a number that the form has no room for: cut, it
            would be another.
    """
    if request.recipient.country_code in (None, parts.CANADA):
        return None
    customs = request.customs or Customs()
    goods = list_parcel_goods(request, parcel)
    if not goods:
        raise Invalid("customs.commodities", "say what the parcel holds: Canada Post declares goods")
    customs_options = RequestOptions.of_customs(parts.CATALOGUE, customs)
    return {
        "currency": name_declared_currency(request, options, parts.CURRENCY),
        "reason-for-export": OTHER,
        "other-reason": cut_text(customs.content_type, REASON) or "other",
        "sku-list": {"item": [_write_item(item, request.shipper.state_code) for item in goods]},
        "conversion-from-cad": customs_options.value("conversion_from_cad"),
        "duties-and-taxes-prepaid": _round(customs_options.amount("duties_and_taxes_prepaid")),
        **{name: customs_options.text(slug) for slug, name in NUMBERS.items()},
        "invoice-number": cut_text(customs.invoice, SHORT) or customs_options.text("invoice_number"),
    }


def _round(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else round_half_up(amount)


def _write_item(item: Commodity, province: str | None) -> Json:
    """One kind of goods; the province of origin is the sender's where the goods are Canadian."""
    country = item.origin_country or parts.CANADA
    return {
        "customs-number-of-units": item.quantity,
        "customs-description": cut_item_text(item, item.title or item.description or item.sku, DESCRIPTION)
        or "N/B",
        "sku": cut_text(item.sku, SKU) or "0000",
        "hs-tariff-code": write_tariff_code(item.hs_code),
        "unit-weight": _kilograms(item),
        "customs-value-per-unit": item.value_amount,
        "country-of-origin": country,
        "province-of-origin": province if country == parts.CANADA else None,
    }


def _kilograms(item: Commodity) -> Decimal:
    """To the gram, and never nothing; a kilogram when nothing is said."""
    weight = item.weight_in("KG")
    return round_measure(weight, THOUSANDTH) if weight else Decimal(1)


def write_tariff_code(code: str | None) -> str | None:
    """610910 as 6109.10, the only spelling the schema allows; what is no such code is passed on."""
    digits = "".join(character for character in code or "" if character.isdigit())
    if len(digits) not in (4, 6, 8, 10):
        return code or None
    return ".".join([digits[:4], *(digits[at : at + 2] for at in range(4, len(digits), 2))])
