"""Addresses of rows: every word of their cells has its place, or is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from shipcli.models import AddressData, Invalid
from shipcli.models.basics import phones, postal
from shipcli.models.basics.places import read_state
from shipcli.models.basics.plain_text import cut_at_word, fit_lines
from shipcli.models.basics.text import is_placeholder
from shipcli.readers.cells import CellErrors, Cells, read_boolean, read_country, shorten_value

LONGEST_STATE = 20
LONGEST_LINE, MOST_LINES = 50, 2
LINES = ("address1", "address2", "address3")
ADDRESS: Mapping[str, str] = {
    "name": "person_name",
    "company": "company_name",
    "phone": "phone_number",
    "email": "email",
    "address1": "address_line1",
    "address2": "address_line2",
    "city": "city",
    "state": "state_code",
    "postal_code": "postal_code",
    "country": "country_code",
    "residential": "residential",
}  # column part to field
PARTS = {name: part for part, name in ADDRESS.items()}  # field to column part


def has_address(side: str, cells: Cells) -> bool:
    """Whether any cell of an address is filled; a yes or no for `residential` alone is not an address."""
    parts = (*ADDRESS, *LINES)
    return any(cells.get(f"{side}_{part}") for part in parts if part != "residential")


def read_address(side: str, cells: Cells, wrong: CellErrors, notes: CellErrors) -> dict[str, Any]:
    """The address whose columns begin with `side`; what was changed or left out is added to the notes."""
    address: dict[str, Any] = {
        name: cells.get(f"{side}_{part}") or None for part, name in ADDRESS.items() if part not in LINES
    }
    address |= _read_lines(side, cells, wrong)
    address["residential"] = read_boolean(f"{side}_residential", cells, wrong)
    country = address["country_code"] = read_country(f"{side}_country", cells, wrong)
    if address["state_code"]:
        address["state_code"] = _read_state(f"{side}_state", address["state_code"], country or "", notes)
    if address["postal_code"]:
        address["postal_code"] = _read_postal_code(f"{side}_postal_code", address, notes)
    if address["phone_number"] and phones.is_no_phone(address["phone_number"]):
        _note_nothing(f"{side}_phone", address["phone_number"], notes)
        address["phone_number"] = None
    return address


def _read_lines(side: str, cells: Cells, wrong: CellErrors) -> dict[str, str | None]:
    """The two lines of an address, from up to three columns that may hold several lines each."""
    texts = [cells.get(f"{side}_{part}", "") for part in LINES]
    if not texts[2] and not any("\n" in text or len(text) > LONGEST_LINE for text in texts):
        return {"address_line1": texts[0] or None, "address_line2": texts[1] or None}
    lines = [line for text in texts for line in text.split("\n") if line]
    fitting, left = fit_lines(lines, LONGEST_LINE, MOST_LINES)
    if left:
        reason = f"no room for {left!r}: an address has {MOST_LINES} lines of {LONGEST_LINE} characters"
        wrong.append((f"{side}_{_find_overlong(texts)}", reason))
    first, second = [*fitting, None, None][:MOST_LINES]
    return {"address_line1": first, "address_line2": second}


def _find_overlong(texts: list[str]) -> str:
    """The column with the words that have no room: the last one that is filled, unless it is short itself."""
    filled = [part for part, text in zip(LINES, texts, strict=True) if text]
    overlong = [part for part, text in zip(LINES, texts, strict=True) if len(text) > LONGEST_LINE]
    return (overlong or filled)[-1]


def _read_state(name: str, text: str, country: str, notes: CellErrors) -> str | None:
    if is_placeholder(text):
        _note_nothing(name, text, notes)
        return None
    state = read_state(text, country) or ""
    fitting, left = cut_at_word(state, LONGEST_STATE)
    if left:
        notes.append(
            (name, f"{shorten_value(text)} is longer than {LONGEST_STATE} characters: without {left!r}")
        )
    return fitting or None


def _read_postal_code(name: str, address: Mapping[str, Any], notes: CellErrors) -> str | None:
    """A postal code, with the zeros it began with before a spreadsheet took it for a number."""
    text = str(address["postal_code"])
    if is_placeholder(text):
        _note_nothing(name, text, notes)
        return None
    padded = postal.find_lost_zeros(text, address["country_code"] or "", address["state_code"] or "")
    if padded:
        notes.append((name, f"{shorten_value(text)} lost the zeros it begins with: read as {padded}"))
    return padded or text


def _note_nothing(name: str, text: str, notes: CellErrors) -> None:
    notes.append((name, f"{shorten_value(text)} stands for nothing and is left out"))


def read_optional_address(side: str, cells: Cells, notes: CellErrors) -> dict[str, Any] | None:
    """An address that nothing is sent to: what is wrong with it is left out and noted; it refuses nothing."""
    if not has_address(side, cells):
        return None
    wrong: CellErrors = []
    address = read_address(side, cells, wrong, notes)
    for name, reason in wrong:
        notes.append((name, f"{reason}; it is left out"))
    if not address["country_code"]:
        notes.append((f"{side}_country", "without a country this address is left out"))
        return None
    return _drop_wrong_fields(side, address, cells, notes)


def _drop_wrong_fields(side: str, address: dict[str, Any], cells: Cells, notes: CellErrors) -> dict[str, Any]:
    try:
        AddressData.model_validate(address)
        return address
    except ValidationError as error:
        problems = Invalid.from_pydantic(error).problems
    for problem in problems:
        name = f"{side}_{PARTS.get(problem.field, problem.field)}"
        notes.append((name, f"{shorten_value(cells.get(name, ''))} {problem.reason}; it is left out"))
    return {**address, **{problem.field: None for problem in problems}}
