"""Consignments: the order and what was bought. Pure.

Source: shipping_request.xsd, shipping_response.xsd; the members stand in the order of the schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import Bought, RequestOptions, read_cost
from shipcli.carrier.contents import cut_item_text
from shipcli.carrier.wire.address_parts import wrap_lines
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.times import CLOSES, MORNING
from shipcli.carrier.wire.xml import find
from shipcli.models import Address, Commodity, Message, Parcel, Payment, Quote, ShipmentRequest

from . import parts

if TYPE_CHECKING:
    from lxml.etree import _Element

APPLICATION, VERSION = "EC", "3.1"
LINE, LINES, TEXT = 30, 3, 35
STEPS = ("CREATE", "RATE", "BOOK", "SHIP")
PAPERS = ("REQUIRED", "CONNOTE", "LABEL", "MANIFEST", "INVOICE")


def reference_of(request: ShipmentRequest, key: str) -> str:
    """What names the consignment in this document: the first parcel's reference, else the purchase's key."""
    parcel_reference = request.parcels[0].reference_number if request.parcels else None
    return parcel_reference or f"ref_{key[:16]}"


def write_login(company: str, password: str, application: str | None) -> Json:
    return {
        "COMPANY": company,
        "PASSWORD": password,
        "APPID": application or APPLICATION,
        "APPVERSION": VERSION,
    }


def write_order(
    request: ShipmentRequest, options: RequestOptions, at: datetime, account: str | None, name: str
) -> Json:
    """The consignment; `name` is what the activities below call it."""
    sender = {
        **write_party(request.shipper, account),
        "COLLECTION": _write_collection(at),
    }
    details = {"RECEIVER": write_party(request.recipient), **_write_details(request, options)}
    return {"SENDER": sender, "CONSIGNMENT": [{"CONREF": name, "DETAILS": details}]}


def _write_collection(at: datetime) -> Json:
    """When it is collected: from a time on, until offices close."""
    start = at.time() if at.time() < CLOSES else MORNING
    return {
        "SHIPDATE": f"{at:%d/%m/%Y}",
        "PREFCOLLECTTIME": {"FROM": f"{start:%H:%M}", "TO": f"{CLOSES:%H:%M}"},
        "COLLINSTRUCTIONS": "",
    }


def write_activity(name: str, options: RequestOptions, sender: str | None) -> Json:
    """What TNT does with it: create, price, book, ship and print, and tell somebody of the papers."""
    papers = {paper: {"CONREF": name} for paper in PAPERS}
    mail = {"EMAILTO": options.notify_email(), "EMAILFROM": sender}
    steps = {step: {"CONREF": name} for step in STEPS}
    return {**steps, "PRINT": {**papers, **mail}, "SHOW_GROUPCODE": {}}


def write_party(address: Address, account: str | None = None) -> Json:
    lines = dict(enumerate(wrap_lines(address.lines, LINE, LINES), 1))
    return {
        "COMPANYNAME": address.company_name or address.person_name or None,
        **{f"STREETADDRESS{at}": lines.get(at) for at in range(1, LINES + 1)},
        "CITY": address.city or None,
        "PROVINCE": address.state_code or None,
        "POSTCODE": address.postal_code or "",
        "COUNTRY": address.country_code or None,
        "ACCOUNT": account,
        "VAT": parts.tax_number(address),
        "CONTACTNAME": address.person_name or "",
        **parts.write_phone(address.phone_number),
        "CONTACTEMAIL": address.email or None,
    }


def _write_details(request: ShipmentRequest, options: RequestOptions) -> Json:
    insured, currency = options.insurance(), parts.currency_of(request, options)
    is_at_home = request.shipper.country_code == request.recipient.country_code
    payment = request.payment or Payment()
    return {
        "CUSTOMERREF": request.reference or "",
        "CONTYPE": parts.contents_of(request),
        "PAYMENTIND": parts.CATALOGUE.table("payers").get(payment.paid_by),
        "ITEMS": len(request.parcels),
        "TOTALWEIGHT": parts.weigh(request.parcels),
        "TOTALVOLUME": parts.volume_of(request.parcels),
        "CURRENCY": parts.goods_currency(request, options),
        "GOODSVALUE": parts.goods_value(request, options),
        "INSURANCEVALUE": insured,
        "INSURANCECURRENCY": currency if insured else None,
        "DIVISION": parts.division_of(options),
        "SERVICE": parts.CATALOGUE.services.code(request.service),
        "OPTION": [extra.code for extra in parts.extras_of(options)],
        "DESCRIPTION": parts.describe(*request.parcels),
        "DELIVERYINST": options.text("shipment_note") or "",
        "PACKAGE": [
            _write_package(parcel, () if is_at_home else goods)
            for parcel, goods in zip(request.parcels, parts.goods_of(request), strict=True)
        ],
    }


def _write_package(parcel: Parcel, goods: Sequence[Commodity]) -> Json:
    measures = parts.write_measures(parcel)
    return {
        "ITEMS": 1,
        "DESCRIPTION": parts.describe(parcel),
        **{name.upper(): measures[name] for name in ("length", "height", "width", "weight")},
        "ARTICLE": [_write_article(article) for article in goods],
    }


def _write_article(item: Commodity) -> Json:
    weight = item.weight_in("KG")
    return {
        "ITEMS": item.quantity or 1,
        "DESCRIPTION": cut_item_text(item, item.title or item.description, TEXT) or parts.UNNAMED,
        "WEIGHT": round_measure(weight) if weight else None,
        "INVOICEVALUE": item.value_amount,
        "INVOICEDESC": cut_item_text(item, item.description or item.title, TEXT),
        "HTS": item.hs_code or item.sku,
        "COUNTRY": item.origin_country,
    }


# -- what was bought -------------------------------------------------------------------------------


def is_created(answer: _Element) -> bool:
    """Whether there is a consignment now, whatever became of the steps after it."""
    return find(answer, "CREATE/SUCCESS") == "Y"


def read_unshipped(answer: _Element) -> list[Message]:
    """What to say of a consignment that was created and not shipped."""
    if not is_created(answer) or find(answer, "SHIP/CONSIGNMENT/SUCCESS") == "Y":
        return []
    number = find(answer, "CREATE/CONNUMBER", "")
    text = f"TNT created consignment {number} and did not ship it: ask TNT to delete it"
    return [Message(code="not_shipped", message=text)]


def read_order(answer: _Element, service: str) -> Bought:
    """Errors: LookupError when the answer names no consignment."""
    number = find(answer, "CREATE/CONNUMBER")
    if number is None:
        raise LookupError("CREATE/CONNUMBER")
    return Bought(
        number, find(answer, "CREATE/CONREF"), selected_rate=read_cost(_read_price, answer, service)
    )


def _read_price(answer: _Element, service: str) -> Quote | None:
    """The price of the service that was bought."""
    code = parts.CATALOGUE.services.code(service)
    node = next((price for price in answer.iter("PRICE") if find(price, "SERVICE") == code), None)
    amount = None if node is None else find(node, "RATE")
    if node is None or amount is None:
        return None
    currency = find(node, "CURRENCY")
    return Quote(carrier_name="tnt", service=service, total_charge=Decimal(amount), currency=currency)
