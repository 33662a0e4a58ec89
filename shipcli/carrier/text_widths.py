"""Texts of addresses that are longer than a carrier's members: broken at words into a free line, or refused.

A carrier states the most characters as data, `widths` in `addresses` of its catalogue, and how many lines:

    "widths": {"person_name": 35, "company_name": 35, "city": 28, "lines": [35, 3]}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.carrier.address_form import NAMES
from shipcli.models import Address, Invalid, Model, PickupRequest, RateRequest, ShipmentRequest
from shipcli.models.basics.plain_text import fit_lines
from shipcli.models.parts.address import LONGEST_LINE

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

M = TypeVar("M", bound=Model)
SIDES = ("shipper", "recipient", "address")
USUAL_LINES = (LONGEST_LINE, 2)


def fit_addresses(request: M, carrier: Carrier[Any, Any]) -> M:
    """Return the request with its addresses in the widths of a carrier.

    Errors: Invalid naming the field that is too long and the words that have no room.
    """
    is_fitted = isinstance(request, RateRequest | ShipmentRequest | PickupRequest)
    sides = SIDES if carrier.addresses.widths and is_fitted else ()
    addresses = {side: address for side in sides if (address := getattr(request, side, None))}
    fitted = {side: fit_address(side, address, carrier) for side, address in addresses.items()}
    changes = {side: address for side, address in fitted.items() if address is not addresses[side]}
    return request.model_copy(update=changes) if changes else request


def fit_address(side: str, address: Address, carrier: Carrier[Any, Any]) -> Address:
    """Return an address with what of its names is too long in a line that is free.

    Errors: Invalid naming the field and the words that have no room.
    """
    widths = carrier.addresses.widths
    for name in NAMES:
        text = getattr(address, name) or ""
        if name in widths and len(text) > widths[name]:
            address = _move_rest(side, address, name, carrier)
    if address.city and "city" in widths:
        fit_or_refuse([address.city], widths["city"], 1, f"{side}.city", carrier.name)
    width, most = widths.get("lines", USUAL_LINES)
    if all(len(line) <= width for line in address.lines):
        return address
    lines = fit_or_refuse(address.lines, width, most, f"{side}.{_find_last_line(address)}", carrier.name)
    if most > len(USUAL_LINES):
        return address  # its writer wraps them
    first, *second = lines
    return address.model_copy(
        update={"street_number": None, "address_line1": first, "address_line2": " ".join(second) or None}
    )


def fit_or_refuse(texts: Sequence[str], width: int, most: int, field: str, carrier: str) -> list[str]:
    """Return texts as lines of a width, broken at words.

    Errors: Invalid naming the field and the words that have no room.
    """
    lines, left = fit_lines(texts, width, most)
    if left:
        lines_of = f"{most} lines of {width}" if most > 1 else str(width)
        raise Invalid(field, f"{carrier} takes {lines_of} characters: no room for {left!r}")
    return lines


def _move_rest(side: str, address: Address, name: str, carrier: Carrier[Any, Any]) -> Address:
    """Return an address with the words of a name that are too many at the end of its lines."""
    width, field = carrier.addresses.widths[name], f"{side}.{name}"
    lines, rest = fit_lines([getattr(address, name)], width, 1)
    if not lines or not _has_room([*address.lines, rest], carrier):
        raise Invalid(field, f"{carrier.name} takes {width} characters: no room for {rest!r}")
    last = " ".join(filter(None, (address.address_line2, rest)))
    return address.model_copy(update={name: lines[0], "address_line2": last})


def _has_room(lines: Sequence[str], carrier: Carrier[Any, Any]) -> bool:
    width, most = carrier.addresses.widths.get("lines", USUAL_LINES)
    return len(lines) <= most and not fit_lines(lines, width, most)[1]


def _find_last_line(address: Address) -> str:
    return "address_line2" if address.address_line2 else "address_line1"
