"""What carriers were given since the contract was written: beside what it has, which stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")

CONTRACT_SIZE = 45  # carriers of the contract
# Carriers that it does not have: they stand in every list beside its own.
CARRIERS = frozenset({
    "asendia",
    "dpd_meta",
    "gls",
    "hermes",
    "landmark",
    "mydhl",
    "parcelone",
    "postat",
    "shipengine",
    "smartkargo",
    "spring",
    "teleship",
})  # fmt: skip
# Credentials of carriers whose API was replaced, or that have another API since: the contract has the others.
CREDENTIALS: Mapping[str, frozenset[str]] = {
    "amazon_shipping": frozenset({"client_id", "client_secret", "refresh_token", "shipping_business_id"}),
    "dhl_parcel_de": frozenset({"dhl_api_secret"}),
}

# What carriers can be asked since: verbs that the contract does not have of them.
CAPABILITIES: Mapping[str, frozenset[str]] = {
    "dhl_parcel_de": frozenset({"pickup"}),
    "fedex": frozenset({"manifest"}),
    "ups": frozenset({"pickup"}),
}


def drop_capabilities(slug: str, names: Iterable[str]) -> set[str]:
    """What a carrier can be asked as the contract has it."""
    return set(names) - CAPABILITIES.get(slug, frozenset())


# Members of a carrier's description beside those of the contract.
MEMBERS = frozenset({"held_against", "held_on"})


def drop_members(row: Mapping[str, T]) -> dict[str, T]:
    """The description of a carrier as the contract has it."""
    return {name: value for name, value in row.items() if name not in MEMBERS}


def drop_added(slug: str, fields: Mapping[str, T]) -> dict[str, T]:
    """The credentials of a carrier as the contract has them."""
    return {name: row for name, row in fields.items() if name not in CREDENTIALS.get(slug, ())}


def drop_carriers(rows: Mapping[str, T]) -> dict[str, T]:
    """A map by slug as the contract has it."""
    return {slug: row for slug, row in rows.items() if slug not in CARRIERS}


def drop_slugs(words: Iterable[str]) -> list[str]:
    """An enumeration of slugs as the contract has it."""
    return [word for word in words if word not in CARRIERS]
