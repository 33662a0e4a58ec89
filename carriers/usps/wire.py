"""Our requests in the Postal Service's JSON: writers, pure.

Shapes: pounds and inches with two decimals; amounts in USD; ZIP codes apart from their +4.
Source: Prices, Labels, Tracking, Carrier Pickup and SCAN Forms APIs, version 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from carriers.usps.catalogue import PICKUP_PLACES
from shipcli.carrier import CatalogueRow, OptionTable, RowTable
from shipcli.models import (
    Address,
    Commodity,
    ManifestRequest,
    Parcel,
    PickupRequest,
    RateRequest,
    ShipmentRequest,
)

CENT = Decimal("0.01")
LONGEST_REFERENCE = 30
BELOW_500, ABOVE_500, MOST_BELOW = "930", "931", 500
SECURED = ("usps_insurance_below_500", "usps_insurance_above_500", "usps_collect_on_delivery")
USUAL_PLACE = "FRONT_DOOR"
USUAL_INDICATOR = "DR"  # dimensional rectangular
NONRECTANGULAR = frozenset({"DN", "3R", "SN"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One parcel of a request, with all that a writer needs besides."""

    request: RateRequest | ShipmentRequest
    parcel: Parcel
    catalogue: OptionTable
    packaging: RowTable[CatalogueRow]
    mailing_date: str

    @property
    def options(self) -> dict[str, Any]:
        """The shipment's options, those of the parcel first."""
        return {**self.request.options, **self.parcel.options}

    def option(self, slug: str, default: Any = None) -> Any:
        return self.catalogue.value(slug, self.options, default)

    @property
    def indicator(self) -> str:
        """The rate indicator: the option's, else that of the packaging, else the usual one."""
        packaging = self.packaging.get(self.parcel.packaging_type)
        return str(self.option("usps_rate_indicator") or (packaging.code if packaging else USUAL_INDICATOR))

    @property
    def extra_services(self) -> list[int]:
        """Codes of the paid extras; insurance by its amount, whichever of its two names was used."""
        chosen = [one for one in self.catalogue.chosen(self.options) if one.code.isdigit()]
        return list(dict.fromkeys(_service_code(one.code, one.value) for one in chosen))


def _service_code(code: str, value: Any) -> int:
    insured_above = code == BELOW_500 and value > MOST_BELOW
    return int(ABOVE_500 if insured_above else code)


def given(**members: Any) -> dict[str, Any]:
    """The members that have a value: null, empty text and empty containers are left out, 0 and false stay."""
    return {name: value for name, value in members.items() if value not in (None, "", [], {})}


def two_decimals(value: Decimal | None) -> Decimal | None:
    return None if value is None else value.quantize(CENT, ROUND_HALF_UP)


def pounds(value: Decimal) -> Decimal:
    """A weight as sent: never 0."""
    return max(value.quantize(CENT, ROUND_HALF_UP), CENT)


def zip_code(postal_code: str | None) -> tuple[str | None, str | None]:
    """ZIP and +4 of 29440, 29440-1234 or 294401234."""
    digits = (postal_code or "").replace("-", "").replace(" ", "")
    return digits[:5] or None, digits[5:] or None


def names(person: str | None) -> tuple[str | None, str | None]:
    """First and last name; a single name stands for both."""
    words = (person or "").split()
    if not words:
        return None, None
    return " ".join(words[:-1]) or words[0], words[-1]


def goods_value(items: Iterable[Commodity]) -> Decimal:
    return sum(((item.value_amount or Decimal(0)) * item.quantity for item in items), Decimal(0))


# -- addresses -------------------------------------------------------------------------------------


def write_place(address: Address) -> dict[str, Any]:
    """Street, town and ZIP, without the state."""
    zip5, plus4 = zip_code(address.postal_code)
    street = " ".join(part for part in (address.street_number, address.address_line1) if part)
    return given(
        streetAddress=street,
        secondaryAddress=address.address_line2,
        city=address.city,
        ZIPCode=zip5,
        ZIPPlus4=plus4,
    )


def write_address(address: Address) -> dict[str, Any]:
    """An address of a label inside the United States."""
    first, last = names(address.person_name)
    return write_place(address) | given(
        state=address.state_code,
        firstName=first,
        lastName=last,
        firm=address.company_name,
        phone=address.phone_number,
        email=address.email,
        ignoreBadAddress=True,
    )


# -- prices ----------------------------------------------------------------------------------------


def write_price(piece: Piece, account: Mapping[str, str | None]) -> dict[str, Any]:
    """What every price request says; destination and mail class are added by the product."""
    parcel = piece.parcel
    return given(
        originZIPCode=zip_code(piece.request.shipper.postal_code)[0],
        weight=pounds(parcel.weight_in("LB")),
        length=two_decimals(parcel.length_in("IN")),
        width=two_decimals(parcel.width_in("IN")),
        height=two_decimals(parcel.height_in("IN")),
        priceType=piece.option("usps_price_type"),
        mailingDate=piece.mailing_date,
        extraServices=piece.extra_services,
        **account,
    )


