"""The declaration of a parcel that leaves the country. Pure."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions, list_parcel_goods
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Commodity, Customs, Parcel, ShipmentRequest

from . import parts

CURRENCY, NOT_NAMED, DESCRIPTION, REFERENCE = "EUR", "N/A", 35, 35


def write_customs(request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    customs, to = request.customs or Customs(), request.recipient
    customs_options = RequestOptions.of_customs(parts.CATALOGUE, customs)
    kinds = parts.CATALOGUE.table("content_types")
    kind = kinds.get(customs.content_type or "other", kinds["other"])
    return {
        "invoiceNumber": customs.invoice or None,
        "exportType": kind,
        "exportTypeDescription": customs.content_description or kind,
        "termsOfTrade": parts.CATALOGUE.table("incoterms").get(read_terms(customs)),
        "placeOfCommital": request.shipper.country_name,
        "customsCurrency": name_declared_currency(request, options, CURRENCY),
        "permitNumber": customs_options.text("permit_number"),
        "attestationNumber": customs_options.text("attestation_number"),
        "addresseesCustomsReference": cut_text(to.federal_tax_id or to.state_tax_id, REFERENCE),
        "sendersCustomsReference": cut_text(customs_options.text("eori_number"), REFERENCE),
        "ExportDocPosition": [
            _write_item(item, request.shipper) for item in list_parcel_goods(request, parcel)
        ],
    }


def _write_item(item: Commodity, shipper: Address) -> Json:
    return {
        "description": cut_item_text(item, item.title or item.description, DESCRIPTION) or NOT_NAMED,
        "countryCodeOrigin": item.origin_country or shipper.country_code,
        "customsTariffNumber": item.hs_code or item.sku,
        "amount": item.quantity,
        "netWeightInKG": round_measure(item.weight_in("KG") or Decimal(0)),
        "customsValue": item.value_amount or 1,
    }
