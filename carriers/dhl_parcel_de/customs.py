"""The declaration of goods that leave the customs union, and who pays their duties. Pure.

Source: Parcel DE Shipping (Post & Parcel Germany) 2.1.13: CustomsDetails, Commodity.
"""

from __future__ import annotations

import re

from shipcli.carrier import RequestOptions, join_words, list_parcel_goods
from shipcli.carrier.contents import choose_terms
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import PAID, UNPAID, read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import THOUSANDTH, round_measure
from shipcli.models import Commodity, Invalid, Parcel, ShipmentRequest
from shipcli.models.basics.areas import crosses_customs

from . import parts

EUROPAKET, INTERNATIONAL = "V54EPAK", "V53WPAK"
OTHER = "OTHER"
DUTY_PAID = "dhl_parcel_de_postal_delivery_duty_paid"
LONGEST_CODE = 11  # of the customs tariff


def is_declared(request: ShipmentRequest) -> bool:
    """Whether there is a declaration, and a customs border to declare at."""
    crosses = crosses_customs(request.shipper, request.recipient)
    return request.customs is not None and crosses


def choose_conditions(request: ShipmentRequest) -> str | None:
    """The terms of trade, which are told of Europaket alone.

    Errors: Invalid for terms that DHL does not deliver by.
    """
    terms = read_terms(request.customs)
    named = choose_terms("DHL Parcel DE", parts.CATALOGUE.table("incoterms"), terms, terms)
    return named if parts.CATALOGUE.services.wire_code(request.service) == EUROPAKET else None


def write_duty_service(request: ShipmentRequest, options: RequestOptions) -> Json:
    """The service by which the sender pays the duties of an international parcel.

    Errors: Invalid for other products, whose duties the recipient pays, and for terms that say otherwise.
    """
    product = parts.CATALOGUE.services.wire_code(request.service)
    if not is_declared(request) or request.customs is None:
        return {}
    terms = request.customs.incoterm
    if terms and terms != PAID and options.flag(DUTY_PAID):
        raise Invalid(f"options.{DUTY_PAID}", f"the sender pays, and by {terms} the recipient does")
    if read_terms(request.customs) != PAID or product == EUROPAKET:
        return {}
    if product != INTERNATIONAL:
        raise Invalid("customs.incoterm", f"{request.service} is delivered by {UNPAID} only")
    return {"postalDeliveryDutyPaid": True}


def write_customs(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json | None:
    """What one parcel declares, all in one currency; none inside the customs union.

    Errors: Invalid for goods that are not described.
    """
    customs = request.customs
    if customs is None or not is_declared(request):
        return None
    goods = list_parcel_goods(request, parcel)
    if not goods:
        raise Invalid("customs.commodities", "say what each parcel holds: DHL Parcel DE declares goods")
    customs_options = RequestOptions.of_customs(parts.CATALOGUE, customs)
    currency = name_declared_currency(request, options, parts.CURRENCY)
    words = customs.content_description or join_words([item.description or item.title for item in goods])
    body: Json = {
        "invoiceNo": cut_text(customs.invoice, 35),
        "exportType": parts.CATALOGUE.table("content_types").get(customs.content_type or "", OTHER),
        "exportDescription": cut_text(words, 80),
        "shippingConditions": choose_conditions(request),
        "postalCharges": {"currency": currency, "value": customs_options.amount("postal_charges") or 0},
        "items": [write_item(item, currency) for item in goods],
    }
    to = request.recipient
    body["consigneeCustomsRef"] = cut_text(to.federal_tax_id or to.state_tax_id, 35)
    customs_options.write(body, "ship")
    return body


def write_item(item: Commodity, currency: str | None) -> Json:
    """The value and the weight are of one piece.

    Errors: Invalid for goods without what a declaration says of them.
    """
    amount, weight, words = item.value_amount, item.weight_in("KG"), item.description or item.title
    for name, value in (("value_amount", amount), ("weight", weight), ("title", words)):
        if value is None:
            raise Invalid(f"customs.commodities.{name}", f"is missing of {words or item.sku or 'an item'}")
    return {
        "itemDescription": cut_text(words, 256),
        "countryOfOrigin": parts.write_country(item.origin_country),
        "hsCode": write_code(item.hs_code),
        "packagedQuantity": item.quantity,
        "itemValue": {"currency": item.value_currency or currency, "value": amount},
        "itemWeight": {"uom": "kg", "value": round_measure(weight, THOUSANDTH)}
        if weight is not None
        else None,
    }


def write_code(code: str | None) -> str | None:
    """A code of the customs tariff, without its dots where it is too long with them."""
    return re.sub(r"\W", "", code) if code and len(code) > LONGEST_CODE else code
