"""The declaration of the goods of one parcel. Pure.

Units: kilograms to the gram, rounded up; values and weights are of one piece, as texts.
Source: Parcel.One Shipping REST API 1.0.0: IntDoc, IntDocContents.
"""

from __future__ import annotations

from shipcli.carrier import RequestOptions, list_parcel_goods
from shipcli.carrier.contents import cut_item_text, sum_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import THOUSANDTH, round_half_up, round_measure
from shipcli.models import Commodity, Parcel, ShipmentRequest
from shipcli.models.basics.areas import crosses_customs

from .parts import CATALOGUE

EUROS, OTHER = "EUR", 5
FORM = {"Type": "PDF", "Size": "CN23"}
CONTENTS, EXPLANATION, INVOICE, TARIFF = 60, 100, 25, 15


def write_customs(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json | None:
    """What a parcel declares at a customs border, all in one currency; none inside the customs union."""
    customs = request.customs
    if customs is None or not crosses_customs(request.shipper, request.recipient):
        return None
    goods = list_parcel_goods(request, parcel)
    numbers: Json = {}
    RequestOptions.of_customs(CATALOGUE, customs).write(numbers, "ship")
    return {
        "PrintInternationalDocuments": 1,
        "InternationalDocumentFormat": FORM,
        **numbers,
        "License": int("LicenseNo" in numbers),
        "Certificate": int("CertificateNo" in numbers),
        "CustomDetails": [write_item(item) for item in goods],
        "TotalValue": str(round_half_up(sum_goods(goods))),
        "Currency": name_declared_currency(request, options, EUROS),
        "TotalWeightkg": str(round_measure(parcel.weight_in("KG"), THOUSANDTH)),
        "ItemCategory": CATALOGUE.table("categories").get(customs.content_type or "", OTHER),
        "Explanation": cut_text(customs.content_description, EXPLANATION),
        "Date": customs.invoice_date,
        "Invoice": int(bool(customs.invoice)),
        "InvoiceNo": cut_text(customs.invoice, INVOICE),
    }


def write_item(item: Commodity) -> Json:
    weight, value = item.weight_in("KG"), item.value_amount
    return {
        "Contents": cut_item_text(item, item.description or item.title, CONTENTS),
        "Quantity": item.quantity,
        "NetWeightPerItem": str(round_measure(weight, THOUSANDTH)) if weight else None,
        "ItemValuePerItem": str(round_half_up(value)) if value is not None else None,
        "TariffNumber": cut_text(item.hs_code, TARIFF),
        "Origin": item.origin_country,
    }
