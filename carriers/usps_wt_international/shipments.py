"""Labels to other countries: four products, each with a document of its own. Pure.

Every field is written once; a product takes those that its schema has, in its order (the table `fields`).
Units: pounds and ounces of one weight, which add up; inches with two decimals; amounts in USD.
Source: eVSExpressMailIntlRequest.xsd, eVSPriorityMailIntlRequest.xsd, eVSFirstClassMailIntlRequest.xsd,
eVSGXGGetLabelRequest.xsd.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import ROUND_UP, Decimal
from typing import Any

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Commodity, Customs, Invalid, Parcel, ShipmentRequest
from shipcli.models.basics.reference import list_states

from ..usps_wt.parts import NO, packaging_code, read_extras, read_insurance, write_sides, zip4, zip5
from ..usps_wt.shipments import NOBODY, label_format, write_item

CATALOGUE = load_catalogue(__file__)
EXPRESS, PRIORITY, FIRST, GXG = (
    "eVSExpressMailIntl", "eVSPriorityMailIntl", "eVSFirstClassMailIntl", "eVSGXGGetLabel",
)  # fmt: skip
INSURED_AS = {EXPRESS: "express_mail", PRIORITY: "priority_mail", GXG: "global_express"}
OUNCES_PER_POUND, OTHER, TERMS = 16, "OTHER", "Net 50"
REDIRECT, ABANDON = "usps_option_redirect_non_delivery", "usps_option_abandon_non_delivery"


def label_api(service: str) -> str:
    """The API that makes the labels of a service.

    Errors: Invalid for a service of which no labels are made.
    """
    product = CATALOGUE.table("service_types").get(service)
    if product is None:
        raise Invalid("service", f"Web Tools make no labels for {service}")
    return str(CATALOGUE.table("apis")[product])


def check_product(api: str, options: RequestOptions) -> None:
    """Errors: Invalid for what happens to no parcel of this product that nobody takes."""
    if "NonDeliveryOption" not in CATALOGUE.table("fields")[api]:
        options.refuse(dict.fromkeys((REDIRECT, ABANDON), "Parcels of this service are returned"))


def pick_fields(api: str, fields: Mapping[str, Any]) -> Json:
    """The fields of a product, in its order; the names of one product may mean something of its own."""
    return {name: fields.get(f"{api}/{name}", fields.get(name)) for name in CATALOGUE.table("fields")[api]}


def write_fields(request: ShipmentRequest, at: int, options: RequestOptions, day: str) -> Json:
    """All fields that any product has. Shapes: `day` is %m/%d/%Y; `api/name` is a field of one product."""
    parcel, extras = request.parcels[at], [extra.code for extra in read_extras(options)]
    goods = list_parcel_goods(request, parcel)
    customs = (request.customs or Customs()).model_copy(update={"commodities": goods})
    return {
        "Revision": 2,
        "ImageParameters": {"ImageParameter": label_format(request.label_type)},
        **write_shipper(request.shipper, customs.signer),
        **write_recipient(request.recipient),
        **write_non_delivery(options),
        **write_weight(parcel),
        **write_customs(customs, request.recipient),
        **write_insurance(options),
        "Container": packaging_code(CATALOGUE, parcel, "package"),
        f"{GXG}/ContentType": "DOCUMENTS" if parcel.is_document else "NON-DOC",
        "ImageType": "PDF",
        "ImageLayout": "ALLINONEFILE",
        "CustomerRefNo": request.reference,
        "LabelDate": day,
        "ShipDate": day,
        **write_sides(parcel),
        "ExtraServices": {"ExtraService": extras} if extras else None,
        "Machinable": options.flag("usps_option_machinable_item"),
        "DestinationRateIndicator": "I",
    }


# -- addresses -------------------------------------------------------------------------------------


def state_name(country: str | None, code: str | None) -> str | None:
    """The state in full; what is none of the country's codes stands for itself."""
    return list_states().get(country or "", {}).get(code or "", code or None)


def write_shipper(shipper: Address, signer: str | None) -> Json:
    """Who sends: who signs the declaration leads. Global Express has the street before the flat."""
    street, flat = shipper.street, shipper.address_line2 or ""
    return {
        "FromFirstName": signer or shipper.person_name or NOBODY,
        "FromLastName": shipper.person_name,
        "FromFirm": shipper.company_name or NOBODY,
        "FromAddress1": flat,
        "FromAddress2": street,
        f"{GXG}/FromAddress1": street,
        f"{GXG}/FromAddress2": flat,
        "FromCity": shipper.city,
        "FromState": state_name("US", shipper.state_code),
        "FromZip5": zip5(shipper.postal_code),
        "FromZip4": zip4(shipper.postal_code),
        "FromZIP5": zip5(shipper.postal_code),
        "FromZIP4": zip4(shipper.postal_code) or None,
        "FromPhone": shipper.phone_number,
    }


