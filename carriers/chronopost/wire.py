"""Between our models and the three services of Chronopost. Pure.

Units: kilograms and centimetres, to the hundredth; euros.
Source: schemas of QuickcostServiceWS, ShippingServiceWS, TrackingServiceWS; members stand in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import NamedTuple

from shipcli.carrier import Reply, RequestOptions, list_parcel_goods, load_catalogue, name_sides, sum_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.soap import SoapOperation, read_fault
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.carrier.wire.xml import Element, every, find, first, require
from shipcli.models import (
    Address,
    Charge,
    Commodity,
    Customs,
    Label,
    Message,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)

CATALOGUE = load_catalogue(__file__)
NAMESPACE = "http://cxf.{}.soap.chronopost.fr/"


def _operation(name: str, service: str) -> SoapOperation:
    return SoapOperation(name, NAMESPACE.format(service), prefix="cxf", unqualified=True)


PRICE = _operation("calculateProducts", "quickcost")
SHIP = _operation("shippingMultiParcelV5", "shipping")
CANCEL = _operation("cancelSkybill", "tracking")
TRACK = _operation("trackSkybillV2", "tracking")
CURRENCY, DELIVERED = "EUR", "D"
DONE, BROKEN = "0", "1"  # how it went: "1" is an error of their system
GOODS, NORMAL, NO = "MAR", "0", ("false", "no", "0")
NONE = 0


def read_errors(reply: Reply) -> list[Message]:
    """Faults, what an answer says that has another code than 0, and a parcel without any event."""
    pairs = [
        (find(node, "errorCode", DONE), find(node, "errorMessage")) for node in every(reply.xml, "return")
    ]
    errors = [Message(code=code, message=text) for code, text in pairs if code != DONE]
    tracked = every(reply.xml, f"{TRACK.name}Response")
    if tracked and not errors and not every(reply.xml, "events"):
        errors = [Message(code="not_found", message="Chronopost knows no such parcel")]
    return [*read_fault(reply), *errors]


# -- prices ----------------------------------------------------------------------------------------


def write_question(request: RateRequest, parcel: Parcel) -> Json:
    """What one parcel costs with every product."""
    return {
        "depCountryCode": request.shipper.country_code,
        "depZipCode": request.shipper.postal_code,
        "arrCountryCode": request.recipient.country_code,
        "arrZipCode": request.recipient.postal_code,
        "arrCity": request.recipient.city,
        "type": "M",
        "weight": round_measure(parcel.weight_in("KG")),
        **name_sides(parcel, "CM", height="height", length="length", width="width"),
    }


def read_prices(answer: Element) -> list[Quote]:
    """The products that have a price; of the others the account has none."""
    quotes = read_each(every(answer, "productList"), _read_price)
    return [quote for quote in quotes if quote.total_charge]


def _read_price(row: Element) -> Quote:
    service = CATALOGUE.services.slug(find(row, "productCode", ""))
    tax = find(row, "amountTVA")
    return Quote.model_validate(
        {
            "carrier_name": "chronopost",
            "service": service,
            "total_charge": find(row, "amountTTC", "0"),
            "currency": CURRENCY,
            "extra_charges": [Charge.model_validate({"name": "TVA", "amount": tax, "currency": CURRENCY})],
            "meta": {"service_name": service},
        }
    )


# -- the order -------------------------------------------------------------------------------------


def label_mode(name: str | None) -> tuple[str, str]:
    """Chronopost's word for a type of label, and the kind of file it gives."""
    mode, kind = CATALOGUE.choose("label_types", name, usual="PDF")
    return mode, kind


def write_sides(parcel: Parcel) -> Json:
    """The sides in centimetres, which are mandatory: those that nobody measured are 0."""
    sides = name_sides(parcel, "CM", height="height", length="length", width="width")
    return {name: sides.get(name) or NONE for name in ("height", "length", "width")}


class Asker(NamedTuple):
    """Who orders a label, when, and in which form it is wanted."""

    account_number: str
    id_emit: str
    password: str
    mode: str
    now: datetime


def write_order(asker: Asker, request: ShipmentRequest, parcel: Parcel, options: RequestOptions) -> Json:
    """The order of one parcel."""
    customs, goods = request.customs, list_parcel_goods(request, parcel)
    return {
        "headerValue": {"accountNumber": asker.account_number, "idEmit": asker.id_emit, "subAccount": NONE},
        "shipperValue": write_party(request.shipper, "shipper", "M"),
        "customerValue": write_party(request.recipient, "customer", "M"),
        "recipientValue": write_party(request.recipient, "recipient"),
        "refValue": {"shipperRef": request.reference},
        "skybillValue": {
            **write_amounts(request, goods, options),
            "objectType": _object_type(customs),
            "productCode": CATALOGUE.services.code(request.service).zfill(2),
            "service": write_delivery(options),
            "shipDate": write_moment(options.ship_date(), asker.now),
            "shipHour": 10,
            "weight": round_measure(parcel.weight_in("KG")),
            "weightUnit": "KGM",
            **write_sides(parcel),
        },
        "skybillParamsValue": {"mode": asker.mode, "withReservation": NONE},
        "password": asker.password,
        "modeRetour": 1,
        "numberOfParcel": 1,
        "version": "2.0",
        "multiParcel": "N",
        "customsValue": write_customs(request, customs, goods, options) if customs else None,
    }


