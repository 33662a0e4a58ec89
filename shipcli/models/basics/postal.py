"""How postal codes are written, country by country."""

from __future__ import annotations

import re

_CANADIAN = re.compile(r"(?:[A-Z][0-9]){3}")
_ZIP = 5
_ISLANDS = frozenset({"PR", "VI", "GU", "AS", "MP", "FM", "MH", "PW"})  # countries with ZIP codes of the US
_AMERICAN = re.compile(r"[0-9]{5}(?:-[0-9]{4})?")


def format_postal_code(text: str, country: str) -> str:
    """A Canadian or American postal code in its usual form; those of other countries are left alone.

    Errors: ValueError when a Canadian or American code cannot be one; a short one of an island is named.
    """
    if country == "CA":
        compact = re.sub(r"[\s_-]", "", text).upper()
        if not _CANADIAN.fullmatch(compact):
            raise ValueError("must be a Canadian postal code such as E1C4Z8")
        return compact
    if country == "US":
        compact = re.sub(r"\s", "", text)
        if not _AMERICAN.fullmatch(compact):
            raise ValueError("must be a US postal code such as 12345 or 12345-6789")
        return compact
    if country in _ISLANDS and (digits := text.strip()).isdigit() and len(digits) < _ZIP:
        raise ValueError(f"must have five digits: {digits.zfill(_ZIP)}?")
    return text
