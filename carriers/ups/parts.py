"""What UPS bodies share: addresses, packages, units, money, options. Pure."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from shipcli.carrier import RequestOptions, load_catalogue, sum_goods
from shipcli.carrier.contents import choose_units
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import cut_text, wrap_lines
from shipcli.carrier.wire.json_paths import Json, set_path
from shipcli.carrier.wire.rounding import HUNDREDTH, round_half_up, round_measure
from shipcli.models import Address, Invalid, Parcel, RateRequest, ShipmentRequest
from shipcli.models.basics.phones import split_extension

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
Verb = Literal["rate", "ship"]

YES, LINE, EMAIL = "Y", 35, 50  # the longest line, e-mail address
LONGEST_CASH = 5
RELEASE_CODE = "ups_epra_release_code"
ACCESS_POINT, HOLD = "ups_access_point_id", "ups_access_point_pickup"
TENTH = Decimal("0.1")
UNIT_CODES = {"LB": "LBS", "KG": "KGS"}
# Lanes on which a signature is asked for per package; on all others per shipment.
# Source: recorded for Canada; for the others see the Shipping API, appendix "Delivery Confirmation
# Origin-Destination Pairs", and the package's own codes (2 signature, 3 adult signature) of its DCISType.
PACKAGE_LANES = frozenset({("US", "US"), ("US", "PR"), ("PR", "US"), ("PR", "PR"), ("CA", "CA")})
# The same wish has another code on the package (2) than on the shipment (1).
SIGNATURE = {"P": "2", "S": "1"}


def lane(request: Request) -> tuple[str, str]:
    return request.shipper.country_code or "", request.recipient.country_code or ""


def flag(on: bool) -> str | None:
    """An indicator: it is there or it is not."""
    return YES if on else None


def iso_day(text: Any) -> str | None:
    """YYYY-MM-DD; None for what is no date."""
    try:
        return date.fromisoformat(str(text)).isoformat()
    except ValueError:
        return None


# -- addresses -------------------------------------------------------------------------------------


def write_address(address: Address, *, residential: bool = False) -> Json:
    """Lines of 35 characters where three of them hold all; `residential` for the address of a delivery."""
    return {
        "AddressLine": wrap_lines(address.lines, LINE, 3),
        "City": address.city,
        "StateProvinceCode": address.state_code,
        "PostalCode": address.postal_code,
        "CountryCode": address.country_code,
        "ResidentialAddressIndicator": flag(residential and bool(address.residential)),
    }


def write_phone(text: str | None) -> Json:
    """The number, its extension apart."""
    number, extension = split_extension(text or "")
    return {"Number": number or None, "Extension": extension or None}


def company_or_person(address: Address) -> str | None:
    return cut_text(address.company_name or address.person_name, LINE)


def describe(request: ShipmentRequest) -> str | None:
    """What is in the shipment, in the 50 characters UPS prints."""
    goods = request.customs.commodities if request.customs else []
    words = [parcel.description for parcel in request.parcels]
    words = words if any(words) else [item.title or item.description for item in goods]
    return ", ".join(dict.fromkeys(word for word in words if word))[:50] or None


# -- units and packages ----------------------------------------------------------------------------


def write_weight(value: Decimal, unit: str, description: str, step: Decimal = HUNDREDTH) -> Json:
    """A weight in the 5 characters that UPS takes, never below the true one."""
    code = {"Code": UNIT_CODES[unit], "Description": description}
    weight = round_measure(value, step if value < 99 else TENTH)
    return {"UnitOfMeasurement": code, "Weight": format(weight.normalize(), "f")}


def write_side(value: Decimal) -> str:
    """A side in the 3 characters that UPS takes, never below the true one."""
    side = round_measure(value, TENTH if value < 9 else Decimal(1))
    return format(side.normalize(), "f")


def write_package(request: Request, parcel: Parcel, options: RequestOptions, verb: Verb) -> Json:
    """One package with options of its own.

    Rating knows "unknown" (00); a label needs a kind, customer supplied (02) by default.
    """
    weight_unit, size_unit = choose_units(request)
    name, default = ("PackagingType", "00") if verb == "rate" else ("Packaging", "02")
    packaging = CATALOGUE.packaging.get(parcel.packaging_type)
    level, code = read_confirmation(options, lane(request))
    return {
        "Description": cut_text(parcel.description, LINE) if verb == "ship" else None,
        name: {"Code": packaging.code if packaging else default, "Description": "Packaging Type"},
        "Dimensions": _dimensions(parcel, size_unit),
        "PackageWeight": write_weight(parcel.weight_in(weight_unit), weight_unit, "Weight"),
        "PackageServiceOptions": {
            "DeliveryConfirmation": {"DCISType": code if level == "P" else None},
            "DeclaredValue": _declared(options),
        },
    }


def _dimensions(parcel: Parcel, unit: str) -> Json | None:
    """The sides; the longest one is the length. Source: Shipping API, Dimensions/Length."""
    sides = parcel.sides_in(unit)
    if sides is None:
        return None
    code = {"Code": unit, "Description": "Dimension"}
    length, width, height = map(write_side, sorted(sides, reverse=True))
    return {"UnitOfMeasurement": code, "Length": length, "Width": width, "Height": height}


def _declared(options: RequestOptions) -> Json | None:
    """What UPS insures of a package. Source: Rating and Shipping API, PackageServiceOptions/DeclaredValue."""
    insured = options.insurance()
    return write_amount(insured, options) if insured else None


def read_confirmation(options: RequestOptions, lane: tuple[str, str]) -> tuple[str, str | None]:
    """Where a signature is asked for (P package, S shipment) and its code; no code when none is wanted.

    A code the caller names goes out as it is; the unified wish becomes the code of the lane.
    """
    level = options.text("ups_delivery_confirmation_level") or ("P" if lane in PACKAGE_LANES else "S")
    code = options.text("ups_delivery_confirmation")
    return level, code or (SIGNATURE.get(level) if options.signature() else None)


# -- money and options -----------------------------------------------------------------------------


def write_amount(value: Decimal, options: RequestOptions, currency: str | None = None) -> Json:
    cents = round_half_up(value)
    return {"CurrencyCode": currency or options.currency("USD"), "MonetaryValue": str(cents)}


def write_cash(value: Decimal) -> str:
    """What is collected, without cents where there are none: five characters are all there is room for.

    Source: Shipping API, CODAmount/MonetaryValue.
    Errors: Invalid.
    """
    text = f"{round_half_up(value).normalize():f}"
    if len(text) > LONGEST_CASH:
        raise Invalid("options.ups_cod", f"UPS collects an amount of {LONGEST_CASH} characters, not {text}")
    return text


def write_value(request: Request, options: RequestOptions) -> Json:
    """What the goods are worth: as declared, else what the items add up to.

    UPS wants a value on some lanes; 1 stands for "not stated".
    """
    items = [item for parcel in request.parcels for item in parcel.items]
    items = items or list(request.customs.commodities if request.customs else ())
    value = options.amount("declared_value") or sum_goods(items) or Decimal(1)
    return {
        "InvoiceLineTotal": write_amount(value, options, name_declared_currency(request, options, "USD")),
        "RatingMethodRequestedIndicator": YES,
        "TaxInformationIndicator": YES,
    }


def read_release_code(options: RequestOptions) -> str | None:
    """The code against which an access point hands the package out, where that is asked for.

    Source: Shipping API, EPRAReleaseCode. Errors: Invalid for none, and for one that UPS does not take.
    """
    code = options.text(RELEASE_CODE)
    if not options.flag("ups_epra_indicator"):
        return None
    if not re.fullmatch(r"[0-9]{4,6}", code or ""):
        raise Invalid(
            "options.ups_epra_indicator", f"needs a code of 4 to 6 digits in options.{RELEASE_CODE}"
        )
    return code


def write_indications(options: RequestOptions) -> list[Json]:
    """How an access point comes in; one that is named holds the package unless it brings it to the door."""
    codes = CATALOGUE.table("indications")
    chosen = [code for name, code in codes.items() if options.flag(name)]
    held = [] if chosen or not options.text(ACCESS_POINT) else [codes[HOLD]]
    return [{"Code": code, "Description": "Indicator"} for code in [*chosen, *held]]


def write_options(shipment: Json, request: Request, options: RequestOptions, verb: Verb) -> Json:
    """The shipment with what its options say, each where its row says."""
    if options.flag("ups_negotiated_rates_indicator", default=True):
        set_path(shipment, "ShipmentRatingOptions/NegotiatedRatesIndicator", YES)
    options.write(shipment, verb)
    if (code := read_release_code(options)) and verb == "ship":
        set_path(shipment, "ShipmentServiceOptions/EPRAReleaseCode", code)
    level, code = read_confirmation(options, lane(request))
    if level == "S" and code:
        set_path(shipment, "ShipmentServiceOptions/DeliveryConfirmation/DCISType", code)
    if cash := options.amount("ups_cod"):
        amount = {**write_amount(cash, options), "MonetaryValue": write_cash(cash)}
        cod = {"CODFundsCode": "0", "CODAmount": amount}
        set_path(shipment, "ShipmentServiceOptions/COD", cod)
    if cash := options.amount("ups_access_point_cod"):
        set_path(shipment, "ShipmentServiceOptions/AccessPointCOD", write_amount(cash, options))
    return shipment
