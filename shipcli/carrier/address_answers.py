"""What carriers answer about an address, in one form: findings by field, and the addresses that it may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shipcli.models import Address, AddressValidationDetails
from shipcli.models.parts.address import PLACE

NOT_FOUND = {"address_line1": "is at no place that the carrier knows"}
UNIT_MISSING = {"address_line2": "lacks the number of the apartment or suite"}
UNIT_UNKNOWN = {"address_line2": "is no apartment or suite that the carrier knows there"}
AMBIGUOUS = {"address_line1": "fits several places: choose one of the candidates, or say more"}


def make_address_answer(
    findings: Mapping[str, str], address: Address | None = None, candidates: Iterable[Address] = ()
) -> AddressValidationDetails:
    """Return the answer: a success without findings (`messages`, reasons by field of the address)."""
    listed = [list_place(candidate) for candidate in candidates]
    meta = {"messages": dict(findings), "candidates": listed}
    return AddressValidationDetails(
        success=not findings,
        complete_address=address,
        meta={name: value for name, value in meta.items() if value},
    )


def list_place(address: Address) -> dict[str, Any]:
    """The place of an address by its fields, without those that are empty."""
    values = {name: getattr(address, name) for name in (*PLACE, "residential")}
    return {name: value for name, value in values.items() if value not in (None, "")}


def join_zip(zip5: Any, plus4: Any) -> str | None:
    """A ZIP code with the four digits that are told apart, if there are any."""
    return "-".join(str(part) for part in (zip5, plus4) if part) or None
