"""Short names for stored addresses, such as `dock`, kept on the machine where they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.models.basics.errors import Invalid

if TYPE_CHECKING:
    from shipcli.features.core.app import App

TABLE = "nicknames"


def check_nickname(name: str) -> str:
    """Return a nickname as it is stored.

    Errors: Invalid if a command could mistake it for something else.
    """
    word = name.strip().casefold()
    if not word or word[0] in "@-" or word.startswith("adr_"):
        raise Invalid("nickname", f"{name!r} can't be a nickname; choose one such as dock")
    return word


def save_nickname(app: App, name: str, address_id: str) -> None:
    """Give an address a nickname, taking it from any address that had it.

    Errors: as for `check_nickname`.
    """
    row = {"name": check_nickname(name), "address_id": address_id}
    with app.store.transaction() as tx:
        tx.upsert(TABLE, row)


def find_nickname(app: App, word: str) -> str | None:
    """Return the id of the address with this nickname, or None if there is none."""
    rows = app.store.select(TABLE, {"name": word.strip().casefold()})
    return str(rows[0]["address_id"]) if rows else None


def list_nicknames(app: App) -> list[tuple[str, str]]:
    """Every nickname with the id of its address, by name."""
    return sorted((str(row["name"]), str(row["address_id"])) for row in app.store.select(TABLE))
