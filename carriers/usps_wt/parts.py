"""What the documents of Web Tools share: the log-in, addresses, sizes, extra services, errors. Pure.

Units: ounces and inches with two decimals; amounts in USD.
Source: USPS Web Tools, RateV4, eVS, TrackV2 and their schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

from shipcli.carrier import Catalogue, RequestOptions, load_catalogue
from shipcli.carrier.catalogue_rows import ChosenOption
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Message, Parcel, RateRequest, ShipmentRequest

if TYPE_CHECKING:
    from lxml.etree import _Element

    from . import UspsWtAccount

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
CURRENCY = "USD"
INSURANCE = "usps_insurance"
GENERAL = "100"  # the code of insurance
NO = ("false", "no", "n", "0", "0.0")
DONE = "Cancelled"


def write_login(account: UspsWtAccount) -> Json:
    return {"@USERID": account.username, "@PASSWORD": account.password.get_secret_value()}


# -- addresses and parcels -------------------------------------------------------------------------


def zip5(postal_code: str | None) -> str:
    return (postal_code or "").partition("-")[0][:5]


def zip4(postal_code: str | None) -> str:
    return (postal_code or "").partition("-")[2]


def packaging_code(catalogue: Catalogue, parcel: Parcel, default: str) -> str:
    """The carrier's word for the packaging; that of the default where it is not given or not known."""
    row = catalogue.packaging.get(parcel.packaging_type)
    return row.code if row else catalogue.packaging.code(default)


def write_sides(parcel: Parcel) -> Json:
    """The sides in inches; of a tube its girth too."""
    sides = parcel.length_in("IN"), parcel.width_in("IN"), parcel.height_in("IN")
    length, width, height = (None if side is None else round_measure(side) for side in sides)
    tube = parcel.packaging_type == "tube" and length and width and height
    measured = sorted(side for side in (length, width, height) if side)
    return {
        "Width": width,
        "Length": length,
        "Height": height,
        "Girth": 2 * (measured[0] + measured[1]) if tube else None,
    }


# -- options ---------------------------------------------------------------------------------------


def read_extras(options: RequestOptions) -> list[ChosenOption]:
    """The extra services that are wanted, in the order in which they are given."""
    return [
        choice
        for choice in options.list_chosen()
        if choice.code.isdigit() and str(choice.value).lower() not in NO
    ]


def list_priced_codes(options: RequestOptions) -> list[str]:
    """The codes of the extra services as a label is billed for them: an insurance, whichever of its names was
    used, is ordered as an amount.
    """
    codes = [GENERAL if extra.slug.startswith(INSURANCE) else extra.code for extra in read_extras(options)]
    return list(dict.fromkeys(codes))


def read_insurance(options: RequestOptions, word: str = "") -> Decimal | None:
    """The amount to be insured: of the first insurance whose name holds the word, else of any.

    An insurance that is wanted without an amount covers what the shipment declares.
    """
    values = [
        extra.value
        for extra in read_extras(options)
        if extra.slug.startswith(INSURANCE) and word in extra.slug
    ]
    if values and values[0] is True:
        return options.amount("declared_value")
    return values[0] if values else options.insurance()


# -- what USPS says went wrong ---------------------------------------------------------------------


def read_messages(root: _Element) -> list[Message]:
    """Errors, wherever they stand, and a label that was not cancelled."""
    messages = [read_error(node) for node in xml.every(root, "Error")]
    status = xml.find(root, "Status") if str(root.tag).endswith("CancelResponse") else None
    if status and status != DONE:
        messages.append(Message(code=status, message=xml.find(root, "Reason")))
    return messages


def read_error(node: _Element) -> Message:
    """One error; inside the answer to several numbers it names the one it is about."""
    parent = node.getparent()
    number = parent.get("ID") if parent is not None and parent.tag == "TrackInfo" else None
    return Message(
        code=xml.find(node, "Number"),
        message=xml.find(node, "Description"),
        details={"tracking_number": number} if number else None,
    )


def texts(node: _Element, names: Sequence[str]) -> list[str]:
    return [text for name in names if (text := xml.find(node, name))]