# -- labels ----------------------------------------------------------------------------------------


def write_package(piece: Piece, mail_class: str, reference: Mapping[str, Any]) -> dict[str, Any]:
    """The parcel of a label."""
    parcel = piece.parcel
    machinable = "MACHINABLE" if piece.option("usps_machinable") else "NON_MACHINABLE"
    return given(
        weightUOM="lb",
        weight=pounds(parcel.weight_in("LB")),
        dimensionsUOM="in",
        length=two_decimals(parcel.length_in("IN")),
        height=two_decimals(parcel.height_in("IN")),
        width=two_decimals(parcel.width_in("IN")),
        girth=two_decimals(girth(parcel, piece.indicator)),
        mailClass=mail_class,
        rateIndicator=piece.indicator,
        processingCategory=piece.option("usps_processing_category", machinable),
        destinationEntryFacilityType=piece.options.get("usps_destination_facility_type") or "NONE",
        packageOptions=given(packageValue=package_value(piece) or None),
        customerReference=[dict(reference)],
        extraServices=piece.extra_services,
        mailingDate=piece.mailing_date,
    )


def girth(parcel: Parcel, indicator: str) -> Decimal | None:
    """Around the two smaller sides.

    Units: inches where it decides, on nonrectangular parcels; else the parcel's own unit, as the recorded
           exchanges have it (the carrier works out the girth of a rectangular parcel itself).
    """
    unit = "IN" if indicator in NONRECTANGULAR else parcel.size_unit
    sides = [parcel.length_in(unit), parcel.width_in(unit), parcel.height_in(unit)]
    known = sorted(side for side in sides if side is not None)
    return 2 * (known[0] + known[1]) if len(known) == len(sides) else None


def package_value(piece: Piece) -> Decimal:
    """The value of the contents: of its items, else of the declared goods, else what it is secured for."""
    customs = piece.request.customs
    items = goods_value(piece.parcel.items) or goods_value(customs.commodities if customs else ())
    if items:
        return items
    secured = [piece.option(slug) for slug in SECURED if slug in piece.catalogue]
    stated = [piece.options.get("declared_value"), *secured]
    return next((Decimal(str(amount)) for amount in stated if amount), Decimal(0))


# -- pickups and forms -----------------------------------------------------------------------------


def write_pickup(request: PickupRequest) -> dict[str, Any]:
    """A collection. The state is left out: the ZIP code decides, and the recorded requests have none."""
    kind = request.options.get("usps_package_type") or "OTHER"
    address = request.address
    weight = sum((parcel.weight_in("LB") for parcel in request.parcels), Decimal(0))
    return given(
        pickupDate=request.pickup_date,
        pickupAddress=given(
            firstName=address.person_name,
            firm=address.company_name,
            address=write_place(address),
            contact=[given(email=address.email)] if address.email else None,
        ),
        packages=[{"packageType": kind, "packageCount": max(1, len(request.parcels))}],
        estimatedWeight=pounds(weight),
        pickupLocation=_location(request.package_location, request.instruction),
    )


def _location(place: str | None, instruction: str | None) -> dict[str, Any]:
    """The carrier knows nine places by a word; any other is told in the instructions.

    Without a word from the caller it is the front door: the carrier wants a place.
    """
    if not place and not instruction:
        return {"packageLocation": USUAL_PLACE}
    word = (place or "").strip().upper().replace(" ", "_")
    if not word or word in PICKUP_PLACES:
        return given(packageLocation=word, specialInstructions=instruction)
    return given(
        packageLocation="OTHER",
        specialInstructions=", ".join(part for part in (place, instruction) if part),
    )


def write_scan_form(request: ManifestRequest, mailing_date: str) -> dict[str, Any]:
    """The end-of-day form 5630 of labels."""
    options, address = request.options, request.address
    first, last = names(address.person_name)
    sender = write_place(address) | given(firstName=first, lastName=last, firm=address.company_name)
    return given(
        form="5630",
        imageType="PDF",
        labelType="8.5x11LABEL",
        mailingDate=mailing_date,
        overwriteMailingDate=bool(options.get("usps_overwrite_mailing_date")),
        entryFacilityZIPCode=zip_code(address.postal_code)[0],
        destinationEntryFacilityType=options.get("usps_destination_entry_facility_type") or "NONE",
        shipment={"trackingNumbers": list(request.shipment_identifiers)},
        fromAddress=sender | {"ignoreBadAddress": bool(options.get("usps_ignore_bad_address"))},
    )


def payment_roles(account: Mapping[str, str | None], manifest_mid: str | None) -> dict[str, Any]:
    """Who owns the labels and who pays for them: the same account."""
    owner = given(roleName="LABEL_OWNER", manifestMID=manifest_mid, **account)
    return {"roles": [owner, given(roleName="PAYER", **account)]}
