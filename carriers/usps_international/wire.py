"""What the international product says otherwise than the domestic one: where to, the customs form. Pure."""

from __future__ import annotations

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import Address, Customs, Invalid, RateRequest, ShipmentRequest

from ..usps.customs import LONGEST_COMMENT, write_form
from ..usps.parts import LONGEST_CITY, Piece, list_asked, write_address, write_who
from ..usps.rates import EVERY_CLASS, write_parcel
from ..usps.shipments import write_package

CATALOGUE = load_catalogue(__file__)
LONGEST_POSTAL_CODE, LONGEST_PROVINCE, LONGEST_CERTIFICATE = 11, 40, 12
LONGEST_REFERENCE = 28
# Goods of 2,500 USD or less under each HS number, or to Canada. Source: 15 CFR 30.37(a) and 30.36.
NO_FILING, NO_FILING_TO_CANADA = "NO EEI 30.37(a)", "NO EEI 30.36"
NUMBERS = {"aes": 35, "eel_pfc": 35, "license_number": 16}


def write_rate(request: RateRequest, piece: Piece, price_type: str | None, account: Json) -> Json:
    """A price request abroad. One mail class can be named, or all of them."""
    rows, recipient = list_asked(request, CATALOGUE), request.recipient
    body = {
        **write_parcel(piece, account),
        "foreignPostalCode": recipient.postal_code,
        "destinationCountryCode": recipient.country_code,
        "mailClass": rows[0].code if len(rows) == 1 else EVERY_CLASS,
        "itemValue": piece.value,
        "priceType": price_type,
    }
    return dict(drop_empty(body))


def write_label(request: ShipmentRequest, piece: Piece, mail_class: str, image: str, reference: Json) -> Json:
    """A label abroad. Whether a reference is printed can't be said here."""
    shipper = write_address(request.shipper, piece.options)
    named = {"referenceNumber": reference["referenceNumber"]}
    body = {
        "imageInfo": {"imageType": image, "labelType": "4X6LABEL"},
        "toAddress": write_recipient(request.recipient),
        "fromAddress": shipper,
        "senderAddress": shipper,
        "packageDescription": write_package(piece, mail_class, named),
        "customsForm": write_customs(piece),
    }
    return dict(drop_empty(body))


def write_recipient(address: Address) -> Json:
    return {
        **write_who(address),
        "streetAddress": address.street,
        "secondaryAddress": address.address_line2,
        "city": cut_text(address.city, LONGEST_CITY),
        "postalCode": cut_text(address.postal_code, LONGEST_POSTAL_CODE),
        "province": cut_text(address.state_code, LONGEST_PROVINCE),
        "country": address.country_code,
        "countryISOAlpha2Code": address.country_code,
        "phone": address.phone_number,
    }


def write_customs(piece: Piece) -> Json:
    """The declaration of one parcel, with the number of its export filing or why it needs none.

    Errors: Invalid when nothing is known of its goods, or a number is too long.
    """
    options, to = piece.options, piece.request.recipient
    customs_options = RequestOptions.of_customs(CATALOGUE, piece.request.customs or Customs())
    check_numbers(customs_options)
    exempt = NO_FILING_TO_CANADA if to.country_code == "CA" else NO_FILING
    return {
        **write_form(piece, CATALOGUE.table("content_types")),
        "AESITN": customs_options.text("aes") or customs_options.text("eel_pfc") or exempt,
        "importersReference": write_reference("TAX_CODE", to.federal_tax_id or to.state_tax_id),
        "exportersReference": write_reference("VAT_NUMBER", customs_options.text("vat_registration_number")),
        "licenseNumber": customs_options.text("license_number"),
        "certificateNumber": cut_text(customs_options.text("certificate_number"), LONGEST_CERTIFICATE),
        "restrictionType": options.text("usps_restriction_type"),
        "restrictionComments": cut_text(options.text("usps_restriction_comments"), LONGEST_COMMENT),
    }


def write_reference(kind: str, number: str | None) -> Json | None:
    """Source: International Labels API 3.3.7, CustomsReference."""
    return {"referenceType": kind, "reference": number[:LONGEST_REFERENCE]} if number else None


def check_numbers(options: RequestOptions) -> None:
    """Errors: Invalid naming a number that the form has no room for: cut, it would be another."""
    for name, most in NUMBERS.items():
        if len(options.text(name) or "") > most:
            raise Invalid(f"customs.options.{name}", f"has more than {most} characters")
