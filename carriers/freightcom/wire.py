"""Between our models and Freightcom's XML, whose facts are attributes.

Units: whole pounds and inches, rounded up. Flags are the words True and False, as they were recorded.
Source: Freightcom XML API 3.1.0, quote_request.xsd, shipping_request.xsd and their samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TypeAlias

from shipcli.carrier import RequestOptions, list_charges, list_cheapest, load_catalogue
from shipcli.carrier.contents import list_goods
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rounding import round_half_up, round_up
from shipcli.carrier.wire.rows import read_each
from shipcli.models import (
    Address,
    Commodity,
    Label,
    Message,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
)

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
NAMESPACE, VERSION = "http://www.freightcom.net/XMLSchema", "3.1.0"
ALL_SERVICES, PALLET = "0", "Pallet"
ONE_BOX, MANY_BOXES = "your_packaging", "small_box"  # where a parcel does not say what it is
NOBODY = " "  # a company or a telephone that nobody named: the attribute is demanded


# -- what both requests say ------------------------------------------------------------------------


def write_request(request: Request, options: RequestOptions, service: str) -> Json:
    body: Json = {
        "@insuranceType": write_flag(options.insurance() is not None),
        "@serviceId": service,
        "From": write_address(request.shipper),
        "To": write_address(request.recipient),
        "COD": write_cash(request.recipient) if options.amount("cash_on_delivery") else None,
    }
    options.write(body, "ship")
    return body


def write_flag(on: bool) -> str:
    return "True" if on else "False"


def write_address(address: Address) -> Json:
    return {
        "@id": "",  # of an address that Freightcom keeps: this one it does not
        "@company": address.company_name or NOBODY,
        "@email": address.email,
        "@attention": address.person_name or address.company_name,
        "@phone": address.phone_number,
        "@residential": write_flag(bool(address.residential)),
        "@address1": address.street or None,
        "@address2": address.address_line2,
        "@city": address.city,
        "@state": address.state_code or "",  # demanded, also where people have none
        "@zip": address.postal_code or "",
        "@country": address.country_code,
    }


def write_cash(recipient: Address) -> Json:
    address = {
        "@codCompany": recipient.company_name or NOBODY,
        "@codName": recipient.person_name or recipient.company_name,
        "@codAddress1": recipient.street or None,
        "@codCity": recipient.city,
        "@codStateCode": recipient.state_code,
        "@codZip": recipient.postal_code,
        "@codCountry": recipient.country_code,
    }
    return {"@paymentType": "Recipient", "CODReturnAddress": address}


def write_packages(request: Request, of_parcels: Sequence[RequestOptions]) -> Json:
    """Every package, with what is insured and collected of it."""
    kinds = [_kind(request, parcel) for parcel in request.parcels]
    rows = zip(request.parcels, kinds, of_parcels, strict=True)
    return {"@type": PALLET if PALLET in kinds else "Package", "Package": [_package(*row) for row in rows]}


def _kind(request: Request, parcel: Parcel) -> str:
    usual = ONE_BOX if len(request.parcels) == 1 else MANY_BOXES
    row = CATALOGUE.packaging.get(parcel.packaging_type) or CATALOGUE.packaging.get(usual)
    return row.code if row else usual


def _package(parcel: Parcel, kind: str, options: RequestOptions) -> Json:
    return {
        **{f"@{name}": round_up(side) for name, side in parcel.known_sides_in("IN").items()},
        "@weight": round_up(parcel.weight_in("LB")),
        "@type": kind,
        "@freightClass": parcel.freight_class,
        "@insuranceAmount": options.insurance(),
        "@codAmount": options.amount("cash_on_delivery"),
        "@description": parcel.description,
    }


# -- prices ----------------------------------------------------------------------------------------


def write_quote(request: RateRequest, options: RequestOptions, of_parcels: Sequence[RequestOptions]) -> Json:
    """One service if one is asked for, else all of them."""
    chosen = CATALOGUE.services.list_chosen(request.services)
    service = chosen[0].code if len(chosen) == 1 else ALL_SERVICES
    return {**write_request(request, options, service), "Packages": write_packages(request, of_parcels)}


def read_quotes(tree: xml.Element) -> list[Quote]:
    """One quote of each service, the cheapest where there are several."""
    return list_cheapest(read_each(xml.every(tree, "Quote"), read_quote))


def read_quote(node: xml.Element) -> Quote:
    """Units: amounts have the noise of binary fractions (28.650000000000002): they are rounded to cents."""
    service, carrier, currency = node.get("serviceId", ""), node.get("carrierId", ""), node.get("currency")
    base_charges = [("Base charge", node.get("baseCharge")), ("Fuel surcharge", node.get("fuelSurcharge"))]
    others = [(surcharge.get("name"), surcharge.get("amount")) for surcharge in node.iter("Surcharge")]
    charges = [(name, read_amount(amount)) for name, amount in (*base_charges, *others)]
    slug, days = CATALOGUE.services.slug(service), node.get("transitDays") or ""
    return Quote(
        carrier_name="freightcom",
        service=slug,
        total_charge=read_amount(node.get("totalCharge")),
        currency=currency,
        transit_days=int(days) if days.isdigit() else None,
        extra_charges=list_charges(charges, currency),
        meta={
            "rate_provider": CATALOGUE.table("carriers").get(carrier, node.get("carrierName")),
            "service_name": slug.removeprefix("freightcom_"),
        },
    )


def read_amount(text: str | None) -> Decimal:
    return round_half_up(Decimal(text or 0))


def read_notes(tree: xml.Element) -> list[Message]:
    """What carriers behind the hub said: errorMessage0, errorMessage1 ..."""
    return [
        Message(code="CarrierErrorMessage", message=str(text))
        for node in xml.every(tree, "CarrierErrorMessage")
        for name, text in node.attrib.items()
        if str(name).startswith("errorMessage")
    ]


# -- labels ----------------------------------------------------------------------------------------


def write_shipment(
    request: ShipmentRequest, options: RequestOptions, of_parcels: Sequence[RequestOptions]
) -> Json:
    """Shapes: the members stand in the order of the schema; the sender pays where nothing is said."""
    payment = request.payment.paid_by if request.payment else ""
    kind = CATALOGUE.table("payments").get(payment)
    return {
        **write_request(request, options, CATALOGUE.services.code(request.service)),
        "Packages": write_packages(request, of_parcels),
        "Payment": {"@type": kind} if kind else None,
        "Reference": {"@name": "REF", "@code": request.reference} if request.reference else None,
        "CustomsInvoice": write_invoice(request),
    }


def write_invoice(request: ShipmentRequest) -> Json | None:
    """The goods of a shipment that is declared or leaves the country, and who pays the duties."""
    customs = request.customs
    if customs is None and request.shipper.country_code == request.recipient.country_code:
        return None
    recipient_pays = bool(customs and customs.duty and customs.duty.paid_by == "recipient")
    payer = (customs and customs.duty_billing_address) or (
        request.recipient if recipient_pays else request.shipper
    )
    goods = list_goods(request) or [Commodity(description=parcel.content) for parcel in request.parcels]
    return {
        "BillTo": {
            "@company": payer.company_name or NOBODY,
            "@name": payer.person_name or payer.company_name or NOBODY,
            "@address1": ", ".join(payer.lines) or None,
            "@city": payer.city,
            "@state": payer.state_code,
            "@zip": payer.postal_code,
            "@country": payer.country_code,
        },
        "Contact": {
            "@name": payer.person_name or payer.company_name or NOBODY,
            "@phone": payer.phone_number or request.shipper.phone_number or NOBODY,
        },
        "Item": [_item(request, item) for item in goods],
    }


def _item(request: ShipmentRequest, item: Commodity) -> Json:
    return {
        "@code": item.hs_code or item.sku or "0000",
        "@description": item.description or item.title or "item",
        "@originCountry": item.origin_country or request.shipper.country_code,
        "@unitPrice": item.value_amount or Decimal(0),
        "@quantity": item.quantity,
    }


def read_shipment(tree: xml.Element) -> Label:
    """Shapes: one file for all packages, else one for each; the order names freight without numbers.

    Errors: LookupError when no order is there.
    """
    reply, order = xml.first(tree, "ShippingReply"), xml.first(tree, "Order").attrib["id"]
    quote = next(iter(read_quotes(tree)), None)
    numbers = [number for package in xml.every(tree, "Package") if (number := package.get("trackingNumber"))]
    whole, invoice = xml.find(reply, "Labels"), xml.find(reply, "CustomsInvoice")
    parts = list_files(xml.find(label, "Data") for label in xml.every(reply, "Label"))
    return Label(
        tracking_number=numbers[0] if numbers else str(order),
        shipment_identifier=str(order),
        label_type="PDF",
        docs=merge_papers({"label": [whole] if whole else parts, "invoice": list_files([invoice])}),
        selected_rate=quote,
        meta=drop_empty(
            {
                **((quote.meta if quote else None) or {}),
                "tracking_numbers": numbers,
                "carrier_tracking_link": xml.find(reply, "TrackingURL"),
            }
        ),
    )
