"""Goods and their declaration. Pure."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions
from shipcli.carrier.contents import cut_item_text, list_goods
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Commodity, ShipmentRequest

from .parts import CATALOGUE

TEXT = 35


def write_items(request: ShipmentRequest) -> list[Json]:
    return [_item(article) for article in list_goods(request)]


def _item(item: Commodity) -> Json:
    """Units: weight and value of a piece; kilograms, as the shipment says."""
    weight = item.weight_in("KG")
    return {
        "SkuCode": item.sku,
        "Quantity": item.quantity,
        "Description": cut_item_text(item, item.title or item.description, TEXT) or "N/A",
        "Value": Decimal(0) if item.value_amount is None else item.value_amount,
        "Weight": round_measure(weight) if weight else None,
        "HSCode": item.hs_code,
        "CountryOfOrigin": item.origin_country,
    }


def write_customs(body: Json, request: ShipmentRequest) -> None:
    """Add the declaration of a shipment that leaves the country, and the numbers of who sends it.

    What is insured is no charge of the goods: OtherCharges stays empty.
    """
    customs = request.customs
    if customs is None:
        return
    abroad = request.shipper.country_code != request.recipient.country_code
    if abroad:
        content = customs.content_type or ""
        body["Customs"] = {
            "ReasonForExport": CATALOGUE.table("content_types").get(content),
            "Incoterms": read_terms(customs),
            "InvoiceNumber": customs.invoice,
            "InvoiceDate": customs.invoice_date,
        }
    for choice in RequestOptions.of_customs(CATALOGUE, customs).list_chosen():
        section, name = str(choice.row.path).split("/")
        if section in body:
            body[section][name] = choice.value
