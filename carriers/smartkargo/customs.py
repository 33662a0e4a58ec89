"""What SmartKargo is told of goods that cross a border: each kind of goods, and who pays the duties. Pure.

Source: IHUB Swagger 1.0.0: CustomItem (the value and the weight of all pieces, in the unit of the shipment),
commercialInvoice; incoterm, by which the sender pays all duties unless it says DDU.
"""

from __future__ import annotations

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue
from shipcli.carrier.contents import choose_terms, cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.models import Commodity, Parcel, RateRequest, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
LONGEST_ARTICLE, LONGEST_SKU = 500, 25
PAID, UNPAID, USUAL = "DDP", "DDU", "DAP"
NO_CODE = "N/A"


def write_customs(
    request: RateRequest | ShipmentRequest, parcel: Parcel, options: RequestOptions, unit: str
) -> Json:
    """The declaration of one package; nothing where no border is crossed and nothing is declared.

    Errors: Invalid for terms of trade that SmartKargo does not have.
    """
    abroad = request.shipper.country_code != request.recipient.country_code
    goods = list_parcel_goods(request, parcel) if abroad or request.customs else ()
    if not goods:
        return {}
    currency = name_declared_currency(request, options)
    terms = read_terms(request.customs)
    return {
        "incoterm": options.text("smartkargo_incoterm") or (PAID if terms == PAID else UNPAID),
        "customItems": [write_item(item, unit, currency, request.shipper.country_code) for item in goods],
        "commercialInvoice": {
            "termsOfSale": choose_terms("SmartKargo", CATALOGUE.table("terms"), terms, USUAL)
        },
    }


def write_item(item: Commodity, unit: str, currency: str | None, origin: str | None) -> Json:
    count, weight, value = item.quantity or 1, item.weight_in(unit), item.value_amount
    codes = item.metadata or {}
    return {
        "exportHsCode": item.hs_code or codes.get("export_hs_code") or NO_CODE,
        "importHsCode": codes.get("import_hs_code") or item.hs_code or NO_CODE,
        "description": cut_item_text(item, item.description or item.title, LONGEST_ARTICLE),
        "quantity": count,
        "quantityUnit": item.weight_unit or "kg",
        "weight": round_measure(weight * count) if weight else None,
        "commercialValue": round_half_up(value * count) if value is not None else None,
        "commercialValueCurrency": item.value_currency or currency,
        "manufactureCountryCode": item.origin_country or origin,
        "sku": cut_text(item.sku, LONGEST_SKU),
    }
