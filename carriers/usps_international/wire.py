"""What international labels say beyond domestic ones: the foreign address and the customs form; pure."""

from __future__ import annotations

from typing import Any

from carriers.usps.wire import Piece, given, names, pounds
from carriers.usps_international.catalogue import CONTENT_TYPES, OTHER_CONTENT
from shipcli.models import Address, Commodity, Customs

LONGEST_CERTIFICATE = 12
LONGEST_DESCRIPTION = 30


def write_recipient(address: Address) -> dict[str, Any]:
    first, last = names(address.person_name)
    street = " ".join(part for part in (address.street_number, address.address_line1) if part)
    return given(
        streetAddress=street,
        secondaryAddress=address.address_line2,
        city=address.city,
        postalCode=address.postal_code,
        province=address.state_code,
        country=address.country_code,
        countryISOAlpha2Code=address.country_code,
        firstName=first,
        lastName=last,
        firm=address.company_name,
        phone=address.phone_number,
    )


def write_customs(piece: Piece) -> dict[str, Any]:
    """The declaration of one parcel: of its own items, else of the goods declared for the shipment."""
    customs = piece.request.customs or Customs()
    goods = piece.parcel.items or customs.commodities
    declared = customs.options
    certificate = str(declared.get("certificate_number") or "")
    return given(
        contentComments=customs.content_description,
        restrictionType=piece.options.get("usps_restriction_type"),
        restrictionComments=piece.options.get("usps_restriction_comments"),
        AESITN=declared.get("aes"),
        invoiceNumber=customs.invoice,
        licenseNumber=declared.get("license_number"),
        certificateNumber=certificate[:LONGEST_CERTIFICATE],
        customsContentType=CONTENT_TYPES.get(customs.content_type or "", OTHER_CONTENT),
        contents=[write_item(item) for item in goods],
    )


def write_item(item: Commodity) -> dict[str, Any]:
    """One line of the form. Units: pounds and USD, per piece and for all pieces."""
    weight = item.weight_in("LB")
    return given(
        itemDescription=(item.description or item.title or "Item")[:LONGEST_DESCRIPTION].strip(),
        itemQuantity=item.quantity,
        itemValue=item.value_amount,
        itemTotalValue=None if item.value_amount is None else item.value_amount * item.quantity,
        weightUOM="lb",
        itemWeight=None if weight is None else pounds(weight),
        itemTotalWeight=None if weight is None else pounds(weight * item.quantity),
        HSTariffNumber=item.hs_code,
        countryofOrigin=item.origin_country,
    )
