"""Addresses that a command names: a stored one in place of its fields, or one that is pasted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from shipcli.cli.arguments.selectors import select_one
from shipcli.cli.console.prompts import read_block, take_key
from shipcli.cli.console.stderr import warn, write
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.features.book import addresses, postal_block
from shipcli.models.basics.errors import Invalid
from shipcli.models.parts import address as parts_address

LABELS = {
    "person_name": "person", "company_name": "company", "address_line1": "street", "address_line2": "",
    "city": "city", "state_code": "state", "postal_code": "postal code", "country_code": "country",
    "phone_number": "phone", "email": "e-mail",
}  # fmt: skip


def use_stored_address(
    option: str, address: str | None, field: str, data: Iterable[str] | None
) -> dict[str, str] | None:
    """The address by its id, for a field of a body; None if the option names none.

    Errors: NotFound; Usage listing the candidates, or if `-d` changes it: it is sent as it is stored.
    """
    if not address:
        return None
    if field in {re.split(r"[.=]", item, maxsplit=1)[0] for item in data or ()}:
        raise make_conflict_error(option)
    return {"id": select_one("address", address)}


def read_sender(address: str | None) -> Mapping[str, Any] | None:
    """The fields of the address that ships orders without a sender; None if the command names none.

    Errors: NotFound; Usage listing the candidates.
    """
    if address is None:
        return None

    return parts_address.copy_fields(ask(addresses.get_address, select_one("address", address)).model_dump())


def make_conflict_error(option: str) -> Usage:
    """The error of a command that names an address and also gives its fields."""
    return Usage(f"{option} names a stored address; say that, or the fields of one",
                 hint="shipcli addresses update ADDRESS changes what is stored")  # fmt: skip


def paste_address(flags: Mapping[str, str], home: str | None) -> dict[str, str]:
    """The fields of a pasted address; flags replace what was read.

    Errors: Invalid if it contains no address, or its country is unknown; Declined.
    """
    block = postal_block.read_postal_block(read_block("paste the address, then an empty line:"), home)
    fields = {**block.fields, **flags}
    if not fields.get("city"):
        raise Invalid("recipient", "No line with a city and its postal code was found in it.")
    for name, title in LABELS.items():
        if fields.get(name):
            write(f"  {title:<12} {fields[name]}")
    if block.unread:
        warn(f"not understood: {' / '.join(block.unread)}")
    if not fields.get("country_code"):
        raise Invalid(
            "recipient.country_code", "It names no country: add a line with it, or say --to-country."
        )
    if get_run().interactive and not get_run().options.yes:
        take_key("Enter = this is the address, q = no")
    return fields
