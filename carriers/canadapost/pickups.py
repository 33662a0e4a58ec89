"""Pickups: book, change, find again, cancel.

Source: pickuprequest.xsd; its types are sequences, so the order of their elements counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import Call, Flow, ask_strictly
from shipcli.carrier.text_widths import fit_or_refuse
from shipcli.carrier.wire.address_parts import fit_email, read_phone_digits
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_or_skip
from shipcli.carrier.wire.xml import Element, element, every, find, first, require
from shipcli.models import Address, Charge, Invalid, Parcel, PickupDetails, PickupRequest, PickupUpdateRequest
from shipcli.models.basics.plain_text import fit_lines

from . import parts

if TYPE_CHECKING:
    from . import CanadaPost

SPACE = "http://www.canadapost.ca/ws/pickuprequest"
PLACES, BOOKINGS = {"Accept": parts.PICKUP}, parts.media(parts.PICKUP_REQUEST)
HEAVY_KG = Decimal(23)
QUARTER = 15  # minutes
OPENS, SHUTS = 12 * 4, 17 * 4 + 3  # 12:00 and 17:45, in quarters of an hour
NAME, CONTACT = 35, 45
CANCELLED = "Cancelled"
SAME = ("date", "preferred-time", "closing-time", "address-line-1", "postal-code")


def write_pickup(customer: str | None, request: PickupRequest) -> Element:
    """The order of a collection."""
    address = request.address
    body = {
        "customer-request-id": customer,
        "pickup-type": "OnDemand",
        "pickup-location": {
            "business-address-flag": not address.residential,
            "alternate-address": {
                "company": _fit_name(address, NAME, "company_name", "person_name"),
                "address-line-1": _split_lines(address)[0],
                "city": address.city or "",
                "province": address.state_code,
                "postal-code": parts.postal_code(address.postal_code),
            },
        },
        **_collection(request),
    }
    return element("pickup-request-details", body, SPACE)


def write_pickup_change(request: PickupRequest) -> Element:
    """The change of a collection; its place stays."""
    return element("pickup-request-update", _collection(request), SPACE)


def _collection(request: PickupRequest) -> Json:
    heavy = any(_is_heavy(parcel) for parcel in request.parcels)
    options, instruction = parts.desk_options(request), request.instruction or request.package_location
    return {
        "contact-info": _contact(request.address),
        "location-details": {
            "five-ton-flag": options.value("five_ton_flag"),
            "loading-dock-flag": options.value("loading_dock_flag"),
            "pickup-instructions": ", ".join(filter(None, (_split_lines(request.address)[1], instruction))),
        },
        "items-characteristics": {"heavy-item-flag": True} if heavy else None,
        "pickup-volume": len(request.parcels) or 1,
        "pickup-times": {
            "on-demand-pickup-time": {
                "date": request.pickup_date,
                "preferred-time": _write_hours(request.ready_time, first_quarter),
                "closing-time": _write_hours(request.closing_time, last_quarter),
            }
        },
    }


def _is_heavy(parcel: Parcel) -> bool:
    return parcel.weight is not None and parcel.weight_in("KG") > HEAVY_KG


def _fit_name(address: Address, width: int, *names: str) -> str:
    """Return the first of some names of an address.

    Errors: Invalid with the words that have no room.
    """
    name = next((name for name in names if getattr(address, name)), "")
    text = getattr(address, name) if name else ""
    return " ".join(fit_or_refuse([text], width, 1, f"address.{name}", "Canada Post")) if text else ""


def _split_lines(address: Address) -> tuple[str, str]:
    """Return the only line of the place of a collection, and what of the street goes to the instructions.

    Errors: Invalid for a word that is longer than the line.
    """
    street = ", ".join(address.lines)
    lines, left = fit_lines([street], NAME, 1)
    if street and not lines:
        fit_or_refuse([street], NAME, 1, "address.address_line1", "Canada Post")
    return "".join(lines), left


def _contact(address: Address) -> Json:
    """Canada Post confirms a collection by e-mail.

    Errors: Invalid for a name that is too long, and for what is no e-mail address or one that is too long.
    """
    email = fit_email(address.email, parts.EMAIL)
    if address.email and email is None:
        text = (
            f"is no e-mail address of up to {parts.EMAIL} characters: Canada Post confirms collections there"
        )
        raise Invalid("address.email", text)
    return {
        "contact-name": _fit_name(address, CONTACT, "person_name", "company_name"),
        "email": email,
        "contact-phone": write_phone(address.phone_number),
        "receive-email-updates-flag": True,
    }


def write_phone(number: str | None) -> str:
    """A North American number as 800-555-1212, the only form of the schema; others are passed on."""
    digits = read_phone_digits(number or parts.NO_PHONE) or ""
    digits = digits.removeprefix("1") if len(digits) == 11 else digits
    return f"{digits[:3]}-{digits[3:6]}-{digits[6:]}" if len(digits) == 10 else str(number)


def _write_hours(text: str, to_quarter: Callable[[int], int]) -> str:
    """A time as a quarter of an hour within those of the collection; others are passed on."""
    match = re.fullmatch(r"(\d{1,2}):(\d{2})", text)
    quarter = to_quarter(int(match[1]) * 60 + int(match[2])) if match else 0
    return f"{quarter // 4:02}:{quarter % 4 * QUARTER:02}" if OPENS <= quarter <= SHUTS else text


def first_quarter(minutes: int) -> int:
    """The first in which the parcels are ready."""
    return max(-(-minutes // QUARTER), OPENS)


def last_quarter(minutes: int) -> int:
    """The last in which the door is open."""
    return min(minutes // QUARTER, SHUTS)


def read_pickup(root: Element) -> PickupDetails:
    """A collection the carrier agreed to.

    Units:  Canadian dollars; the fee counts the taxes beside the amount due, as the recorded exchanges do.
    Errors: LookupError when the reply names no request.
    """
    header = first(root, "pickup-request-header")
    return PickupDetails(
        confirmation_number=require(header, "request-id"),
        pickup_date=find(header, "next-pickup-date"),
        pickup_charge=read_or_skip(_fee, next(iter(every(root, "pickup-request-price")), None)),
    )


def _fee(price: Element | None) -> Charge | None:
    if price is None:
        return None
    amounts = (find(price, name) for name in ("hst-amount", "gst-amount", "due-amount"))
    amount = sum((Decimal(amount) for amount in amounts if amount), Decimal(0))
    return Charge(name="Pickup fees", amount=amount, currency=parts.CURRENCY)


def schedule(post: CanadaPost, request: PickupRequest) -> Flow[PickupDetails]:
    """Ask whether the place is on a collection tour, then order."""
    code = parts.postal_code(request.address.postal_code)
    tour = yield from post.ask(
        "GET", f"/ad/pickup/pickupavailability/{code}", headers={"Accept": parts.PICKUP}
    )
    if any(node.text != "true" for node in every(tour.xml, "on-demand-tour")):
        raise post.refuse("pickup_unavailable", f"Canada Post does not collect on demand at {code}")
    body = write_pickup(post.account.customer_number, request)
    reply = yield from post.ask("POST", post.pickups_path(), xml=body, headers=BOOKINGS)
    return read_pickup(reply.xml)


def recover(post: CanadaPost, request: PickupRequest, others: Sequence[str]) -> Flow[PickupDetails | None]:
    """The collection of the day, the hours and the place of a request, but for those known otherwise.

    Source: Get Pickup Requests (REST): all open requests and up to 20 past ones; Get Pickup Request Details.
    """
    headers = {"Accept": parts.PICKUP_REQUEST}
    listed = yield from post.ask("GET", post.pickups_path(), headers=headers)
    entries = every(listed.xml, "pickup-request-header")
    numbers = [
        find(header, "request-id") for header in entries if find(header, "request-status") != CANCELLED
    ]
    paths = [post.pickups_path(f"/{number}/details") for number in numbers if number and number not in others]
    replies = yield from ask_strictly([Call("GET", path, headers=headers) for path in paths])
    order = write_pickup(post.account.customer_number, request)
    return next((read_pickup(reply.xml) for reply in replies if _is_same(order, reply.xml)), None)


def _is_same(order: Element, booked: Element) -> bool:
    """Whether a collection is for the same time and place; what its details leave out is not compared."""
    return all(_texts(booked, name) in ([], _texts(order, name)) for name in SAME)


def _texts(node: Element, name: str) -> list[str]:
    return [(child.text or "").strip() for child in node.iter(f"{{*}}{name}")]


def change(post: CanadaPost, request: PickupUpdateRequest) -> Flow[PickupDetails]:
    path = post.pickups_path(f"/{request.confirmation_number}")
    yield from post.ask("PUT", path, xml=write_pickup_change(request), headers=BOOKINGS)
    reply = yield from post.ask("GET", f"{path}/details", headers=PLACES)
    return read_pickup(reply.xml)
