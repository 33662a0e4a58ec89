"""The names of connections: which of them the words of a user refer to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from shipcli.features.connections.accounts import list_account_names
from shipcli.models import NotFound, suggest_nearest

if TYPE_CHECKING:
    from shipcli.features.core.app import App

Names = tuple[str, Collection[str]]  # a connection's name, and all names accepted for it


def find_connections(app: App, names: Sequence[str]) -> list[str]:
    """Return connection names for carrier slugs, custom names or connection names.

    Errors: NotFound with the closest name and all that exist.
    """
    return select_connections(list_account_names(app), names) if names else []


def select_connections(every: Iterable[Names], names: Sequence[str]) -> list[str]:
    """Return the connections that these names refer to.

    Errors: NotFound with the closest name and all that exist.
    """
    every, matches = list(every), list[str]()
    for name in names:
        fit = [carrier_id for carrier_id, called in every if name in called]
        if not fit:
            carrier_ids = sorted({carrier_id for carrier_id, _ in every})
            hint = suggest_nearest(name, carrier_ids)
            text = f"There is no connection {name!r}.{hint} Known: {', '.join(carrier_ids) or 'none'}."
            raise NotFound("connection", name, message=text)
        matches += fit
    return list(dict.fromkeys(matches))
