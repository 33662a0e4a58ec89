"""URLs of stores in PostgreSQL, as people may see them: without a password."""

from __future__ import annotations

import re

SCHEMA = "shipcli"
_SCHEMES = ("postgresql://", "postgres://")
# To the last @: a password that was not quoted may hold any character. A port before a query is none.
_USER_INFO = re.compile(r"^(\w+://(?!\[)[^:@/?#]*):(?!\d[,:/\w.\[\]-]*\?\w+=).*@", re.DOTALL)
_SCHEMA = re.compile(r"(?<=[?&])schema=([^&]*)")
_PASSWORD = re.compile(r"([?&])(?:\w*password|passfile)=[^&]*(?:&[^=&]*(?=&|$))*&?", re.IGNORECASE)
_UNQUOTED = re.compile(r"[\s@/?#]")


def is_store_url(place: object) -> bool:
    """Whether a place is such a URL; anything else is a path."""
    return isinstance(place, str) and place.startswith(_SCHEMES)


def hide_password(url: str) -> str:
    """The URL without the password of its user."""
    return _PASSWORD.sub(r"\1", _USER_INFO.sub(r"\1@", url)).rstrip("?&")


def has_password(url: str) -> bool:
    """Whether the URL contains a password."""
    return hide_password(url) != url.rstrip("?&")


def is_quoted(url: str) -> bool:
    """Whether user and password contain none of the characters that end them."""
    match = _USER_INFO.match(url)
    return not (match and _UNQUOTED.search(match[0][len(match[1]) + 1 : -1]))


def add_schema(url: str, ending: str) -> str:
    """The same URL with the schema of this ending beside its own."""
    match = _SCHEMA.search(url)
    schema = f"schema={match[1] if match else SCHEMA}_{ending}"
    if match:
        return _SCHEMA.sub(schema, url)
    return f"{url}{'&' if '?' in url else '?'}{schema}"
