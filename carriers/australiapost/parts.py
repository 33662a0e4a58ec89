"""What the bodies of Australia Post share: addresses, sizes, money, what is wrong with a request. Pure.

Units: kilograms to the gram, centimetres to the millimetre, half up.
Source: Shipping and Tracking API, Create Domestic Shipments (lengths of texts, decimals).
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from shipcli.carrier import list_charges, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text, wrap_lines
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Charge, Message, Parcel

CATALOGUE = load_catalogue(__file__)
HOME, CURRENCY = "AU", "AUD"
GRAM, MILLIMETRE = Decimal("0.001"), Decimal("0.1")
NAME, LINE, LINES, REFERENCE = 40, 40, 3, 50


def write_address(address: Address) -> Json:
    return {
        "name": cut_text(address.name, NAME),
        "business_name": address.company_name if address.person_name else None,
        "lines": wrap_lines(address.lines, LINE, LINES),
        "suburb": address.city,
        "state": address.state_code,
        "postcode": address.postal_code,
        "country": address.country_code,
        "email": address.email,
        "phone": address.phone_number,
    }


def write_measures(parcel: Parcel) -> Json:
    sizes = {name: round_measure(side, MILLIMETRE) for name, side in parcel.known_sides_in("CM").items()}
    return {**sizes, "weight": round_measure(parcel.weight_in("KG"), GRAM)}


def write_code(table: str, word: str) -> str | None:
    """The code that a table has for a word of ours; None for a word it does not know."""
    return next((code for code, words in CATALOGUE.table(table).items() if word in words), None)


def read_charges(amounts: Json) -> list[Charge]:
    """What a price consists of, by the names of its parts; all amounts are Australian dollars."""
    return list_charges(amounts.items(), CURRENCY)


def read_problems(body: Json) -> list[Message]:
    """Errors and warnings of the whole answer, and of the items and numbers in it."""
    return [
        Message(
            code=error.get("code") or error.get("error_code") or error.get("error"),
            message=error.get("message") or error.get("error_description") or error.get("name"),
            details={name: error[name] for name in ("field", "context", "messages") if error.get(name)}
            or None,
        )
        for part in _parts(body)
        for name in ("errors", "warnings")
        for error in as_list(part.get(name))
    ]


def _parts(body: Json) -> Iterator[Json]:
    yield body
    for name in ("items", "tracking_results"):
        yield from as_list(body.get(name))
