"""What Canada Post sells and how it spells it: services, options, boxes, label forms, scan codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from shipcli.carrier import Option, OptionTable, Preset, RowTable, Service, ServiceTable, StatusMap

CANADA = ("CA",)
SERVICES = ServiceTable(
    [
        Service(slug="canadapost_regular_parcel", code="DOM.RP", origins=CANADA),
        Service(slug="canadapost_expedited_parcel", code="DOM.EP", origins=CANADA),
        Service(slug="canadapost_xpresspost", code="DOM.XP", origins=CANADA),
        Service(slug="canadapost_xpresspost_certified", code="DOM.XP.CERT", origins=CANADA),
        Service(slug="canadapost_priority", code="DOM.PC", origins=CANADA),
        Service(slug="canadapost_library_books", code="DOM.LIB", origins=CANADA),
        Service(slug="canadapost_expedited_parcel_usa", code="USA.EP", origins=CANADA),
        Service(slug="canadapost_priority_worldwide_envelope_usa", code="USA.PW.ENV", origins=CANADA),
        Service(slug="canadapost_priority_worldwide_pak_usa", code="USA.PW.PAK", origins=CANADA),
        Service(slug="canadapost_priority_worldwide_parcel_usa", code="USA.PW.PARCEL", origins=CANADA),
        Service(slug="canadapost_small_packet_usa_air", code="USA.SP.AIR", origins=CANADA),
        Service(slug="canadapost_tracked_packet_usa", code="USA.TP", origins=CANADA),
        Service(slug="canadapost_tracked_packet_usa_lvm", code="USA.TP.LVM", origins=CANADA),
        Service(slug="canadapost_xpresspost_usa", code="USA.XP", origins=CANADA),
        Service(slug="canadapost_xpresspost_international", code="INT.XP", origins=CANADA),
        Service(slug="canadapost_international_parcel_air", code="INT.IP.AIR", origins=CANADA),
        Service(slug="canadapost_international_parcel_surface", code="INT.IP.SURF", origins=CANADA),
        Service(slug="canadapost_priority_worldwide_envelope_intl", code="INT.PW.ENV", origins=CANADA),
        Service(slug="canadapost_priority_worldwide_pak_intl", code="INT.PW.PAK", origins=CANADA),
        Service(slug="canadapost_priority_worldwide_parcel_intl", code="INT.PW.PARCEL", origins=CANADA),
        Service(slug="canadapost_small_packet_international_air", code="INT.SP.AIR", origins=CANADA),
        Service(slug="canadapost_small_packet_international_surface", code="INT.SP.SURF", origins=CANADA),
        Service(slug="canadapost_tracked_packet_international", code="INT.TP", origins=CANADA),
    ]
)
OPTIONS = OptionTable(
    [
        Option(slug="canadapost_signature", code="SO", aliases=("signature_confirmation",)),
        Option(slug="canadapost_coverage", code="COV", type=Decimal, aliases=("insurance",)),
        Option(
            slug="canadapost_collect_on_delivery", code="COD", type=Decimal, aliases=("cash_on_delivery",)
        ),
        Option(slug="canadapost_proof_of_age_required_18", code="PA18"),
        Option(slug="canadapost_proof_of_age_required_19", code="PA19"),
        Option(slug="canadapost_card_for_pickup", code="HFP"),
        Option(slug="canadapost_do_not_safe_drop", code="DNS"),
        Option(slug="canadapost_leave_at_door", code="LAD"),
        Option(slug="canadapost_deliver_to_post_office", code="D2PO"),
        Option(slug="canadapost_return_at_senders_expense", code="RASE"),
        Option(slug="canadapost_return_to_sender", code="RTS"),
        Option(slug="canadapost_abandon", code="ABAN"),
        Option(slug="canadapost_cost_center", code="cost-centre", type=str),
        Option(slug="canadapost_submit_shipment", code="transmit-shipment"),
    ]
)
COVERAGE = "COV"
NON_DELIVERY = frozenset({"RASE", "RTS", "ABAN"})
RETURN_AT_SENDERS_EXPENSE = "canadapost_return_at_senders_expense"
# Options of ours that have an element of their own on the wire.
ELSEWHERE = frozenset({"cost-centre", "transmit-shipment"})


def _box(slug: str, width: str, height: str, length: str, weight: str | None = None, *aliases: str) -> Preset:
    """A box in centimetres and kilograms."""
    return Preset(
        slug=slug,
        aliases=aliases,
        width=Decimal(width),
        height=Decimal(height),
        length=Decimal(length),
        dimension_unit="CM",
        weight=Decimal(weight) if weight else None,
        weight_unit="KG",
    )


PRESETS = RowTable(
    [
        _box("canadapost_mailing_box", "10.2", "15.2", "1.0"),
        _box("canadapost_extra_small_mailing_box", "14.0", "14.0", "14.0"),
        _box("canadapost_small_mailing_box", "28.6", "22.9", "6.4"),
        _box("canadapost_medium_mailing_box", "31.0", "23.5", "13.3"),
        _box("canadapost_large_mailing_box", "38.1", "30.5", "9.5"),
        _box("canadapost_extra_large_mailing_box", "40.0", "30.5", "21.6"),
        _box("canadapost_corrugated_small_box", "42.0", "32.0", "32.0"),
        _box("canadapost_corrugated_medium_box", "46.0", "38.0", "32.0"),
        _box("canadapost_corrugated_large_box", "46.0", "46.0", "40.6"),
        _box(
            "canadapost_xexpresspost_certified_envelope",
            "26.0",
            "15.9",
            "1.5",
            "0.5",
            "canadapost_xexpresspost_regional_small_envelope",
        ),
        _box(
            "canadapost_xexpresspost_national_large_envelope",
            "40.0",
            "29.2",
            "1.5",
            "1.36",
            "canadapost_xexpresspost_regional_large_envelope",
        ),
    ]
)

_SCANS: Mapping[str, str] = {
    "delivered": (
        "1408 1409 1421 1422 1423 1424 1425 1426 1427 1428 1429 1430 1431 1432 1433 1434 1441 "
        "1442 1496 1497 1498 1499"
    ),
    "on_hold": "117 120 121 125 127 810 1411 1414 1443 1484 1487 1494 2411 2414 4700",
    "ready_for_pickup": "118 156 1407 1410 1435 1436 1437 1438 1479 1488 1701 2410",
    "delivery_failed": (
        "150 154 167 168 169 179 181 182 183 184 190 1100 1415 1416 1417 1418 1419 1420 1450 1481 "
        "1482 1483 1491 1492 1493 2600 2802 3001 4650"
    ),
    "delivery_delayed": "159 160 161 162 163 172 173 2412",
    "out_for_delivery": "174 500",
}
STATUSES = StatusMap({code: status for status, codes in _SCANS.items() for code in codes.split()})


@dataclass(frozen=True, slots=True)
class LabelForm:
    """A label as Canada Post prints it."""

    encoding: str
    size: str


LABEL_FORMS: Mapping[str, LabelForm] = {
    "PDF_4x6": LabelForm("PDF", "4x6"),
    "PDF_8_5x11": LabelForm("PDF", "8.5x11"),
    "ZPL_4x6": LabelForm("ZPL", "4x6"),
}
LABEL_ALIASES: Mapping[str, str] = {"PDF": "PDF_4x6", "ZPL": "ZPL_4x6"}
PAYMENT_METHODS: Mapping[str, str] = {
    "account": "Account",
    "sender": "Account",
    "recipient": "Account",
    "card": "CreditCard",
    "credit_card": "CreditCard",
    "supplier_account": "SupplierAccount",
    "third_party": "SupplierAccount",
}
