"""Prices to other countries: a package of the question, and the prices of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Charge, Quote, RateRequest

from ..usps_wt.parts import CURRENCY, packaging_code, read_extras, write_sides, zip5
from ..usps_wt.rates import read_amount, read_charges
from .shipments import CATALOGUE

if TYPE_CHECKING:
    from lxml.etree import _Element

GLOBAL_EXPRESS, BASE = "global_express_guaranteed", "Base charge"
RETAIL, COMMERCIAL, PLUS = "Postage", "CommercialPostage", "CommercialPlusPostage"


def asks_for(request: RateRequest, word: str) -> bool:
    """Whether a service of such a name is asked for."""
    return any(word in row.slug for row in CATALOGUE.services.list_chosen(request.services))


def price_names(request: RateRequest) -> Sequence[str]:
    """The prices that are asked for, the best first; that of the counter when no other is."""
    price_lists = (PLUS, asks_for(request, "plus")), (COMMERCIAL, asks_for(request, "commercial"))
    return [*(name for name, requested in price_lists if requested), RETAIL]


def write_package(request: RateRequest, at: int, options: RequestOptions, now: datetime) -> Json:
    parcel, recipient = request.parcels[at], request.recipient
    day, names, extras = options.ship_date(), price_names(request), read_extras(options)
    accepted = datetime.combine(day, datetime.min.time()) if day else now
    return {
        "@ID": at,
        "Pounds": 0,
        "Ounces": round_measure(parcel.weight_in("OZ")),
        "Machinable": options.flag("usps_option_machinable_item"),
        "MailType": packaging_code(CATALOGUE, parcel, "package"),
        "GXG": {"POBoxFlag": "N", "GiftFlag": "N"} if asks_for(request, GLOBAL_EXPRESS) else None,
        "ValueOfContents": options.amount("declared_value") or "",
        "Country": recipient.country_name,
        **write_sides(parcel),
        "OriginZip": zip5(request.shipper.postal_code),
        "CommercialFlag": "Y" if COMMERCIAL in names else "N",
        "CommercialPlusFlag": "Y" if PLUS in names else "N",
        "ExtraServices": {"ExtraService": [extra.code for extra in extras]} if extras else None,
        "AcceptanceDateTime": accepted.isoformat() if recipient.postal_code else None,
        "DestinationPostalCode": recipient.postal_code,
    }


def read_package(node: _Element, options: RequestOptions, names: Sequence[str], day: date) -> list[Quote]:
    """The services of one parcel, each at what it costs with the extras that are asked for."""
    codes = {extra.code for extra in read_extras(options)}
    return read_each(node.findall("Service"), read_service, codes, names, day)


def read_service(node: _Element, codes: set[str], names: Sequence[str], day: date) -> Quote:
    """Errors: LookupError for a service without a price."""
    amount = next((amount for name in names if (amount := read_amount(node, name))), None)
    if amount is None:
        raise LookupError(f"no price in service {node.get('ID')}")
    charges = [
        Charge(name=BASE, amount=amount, currency=CURRENCY),
        *read_charges(node, "ExtraService", codes, "Price"),
    ]
    service = CATALOGUE.services.find_slug(node.get("ID") or "")
    return Quote(
        carrier_name="usps_wt_international",
        service=service,
        total_charge=sum((charge.amount or Decimal(0) for charge in charges), Decimal(0)),
        currency=CURRENCY,
        transit_days=count_days(xml.find(node, "GuaranteeAvailability"), day),
        extra_charges=charges,
        meta={"service_name": service},
    )


def count_days(arrives: str | None, leaves: date) -> int | None:
    """Shapes: the day by which delivery is guaranteed is %m/%d/%Y; most services name none."""
    try:
        return (datetime.strptime(arrives or "", "%m/%d/%Y").date() - leaves).days
    except ValueError:
        return None
