"""What a shipment holds alike when it is priced and when it is bought: packages, options, money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Literal

from carriers.ups.catalogue import INDICATIONS, OPTIONS, PACKAGING, PLACES, WISHES
from carriers.ups.shapes import LINE, UNIT_CODES, YES, Json, measure, put
from shipcli.models import Parcel, RateRequest, ShipmentRequest

Use = Literal["rate", "ship"]
CURRENCY = "USD"
# Lanes on which a signature is asked for per package; on all others per shipment.
# Source: recorded for Canada; for the others see the Shipping API, appendix "Delivery Confirmation
# Origin-Destination Pairs", and the package's own codes (2 signature, 3 adult signature) of its DCISType.
PACKAGE_LANES = frozenset({("US", "US"), ("US", "PR"), ("PR", "US"), ("PR", "PR"), ("CA", "CA")})
# The same wish has another code on the package (2) than on the shipment (1).
SIGNATURE = {"P": "2", "S": "1"}
# Lanes on which UPS takes no reference of the shipment, only of its packages.
# Source: Shipping API, ReferenceNumber of Shipment and of Package.
PACKAGE_REFERENCES = frozenset({("US", "US"), ("PR", "PR")})


def packages(
    request: RateRequest | ShipmentRequest, units: tuple[str, str], use: Use, reference: str | None = None
) -> list[Json]:
    level, code = confirmation(request.options, lane(request))
    sign = {"DeliveryConfirmation": {"DCISType": code if level == "P" else None}}
    per_package = lane(request) in PACKAGE_REFERENCES
    return [
        _package(parcel, units, use)
        | {"PackageServiceOptions": sign}
        | (
            {"ReferenceNumber": _reference(parcel, reference if per_package else None)}
            if use == "ship"
            else {}
        )
        for parcel in request.parcels
    ]


def _package(parcel: Parcel, units: tuple[str, str], use: Use) -> Json:
    # Rating knows "unknown" (00); a label needs a kind, customer supplied (02) by default.
    name, default = ("PackagingType", "00") if use == "rate" else ("Packaging", "02")
    packaging = PACKAGING.get(parcel.packaging_type)
    weight = {"UnitOfMeasurement": {"Code": UNIT_CODES[units[0]], "Description": "Weight"}}
    return {
        "Description": (parcel.description or "")[:LINE] if use == "ship" else None,
        name: {"Code": packaging.code if packaging else default, "Description": "Packaging Type"},
        "Dimensions": _dimensions(parcel, units[1]),
        "PackageWeight": {**weight, "Weight": measure(parcel.weight_in(units[0]))},
    }


def _dimensions(parcel: Parcel, unit: str) -> Json | None:
    sides = parcel.length_in(unit), parcel.width_in(unit), parcel.height_in(unit)
    length, width, height = (measure(side) if side else None for side in sides)
    if not (length and width and height):
        return None
    code = {"Code": unit, "Description": "Dimension"}
    return {"UnitOfMeasurement": code, "Length": length, "Width": width, "Height": height}


def _reference(parcel: Parcel, reference: str | None) -> Json:
    return {"Value": parcel.reference_number or reference}


def with_options(shipment: Json, request: RateRequest | ShipmentRequest, use: Use) -> Json:
    """The shipment with what its options say, each where its row says."""
    put(shipment, "ShipmentRatingOptions/NegotiatedRatesIndicator", YES)
    for one in OPTIONS.chosen(request.options):
        place = PLACES.get(one.slug)
        path = getattr(place, use) if place else None
        if path:
            put(shipment, path, one.value if one.row.values else YES)
    level, code = confirmation(request.options, lane(request))
    if level == "S":
        put(shipment, "ShipmentServiceOptions/DeliveryConfirmation/DCISType", code)
    _collect(shipment, request.options)
    return shipment


def _collect(shipment: Json, options: Mapping[str, Any]) -> None:
    """Cash to collect: at the door, or at an access point."""
    cash = OPTIONS.value("ups_cod", options)
    if cash:
        put(
            shipment, "ShipmentServiceOptions/COD", {"CODFundsCode": "0", "CODAmount": _amount(cash, options)}
        )
    cash = OPTIONS.value("ups_access_point_cod", options)
    if cash:
        put(shipment, "ShipmentServiceOptions/AccessPointCOD", _amount(cash, options))


def confirmation(options: Mapping[str, Any], lane: tuple[str, str]) -> tuple[str, str | None]:
    """Where a signature is asked for (P package, S shipment) and its code; no code when none is wanted.

    A code the caller names goes out as it is; the unified wish becomes the code of the lane.
    """
    level = OPTIONS.value("ups_delivery_confirmation_level", options)
    level = level or ("P" if lane in PACKAGE_LANES else "S")
    code = OPTIONS.value("ups_delivery_confirmation", options)
    wanted = WISHES.value("signature_confirmation", options)
    return level, code or (SIGNATURE.get(level) if wanted else None)


def money_options(options: Mapping[str, Any]) -> Json:
    # UPS wants a value of the contents on some lanes; 1 stands for "not stated".
    return {
        "InvoiceLineTotal": _amount(WISHES.value("declared_value", options) or Decimal(1), options),
        "RatingMethodRequestedIndicator": YES,
        "TaxInformationIndicator": YES,
    }


def _amount(value: Decimal, options: Mapping[str, Any]) -> Json:
    cents = value.quantize(Decimal("0.01"), ROUND_HALF_UP)
    return {"CurrencyCode": options.get("currency") or CURRENCY, "MonetaryValue": str(cents)}


def indications(options: Mapping[str, Any]) -> list[Json]:
    chosen = [one for one in OPTIONS.chosen(options) if one.slug in INDICATIONS]
    return [{"Code": one.code, "Description": "Indicator"} for one in chosen]


def only_documents(parcels: Sequence[Parcel]) -> bool:
    return bool(parcels) and all(parcel.is_document for parcel in parcels)


def lane(request: RateRequest | ShipmentRequest) -> tuple[str, str]:
    return request.shipper.country_code or "", request.recipient.country_code or ""


def cut(text: str | None) -> str | None:
    return text[:LINE] if text else None
