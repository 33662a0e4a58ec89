"""Labels: the numbers of shipments and parcels, the message that prints their labels, and the labels.

Every parcel is a shipment of its own, with a parcel number (SSCC).
Source: the carrier's sample Print message 2.5; GS1 General Specifications 7.9 for the check digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from shipcli.carrier import Flow, RequestOptions, Reserve
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.label_files import decode_file, encode_file, merge_papers
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Invalid, Label, Parcel, ShipmentRequest
from shipcli.models.basics.check_digits import compute_check_digit

from ..allied_express.wire import write_volume
from .parts import (
    BUSINESS,
    CATALOGUE,
    CHANNEL,
    TENTH,
    freight_mode,
    is_file,
    pickup_day,
    read_responses,
    write_header,
    write_instant,
    write_party,
)

if TYPE_CHECKING:
    from . import Tge
SHIPMENT_DIGITS, SSCC_DIGITS = 7, 17


# -- numbers ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbers:
    """The numbers of a shipment's parcels, and the counters of the last ones where they are counted here."""

    shipments: list[str]
    parcels: list[str]
    shipment_count: int | None = None
    parcel_count: int | None = None


class NumberRange(NamedTuple):
    """What the carrier assigned: numbers of a kind under a prefix, from the first to the last."""

    owner: str
    start: int | None
    end: int | None


def take_numbers(carrier: Tge, request: ShipmentRequest) -> Flow[Numbers]:
    """The numbers that the caller names, else the next ones of the connection's ranges.

    Errors: Invalid where the caller names another count of numbers; CarrierError when a range is used up.
    """
    options, config, account = carrier.options_of(request), carrier.config, carrier.account
    count = len(request.parcels)
    ids, last = _named(options, "tge_shipment_ids", count), None
    if not ids:
        number_range = NumberRange(
            f"shipments {config.SHIP_GS1}", config.SHIP_range_start, config.SHIP_range_end
        )
        taken = yield from _take(carrier, number_range, account.shipment_count, count)
        ids, last = [f"{config.SHIP_GS1 or ''}{number:0{SHIPMENT_DIGITS}d}" for number in taken], taken[-1]
    codes, last_code = _named(options, "tge_ssc_ids", count), None
    if not codes:
        number_range = NumberRange(
            f"parcels {config.SSCC_GS1}", config.SSCC_range_start, config.SSCC_range_end
        )
        taken = yield from _take(carrier, number_range, account.sscc_count, count)
        codes, last_code = [make_sscc(config.SSCC_GS1 or "", number) for number in taken], taken[-1]
    return Numbers(ids, codes, last, last_code)


def _named(options: RequestOptions, name: str, count: int) -> list[str]:
    values = [str(value) for value in options.items(name)]
    if values and len(values) != count:
        raise Invalid(f"options.{name}", f"a number for each of {count} parcels is needed")
    return values


def _take(carrier: Tge, number_range: NumberRange, used: int | None, count: int) -> Flow[list[int]]:
    """The next numbers of a range, above those used here and the last one `used` elsewhere."""
    above = max(used or 0, (number_range.start or 1) - 1)
    numbers: list[int] = yield Reserve(
        f"{number_range.owner} {number_range.start}-{number_range.end}", count, above
    )
    if number_range.end is not None and numbers[-1] > number_range.end:
        raise carrier.refuse(
            "numbers_used_up", f"The range of numbers ends at {number_range.end}: ask TGE for another"
        )
    return numbers


def make_sscc(prefix: str, number: int) -> str:
    """00, the prefix and the number filled up to 17 digits, a check digit."""
    body = f"{prefix}{number}".zfill(SSCC_DIGITS)
    return f"00{body}{compute_check_digit(body)}"


# -- the message -----------------------------------------------------------------------------------


def file_kind(request: ShipmentRequest) -> str:
    """PDF, unless printer language is asked for."""
    return "ZPL" if "ZPL" in (request.label_type or "") else "PDF"


def write_label(carrier: Tge, request: ShipmentRequest, numbers: Numbers) -> Json:
    despatch = f"{pickup_day(carrier, request.shipper, carrier.options_of(request))}T10:00:00.000Z"
    return write_print(carrier, request, numbers, "Label", despatch)


