"""The declaration of goods that leave the country. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from shipcli.carrier import RequestOptions
from shipcli.carrier.contents import cut_item_text, list_goods
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Commodity, Customs, Duty

from .parts import CATALOGUE, LINE, Consignment, write_party

PIECES, NOTHING = "PCS", Decimal(0)


def write_goods_to_price(consignment: Consignment) -> Json:
    """What a price has to know of the goods; the sender pays the duties as far as prices go."""
    request = consignment.request
    written = [write_commodity(consignment, item, Decimal(item.quantity)) for item in list_goods(request)]
    account = {"accountNumber": {"value": consignment.account}}
    return {
        "dutiesPayment": {"payor": {"responsibleParty": account}, "paymentType": "SENDER"},
        "commodities": written or [_unnamed_goods(consignment)],
    }


def _unnamed_goods(consignment: Consignment) -> Json:
    """One item of the whole weight, where nobody said what is sent."""
    unit, _ = consignment.units
    weight = sum((parcel.weight_in(unit) for parcel in consignment.request.parcels), Decimal(0))
    value = consignment.options.amount("declared_value") or Decimal(1)
    item = Commodity(sku="0000", weight=weight, weight_unit=unit, value_amount=value)
    return write_commodity(consignment, item, value)


def write_commodity(consignment: Consignment, item: Commodity, unvalued: Decimal) -> Json:
    """`unvalued` is what goods without a value are declared at."""
    unit, _ = consignment.units
    each, currency = item.value_amount, item.value_currency
    weight = item.weight_in(unit)
    return {
        "description": cut_item_text(item, item.description or item.title, LINE) or "N/A",
        "name": cut_item_text(item, item.title, LINE),
        "harmonizedCode": item.hs_code,
        "partNumber": item.sku,
        "quantity": item.quantity,
        "numberOfPieces": item.quantity,
        "quantityUnits": PIECES,
        "unitPrice": consignment.write_amount(each, currency) if each else None,
        "customsValue": consignment.write_amount(each * item.quantity if each else unvalued, currency),
        "weight": {"units": unit, "value": round_measure(weight)} if weight else None,
    }


def write_clearance(consignment: Consignment) -> Json | None:
    """The declaration of a shipment; None when nothing is declared."""
    request = consignment.request
    if request.customs is None:
        return None
    value = consignment.options.amount("declared_value")
    customs_options = RequestOptions.of_customs(CATALOGUE, request.customs)
    filed = customs_options.text("aes") or customs_options.text("eel_pfc")
    return {
        "exportDetail": {"exportComplianceStatement": filed} if filed else None,
        "commercialInvoice": _invoice(request.customs, request.shipper),
        "dutiesPayment": _duties(consignment, request.customs),
        "commodities": _commodities(consignment, request.customs.commodities),
        "isDocumentOnly": consignment.is_document,
        "totalCustomsValue": consignment.write_amount(value) if value else None,
        # What an insurance costs, which is part of the dutiable value: nobody knows it, least of all the
        # amount that is insured. Source: Ship API, insuranceCharge.
        "insuranceCharge": consignment.write_amount(NOTHING),
    }


def write_shipper_taxes(customs: Customs | None) -> list[Json]:
    """The numbers under which the shipper trades. Source: Ship API, TaxpayerIdentification."""
    chosen = RequestOptions.of_customs(CATALOGUE, customs).list_chosen() if customs else []
    return [
        {"number": str(choice.value), "tinType": choice.code}
        for choice in chosen
        if choice.code.startswith("BUSINESS")
    ]


def _commodities(consignment: Consignment, goods: Sequence[Commodity]) -> list[Json]:
    home = consignment.request.shipper.country_code
    return [
        write_commodity(consignment, item, NOTHING) | {"countryOfManufacture": item.origin_country or home}
        for item in goods
    ]


def _invoice(customs: Customs, shipper: Address) -> Json:
    number = {"customerReferenceType": "INVOICE_NUMBER", "value": customs.invoice}
    return {
        "originatorName": cut_text(shipper.company_name or shipper.person_name, LINE),
        "customerReferences": [number] if customs.invoice else None,
        "termsOfSale": CATALOGUE.table("incoterms").get(read_terms(customs, "DDU")),
        "shipmentPurpose": CATALOGUE.table("purposes").get(customs.content_type or "other"),
    }


def _duties(consignment: Consignment, customs: Customs) -> Json:
    """Who pays the duties; the account named for them, never that of the transport."""
    duty = customs.duty or Duty()
    paid_by = duty.paid_by or "sender"
    payor: Json = {}
    if duty.account_number:
        payor = write_party(_duty_address(consignment, customs), consignment.request.shipper.phone_number)
    if duty.account_number and paid_by != "sender":
        payor["accountNumber"] = {"value": duty.account_number}
    return {
        "paymentType": CATALOGUE.table("payment_types").get(paid_by),
        "payor": {"responsibleParty": payor},
    }


def _duty_address(consignment: Consignment, customs: Customs) -> Address:
    request = consignment.request
    named = customs.duty_billing_address or (customs.duty and customs.duty.duty_billing_address)
    if named:
        return named
    sides = {"recipient": request.recipient, "third_party": request.billing_address or request.shipper}
    return sides.get((customs.duty and customs.duty.paid_by) or "", request.shipper)