def write_party(address: Address, role: str, civility: str | None = None) -> Json:
    """Somebody, under names that begin with the role."""
    company = address.company_name or address.person_name
    values = {
        "Adress1": address.street or None,
        "Adress2": address.address_line2 or None,
        "City": address.city,
        "Civility": civility,
        "ContactName": address.name,
        "Country": address.country_code,
        "CountryName": address.country_name,
        "Email": address.email,
        "MobilePhone": address.phone_number,
        "Name": company,
        "Name2": company,
        "PreAlert": 0,
        "ZipCode": address.postal_code,
    }
    return {f"{role}{name}": value for name, value in values.items()}


def write_amounts(request: ShipmentRequest, goods: Sequence[Commodity], options: RequestOptions) -> Json:
    """What is collected, what the goods are worth, and for how much they are insured."""
    collected, insured = options.amount("cash_on_delivery"), options.insurance()
    currency, duty = options.currency(CURRENCY), request.customs.duty if request.customs else None
    declared = (duty.declared_value if duty else None) or options.amount("declared_value")
    worth = sum_goods(goods) if len(request.parcels) > 1 or not declared else declared
    return {
        "bulkNumber": 1,
        "codCurrency": currency if collected else None,
        "codValue": collected,
        "customsCurrency": name_declared_currency(request, options, CURRENCY) if request.customs else None,
        "customsValue": round_half_up(worth) if request.customs and worth else None,
        "evtCode": "DC",
        "insuredCurrency": currency if insured else None,
        "insuredValue": insured,
    }


def _object_type(customs: Customs | None) -> str:
    word = customs.content_type if customs else None
    return str(CATALOGUE.table("content_types").get(word or "", GOODS))


def write_delivery(options: RequestOptions) -> str:
    """On which day it is delivered: any, or the Monday or Saturday that was chosen."""
    codes = [choice.code for choice in options.list_chosen() if str(choice.value).lower() not in NO]
    return codes[0] if codes else NORMAL


def write_moment(day: date | None, now: datetime) -> str:
    moment = datetime.combine(day, time()) if day else now
    return f"{moment:%Y-%m-%dT%H:%M:%S}"


def write_customs(
    request: ShipmentRequest, customs: Customs, goods: Sequence[Commodity], options: RequestOptions
) -> Json:
    """The declaration of one parcel."""
    return {
        "articlesValue": [_write_article(item) for item in goods],
        "currency": name_declared_currency(request, options, CURRENCY),
        "description": customs.content_description,
        "incoterm": read_terms(customs),
        "numberOfItems": sum(item.quantity for item in goods) or None,
        "value": sum_goods(goods) or None,
    }


def _write_article(item: Commodity) -> Json:
    weight = item.weight_in("KG")
    return {
        "content": item.description or item.title,
        "hscode": item.hs_code,
        "netWeight": None if weight is None else round_measure(weight),
        "origin": item.origin_country,
        "quantity": item.quantity,
        "value": item.value_amount,
    }


def read_label(answer: Element, kind: str) -> Label:
    """Errors: LookupError when the answer names no label."""
    sold = first(answer, "resultMultiParcelValue")
    number = require(sold, "skybillNumber")
    file = find(sold, "pdfEtiquette", "").rstrip("=")  # some files have a sign of padding too many
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=kind,
        docs={"label": file + "=" * (-len(file) % 4)} if file else {},
    )


# -- tracking --------------------------------------------------------------------------------------


def read_tracking(answer: Element, number: str) -> Tracking:
    """What is known of a number; events come oldest first."""
    events = every(answer, "events")
    codes = [find(event, "code", "") for event in events]
    arrival = next((event for event, code in zip(events, codes, strict=True) if code == DELIVERED), None)
    delivered = arrival is not None
    latest = CATALOGUE.statuses.read(codes[-1] if codes else None)
    return Tracking(
        tracking_number=next(
            (skybill_number.text for skybill_number in every(answer, "skybillNumber") if skybill_number.text),
            number,
        ),
        events=read_each(events, _read_event),
        delivered=delivered,
        status="delivered" if delivered else latest,
        info=TrackingInfo(
            shipment_destination_postal_code=find(arrival, "zipCode") if arrival is not None else None,
        ),
    )


def _read_event(event: Element) -> TrackingEvent:
    """One scan; its time is local to the place."""
    at = find(event, "eventDate")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=find(event, "code"),
        description=find(event, "eventLabel"),
        location=find(event, "officeLabel"),
    )