def write_recipient(recipient: Address) -> Json:
    street, flat = recipient.street, recipient.address_line2 or ""
    return {
        "ToFirstName": recipient.person_name,
        "ToLastName": recipient.person_name,
        "ToFirm": recipient.company_name or NOBODY,
        "ToAddress1": flat,
        "ToAddress2": street,
        f"{GXG}/ToAddress1": street,
        f"{GXG}/ToAddress2": flat,
        "ToCity": recipient.city,
        "ToProvince": state_name(recipient.country_code, recipient.state_code),
        f"{GXG}/ToProvince": recipient.state_code,
        "ToCountry": recipient.country_name,
        "ToPostalCode": recipient.postal_code,
        "ToPhone": recipient.phone_number,
        "ToEmail": recipient.email,
        "RecipientEMail": recipient.email,
        "ToDPID": "000",
        "ToTaxID": recipient.federal_tax_id or recipient.state_tax_id,
    }


def write_non_delivery(options: RequestOptions) -> Json:
    """What becomes of a parcel that nobody takes: it is returned unless an option says otherwise."""
    choices = [
        choice
        for choice in options.list_chosen()
        if "non_delivery" in choice.slug and str(choice.value).lower() not in NO
    ]
    address = options.address(REDIRECT) or Address()
    return {
        "NonDeliveryOption": choices[0].code if choices else "RETURN",
        "RedirectName": address.person_name,
        "RedirectEmail": address.email,
        "RedirectSMS": address.phone_number,
        "RedirectAddress": " ".join(address.lines) or None,
        "RedirectCity": address.city,
        "RedirectState": address.state_code,
        "RedirectZipCode": zip5(address.postal_code) or None,
        "RedirectZip4": zip4(address.postal_code),
    }


# -- weights, values and goods ---------------------------------------------------------------------


def split_weight(ounces: Decimal) -> tuple[int, Decimal]:
    """Pounds and the ounces that are left: USPS adds them up."""
    pounds = int(ounces // OUNCES_PER_POUND)
    return pounds, ounces - pounds * OUNCES_PER_POUND


def write_weight(parcel: Parcel) -> Json:
    """The weight with its packaging; Priority Mail takes whole ounces (xs:integer)."""
    ounces = round_measure(parcel.weight_in("OZ"))
    whole = split_weight(ounces.quantize(Decimal(1), ROUND_UP))
    pounds, remainder = split_weight(ounces)
    return {
        "GrossPounds": pounds,
        "GrossOunces": remainder,
        f"{PRIORITY}/GrossPounds": whole[0],
        f"{PRIORITY}/GrossOunces": whole[1],
    }


def write_insurance(options: RequestOptions) -> Json:
    """The amount each product would insure, by its own option or the unified one."""
    amounts = {api: read_insurance(options, word) for api, word in INSURED_AS.items()}
    return {
        "Insured": amounts[PRIORITY] is not None,
        f"{PRIORITY}/InsuredAmount": amounts[PRIORITY],
        f"{EXPRESS}/InsuredAmount": amounts[EXPRESS],
        "InsuredValue": amounts[GXG],
    }


def write_customs(customs: Customs, recipient: Address) -> Json:
    options, invoice = RequestOptions.of_customs(CATALOGUE, customs), customs.commercial_invoice
    terms = CATALOGUE.table("incoterms").get(customs.incoterm or OTHER, OTHER)
    content = CATALOGUE.table("content_types").get(customs.content_type or "other")
    return {
        "ShippingContents": {"ItemDetail": [write_goods(commodity) for commodity in customs.commodities]},
        f"{GXG}/ShippingContents": {
            "ItemDetail": [write_express_goods(commodity) for commodity in customs.commodities]
        },
        "ContentType": content,
        "PurposeOfShipment": content,
        "ContentTypeOther": customs.content_description or NOBODY,
        "Agreement": "Y" if customs.certify else "N",
        "Comments": customs.content_description,
        "LicenseNumber": options.text("license_number"),
        "CertificateNumber": options.text("certificate_number"),
        "EELPFC": options.text("eel_pfc"),
        "InvoiceNumber": customs.invoice,
        "InvoiceDate": write_day(customs.invoice_date),
        "TermsDelivery": terms,
        "TermsDeliveryOther": (customs.incoterm or terms) if terms == OTHER else None,
        "CountryUltDest": recipient.country_name,
        "CIRequired": invoice,
        "CIAgreement": invoice,
        "CommercialShipment": invoice,
        "BuyerRecipient": invoice,
        "TermsPayment": TERMS if invoice else None,
    }


def write_day(day: str | None) -> str | None:
    """%m/%d/%Y of an ISO day; None for none."""
    return f"{date.fromisoformat(day[:10]):%m/%d/%Y}" if day else None


def write_goods(item: Commodity) -> Json:
    ounces = item.weight_in("OZ")
    pounds, remainder = (None, None) if ounces is None else split_weight(round_measure(ounces))
    return {**write_item(item), "NetPounds": pounds, "NetOunces": remainder}


def write_express_goods(item: Commodity) -> Json:
    """One line of Global Express, which has names of its own for the same."""
    line = write_goods(item)
    return {
        "Description": line["Description"],
        "Commodity": cut_item_text(item, item.title or item.description, 35) or NOBODY,
        "Quantity": line["Quantity"],
        "UnitValue": line["Value"],
        "NetPounds": line["NetPounds"],
        "NetOunces": line["NetOunces"],
        "HSTariffNumber": line["HSTariffNumber"],
        "CountryofManufacture": line["CountryOfOrigin"],
    }
