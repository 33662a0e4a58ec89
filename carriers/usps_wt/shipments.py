"""Labels inside the country: the order of one parcel, the label, its cancellation. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.carrier import Carrier, RequestOptions, list_parcel_goods, read_cost
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.address_parts import read_phone_digits
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Charge, Commodity, Customs, Label, Quote, ShipmentRequest

from .parts import (
    CATALOGUE,
    CURRENCY,
    DONE,
    INSURANCE,
    packaging_code,
    read_extras,
    read_insurance,
    write_sides,
    zip4,
    zip5,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

FORMAT, NOBODY, PHONE_DIGITS = "usps_6_x_4_label", "N/A", 10
UNCLEANSED = "usps_option_allow_non_cleansed_"
NUMBERS = ("BarcodeNumber", "USPSBarcodeNumber")


# -- the order -------------------------------------------------------------------------------------


def label_format(label_type: str | None) -> str:
    formats = CATALOGUE.table("label_formats")
    return str(formats.get(label_type or FORMAT, formats[FORMAT]))


def label_kind(label_type: str | None) -> str:
    return "ZPL" if "ZPL" in label_format(label_type) else "PDF"


def write_label(request: ShipmentRequest, at: int, options: RequestOptions, mailer: Json, day: str) -> Json:
    """One parcel. Shapes: `day` is %m/%d/%Y; the members are in the order of the schema."""
    parcel, customs = request.parcels[at], request.customs
    shipper, recipient = request.shipper, request.recipient
    extras = [extra.code for extra in read_extras(options) if not extra.slug.startswith(INSURANCE)]
    return {
        "Revision": 1,
        "ImageParameters": {
            "ImageParameter": label_format(request.label_type),
            "LabelSequence": {"PackageNumber": at + 1, "TotalPackages": len(request.parcels)},
        },
        **write_end("From", shipper),
        "AllowNonCleansedOriginAddr": options.flag(
            "usps_option_allow_non_cleansed_origin_addr", default=True
        ),
        **write_end("To", recipient),
        "ToContactMessaging": recipient.email,
        "ToContactEmail": recipient.email,
        "AllowNonCleansedDestAddr": options.flag(f"{UNCLEANSED}dest_addr", default=True),
        "WeightInOunces": round_measure(parcel.weight_in("OZ")),
        "ServiceType": CATALOGUE.table("service_types").get(request.service, request.service),
        "Container": packaging_code(CATALOGUE, parcel, "variable"),
        **write_sides(parcel),
        "Machinable": options.value("usps_option_machinable_item"),
        "InsuredAmount": read_insurance(options),
        "ShipDate": day,
        "CustomerRefNo": request.reference,
        "ExtraServices": {"ExtraService": extras} if extras else None,
        **mailer,
        "SenderName": shipper.name,
        "SenderEMail": shipper.email,
        "RecipientName": recipient.name,
        "RecipientEMail": recipient.email,
        "ReceiptOption": "SEPARATE PAGE",
        "ImageType": "PDF",
        "ShipInfo": options.value("usps_option_ship_info"),
        **(write_customs(customs, list_parcel_goods(request, parcel)) if customs else {}),
        "NonDeliveryOption": "RETURN",
        "AltReturnAddress1": "",
    }


def write_end(role: str, address: Address) -> Json:
    """An end of the way. Shapes: the flat comes before the street; empty texts go out as empty elements."""
    return {
        f"{role}Name": address.name,
        f"{role}Firm": address.company_name or NOBODY,
        f"{role}Address1": address.address_line2 or "",
        f"{role}Address2": address.street,
        f"{role}City": address.city,
        f"{role}State": address.state_code,
        f"{role}Zip5": zip5(address.postal_code),
        f"{role}Zip4": zip4(address.postal_code),
        f"{role}Phone": read_phone_digits(address.phone_number, PHONE_DIGITS),
    }


def write_customs(customs: Customs, goods: Sequence[Commodity]) -> Json:
    """What is declared of goods that go to a territory or an army post office."""
    options = RequestOptions.of_customs(CATALOGUE, customs)
    content = customs.content_type or "other"
    return {
        "ShippingContents": {"ItemDetail": [write_item(article) for article in goods]},
        "CustomsContentType": CATALOGUE.table("content_types").get(content),
        "AESITN": options.text("aes"),
        "InvoiceNumber": customs.invoice,
        "LicenseNumber": options.text("license_number"),
        "CertificateNumber": options.text("certificate_number"),
    }


def write_item(item: Commodity) -> Json:
    ounces, country = item.weight_in("OZ"), Address(country_code=item.origin_country).country_name
    return {
        "Description": item.description or item.title or NOBODY,
        "Quantity": item.quantity,
        "Value": item.value_amount,
        "NetPounds": 0,
        "NetOunces": None if ounces is None else round_measure(ounces),
        "HSTariffNumber": item.hs_code or item.sku,
        "CountryOfOrigin": country,
    }


# -- the label -------------------------------------------------------------------------------------


def read_label(carrier: Carrier[Any, Any], root: _Element, service: str, kind: str) -> Label:
    """The label of one parcel.

    Errors: LookupError when the answer has no number.
    """
    number = next((text for name in NUMBERS if (text := xml.find(root, name))), None)
    if number is None:
        raise LookupError("the answer has no barcode number")
    file = xml.find(root, "LabelImage")
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=kind,
        docs={"label": file} if file else {},
        selected_rate=read_cost(read_price, carrier.slug, root, service),
        meta={"carrier_tracking_link": carrier.link(number)},
    )


def read_price(slug: str, root: _Element, service: str) -> Quote | None:
    """What was paid: the postage and the extras; None where the answer does not say."""
    postage = xml.find(root, "Postage")
    if postage is None:
        return None
    extras = [
        Charge(name=xml.find(service, "ServiceName"), amount=price, currency=CURRENCY)
        for service in xml.every(root, "ExtraService")
        if (price := Decimal(xml.find(service, "Price", "0")))
    ]
    fee = Decimal(xml.find(root, "InsuranceFee", "0"))  # of products without a list of extras
    extras += [Charge(name="Insurance", amount=fee, currency=CURRENCY)] if fee else []
    total = sum((extra.amount or Decimal(0) for extra in extras), Decimal(postage))
    return Quote(
        carrier_name=slug,
        service=service,
        total_charge=total,
        currency=CURRENCY,
        extra_charges=[Charge(name="Postage", amount=Decimal(postage), currency=CURRENCY), *extras],
    )


def is_cancelled(root: _Element) -> bool:
    """Errors: LookupError for an answer that does not say."""
    status = xml.find(root, "Status")
    if status is None:
        raise LookupError("the answer has no status")
    return status == DONE
