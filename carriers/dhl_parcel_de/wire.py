"""Between our models and the orders of DHL Parcel DE. Pure.

Units: kilograms and centimetres, to the hundredth. Countries have three letters.
Source: Parcel DE Shipping (Post & Parcel Germany) 2.1; answers of several shipments have status 207.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue, name_sides
from shipcli.carrier.contents import choose_terms
from shipcli.carrier.duties import PAID, UNPAID, read_terms
from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.label_files import decode_file, encode_file
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Commodity, Customs, Invalid, Label, Message, Parcel, ShipmentRequest
from shipcli.models.basics.reference import find_iso3

CATALOGUE = load_catalogue(__file__)
CURRENCY = "EUR"  # where neither the request nor the account's country says one
EUROPAKET, INTERNATIONAL = "V54EPAK", "V53WPAK"
ERROR = "error"


# -- the order -------------------------------------------------------------------------------------


def label_sheet(*names: str | None) -> Json:
    """Format and paper of the first name that DHL knows, as the query has them."""
    kind, paper = CATALOGUE.choose("label_types", *names, usual="PDF")
    return {"docFormat": kind, "printFormat": paper}


def write_shipment(request: ShipmentRequest, parcel: Parcel, options: RequestOptions, today: date) -> Json:
    """One parcel, which is a shipment of its own.

    Errors: Invalid for terms that DHL does not deliver by.
    """
    customs = request.customs
    body = {
        "product": CATALOGUE.services.code(request.service),
        "refNo": request.reference,
        "shipDate": (options.ship_date() or today).isoformat(),
        "shipper": write_party(request.shipper),
        "consignee": write_consignee(request.recipient),
        "details": write_details(parcel),
        "services": write_services(options) | write_duty_service(request),
        "customs": write_customs(customs, list_parcel_goods(request, parcel), options, request)
        if customs
        else None,
    }
    return dict(drop_empty(body))


def write_party(address: Address) -> Json:
    """The second line is the house number where the first has none, else further information."""
    street = split_street(address)
    company = address.company_name
    return {
        "name1": company or address.person_name,
        "name2": address.person_name if company else None,
        "addressStreet": street.name,
        "addressHouse": street.number or address.address_line2,
        "additionalAddressInformation1": address.address_line2 if street.number else None,
        "postalCode": address.postal_code,
        "city": address.city,
        "country": write_country(address.country_code),
        "contactName": address.person_name,
        "email": address.email,
    }


def write_consignee(address: Address) -> Json:
    more = {"state": address.state_code, "phone": address.phone_number, "name": address.name}
    return {**write_party(address), **more}


def write_country(code: str | None) -> str | None:
    return (find_iso3(code) or code) if code else None


def write_details(parcel: Parcel) -> Json:
    known = name_sides(parcel, "CM", height="height", length="length", width="width")
    weight = {"uom": "kg", "value": round_measure(parcel.weight_in("KG"))}
    return {"dim": {"uom": "cm", **known} if known else None, "weight": weight}


def write_services(options: RequestOptions) -> Json:
    return {
        one.code: write_money(one.value, options) if isinstance(one.value, Decimal) else one.value
        for one in options.list_chosen()
    }


def write_money(value: Decimal | None, options: RequestOptions, currency: str | None = None) -> Json | None:
    own = options.text("currency") or currency or options.currency(CURRENCY)
    return {"currency": own, "value": value} if value else None


# -- the declaration -------------------------------------------------------------------------------


def choose_conditions(request: ShipmentRequest) -> str | None:
    """The terms of trade, which are told of Europaket alone.

    Source: Parcel DE Shipping 2.1, CustomsDetails/shippingConditions.
    Errors: Invalid for terms that DHL does not deliver by.
    """
    terms = read_terms(request.customs)
    named = choose_terms("DHL Parcel DE", CATALOGUE.table("incoterms"), terms, terms)
    return named if CATALOGUE.services.code(request.service) == EUROPAKET else None


def write_duty_service(request: ShipmentRequest) -> Json:
    """The service by which the sender pays the duties of an international parcel.

    Errors: Invalid for other products, whose duties the recipient pays.
    """
    product = CATALOGUE.services.code(request.service)
    if request.customs is None or read_terms(request.customs) != PAID or product == EUROPAKET:
        return {}
    if product != INTERNATIONAL:
        raise Invalid("customs.incoterm", f"{request.service} is delivered by {UNPAID} only")
    return {"postalDeliveryDutyPaid": True}


def write_customs(
    customs: Customs, goods: Sequence[Commodity], options: RequestOptions, request: ShipmentRequest
) -> Json:
    own, duty = RequestOptions.of_customs(CATALOGUE, customs), customs.duty
    declared = (duty.declared_value if duty else None) or options.amount("declared_value")
    currency = duty.currency if duty else None
    body: Json = {
        "invoiceNo": customs.invoice,
        "exportType": CATALOGUE.table("content_types").get(customs.content_type or ""),
        "exportDescription": customs.content_description,
        "shippingConditions": choose_conditions(request),
        "postalCharges": write_money(declared, options, currency),
        "officeOfOrigin": request.shipper.country_code,
        "items": [write_item(item, options, currency) for item in goods],
    }
    own.write(body, "ship")
    return body


def write_item(item: Commodity, options: RequestOptions, currency: str | None) -> Json:
    """The value is of one piece, in the item's own currency, if it names one."""
    amount, weight = item.value_amount, item.weight_in("KG")
    money = item.value_currency or options.text("currency") or currency or options.currency(CURRENCY)
    return {
        "itemDescription": item.description or item.title,
        "countryOfOrigin": write_country(item.origin_country),
        "hsCode": item.hs_code,
        "packagedQuantity": item.quantity,
        "itemValue": None if amount is None else {"currency": money, "value": amount},
        "itemWeight": None if weight is None else {"uom": "kg", "value": round_measure(weight)},
    }


