"""Between our models and the JSON of Nationex. Pure.

Units: pounds and inches (LI), or kilograms and centimetres (KC), one of them for a shipment; cubic feet.
Source: API v4, samples of requests and answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, TypeAlias

from shipcli.carrier import RequestOptions, list_charges, load_catalogue
from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import (
    Address,
    Charge,
    Invalid,
    Message,
    Parcel,
    Payment,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

CURRENCY, COUNTRY = "CAD", "CA"  # it carries inside Canada and bills in its money
USUAL = "nationex_delivery"
CONVEYABLE_IN, CONVEYABLE_LB = 36, 70  # what is larger or heavier goes past the belts
CUBIC_INCHES = 1728  # of a cubic foot
PAGE = {"orientation": "portrait", "format": "4x6"}


# -- what is sent ----------------------------------------------------------------------------------


def write_rate(request: RateRequest, options: RequestOptions, customer: str, day: date) -> Json:
    chosen = CATALOGUE.services.list_chosen(request.services)
    body = {
        **_write_load(request, options, customer, chosen[0].slug if chosen else USUAL, day),
        "SourcePostalCode": request.shipper.postal_code,
        "DestinationPostalCode": request.recipient.postal_code,
    }
    return dict(drop_empty(body))


def write_shipment(
    request: ShipmentRequest, options: RequestOptions, customer: str, billed: str | None, day: date
) -> Json:
    """The order; `billed` is the account's own billing number.

    Errors: Invalid when somebody else is to pay and no account number says who.
    """
    payment = request.payment or Payment()
    if payment.paid_by != "sender" and not payment.account_number:
        raise Invalid("payment.account_number", "Nationex bills others by their account number")
    body = {
        **_write_load(request, options, customer, request.service, day),
        "ReferenceNumber": request.reference,
        "Note": options.text("nationex_note"),
        "BillingAccount": write_number(payment.account_number or billed),
        "Sender": write_address(request.shipper),
        "Destination": {
            **write_address(request.recipient),
            "SmsNotification": options.value("nationex_sms_notification"),
            "EmailNotification": options.value("nationex_email_notification"),
        },
    }
    return dict(drop_empty(body))


def write_number(text: str | None) -> int | str | None:
    """A number of an account, which the wire has as one; a text that is none stands for itself."""
    return int(text) if text and text.isdigit() else text


def _write_load(request: Request, options: RequestOptions, customer: str, service: str, day: date) -> Json:
    """What is asked alike for a price and for a label."""
    parcels = request.parcels
    metric = not parcels or parcels[0].weight_unit not in ("LB", "OZ")
    weights = [_weigh(parcel, metric) for parcel in parcels]
    return {
        "CustomerId": write_number(customer),
        "ExpeditionDate": day.isoformat(),
        "ShipmentType": CATALOGUE.services.code(service),
        "TotalWeight": sum(weights, Decimal(0)),
        "TotalParcels": len(parcels),
        "UnitsOfMeasurement": CATALOGUE.table("units")["KG" if metric else "LB"],
        "Accessory": _write_accessory(options),
        "Parcels": [_write_parcel(parcel, metric) for parcel in parcels],
    }


def _write_accessory(options: RequestOptions) -> Json:
    """SNR says that nobody need sign: so it is unless a signature is asked for."""
    return {
        "InsuranceAmount": options.insurance(),
        "FrozenProtection": options.value("nationex_frozen_protection"),
        "DangerousGoods": options.value("nationex_dangerous_goods"),
        "SNR": options.flag("nationex_snr", default=not options.signature()),
    }


def _weigh(parcel: Parcel, metric: bool) -> Decimal:
    return round_measure(parcel.weight_in("KG" if metric else "LB"))


def _write_parcel(parcel: Parcel, metric: bool) -> Json:
    unit = "CM" if metric else "IN"
    sides = [*parcel.known_sides_in("IN").values()]
    large = any(side > CONVEYABLE_IN for side in sides) or parcel.weight_in("LB") > CONVEYABLE_LB
    measured = {name.title(): round_measure(side) for name, side in parcel.known_sides_in(unit).items()}
    return {
        "NCV": large,
        "Weight": _weigh(parcel, metric),
        "Dimensions": {**measured, "Cubing": _cube(sides)} if sides else None,
    }


def _cube(inches: Sequence[Decimal]) -> Decimal | None:
    """Cubic feet of three sides."""
    if len(inches) < 3:
        return None
    length, width, height = inches
    return round_measure(length * width * height / CUBIC_INCHES)


def write_address(address: Address) -> Json:
    street = split_street(address)
    return {
        "Contact": address.name,
        "AccountName": address.company_name,
        "Address1": address.address_line1,
        "Address2": address.address_line2,
        "PostalCode": address.postal_code,
        "City": address.city,
        "ProvinceState": address.state_code,
        "Phone": address.phone_number,
        "NoCivic": street.number,
        "StreetName": street.name,
        "Email": address.email,
    }


def label_type(request: ShipmentRequest) -> str:
    """The type of the label's file: PDF for one that Nationex does not print."""
    requested = request.label_type or "PDF"
    return requested if requested in CATALOGUE.table("label_types") else "PDF"


