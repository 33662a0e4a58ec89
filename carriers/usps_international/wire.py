"""What the international product says otherwise than the domestic one: where to, the customs form. Pure."""

from __future__ import annotations

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.models import Address, Commodity, Customs, RateRequest, ShipmentRequest

from ..usps.parts import Piece, write_address, write_pounds, write_who
from ..usps.rates import write_parcel
from ..usps.shipments import write_package

CATALOGUE = load_catalogue(__file__)
LONGEST_CERTIFICATE, LONGEST_DESCRIPTION = 12, 30


def write_rate(request: RateRequest, piece: Piece, price_type: str | None, account: Json) -> Json:
    """A price request abroad. One mail class can be named, or all of them."""
    chosen, recipient = CATALOGUE.services.list_chosen(request.services), request.recipient
    body = {
        **write_parcel(piece, account),
        "foreignPostalCode": recipient.postal_code,
        "destinationCountryCode": recipient.country_code,
        "mailClass": chosen[0].code if len(chosen) == 1 else "ALL",
        "itemValue": piece.value,
        "priceType": price_type,
    }
    return dict(drop_empty(body))


def write_label(request: ShipmentRequest, piece: Piece, image: str, reference: Json) -> Json:
    """A label abroad. Whether a reference is printed can't be said here."""
    shipper = write_address(request.shipper)
    named = {"referenceNumber": reference["referenceNumber"]}
    body = {
        "imageInfo": {"imageType": image, "labelType": "4X6LABEL"},
        "toAddress": write_recipient(request.recipient),
        "fromAddress": shipper,
        "senderAddress": shipper,
        "packageDescription": write_package(piece, CATALOGUE.services.code(request.service), named),
        "customsForm": write_customs(piece),
    }
    return dict(drop_empty(body))


def write_recipient(address: Address) -> Json:
    return {
        **write_who(address),
        "streetAddress": address.street,
        "secondaryAddress": address.address_line2,
        "city": address.city,
        "postalCode": address.postal_code,
        "province": address.state_code,
        "country": address.country_code,
        "countryISOAlpha2Code": address.country_code,
        "phone": address.phone_number,
    }


# Goods of 2,500 USD or less under each HS number. Source: 15 CFR 30.37(a); Labels API 3.3.7, AESITN.
LONGEST_REFERENCE = 28
NO_FILING = "NO EEI 30.37(a)"


def write_customs(piece: Piece) -> Json:
    """The declaration of one parcel."""
    customs = piece.request.customs or Customs()
    goods = list_parcel_goods(piece.request, piece.parcel)
    own = RequestOptions.of_customs(CATALOGUE, customs)
    types, to = CATALOGUE.table("content_types"), piece.request.recipient
    importer = to.federal_tax_id or to.state_tax_id
    return {
        "contentComments": customs.content_description,
        "restrictionType": piece.options.text("usps_restriction_type"),
        "restrictionComments": piece.options.text("usps_restriction_comments"),
        "AESITN": own.text("aes") or own.text("eel_pfc") or NO_FILING,
        "invoiceNumber": customs.invoice,
        "importersReference": write_reference("TAX_CODE", importer),
        "exportersReference": write_reference("VAT_NUMBER", own.text("vat_registration_number")),
        "licenseNumber": own.text("license_number"),
        "certificateNumber": cut_text(own.text("certificate_number"), LONGEST_CERTIFICATE),
        "customsContentType": types.get(customs.content_type or "", types["other"]),
        "contents": [write_item(item) for item in goods],
    }


def write_reference(kind: str, number: str | None) -> Json | None:
    """Source: International Labels API 3.3.7, CustomsReference."""
    return {"referenceType": kind, "reference": number[:LONGEST_REFERENCE]} if number else None


def write_item(item: Commodity) -> Json:
    """One line of the form. Units: pounds and USD, per piece and for all pieces."""
    weight, value = item.weight_in("LB"), item.value_amount
    return {
        "itemDescription": cut_text(item.description or item.title, LONGEST_DESCRIPTION) or "Item",
        "itemQuantity": item.quantity,
        "itemValue": value,
        "itemTotalValue": None if value is None else value * item.quantity,
        "weightUOM": "lb",
        "itemWeight": None if weight is None else write_pounds(weight),
        "itemTotalWeight": None if weight is None else write_pounds(weight * item.quantity),
        "HSTariffNumber": item.hs_code,
        "countryofOrigin": item.origin_country,
    }
