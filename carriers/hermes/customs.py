"""The goods that leave Germany, as Hermes declares them. Pure.

Units: a value in cents, a weight in grams, both of one piece.
Source: HSI Order API 2025-12-18: ShipmentOrderCustomsAndTaxes.
"""

from __future__ import annotations

from shipcli.carrier import RequestOptions, list_parcel_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import convert_to_cents, round_up
from shipcli.models import Address, Commodity, Parcel, ShipmentRequest

from . import parts


def write_customs(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json | None:
    """What one parcel declares; nothing at home, where Hermes ignores it (w098)."""
    customs = request.customs
    if customs is None or request.recipient.country_code == parts.HOME:
        return None
    body = {
        "currency": name_declared_currency(request, options, parts.EUROS),
        "items": [write_item(item) for item in list_parcel_goods(request, parcel)],
        "invoiceReferences": [customs.invoice] if customs.invoice else None,
        "shipmentOriginAddress": write_origin(request.shipper),
    }
    RequestOptions.of_customs(parts.CATALOGUE, customs).write(body, "ship")
    return body


def write_item(item: Commodity) -> Json:
    weight, value = item.weight_in("G"), item.value_amount
    return {
        "sku": cut_text(item.sku, 50),
        "countryCodeOfManufacture": item.origin_country,
        "value": convert_to_cents(value) if value else None,
        "weight": round_up(weight) if weight else None,
        "quantity": item.quantity,
        "description": cut_text(item.description or item.title, 512),
        "hsCode": cut_text(item.hs_code, 11),
    }


def write_origin(address: Address) -> Json:
    """Where the goods are sent from; unlike the sender of the label, with a state."""
    street, house = parts.split_house(address)
    return {
        **parts.write_name(address),
        "company": address.company_name,
        "street": street,
        "houseNumber": house,
        "zipCode": address.postal_code,
        "town": address.city,
        "state": address.state_code,
        "countryCode": address.country_code,
        "addressAddition": address.address_line2,
        **parts.write_contact(address),
    }
