"""Consignments: the order with its declaration, the labels, the deletion. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions, list_goods, read_cost
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.models import Address, Commodity, Customs, Label, Quote, ShipmentRequest

from .parts import CATALOGUE, write_destination, write_package, write_party

SHEET, PICTURE = "LABEL_PDF_100X150", "PNG"
NO_PHONE, NO_EMAIL, NO_HS_CODE = "000 000 0000", " ", "0000.00.00"
UNIT_STEP = Decimal("0.0001")  # UnitKg has four decimals
LONGEST_DESCRIPTION = 35
DELETED, DELETED_BEFORE = "Deleted", "Already deleted"


# -- the order -------------------------------------------------------------------------------------


def label_sheet(request: ShipmentRequest) -> str:
    """SEKO's word for the label that is asked for; several labels need a file that has pages."""
    sheet = str(CATALOGUE.table("label_types").get((request.label_type or "PDF").upper(), SHEET))
    return SHEET if kind_of(sheet) == PICTURE and len(request.parcels) > 1 else sheet


def kind_of(sheet: str) -> str:
    return sheet.split("_")[1]


def write_shipment(
    request: ShipmentRequest, options: RequestOptions, reference: str, sheet: str, cost_center: str | None
) -> Json:
    customs = request.customs
    destination = {
        **write_end(request.recipient, "Recipient"),
        **write_destination(options),
        "SendTrackingEmail": options.value("seko_send_tracking_email"),
    }
    instructions = {"DeliveryInstructions": options.text("origin_instructions")}
    body = {
        "DeliveryReference": reference,
        "Reference2": options.text("seko_reference_2"),
        "Reference3": options.text("seko_reference_3"),
        "Origin": {**write_end(request.shipper, "Shipper"), **instructions},
        "Destination": destination,
        "Commodities": [write_commodity(article) for article in list_goods(request)],
        "Packages": [
            {**write_package(parcel), "OverLabelBarcode": parcel.reference_number}
            for parcel in request.parcels
        ],
        "issignaturerequired": options.value("seko_is_signature_required"),
        "DutiesAndTaxesByReceiver": customs.duty.paid_by == "recipient" if customs and customs.duty else None,
        "PrintToPrinter": True,
        "IncludeLineDetails": True,
        "Carrier": options.text("seko_carrier"),
        "Service": CATALOGUE.services.code(request.service),
        "CostCentreName": cost_center,
        "CodValue": options.amount("seko_cod_amount"),
        "TaxCollected": options.flag("seko_tax_collected", default=True),
        "AmountCollected": _cents(options, "seko_amount_collected"),
        "TaxIds": write_tax_ids(customs) if customs else None,
        "Outputs": [sheet],
    }
    return dict(drop_empty(body))


def write_end(address: Address, nobody: str) -> Json:
    """Where a consignment leaves from or goes to; SEKO demands a name, a city, a phone number."""
    party = write_party(address)
    location = {**party["Address"], "City": address.state_code or address.city}
    return {
        **party,
        "Name": address.company_name or address.name or nobody,
        "Address": location,
        "PhoneNumber": address.phone_number or NO_PHONE,
        "Email": address.email or NO_EMAIL,
    }


def write_commodity(item: Commodity) -> Json:
    """One line of the declaration.

    Units: the value is that of a piece, the weight that of all pieces, in kilograms.
    Source: OmniParcel integration guide, 2.4 Commodity information, UnitValue and UnitKg.
    """
    weight = item.weight_in("KG")
    return {
        "Description": cut_item_text(item, item.description or item.title, LONGEST_DESCRIPTION) or "item",
        "HarmonizedCode": item.hs_code or NO_HS_CODE,
        "Units": item.quantity,
        "UnitValue": item.value_amount,
        "UnitKg": None if weight is None else round_measure(weight * item.quantity, UNIT_STEP),
        "Currency": item.value_currency,
        "Country": item.origin_country,
        "itemSKU": item.sku,
    }


def write_tax_ids(customs: Customs) -> list[Json]:
    """The numbers under which duties are paid, in the order in which they are given."""
    chosen = RequestOptions.of_customs(CATALOGUE, customs).list_chosen()
    return [{"IdType": choice.code, "IdNumber": choice.value} for choice in chosen]


def _cents(options: RequestOptions, name: str) -> Any:
    amount = options.amount(name)
    return round_half_up(amount) if amount else None


# -- the labels ------------------------------------------------------------------------------------


def read_shipment(body: Json, sheet: str, service: str, currency: str) -> Label:
    """The labels of all consignments that were made.

    Shapes: a consignment is named by its `Connote` to delete, close and track it; its ConsignmentId is not
            asked for anywhere. Source: Consignment Delete API 6.2, Manifest API 7.2.
    Errors: LookupError when there is no consignment.
    """
    consignments = body["Consignments"]
    numbers = [consignment["Connote"] for consignment in consignments]
    ids = [consignment.get("ConsignmentId") for consignment in consignments]
    links = [consignment["TrackingUrl"] for consignment in consignments if consignment.get("TrackingUrl")]
    files = list_files(
        text
        for consignment in consignments
        for text in (consignment.get("OutputFiles") or {}).get(sheet) or [None]
    )
    several = {"tracking_numbers": numbers, "shipment_identifiers": numbers} if len(numbers) > 1 else {}
    return Label(
        tracking_number=numbers[0],
        shipment_identifier=numbers[0],
        label_type=kind_of(sheet),
        docs=merge_papers({"label": files}, kind_of(sheet)),
        selected_rate=read_cost(read_price, consignments, service, currency),
        meta={
            "carrier_tracking_link": links[0] if links else None,
            "seko_site_id": body.get("SiteId"),
            "tracking_urls": links,
            "consignment_id": ids[0],
            "consignment_ids": ids,
            "seko_carrier_id": body.get("CarrierId"),
            "seko_carrier_name": body.get("CarrierName"),
            "seko_carrier_type": body.get("CarrierType"),
            "rate_provider": body.get("CarrierName"),
            **several,
        },
    )


def read_price(consignments: Sequence[Json], service: str, currency: str) -> Quote | None:
    """What all consignments cost; None where one does not say."""
    costs = [consignment["Cost"] for consignment in consignments if consignment.get("Cost") is not None]
    if len(costs) < len(consignments):
        return None
    total = sum(costs, Decimal(0))
    return Quote(carrier_name="seko", service=service, total_charge=total, currency=currency)


def is_deleted(body: Json, number: str) -> bool:
    """Whether a consignment is deleted now, or was before.

    Errors: LookupError for an answer that leaves it out; TypeError where it says no text of it.
    """
    return body[number] == DELETED or DELETED_BEFORE in body[number]
