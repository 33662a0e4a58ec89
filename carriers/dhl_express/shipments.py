"""Labels: the order, and the answer with its files. Pure.

Source: ship-val-global-req-10.0, ship-val-global-res-10.0; the members stand in the order of the schema.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier import ChosenOption, RequestOptions, is_dutiable, join_words, read_cost
from shipcli.carrier.wire.address_parts import cut_text, fit_email, split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import list_files, merge_papers
from shipcli.carrier.wire.rounding import round_half_up
from shipcli.carrier.wire.xml import Element, every, find, require
from shipcli.models import Address, Duty, Invalid, Label, Parcel, Payment, Quote, ShipmentRequest

from . import customs, parts, rates

NO_PHONE = "0000"
REFERENCE = 30  # characters of a reference that are printed
BILLED = "BILLC"  # of the currencies of an answer the one that is billed


def write_shipment(account: str | None, request: ShipmentRequest, options: RequestOptions, day: date) -> Json:
    """The order but for its label, which comes last."""
    declared, currency = request.customs, parts.currency_of(request, options)
    return {
        "RegionCode": parts.region_of(request.shipper.country_code),
        "LanguageCode": "en",
        "Billing": _write_billing(account, request.payment or Payment(), declared.duty if declared else None),
        "Consignee": _write_party(request.recipient),
        "Commodity": customs.write_commodities(request),
        **customs.write_customs(request, options, day),
        "Reference": {"ReferenceID": cut_text(request.reference, REFERENCE)},
        "ShipmentDetails": _write_details(request, options, day),
        "Shipper": {
            "ShipperID": account or parts.NOT_NAMED,
            **_write_party(request.shipper, account, customs.read_options(request).text("eori_number")),
            "RegistrationNumbers": customs.write_registrations(request),
        },
        "SpecialService": [
            _write_special(service, currency) for service in parts.special_services(request, options)
        ],
        "Notification": {"EmailAddress": options.notify_email()},
        "DocImages": customs.write_papers(request, options),
    }


def _write_billing(account: str | None, payment: Payment, duty: Duty | None) -> Json:
    return {
        "ShipperAccountNumber": account,
        "ShippingPaymentType": parts.CATALOGUE.table("payment_types").get(payment.paid_by or "sender"),
        "BillingAccountNumber": payment.account_number or (account if payment.paid_by == "sender" else None),
        "DutyAccountNumber": duty.account_number if duty else None,
    }


def _write_party(address: Address, account: str | None = None, eori: str | None = None) -> Json:
    street = split_street(address)
    return {
        "CompanyName": address.company_name or parts.NOT_NAMED,
        "RegisteredAccount": account,
        **parts.write_lines(address),
        "City": address.city,
        "DivisionCode": address.state_code or None,
        "PostalCode": address.postal_code or None,
        "CountryCode": address.country_code,
        "CountryName": parts.country_name(address.country_code),
        "EORI_No": eori,
        "Contact": {
            "PersonName": address.name,
            "PhoneNumber": address.phone_number or NO_PHONE,
            "Email": fit_email(address.email, 70),
        },
        "StreetName": street.name,
        "StreetNumber": street.number,
        "RegistrationNumbers": customs.write_numbers(customs.list_tax_numbers(address)),
    }


def _write_details(request: ShipmentRequest, options: RequestOptions, day: date) -> Json:
    """Errors: Invalid for a service that is no product."""
    weight_unit, size_unit = parts.units_of(request.parcels, request.shipper.country_code)
    code = parts.CATALOGUE.services.wire_code(request.service)
    if not code:
        raise Invalid("service", f"{request.service} asks for all prices, and is no product to order")
    pieces = [
        _write_piece(at, parcel, weight_unit, size_unit) for at, parcel in enumerate(request.parcels, 1)
    ]
    alone = request.parcels[0].packaging_type if len(request.parcels) == 1 else None
    return {
        "Pieces": {"Piece": pieces},
        "WeightUnit": parts.UNIT_LETTERS[weight_unit],
        "GlobalProductCode": code,  # the local one is DHL's own to find: it differs by country
        "Date": day,
        "Contents": cut_text(describe(request, options), 90),
        "DimensionUnit": parts.UNIT_LETTERS[size_unit],
        "PackageType": parts.CATALOGUE.table("package_types").get(alone or ""),
        "IsDutiable": parts.YES if is_dutiable(request) else parts.NO,
        "CurrencyCode": parts.currency_of(request, options),
        "ShipmentCharges": options.amount("cash_on_delivery"),
    }


def _write_piece(at: int, parcel: Parcel, weight_unit: str, size_unit: str) -> Json:
    sides, kinds = parts.measure_sides(parcel, size_unit), parts.CATALOGUE.table("package_types")
    return {
        "PieceID": at,
        "PackageType": kinds.get(parcel.packaging_type or "your_packaging"),
        "Weight": parts.weigh([parcel], weight_unit),
        **{name: sides.get(name) for name in ("Width", "Height", "Depth")},
        "PieceContents": cut_text(parcel.content or parcel.description, 70),
        "PieceReference": {"ReferenceID": cut_text(parcel.reference_number or parcel.id, REFERENCE)},
        "AdditionalInformation": {"CustomerDescription": cut_text(parcel.description, 80)},
    }


def describe(request: ShipmentRequest, options: RequestOptions) -> str:
    """What is in the shipment: as the option, the declaration, the parcels or their items say."""
    content = options.text(parts.CONTENT) or (
        request.customs.content_description if request.customs else None
    )
    items = [item.title or item.description for parcel in request.parcels for item in parcel.items]
    described = [parcel.description for parcel in request.parcels]
    return (
        content
        or join_words([parcel.content for parcel in request.parcels], described, items)
        or parts.NOT_NAMED
    )


def _write_special(choice: ChosenOption, currency: str | None) -> Json:
    """A special service with its amount, if it has one."""
    amount = round_half_up(choice.value) if isinstance(choice.value, Decimal) else None
    price = {} if amount is None else {"ChargeValue": amount, "CurrencyCode": currency}
    return {"SpecialServiceType": choice.code, **price}


def read_shipment(answer: Element, service: str) -> Label:
    """The bought label; its pieces share the number of the waybill, and one file.

    Errors: LookupError when the answer names no waybill.
    """
    number = require(answer, "AirwayBillNumber")
    kind = "PDF" if find(answer, "LabelImage/OutputFormat", "PDF") == "PDF" else "ZPL"
    labels = list_files(find(image, "OutputImage") for image in answer.findall("LabelImage"))
    invoices = [text for label in every(answer, "MultiLabel") if (text := find(label, "DocImageVal"))]
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=kind,
        docs=merge_papers({"label": labels, "invoice": invoices}, kind),
        selected_rate=read_cost(_read_price, answer, service),
        meta={"license_plates": [text for plate in every(answer, "LicensePlate") if (text := plate.text)]},
    )


def _read_price(answer: Element, service: str) -> Quote | None:
    """What is billed, in the currency it is billed in; DHL leaves it out for some payers."""
    amounts = {find(charge, "CurrencyRoleTypeCode"): charge for charge in answer.findall("QtdSInAdCur")}
    billed = amounts.get(BILLED, answer)
    total = rates.read_amount(billed, "ShippingCharge")
    if not total:
        return None
    currency = find(billed, "CurrencyCode")
    return Quote(carrier_name="dhl_express", service=service, total_charge=total, currency=currency)
