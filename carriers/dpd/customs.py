"""The declaration of a parcel that leaves the country. Pure.

Source: ShipmentService 3.3, types international and internationalLine.
"""

from __future__ import annotations

from datetime import date

from shipcli.carrier import RequestOptions, join_words, list_parcel_goods, sum_goods
from shipcli.carrier.contents import choose_terms
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import convert_to_cents
from shipcli.models import Address, Commodity, Customs, Invalid, Parcel, ShipmentRequest

from . import parts

NO_INVOICE, USUAL_TERMS = "0", "DAP"


def write_customs(request: ShipmentRequest, parcel: Parcel, options: RequestOptions, today: date) -> Json:
    """Errors: Invalid for terms that DPD does not deliver by, and for goods that nobody names."""
    customs = request.customs or Customs()
    goods, duty = list_parcel_goods(request, parcel), customs.duty
    if not goods:
        raise Invalid("customs.commodities", "say what each parcel holds: DPD declares goods")
    worth = (duty.declared_value if duty else None) or options.amount("declared_value")
    if len(request.parcels) > 1:
        worth = None  # declared of all of them: each is worth its goods
    money = {
        "customsAmount": convert_to_cents(worth or sum_goods(goods)),
        "customsCurrency": name_declared_currency(request, options, parts.CURRENCY),
    }
    consignee, consignor = customs.duty_billing_address or request.recipient, request.shipper
    return {
        "parcelType": bool(parcel.is_document),
        **money,
        **{f"{name}Ex": value for name, value in money.items()},
        "clearanceCleared": "N",
        "prealertStatus": "S03",
        "exportReason": parts.CATALOGUE.table("export_reasons").get(customs.content_type or "", "01"),
        "customsTerms": choose_terms(
            "DPD", parts.CATALOGUE.table("incoterms"), read_terms(customs), USUAL_TERMS
        ),
        "customsContent": customs.content_description or join_words([article.title for article in goods]),
        "customsPaper": "A",
        "customsInvoice": _write_invoice(request, customs, options),
        "customsInvoiceDate": _write_day(customs.invoice_date or options.text("invoice_date"), today),
        "commercialInvoiceConsigneeVatNumber": parts.tax_number(consignee),
        "commercialInvoiceConsignee": _write_party(consignee, customs),
        "commercialInvoiceConsignor": _write_party(consignor),
        "commercialInvoiceLine": [_write_line(at, item) for at, item in enumerate(goods, 1)],
    }


def _write_invoice(request: ShipmentRequest, customs: Customs, options: RequestOptions) -> str:
    return customs.invoice or options.text("invoice_number") or request.reference or NO_INVOICE


def _write_day(day: str | None, today: date) -> str:
    return (day or today.isoformat())[:10].replace("-", "")


def _write_party(address: Address, customs: Customs | None = None) -> Json:
    """Somebody on the invoice; of the consignee the declaration may tell the numbers."""
    customs_options = RequestOptions.of_customs(parts.CATALOGUE, customs) if customs else None
    return {
        **parts.write_address(address),
        "eoriNumber": customs_options.text("eori_number") if customs_options else None,
        "vatNumber": (customs_options.text("vat_registration_number") if customs_options else None)
        or parts.tax_number(address),
    }


def _write_line(at: int, item: Commodity) -> Json:
    tariff, weight = item.hs_code or item.sku, item.weight_in("KG")
    return {
        "customsTarif": tariff,
        "receiverCustomsTarif": tariff,
        "productCode": item.sku,
        "content": item.title or item.description,
        "grossWeight": parts.weigh(weight) if weight else 0,
        "itemsNumber": item.quantity,
        "amountLine": convert_to_cents(sum_goods([item])),
        "customsOrigin": item.origin_country,
        "invoicePosition": at,
    }
