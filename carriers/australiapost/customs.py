"""The declaration of an item: what kind of goods leave the country, and each of them. Pure.

Units: kilograms; values in the currency of the declaration, of one piece.
Source: Shipping and Tracking API, Create International Shipments.
"""

from __future__ import annotations

from shipcli.carrier import RequestOptions, list_parcel_goods
from shipcli.carrier.contents import cut_item_text, join_words
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Commodity, Customs, Parcel, ShipmentRequest
from shipcli.models.basics.areas import crosses_customs

from .parts import CATALOGUE, GRAM, write_code

DESCRIPTION = 40
OTHER = "OTHER"


def write_customs(request: ShipmentRequest, parcel: Parcel) -> Json:
    """What is said of an item as a whole; nothing of one that passes no customs."""
    if request.customs is None and not crosses_customs(request.shipper, request.recipient):
        return {}
    customs = request.customs or Customs()
    goods = list_parcel_goods(request, parcel)
    words = join_words([item.title for item in goods], [item.description for item in goods])
    declared = RequestOptions.of_customs(CATALOGUE, customs)
    named = read_terms(customs, unpaid="")  # of a recipient who pays nothing need be said
    terms = {"incoterms": named, "currency_code": customs.duty.currency if customs.duty else None}
    return {
        "classification_type": write_code("content_types", customs.content_type or "") or OTHER,
        "commercial_value": customs.commercial_invoice,
        "description_of_other": cut_text(customs.content_description or words, DESCRIPTION),
        "export_declaration_number": declared.text("export_declaration_number"),
        "import_reference_number": declared.text("import_reference_number"),
        "features": {"COMMERCIAL_CLEARANCE": {"attributes": terms}} if named else {},
    }


def write_contents(request: ShipmentRequest, parcel: Parcel) -> Json:
    """The goods in a parcel that leaves the country."""
    if request.shipper.country_code == request.recipient.country_code:
        return {}
    return {"item_contents": [_content(item) for item in list_parcel_goods(request, parcel)]}


def _content(item: Commodity) -> Json:
    weight = item.weight_in("KG")
    return {
        "country_of_origin": item.origin_country,
        "description": cut_item_text(item, item.description or item.title, DESCRIPTION),
        "sku": item.sku,
        "quantity": item.quantity,
        "tariff_code": item.hs_code,
        "value": item.value_amount,
        "weight": None if weight is None else round_measure(weight, GRAM),
    }