# -- the answer ------------------------------------------------------------------------------------


def list_items(body: Json) -> list[Json]:
    """What became of each shipment."""
    return list(body.get("items") or ())


def is_done(item: Json) -> bool:
    """Whether a shipment was ordered, or taken back."""
    said = item.get("sstatus") or {}
    good = str(said.get("title")).lower() == "ok" or str(said.get("statusCode")).startswith("2")
    return good and bool(item.get("shipmentNo"))


def read_faults(body: Json) -> list[Message]:
    """What was wrong with a shipment that was not taken."""
    faults = (
        fault
        for item in (list_items(body) if isinstance(body, dict) else ())
        if not is_done(item)
        for fault in item.get("validationMessages") or ()
    )
    return [
        Message(code=fault.get("property"), message=fault.get("validationMessage"))
        for fault in faults
        if str(fault.get("validationState")).lower() == ERROR
    ]


def read_label(item: Json, link: Callable[[str], str | None]) -> Label:
    """The label of one shipment; the papers of the customs as its invoice."""
    number, paper = str(item["shipmentNo"]), item.get("label") or {}
    files = {"label": read_file(paper), "invoice": read_file(item.get("customsDoc") or {})}
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type="ZPL" if str(paper.get("fileFormat")).startswith("ZPL") else "PDF",
        docs={name: text for name, text in files.items() if text},
        meta={
            "carrier_tracking_link": link(number),
            "shipmentNo": number,
            "shipmentRefNo": item.get("shipmentRefNo"),
            "label_url": paper.get("url"),
        },
    )


def read_file(paper: Json) -> str | None:
    """A file in base64; printer language comes as it is, or in base64 too."""
    text = paper.get("zpl2") or ""
    plain = encode_file(text.encode()) if text and decode_file(text) is None else text
    return paper.get("b64") or plain or None
