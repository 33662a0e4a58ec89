"""Short names of stored addresses, such as `dock`: of the machine at which they are typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shipcli.features.core.app import read_setting
from shipcli.models.basics.errors import Invalid

if TYPE_CHECKING:
    from shipcli.features.core.app import App

NICKNAMES = "nicknames"  # the row of the store that holds them


def list_nicknames(app: App) -> Mapping[str, str]:
    """The ids of addresses by nickname."""
    return read_setting(app.store, NICKNAMES) or {}


def check_nickname(name: str) -> str:
    """A nickname as it is kept.

    Errors: Invalid for one that a command would take for something else.
    """
    word = name.strip().casefold()
    if not word or word[0] in "@-" or word.startswith("adr_"):
        raise Invalid("nickname", f"{name!r} can't be a nickname; say one such as dock")
    return word


def save_nickname(app: App, name: str, address_id: str) -> None:
    """Call an address so; whatever was called so is not any more.

    Errors: as `check_nickname`.
    """
    known = {**list_nicknames(app), check_nickname(name): address_id}
    with app.store.transaction() as tx:
        tx.upsert("settings", {"key": NICKNAMES, "value": known})


def find_nickname(app: App, word: str) -> str | None:
    """The id of the address that is called so."""
    return list_nicknames(app).get(word.strip().casefold())
