"""What passes customs: the declaration of a shipment, the goods of each package, tax numbers. Pure.

Source: ShipEngine API 1.1.202511061111 (published description): international_shipment_options, products.
"""

from __future__ import annotations

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.contents import choose_terms, cut_item_text
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.models import Address, Commodity, Customs, RateRequest, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
ITEM_TEXT, OTHER, BACK = 100, "other", "return_to_sender"


def write_customs(request: RateRequest | ShipmentRequest) -> Json | None:
    """Errors: Invalid for terms of trade that ShipEngine has no word for."""
    customs = request.customs
    if customs is None or request.shipper.country_code == request.recipient.country_code:
        return None
    kind = CATALOGUE.table("contents").get(customs.content_type or "merchandise", OTHER)
    explained = customs.content_description or (customs.content_type if kind == OTHER else None)
    return {
        "contents": kind,
        "contents_explanation": explained,
        "non_delivery": RequestOptions.of_customs(CATALOGUE, customs).text("non_delivery") or BACK,
        "terms_of_trade_code": name_terms(customs),
        "invoice_additional_details": {"invoice_number": customs.invoice} if customs.invoice else None,
        "importer_of_record": write_importer(customs),
        "license_number": RequestOptions.of_customs(CATALOGUE, customs).text("license_number"),
        "certificate_number": RequestOptions.of_customs(CATALOGUE, customs).text("certificate_number"),
    }


def name_terms(customs: Customs) -> str:
    terms = read_terms(customs)
    return choose_terms("ShipEngine", CATALOGUE.table("incoterms"), terms, terms.lower())


def write_importer(customs: Customs) -> Json | None:
    address = customs.duty_billing_address
    return write_party(address) if address else None


def write_party(address: Address) -> Json:
    return {
        "name": address.name,
        "phone": address.phone_number,
        "email": address.email,
        "company_name": address.company_name,
        "address_line1": address.street,
        "address_line2": address.address_line2,
        "city_locality": address.city,
        "state_province": address.state_code,
        "postal_code": address.postal_code,
        "country_code": address.country_code,
    }


def write_identifiers(request: RateRequest | ShipmentRequest) -> list[Json]:
    """The tax numbers of the sender, by kind, and that of a recipient abroad."""
    if request.shipper.country_code == request.recipient.country_code:
        return []
    rows = []
    if request.customs:
        chosen = RequestOptions.of_customs(CATALOGUE, request.customs).list_chosen()
        kinds = CATALOGUE.table("identifiers")
        for choice in chosen:
            if choice.code in kinds:
                rows.append(
                    write_identifier("shipper", choice.code, request.shipper.country_code, choice.sent)
                )
    if number := request.recipient.federal_tax_id or request.recipient.state_tax_id:
        rows.append(write_identifier("recipient", "tin", request.recipient.country_code, number))
    return rows


def write_identifier(who: str, kind: str, country: str | None, value: str) -> Json:
    names = {"taxable_entity_type": who, "identifier_type": kind, "issuing_authority": country}
    return {**names, "value": value}


def write_product(item: Commodity) -> Json:
    """Goods of one kind; value and weight are of one piece."""
    unit, value = item.weight_unit or "LB", item.value_amount
    weight, currency = item.weight_in(unit), item.value_currency or "USD"
    units = CATALOGUE.table("weight_units")
    return {
        "description": cut_item_text(item, item.description or item.title, ITEM_TEXT),
        "quantity": item.quantity,
        "value": {"currency": currency, "amount": round_half_up(value)} if value is not None else None,
        "weight": {"value": round_measure(weight), "unit": units[unit]} if weight else None,
        "harmonized_tariff_code": item.hs_code,
        "country_of_origin": item.origin_country,
        "sku": item.sku,
    }