# -- what is answered ------------------------------------------------------------------------------


def read_problem(body: Any) -> list[Message]:
    """The refusal in an answer."""
    if not isinstance(body, dict) or "code" not in body:
        return []
    return [Message(code=str(body["code"]), message=body.get("message"))]


def read_price(rates: Json, service: str, language: str) -> Quote:
    """The price with all that it is made of, each to the cent."""
    days = rates.get("DelayTransitDays")
    return Quote(
        carrier_name="nationex",
        service=service,
        total_charge=round_half_up(rates["Total"]),
        currency=CURRENCY,
        transit_days=None if days is None else int(days),
        estimated_delivery=rates.get("EstimatedDeliveryDate"),
        extra_charges=_read_charges(rates, language),
    )


def _read_charges(rates: Json, language: str) -> list[Charge]:
    lines = [(name, rates.get(member)) for member, name in CATALOGUE.table("charges").items()]
    for group in ("AccessoryCharges", "SurchargeCharges", "TaxCharges"):
        lines += [
            (charge[f"Name{language.title()}"], charge["Charge"]) for charge in as_list(rates.get(group))
        ]
    amounts = [(name, round_half_up(Decimal(amount))) for name, amount in lines if amount]
    return list_charges(amounts, CURRENCY)


def read_tracking(shipment: Json, language: str, link: Callable[[str], str | None]) -> Tracking:
    number, status = str(shipment["ShipmentId"]), CATALOGUE.statuses.read(shipment.get("ShipmentStatus"))
    due = (parcel.get("EstimatedDeliveryDate") for parcel in as_list(shipment.get("Parcels")))
    facts = {"reference": shipment.get("ReferenceNumber"), "account_number": shipment.get("BillingAccount")}
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == "delivered",
        estimated_delivery=next((day for day in due if day), None),
        events=read_each(as_list(shipment.get("StatusHistories")), read_event, language),
        info=TrackingInfo(
            carrier_tracking_link=link(number),
            shipping_date=shipment.get("ExpeditionDate"),
            shipment_package_count=shipment.get("TotalParcels"),
            shipment_service=shipment.get("ShipmentType"),
            package_weight=shipment.get("TotalWeight"),
            shipment_origin_country=COUNTRY,
            shipment_origin_postal_code=get_path(shipment, "Sender/PostalCode"),
            shipment_destination_country=COUNTRY,
            shipment_destination_postal_code=get_path(shipment, "Destination/PostalCode"),
            note=shipment.get("Note"),
        ),
        meta={name: str(value) for name, value in facts.items() if value},
    )


def read_event(event: Json, language: str) -> TrackingEvent:
    """One status with its time, `2025-03-04T14:15:22Z`."""
    at = event.get("StatusDate")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=event.get("ShipmentStatus"),
        description=event.get(f"ShipmentStatus{language.title()}"),
        location=event.get("LastLocation"),
    )
