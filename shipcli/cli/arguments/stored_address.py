"""A stored address that a command names in place of its fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from shipcli.cli.arguments.selectors import select_one
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage


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
    from shipcli.features.parts.addresses import get_address
    from shipcli.models.parts.address import copy_fields

    return copy_fields(ask(get_address, select_one("address", address)).plain())


def make_conflict_error(option: str) -> Usage:
    """The error of a command that names an address and also gives its fields."""
    return Usage(f"{option} names a stored address; say that, or the fields of one",
                 hint="shipcli addresses update ADDRESS changes what is stored")  # fmt: skip