def write_print(
    carrier: Tge, request: ShipmentRequest, numbers: Numbers, kind: str, despatch: str, index: int = 0
) -> Json:
    """The message that prints the labels or the manifest of a shipment."""
    config, at = carrier.config, write_instant(carrier.now)
    header = {
        **write_header(carrier, kind, "2.5", index),
        "CreateTimestamp": at,
        "Environment": "TST" if carrier.context.test_mode else "PRD",
        "SourceSystemCode": config.channel or CHANNEL,
    }
    pairs = zip(request.parcels, numbers.shipments, numbers.parcels, strict=True)
    days = {"DatePeriodCollection": {"DatePeriod": write_days(carrier.options_of(request), despatch)}}
    shared = {**_shared(carrier, request, at), **days}
    shipments = [{**shared, **_parcel(request, *pair)} for pair in pairs]
    message = {
        "BusinessID": config.business_id or BUSINESS,
        "PrintSettings": _settings(file_kind(request)),
        "PrintDocumentType": kind,
        "ConsignorParty": write_party(request.shipper),
        "CreateDateTime": at,
        "ShipmentCollection": {"Shipment": shipments},
    }
    return dict(drop_empty({"TollMessage": {"Header": header, "Print": message}}))


def _settings(kind: str) -> Json:
    raw = "true" if kind == "ZPL" else "false"
    page = None if kind == "ZPL" else {"IsPDFA4": "true", "PDFSettings": {"StartQuadrant": "1"}}
    return {"IsLabelThermal": raw, "IsZPLRawResponseRequired": raw, "PDF": page}


def write_days(options: RequestOptions, despatch: str) -> list[Json]:
    """When it leaves, and when it has to be there where somebody says so."""
    delivery_date = options.text("tge_required_delivery_date")
    due = [{"DateTime": delivery_date, "DateType": "RequiredDeliveryDate"}] if delivery_date else []
    return [{"DateTime": options.text("tge_despatch_date") or despatch, "DateType": "DespatchDate"}, *due]


def _shared(carrier: Tge, request: ShipmentRequest, at: str) -> Json:
    """What is said of every parcel."""
    options, payment = carrier.options_of(request), request.payment
    paid_by = payment.paid_by if payment else "sender"
    account = (payment.account_number if payment else None) or carrier.account.account_code
    reference = request.reference or carrier.reference()
    return {
        "BillToParty": {"AccountCode": account, "Payer": "S" if paid_by == "sender" else "R"},
        "ConsigneeParty": write_party(request.recipient),
        "CreateDateTime": at,
        "FreightMode": freight_mode(carrier, options),
        "References": {"Reference": [{"ReferenceType": "ShipmentReference1", "ReferenceValue": reference}]},
        "SpecialInstruction": options.text("tge_special_instruction"),
    }


def _parcel(request: ShipmentRequest, parcel: Parcel, shipment: str, sscc: str) -> Json:
    packaging = CATALOGUE.packaging.get(parcel.packaging_type) or CATALOGUE.packaging.rows[0]
    sides = {
        "Height": parcel.height_in("CM"),
        "Length": parcel.length_in("CM"),
        "Width": parcel.width_in("CM"),
    }
    sizes = {name: round_measure(side, TENTH) for name, side in sides.items() if side is not None}
    item = {
        "Commodity": {"CommodityCode": packaging.code, "CommodityDescription": packaging.slug},
        "Description": parcel.description or "N/A",
        "Dimensions": {
            **sizes,
            **{f"{name}UOM": "m3" for name in sides},
            "Volume": write_volume([parcel]),
            "VolumeUOM": "m3",
            "Weight": round_measure(parcel.weight_in("KG"), TENTH),
            "WeightUOM": "kg",
        },
        "IDs": {"ID": [{"SchemeName": "SSCC", "Value": sscc}]},
        "ShipmentItemTotals": {"ShipmentItemCount": 1},
        "ShipmentService": {"ServiceCode": CATALOGUE.services.code(request.service)},
    }
    return {"ShipmentID": shipment, "ShipmentItemCollection": {"ShipmentItem": [item]}}


# -- the answer ------------------------------------------------------------------------------------


def read_files(body: Json) -> list[str]:
    """The files of an answer in base64; printer language may come as it is."""
    texts = [str(response["ResponseMessage"]) for response in read_responses(body) if is_file(response)]
    return [text if decode_file(text) else encode_file(text.encode()) for text in texts]


def read_label(body: Json, numbers: Numbers, kind: str) -> Label:
    files, first = read_files(body), numbers.shipments[0]
    counts = {"shipment_count": numbers.shipment_count, "sscc_count": numbers.parcel_count}
    several = {"tracking_numbers": numbers.shipments} if len(numbers.shipments) > 1 else {}
    return Label(
        tracking_number=first,
        shipment_identifier=first,
        label_type=kind,
        docs=merge_papers({"label": files}, kind),
        meta={
            "ShipmentID": first,
            "ShipmentIDs": numbers.shipments,
            "SSCCs": numbers.parcels,
            **{name: count for name, count in counts.items() if count is not None},
            **several,
            "manifest_required": True,
        },
    )
