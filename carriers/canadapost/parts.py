"""What the documents of Canada Post share: media types, addresses, parcels, extras, links. Pure.

Units: kilograms and centimetres to a tenth, half up; Canadian dollars to the cent.
Source: the Canada Post web services, REST (rate v4, shipment v8, manifest v8, track v2, pickuprequest). Every
operation has a media type of its own, which both `Accept` and `Content-Type` must name.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple, TypeAlias

from lxml.etree import _Element

from shipcli.carrier import Call, RequestOptions, load_catalogue
from shipcli.carrier.xml import every
from shipcli.models import Address, ManifestRequest, Parcel, PickupRequest

CATALOGUE = load_catalogue(__file__)
DESK_OPTIONS = CATALOGUE.option_table("desk_options")
Fields: TypeAlias = dict[str, Any]

RATE = "application/vnd.cpc.ship.rate-v4+xml"
SHIPMENT = "application/vnd.cpc.shipment-v8+xml"
MANIFEST = "application/vnd.cpc.manifest-v8+xml"
TRACK = "application/vnd.cpc.track-v2+xml"
PICKUP = "application/vnd.cpc.pickup+xml"
PICKUP_REQUEST = "application/vnd.cpc.pickuprequest+xml"

CANADA, CURRENCY, NO_PHONE = "CA", "CAD", "000 000 0000"
LINE, LONGEST_PHONE = 44, 25
TENTH, GRAM, CENT, LEAST_KG = Decimal("0.1"), Decimal("0.001"), Decimal("0.01"), Decimal("0.01")
COVERAGE = "COV"
RETURN_TO_SENDER = "RASE"  # what happens abroad to what can't be delivered, unless the caller says otherwise


def media(kind: str) -> Mapping[str, str]:
    """The headers of a request that carries a document and is answered with one of its kind."""
    return {"Accept": kind, "Content-Type": kind}


class Payer(NamedTuple):
    """Who ships, as the connection has it."""

    customer: str | None
    contract: str | None
    cost_centre: str | None


# -- addresses and parcels -------------------------------------------------------------------------


def postal_code(code: str | None) -> str | None:
    """A postal code as Canada Post takes it: upper case, no blanks."""
    return "".join((code or "").split()).upper() or None


def phone(address: Address) -> str:
    return (address.phone_number or NO_PHONE)[:LONGEST_PHONE]


def write_address(address: Address) -> Fields:
    """A street too long for its line goes on in the second, when that one is free."""
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
        "postal-zip-code": postal_code(address.postal_code),
    }


def write_parcel(parcel: Parcel) -> Fields:
    """A weight that would round to nothing keeps its grams; sizes are sent when all three are known."""
    exact = parcel.weight_in("KG")
    weight = _to_tenth(exact) or max(exact.quantize(GRAM, ROUND_HALF_UP), LEAST_KG)
    sides = {
        "length": parcel.length_in("CM"),
        "width": parcel.width_in("CM"),
        "height": parcel.height_in("CM"),
    }
    known = {name: _to_tenth(side) or TENTH for name, side in sides.items() if side is not None}
    return {"weight": weight, "dimensions": known if len(known) == len(sides) else None}


def _to_tenth(value: Decimal) -> Decimal:
    return value.quantize(TENTH, ROUND_HALF_UP)


# -- options ---------------------------------------------------------------------------------------


def desk_options(request: PickupRequest | ManifestRequest) -> RequestOptions:
    """The options of pickups and manifests, which no label has."""
    return RequestOptions(DESK_OPTIONS, request.options)


def write_options(options: RequestOptions, *, abroad: bool = False) -> Fields | None:
    """The extras that are chosen, but for those with an element of their own.

    Coverage leads, as in every recorded exchange. An amount of nothing is no extra. Abroad it must be said
    what becomes of a parcel that can't be delivered.
    """
    extras = [one for one in options.chosen() if one.row.path is None and one.value]
    chosen = sorted(extras, key=lambda one: one.code != COVERAGE)
    rows: list[Fields] = [{"option-code": one.code, "option-amount": _amount(one.value)} for one in chosen]
    if abroad and not any(one.code in CATALOGUE.table("non_delivery") for one in chosen):
        rows.append({"option-code": RETURN_TO_SENDER})
    return {"option": rows} if rows else None


def _amount(value: Any) -> Decimal | None:
    return value.quantize(CENT, ROUND_HALF_UP) if isinstance(value, Decimal) else None


# -- links -----------------------------------------------------------------------------------------


class Link(NamedTuple):
    """Where something of an answer is to be had, and as what."""

    href: str
    media_type: str

    @property
    def name(self) -> str:
        """What the address ends with: the identifier of what it leads to."""
        return self.href.rpartition("/")[2]


def read_links(node: _Element, rel: str) -> list[Link]:
    """The links of one relation, in the order of the answer."""
    found = (one for one in every(node, "link") if one.get("rel") == rel)
    return [Link(href, one.get("media-type", "")) for one in found if (href := one.get("href"))]


def follow(link: Link, *, file: bool = False) -> Call:
    """The call that fetches what a link offers."""
    return Call("GET", link.href, headers={"Accept": link.media_type}, file=file)
