"""What carriers were given since the contract was written: beside what it has, which stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")

# Credentials of a carrier whose API was replaced: those of the old one stay in the contract, as required.
CREDENTIALS: Mapping[str, frozenset[str]] = {
    "amazon_shipping": frozenset({"client_id", "client_secret", "refresh_token", "shipping_business_id"}),
}


def drop_added(slug: str, fields: Mapping[str, T]) -> dict[str, T]:
    """The credentials of a carrier as the contract has them."""
    return {name: row for name, row in fields.items() if name not in CREDENTIALS.get(slug, ())}
