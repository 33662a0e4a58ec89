"""Labels: the order, what is bought, and the file that is fetched with its id. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.carrier import Bought, RequestOptions, make_label, read_cost
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import decode_file, list_files, merge_papers
from shipcli.carrier.wire.xml import every, find, first, require
from shipcli.models import Commodity, Customs, Label, ShipmentRequest

from . import parts, rates

if TYPE_CHECKING:
    from lxml.etree import _Element

THERMAL = "ZPL"


def write_order(shipment: Json, request: ShipmentRequest, options: RequestOptions) -> Json:
    declared = request.customs if request.shipper.country_code != request.recipient.country_code else None
    members = {**shipment, "proforma": write_proforma(declared, request, options) if declared else None}
    return {"shipment": parts.write_inner(dict(sorted(members.items())))}


def write_proforma(declared: Customs, request: ShipmentRequest, options: RequestOptions) -> Json:
    """What is declared of a shipment that leaves the country.

    Source: CanshipBusinessService.xsd, types Proforma, ProformaItem and CommodityInfo.
    """
    return {
        "currency_of_declared_value": name_declared_currency(request, options, rates.CURRENCY),
        "name": declared.signer or request.shipper.name,
        "phone": request.shipper.phone_number or None,
        "proforma_items": [_write_item(commodity, request) for commodity in declared.commodities],
        "reason_for_export": declared.content_type,
        "reference": declared.invoice or request.reference,
    }


def _write_item(item: Commodity, request: ShipmentRequest) -> Json:
    goods = {
        "country_of_origin": item.origin_country or request.shipper.country_code,
        "description": item.title or item.description,
        "hs_code": item.hs_code,
        "value": item.value_amount,
    }
    return {"commodity_info": goods, "quantity": item.quantity or 1}


def read_order(answer: _Element, link: str) -> Bought:
    """What was bought; `link` holds {} for the number.

    Errors: LookupError when the answer names no shipment.
    """
    shipment = first(answer, "shipment")
    number = require(shipment, "packages/barcode")
    numbers = [text for package in shipment.findall("packages") if (text := find(package, "barcode"))]
    meta = {"carrier_tracking_link": link.format(number)}
    return Bought(
        number,
        find(shipment, "id"),
        selected_rate=read_cost(rates.read_price, shipment),
        meta={**meta, "tracking_numbers": numbers} if len(numbers) > 1 else meta,
    )


# -- paper -----------------------------------------------------------------------------------------


def write_paper(bought: Bought, request: ShipmentRequest) -> Json:
    thermal = request.label_type == THERMAL
    return {"horizontal": False, "id": bought.shipment_identifier, "thermal": thermal}


def read_label(answer: _Element, bought: Bought) -> Label:
    """The bought shipment with its labels, one for each package, as one file."""
    files = list_files(label.text for label in every(answer, "labels"))
    kind = read_kind(files[0]) if files else None
    return make_label(bought, kind, merge_papers({"label": files}, kind or "PDF"))


def read_kind(file: str) -> str:
    """What a file is; PDF for a marker in its place."""
    from shipcli.drawing import find_label_kind

    content = decode_file(file)
    return (find_label_kind(content) if content else None) or "PDF"
