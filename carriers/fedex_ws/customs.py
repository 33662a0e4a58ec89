"""The declaration of goods that leave the country. Pure."""

from __future__ import annotations

from shipcli.carrier.contents import cut_item_text, sum_goods
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import Address, Commodity, Customs, Duty

from .parts import CATALOGUE, WebOrder

TEXT = 35


def write_clearance(order: WebOrder) -> Json | None:
    """The declaration, or None; its value is the one that is declared, else that of the goods."""
    customs, options = order.request.customs, order.options
    if customs is None:
        return None
    duty = customs.duty or Duty()
    declared = duty.declared_value or options.amount("declared_value") or sum_goods(customs.commodities)
    printed = customs.commercial_invoice and not options.flag("fedex_electronic_trade_documents")
    return {
        "DutiesPayment": write_duties(order, customs, duty),
        "CustomsValue": order.write_amount(declared, duty.currency, options.text("currency")),
        "CommercialInvoice": write_invoice(customs, order.request.shipper) if printed else None,
        "Commodities": [write_commodity(order, item, duty) for item in customs.commodities],
    }


def write_duties(order: WebOrder, customs: Customs, duty: Duty) -> Json:
    """Who pays the duties: the account named for them, else our own."""
    billed = customs.duty_billing_address or duty.duty_billing_address
    taxes = (billed.federal_tax_id, billed.state_tax_id) if billed else ()
    payor = {
        "AccountNumber": duty.account_number or order.account,
        "Tins": [{"Number": tax} for tax in taxes if tax],
    }
    kind = CATALOGUE.table("payment_types").get(duty.paid_by or "sender")
    return {"PaymentType": kind, "Payor": {"ResponsibleParty": payor}}


def write_invoice(customs: Customs, shipper: Address) -> Json:
    number = {"CustomerReferenceType": "INVOICE_NUMBER", "Value": customs.invoice}
    return {
        "Purpose": CATALOGUE.table("purposes").get(customs.content_type or "other"),
        "CustomerReferences": number if customs.invoice else None,
        "OriginatorName": shipper.company_name or shipper.person_name,
        "TermsOfSale": CATALOGUE.table("incoterms").get(read_terms(customs, "DDU")),
    }


def write_commodity(order: WebOrder, item: Commodity, duty: Duty) -> Json:
    unit, _ = order.units
    currencies = (item.value_currency, order.options.text("currency"), duty.currency)
    return {
        "NumberOfPieces": item.quantity,
        "Description": cut_item_text(item, item.title or item.description, TEXT) or "N/A",
        "CountryOfManufacture": item.origin_country or order.request.shipper.country_code,
        "HarmonizedCode": item.hs_code,
        "Weight": order.write_weight(item.weight_in(unit)),
        "Quantity": item.quantity,
        "QuantityUnits": "EA",
        "UnitPrice": order.write_amount(item.value_amount, *currencies),
        "PartNumber": item.sku,
    }
