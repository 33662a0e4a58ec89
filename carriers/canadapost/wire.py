"""Writers and readers of rates and tracking, and the parts that other requests share. Pure.

Source: rating.xsd and track.xsd of the Canada Post web services (rate v4, track v2).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from lxml.etree import _Element

from carriers.canadapost.catalogue import (
    COVERAGE,
    ELSEWHERE,
    OPTIONS,
    PRESETS,
    SERVICES,
    STATUSES,
)
from shipcli.carrier import ChosenOption
from shipcli.carrier.xml import element, every, find
from shipcli.models import (
    Address,
    Charge,
    Parcel,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)

RATE = "application/vnd.cpc.ship.rate-v4+xml"
SHIPMENT = "application/vnd.cpc.shipment-v8+xml"
MANIFEST = "application/vnd.cpc.manifest-v8+xml"
TRACK = "application/vnd.cpc.track-v2+xml"
PICKUP = "application/vnd.cpc.pickup+xml"
PICKUP_REQUEST = "application/vnd.cpc.pickuprequest+xml"

RATE_SPACE = "http://www.canadapost.ca/ws/ship/rate-v4"
NO_PHONE = "000 000 0000"
CURRENCY = "CAD"
STEP, LEAST_KG = Decimal("0.1"), Decimal("0.01")
GRAM, CENT = Decimal("0.001"), Decimal("0.01")
LINE = 44


@dataclass(frozen=True, slots=True)
class Account:
    """What a writer needs to know of the connection.

    `group` is where shipments wait for their manifest, None when they are transmitted at once.
    """

    customer: str | None
    contract: str | None
    cost_centre: str | None
    group: str | None


# -- parts both requests share -----------------------------------------------------------------


def boxed(parcel: Parcel) -> Parcel:
    """The parcel with what its preset knows filled in where the caller said nothing."""
    preset = PRESETS.get(parcel.package_preset)
    if preset is None:
        return parcel
    known = preset.plain()
    if any(side is not None for side in (parcel.length, parcel.width, parcel.height)):
        known = {name: value for name, value in known.items() if name.startswith("weight")}
    return parcel.changed(**{k: v for k, v in known.items() if getattr(parcel, k) is None})


def postal(code: str | None) -> str | None:
    """A postal code as Canada Post takes it: upper case, no blanks."""
    return "".join(code.split()).upper() or None if code else None


def _rounded(value: Decimal) -> Decimal:
    return value.quantize(STEP, ROUND_HALF_UP)


def _kilograms(parcel: Parcel) -> Decimal:
    """Tenths of a kilogram; what would round to nothing keeps its grams."""
    exact = parcel.weight_in("KG")
    return _rounded(exact) or max(exact.quantize(GRAM, ROUND_HALF_UP), LEAST_KG)


def characteristics(parcel: Parcel) -> dict[str, Any]:
    sides = {
        "length": parcel.length_in("CM"),
        "width": parcel.width_in("CM"),
        "height": parcel.height_in("CM"),
    }
    known = {name: _rounded(side) or STEP for name, side in sides.items() if side is not None}
    return {"weight": _kilograms(parcel), "dimensions": known if len(known) == len(sides) else None}


def extras(request: RateRequest | ShipmentRequest, parcel: Parcel) -> list[ChosenOption]:
    """The extras of one parcel, its own before the shipment's.

    Coverage leads, as in the recorded exchanges; an amount of nothing is no extra.
    """
    chosen = OPTIONS.chosen({**request.options, **parcel.options})
    listed = [one for one in chosen if one.code not in ELSEWHERE and one.value]
    return sorted(listed, key=lambda one: one.code != COVERAGE)


def written(options: Iterable[ChosenOption]) -> dict[str, Any] | None:
    rows = [
        {
            "option-code": one.code,
            "option-amount": one.value.quantize(CENT, ROUND_HALF_UP) if one.row.type is Decimal else None,
        }
        for one in options
    ]
    return {"option": rows} if rows else None


def address_details(address: Address) -> dict[str, Any]:
    """An address; a street too long for its line goes on in the second when that one is free."""
    street = " ".join(part for part in (address.street_number, address.address_line1) if part)
    second = address.address_line2
    if len(street) > LINE and not second:
        street, *rest = textwrap.wrap(street, LINE)
        second = " ".join(rest)
    return {
        "address-line-1": street or None,
        "address-line-2": second or None,
        "city": address.city,
        "prov-state": address.state_code,
        "country-code": address.country_code,
        "postal-zip-code": postal(address.postal_code),
    }


# -- rates -------------------------------------------------------------------------------------


def write_rate(account: Account, request: RateRequest, parcel: Parcel) -> _Element:
    """The question for the prices of one parcel."""
    codes = [service.code for service in SERVICES.chosen(request.services)]
    body = {
        "customer-number": account.customer,
        "contract-id": account.contract,
        "expected-mailing-date": mailing_date(request.options),
        "options": written(extras(request, parcel)),
        "parcel-characteristics": characteristics(parcel),
        "services": {"service-code": codes} if codes else None,
        "origin-postal-code": postal(request.shipper.postal_code),
        "destination": _destination(request.recipient),
    }
    return element("mailing-scenario", body, RATE_SPACE)


def mailing_date(options: Mapping[str, Any]) -> str | None:
    """The day of a shipment as the caller gave it, without a time."""
    given = options.get("shipment_date") or options.get("shipping_date")
    return str(given)[:10] if given else None


def _destination(recipient: Address) -> dict[str, Any]:
    code = postal(recipient.postal_code)
    if recipient.country_code in (None, "CA"):
        return {"domestic": {"postal-code": code}}
    if recipient.country_code == "US":
        return {"united-states": {"zip-code": code}}
    return {"international": {"country-code": recipient.country_code, "postal-code": code}}


def read_quote(node: _Element, carrier_name: str, carrier_id: str) -> Quote:
    """One service's price from a `price-quote`.

    Units:  Canadian dollars, taxes and surcharges in the total.
    Errors: ArithmeticError, ValueError when there is no amount due.
    """
    service = SERVICES.slug(find(node, "service-code", ""))  # type: ignore[arg-type]  # a text default gives a text
    days = find(node, "service-standard/expected-transit-time")
    return Quote(
        carrier_name=carrier_name,
        carrier_id=carrier_id,
        service=service,
        total_charge=Decimal(find(node, "price-details/due") or ""),
        currency=CURRENCY,
        transit_days=int(days) if days else None,
        extra_charges=list(_charges(node)),
        meta={"service_name": service},
    )


def _charges(node: _Element) -> Iterable[Charge]:
    """Base, taxes, extras and surcharges; an extra that is included costs nothing and is no charge."""
    extras = _named(node, "price-details/options/option", "option-name", "option-price")
    lines = [
        ("Base charge", find(node, "price-details/base")),
        *((tax.upper(), find(node, f"price-details/taxes/{tax}")) for tax in ("gst", "pst", "hst")),
        *((name, text) for name, text in extras if text and Decimal(text)),
        *_named(node, "price-details/adjustments/adjustment", "adjustment-name", "adjustment-cost"),
    ]
    return [Charge(name=name, amount=Decimal(text), currency=CURRENCY) for name, text in lines if text]


def _named(node: _Element, path: str, name: str, amount: str) -> Iterable[tuple[str | None, str | None]]:
    return [(find(row, name), find(row, amount)) for row in node.iterfind(path)]


# -- tracking ----------------------------------------------------------------------------------


def read_tracking(root: _Element, link: str) -> Tracking | None:
    """What is known of a number; None when the reply holds nothing. `link` has "{}" for the number.

    Shapes: occurrences newest first, local to the depot, date and time apart.
    """
    details = next(iter(every(root, "tracking-detail")), None)
    pin = find(details, "pin") if details is not None else None
    if details is None or pin is None:
        return None
    scans = details.findall("significant-events/occurrence")
    due = find(details, "changed-expected-date") or find(details, "expected-delivery-date")
    status = _status(scans)
    return Tracking(
        tracking_number=pin,
        events=[_event(scan) for scan in scans],
        delivered=status == "delivered",
        status=status,
        estimated_delivery=due,
        info=TrackingInfo(
            carrier_tracking_link=link.format(pin),
            shipment_destination_postal_code=find(details, "destination-postal-id"),
            shipment_delivery_date=due,
            shipment_service=find(details, "service-name"),
            signed_by=find(scans[0], "signatory-name") if scans else None,
        ),
    )


def _status(scans: Sequence[_Element]) -> str:
    """The latest scan's status; scan codes come with and without leading zeros."""
    if not scans:
        return "pending"
    return STATUSES.read((find(scans[0], "event-identifier") or "").lstrip("0"))


def _event(scan: _Element) -> TrackingEvent:
    place = [part for part in (find(scan, "event-site"), find(scan, "event-province")) if part]
    return TrackingEvent(
        date=find(scan, "event-date"),
        time=_clock(find(scan, "event-time")),
        code=find(scan, "event-identifier"),
        description=find(scan, "event-description"),
        location=", ".join(place) or None,
    )


def _clock(text: str | None) -> str | None:
    """14:45:48 as "14:45 PM": the product's form for hours of the day."""
    if not text:
        return None
    return f"{text[:5]} {'AM' if int(text[:2]) < 12 else 'PM'}"
