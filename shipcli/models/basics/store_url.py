"""URLs of stores in PostgreSQL, as people may see them: without a password."""

from __future__ import annotations

import re

SCHEMA = "shipcli"
_SCHEMES = ("postgresql://", "postgres://")
_USER_INFO = re.compile(r"^(\w+://[^/?#]*?):[^/?#]*@")
_SCHEMA = re.compile(r"(?<=[?&])schema=([^&]*)")
_PASSWORD = re.compile(r"([?&])(password|passfile)=[^&#]*&?")


def is_store_url(place: object) -> bool:
    """Whether a place is such a URL; anything else is a path."""
    return isinstance(place, str) and place.startswith(_SCHEMES)


def hide_password(url: str) -> str:
    """The URL without the password of its user."""
    return _PASSWORD.sub(r"\1", _USER_INFO.sub(r"\1@", url)).rstrip("?&")


def has_password(url: str) -> bool:
    """Whether the URL contains a password."""
    return bool(_USER_INFO.search(url) or "password=" in url.partition("?")[2])


def add_schema(url: str, ending: str) -> str:
    """The same URL with the schema of this ending beside its own."""
    match = _SCHEMA.search(url)
    schema = f"schema={match[1] if match else SCHEMA}_{ending}"
    if match:
        return _SCHEMA.sub(schema, url)
    return f"{url}{'&' if '?' in url else '?'}{schema}"
